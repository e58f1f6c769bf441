//! How a take begins, grows and ends on this device.

use futures_channel::mpsc::unbounded;
use futures_util::future::abortable;
use leptos::task::spawn_local;

use super::spool;
use super::{SpoolMessage, TAKE_FLAGS, Take};
use crate::browser;
use crate::browser::blob::Piece;
use crate::browser::storage::indexed_db::TakeRecord;
use crate::recorder::bindings::{Element, Flag, Slot};
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Ending, Event, Phase};
use crate::recorder::upload::status::{TimedPiece, UploadStart, UploadStatus};
use crate::recorder::upload::{self, throughput};

impl Recorder {
    /// Begins a new take, or continues one whose record is stored: starts its spool and its upload.
    pub(in crate::recorder) fn begin_take(
        self,
        record: TakeRecord,
        start: UploadStart,
        is_stored: bool,
    ) {
        let (spool_sender, spool_receiver) = unbounded();
        let (upload_sender, upload_receiver) = unbounded();
        self.upload.set(UploadStatus {
            take: start.take.clone(),
            ..UploadStatus::default()
        });
        let spool = spool::run(self, record.name.clone(), spool_receiver, upload_sender);
        let upload = upload::upload_take(
            self.client(),
            record.is_file,
            start,
            upload_receiver,
            self.upload,
        );
        if record.is_file {
            self.page.fill_slot(Slot::Name, &record.file_name);
            // Known once the review has loaded it, if this browser can.
            self.page.fill_slot(Slot::Recorded, "?");
        }
        let (spool, spool_handle) = abortable(spool);
        let (upload, upload_handle) = abortable(upload);
        self.take.replace(Some(Take {
            record,
            is_stored,
            pieces: Vec::new(),
            clip: None,
            is_location_shown: false,
            spool: spool_sender,
            tasks: [spool_handle, upload_handle],
        }));
        spawn_local(async move {
            // An error only tells that the take was discarded.
            let _ = spool.await;
        });
        spawn_local(async move {
            match upload.await {
                Ok(Ok(throughput)) => {
                    if self.upload.with(|it| it.complete) {
                        throughput::store(throughput);
                    }
                    self.submit_if_complete();
                }
                Ok(Err(ending)) => self.end(ending),
                // The take was discarded.
                Err(_) => {}
            }
        });
    }

    /// The record of a new recording.
    pub(in crate::recorder) fn new_record(self) -> TakeRecord {
        TakeRecord {
            name: browser::random_name(),
            expires_at: self.expires_at,
            ..TakeRecord::default()
        }
    }

    /// The name of the current take; empty: there is none.
    pub(in crate::recorder) fn take_name(self) -> String {
        let take = self.take.borrow();
        take.as_ref()
            .map(|it| it.record.name.clone())
            .unwrap_or_default()
    }

    /// Adds a piece to the current take.
    pub(in crate::recorder) fn add_piece(self, piece: Piece, end_ms: u32) {
        self.add(TimedPiece { piece, end_ms }, SpoolMessage::New);
    }

    /// Adds a piece that an earlier visit has stored.
    pub(in crate::recorder) fn add_stored_piece(self, piece: Piece, end_ms: u32) {
        self.add(TimedPiece { piece, end_ms }, SpoolMessage::Stored);
    }

    fn add(self, piece: TimedPiece, message: impl FnOnce(TimedPiece) -> SpoolMessage) {
        if let Some(take) = self.take.borrow_mut().as_mut() {
            take.pieces.push(piece.clone());
            // The receiver is gone once the take was aborted; the page shows that already.
            let _ = take.spool.unbounded_send(message(piece));
        }
    }

    /// Uploads what is recorded, without waiting for more.
    pub(in crate::recorder) fn flush_upload(self) {
        if let Some(take) = self.take.borrow().as_ref() {
            let _ = take.spool.unbounded_send(SpoolMessage::Flush);
        }
    }

    /// Stops storing and uploading the take, because the link is closed.
    /// It can be played and saved as long as the page is open. What is stored of it is deleted, unless the link has
    /// expired before its time: then the server's clock may be wrong, and a later visit finds the take or deletes it.
    pub(in crate::recorder) fn close_take(self) {
        let name = {
            let take = self.take.borrow();
            let Some(take) = take.as_ref() else { return };
            take.abort();
            take.record.name.clone()
        };
        self.clear_flags(&[
            Flag::Retrying,
            Flag::ServerFull,
            Flag::Complete,
            Flag::Sealing,
            Flag::Loading,
        ]);
        let is_over = self.now() >= self.expires_at;
        if let Phase::Ended { ending, .. } = self.phase()
            && (is_over || ending != Ending::Expired)
        {
            self.delete_stored_take(name);
        }
    }

    /// The person was told that the take contains a location.
    pub(in crate::recorder) fn note_location_shown(self) {
        if let Some(take) = self.take.borrow_mut().as_mut() {
            take.is_location_shown = true;
        }
    }

    /// Whether the person was told that the take contains a location.
    pub(in crate::recorder) fn is_location_shown(self) -> bool {
        let take = self.take.borrow();
        take.as_ref().is_some_and(|it| it.is_location_shown)
    }

    /// Stops storing and uploading the take.
    pub(in crate::recorder) fn abort_take(self) {
        if let Some(take) = self.take.borrow().as_ref() {
            take.abort();
        }
    }

    /// Deletes what is stored of a take on this device.
    pub(in crate::recorder) fn delete_stored_take(self, name: String) {
        let store = self.store.borrow().clone();
        if let Some(store) = store {
            spawn_local(async move { store.delete_take(&self.request, &name).await });
        }
    }

    /// Discards the take. After a recording the source that was recorded is opened again.
    pub(in crate::recorder) fn discard(self) {
        self.abandon_file();
        let was_file = self.has_flag(Flag::IsFile);
        let is_discarded = self.dispatch(Event::DiscardTake);
        if is_discarded && !was_file && self.has_flag(Flag::HasCamera) {
            self.request_access();
        }
    }

    /// Leaves the take to another tab, which finds what is stored of it.
    pub(in crate::recorder) fn leave_take(self) {
        if let Some(take) = self.take.take() {
            take.abort();
        }
        self.upload.set(UploadStatus::default());
    }

    /// Deletes the take on this device and on the server.
    pub(in crate::recorder) fn delete_take(self) {
        let url = self.upload.get().take;
        self.forget_take();
        if let Some(url) = url {
            self.delete_on_server(&url);
        }
    }

    /// Deletes the take on this device.
    pub(in crate::recorder) fn forget_take(self) {
        let Some(take) = self.take.take() else { return };
        take.abort();
        for video in self.page.videos(Element::Review) {
            // A hidden video would go on playing.
            browser::blob::pause(video);
            video.set_src("");
        }
        self.clear_flags(&TAKE_FLAGS);
        self.upload.set(UploadStatus::default());
        self.delete_stored_take(take.record.name.clone());
    }
}
