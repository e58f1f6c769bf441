//! The current take, a recording or a file: from its first byte until it is submitted or discarded.
//!
//! `spool` stores its pieces, `clip` plays them, `submit` sends it, `receipt` says so. `file` begins a take with a chosen
//! file if that may be a video by its `signature`, `recovery` with what an earlier visit has stored; `discarded` deletes
//! takes on the server.

mod clip;
mod discarded;
mod file;
mod lifecycle;
mod receipt;
mod recovery;
mod signature;
mod spool;
pub mod submit;

use futures_channel::mpsc::UnboundedSender;
use futures_util::future::AbortHandle;

use super::bindings::Flag;
use super::upload::status::TimedPiece;
use crate::browser::blob::Clip;
use crate::browser::storage::indexed_db::TakeRecord;

/// Fewer bytes are not even the header of a file.
/// Chromium may hand out the beginning of a header by itself.
pub(super) const MIN_TAKE_BYTES: u64 = 256;

/// The flags of a take, cleared with it.
pub(super) const TAKE_FLAGS: [Flag; 13] = [
    Flag::Interrupted,
    Flag::Recovered,
    Flag::IsFile,
    Flag::Loading,
    Flag::HasClip,
    Flag::NotPlayable,
    Flag::ServerFull,
    Flag::NoPreview,
    Flag::AudioLost,
    Flag::HasLocation,
    Flag::Retrying,
    Flag::Complete,
    Flag::Sealing,
];

/// A recording or a file, as long as it may still be submitted or discarded.
pub struct Take {
    /// What is stored of it on this device.
    pub(super) record: TakeRecord,
    /// Whether the record is stored.
    pub(super) is_stored: bool,
    /// All pieces, for the review. These are handles; the browser holds the bytes.
    pub(super) pieces: Vec<TimedPiece>,
    /// The URL that the review plays, revoked with the take.
    pub(super) clip: Option<Clip>,
    /// Whether the person was told that it contains a location.
    is_location_shown: bool,
    pub(super) spool: UnboundedSender<SpoolMessage>,
    /// The spool and the upload.
    tasks: [AbortHandle; 2],
}

impl Take {
    /// Stops storing and uploading it.
    pub(super) fn abort(&self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }

    /// Its length in bytes.
    pub(super) fn length(&self) -> u64 {
        self.pieces.iter().map(|it| it.piece.length()).sum()
    }

    /// All pieces of a take of this many bytes. `None`: some aren't here.
    pub(super) fn all_pieces(&self, recorded: u64) -> Option<Vec<TimedPiece>> {
        let has_all = recorded > 0 && self.length() == recorded;
        has_all.then(|| self.pieces.clone())
    }
}

/// A message from the recorder to the spool.
pub enum SpoolMessage {
    /// A piece to store and to upload.
    New(TimedPiece),
    /// A piece that an earlier visit has stored.
    Stored(TimedPiece),
    /// Upload what there is now, without waiting for more.
    Flush,
    /// There will be no more pieces.
    End,
}
