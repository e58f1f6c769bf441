//! The spool between the recorder and the network: stores every piece on this device before it is uploaded.

use std::cell::RefCell;

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender};
use futures_util::StreamExt;

use super::SpoolMessage;
use crate::browser;
use crate::browser::blob::Piece;
use crate::browser::storage::indexed_db::{Released, StoreError, TakeRecord, TakeStore};
use crate::recorder::bindings::Flag;
use crate::recorder::controller::Recorder;
use crate::recorder::state::Ending;
use crate::recorder::upload::client::TakeUrl;
use crate::recorder::upload::outbox::NOT_STORED;
use crate::recorder::upload::status::UploadMessage;

/// Stores the pieces of the take with this name, and passes them on to the upload.
/// A piece that can't be stored is uploaded all the same.
pub async fn run(
    recorder: Recorder,
    name: String,
    mut messages: UnboundedReceiver<SpoolMessage>,
    upload: UnboundedSender<UploadMessage>,
) {
    // Without a record of the take its pieces couldn't be found again.
    let mut all_stored = recorder.update_record(|_| {}).await;
    recorder.set_flag(Flag::MemoryOnly, !all_stored);
    let store = recorder.store.borrow().clone();
    let mut writer = store.filter(|_| all_stored).map(|store| PieceWriter {
        recorder,
        store,
        name,
        piece_ends: Vec::new(),
        released_pieces: 0,
    });
    // The receiver is gone once the upload has failed for good; the page shows that already.
    let send = |message| {
        let _ = upload.unbounded_send(message);
    };
    while let Some(message) = messages.next().await {
        match message {
            SpoolMessage::New(piece) => {
                if let Some(current) = &mut writer
                    && !current.write(&piece.piece, piece.end_ms).await
                {
                    // Pieces after a gap are of no use, so from here on nothing is stored.
                    writer = None;
                    all_stored = false;
                    recorder.set_flag(Flag::MemoryOnly, true);
                }
                let stored_at = match writer {
                    Some(_) => browser::performance_now(),
                    None => NOT_STORED,
                };
                send(UploadMessage::Piece(piece, stored_at));
            }
            SpoolMessage::Stored(piece) => {
                send(UploadMessage::Piece(piece, browser::performance_now()));
            }
            SpoolMessage::Flush => send(UploadMessage::Flush),
            SpoolMessage::End => {
                // A take that isn't stored to its end is left as one that hasn't ended.
                let interrupted = recorder.has_flag(Flag::Interrupted);
                recorder
                    .update_record(|record| {
                        record.ended |= all_stored;
                        record.interrupted = interrupted;
                    })
                    .await;
                recorder.set_flag(Flag::Loading, false);
                send(UploadMessage::End);
                return;
            }
        }
    }
}

/// Writes the pieces of a take to the browser's store.
struct PieceWriter {
    recorder: Recorder,
    store: TakeStore,
    name: String,
    /// Where each piece ends, in bytes.
    piece_ends: Vec<u64>,
    /// How many pieces at the beginning were deleted to make room.
    released_pieces: u32,
}

impl PieceWriter {
    /// `false`: the piece can't be stored.
    /// If it is a file that can't be read, this also ends the take, as it can't be uploaded either.
    async fn write(&mut self, piece: &Piece, end_ms: u32) -> bool {
        let number = u32::try_from(self.piece_ends.len()).unwrap_or(u32::MAX);
        let end = self.piece_ends.last().unwrap_or(&0) + piece.length();
        self.piece_ends.push(end);
        let put = self.store.put_piece(&self.name, number, piece, end_ms);
        let mut stored = put.await;
        if stored == Err(StoreError::QuotaExceeded) && self.release_committed().await {
            let put = self.store.put_piece(&self.name, number, piece, end_ms);
            stored = put.await;
        }
        if stored == Err(StoreError::Unreadable) && self.recorder.has_flag(Flag::IsFile) {
            self.recorder.end(Ending::Unreadable);
            self.recorder.abort_take();
        }
        stored.is_ok()
    }

    /// Makes room by deleting pieces that are committed on the server.
    /// A later visit can't play the take then.
    async fn release_committed(&mut self) -> bool {
        let committed = self.recorder.upload.get().committed;
        let count = self.piece_ends.partition_point(|end| *end <= committed);
        let pieces = u32::try_from(count).unwrap_or(u32::MAX);
        if pieces <= self.released_pieces {
            return false;
        }
        let bytes = self.piece_ends.get(pieces as usize - 1).copied();
        let released = Released {
            pieces,
            bytes: bytes.unwrap_or_default(),
        };
        // Recorded before they are deleted: a record of pieces that don't exist any more would be wrong, pieces that
        // the record doesn't count do no harm.
        let recorded = self
            .recorder
            .update_record(|record| record.released = released);
        if !recorded.await {
            return false;
        }
        let numbers = self.released_pieces..pieces;
        self.store.delete_pieces(&self.name, numbers).await;
        self.released_pieces = pieces;
        true
    }
}

impl Recorder {
    /// Updates the record of the current take, and stores it.
    ///
    /// `false`: a later visit finds the previous record, or none; in that case the pieces are deleted when the link has
    /// closed.
    pub(super) async fn update_record(self, change: impl FnOnce(&mut TakeRecord)) -> bool {
        let (record, is_new) = {
            let mut take = self.take.borrow_mut();
            let Some(take) = take.as_mut() else {
                return false;
            };
            change(&mut take.record);
            (take.record.clone(), !take.is_stored)
        };
        let Some(store) = self.store.borrow().clone() else {
            return false;
        };
        let stored = store.put_take(&self.request, &record, is_new).await.is_ok();
        if let Some(take) = self.take.borrow_mut().as_mut() {
            take.is_stored |= stored && take.record.name == record.name;
        }
        stored
    }

    /// Records the take's URL whenever the server creates one.
    pub(in crate::recorder) fn record_take_url(self) {
        let recorded = RefCell::new(None);
        self.uploaded.add(move || {
            let url = self.upload.get().take;
            let is_new = recorded.replace(url.clone()) != url;
            if let Some(url) = url.filter(|_| is_new) {
                leptos::task::spawn_local(async move {
                    self.update_record(|record| record.url = TakeUrl::as_str(&url).to_owned())
                        .await;
                });
            }
        });
    }
}
