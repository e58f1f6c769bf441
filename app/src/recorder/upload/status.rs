//! The commands to the upload, and the status that it reports.

use super::client::TakeUrl;
use crate::browser::blob::Piece;

/// A piece of a take, and where it ends in the take's time.
#[derive(Clone, Debug)]
pub struct TimedPiece {
    /// The bytes.
    pub piece: Piece,
    /// Milliseconds since the take began.
    pub end_ms: u32,
}

/// A message from the spool to the upload.
pub enum UploadMessage {
    /// A piece, and when it was stored on this device, on the page's clock.
    Piece(TimedPiece, f64),
    /// Send what there is now, without waiting for more.
    Flush,
    /// There will be no more pieces.
    End,
}

/// Where an upload begins.
#[derive(Clone, Debug, Default)]
pub struct UploadStart {
    /// The take on the server, if it was created before.
    pub take: Option<TakeUrl>,
    /// Bytes at the beginning of the take that are committed there and deleted here.
    pub released: u64,
}

/// The status of an upload, for the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UploadStatus {
    /// The take, once the server has created it.
    pub take: Option<TakeUrl>,
    /// Bytes of the take.
    pub recorded: u64,
    /// Duration of the take.
    pub recorded_ms: u32,
    /// Committed bytes.
    pub committed: u64,
    /// Duration of the committed bytes.
    pub committed_ms: u32,
    /// Whether all of the take is committed.
    pub complete: bool,
    /// Whether the last attempt failed; the next one follows.
    pub retrying: bool,
    /// Whether it failed because the server has no room.
    pub server_full: bool,
    /// Whether the server seals the take.
    pub sealing: bool,
}
