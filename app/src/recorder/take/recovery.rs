//! Recovers the take that an earlier visit, or another tab, has left in the browser's store.

use std::time::Duration;

use leptos::task::spawn_local;

use super::submit::{forget, is_requested};
use super::{MIN_TAKE_BYTES, Take};
use crate::backoff::Backoff;
use crate::browser;
use crate::browser::storage::indexed_db::{PieceRecord, TakeRecord, TakeStore};
use crate::recorder::bindings::Flag;
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Ending, Event};
use crate::recorder::upload;
use crate::recorder::upload::client::{ClientError, TakeUrl};
use crate::recorder::upload::page_state::PageStateJson;
use crate::recorder::upload::status::{TimedPiece, UploadStart};

/// How long the browser's store may take. One that takes longer never answers.
const STORE_TIMEOUT: Duration = Duration::from_secs(4);

/// How long to wait for the state of the take before what is stored of it is shown.
const STATE_TIMEOUT: Duration = Duration::from_secs(4);

/// What the server has of a stored take.
#[derive(Default)]
struct ServerCopy {
    /// The take. `None`: it was never created, or was deleted.
    url: Option<TakeUrl>,
    /// Whether there is enough of it to review.
    has_video: bool,
    /// Whether the take is complete.
    is_complete: bool,
}

impl Recorder {
    /// Acquires the page and recovers its take, if there is one.
    /// Afterwards the person can begin, or continue.
    pub(in crate::recorder) async fn recover(self) {
        self.delete_expired_receipts();
        if !self.acquire_page().await {
            return;
        }
        let opened = browser::timeout(STORE_TIMEOUT, open_store(&self.request)).await;
        // Where the store doesn't answer nothing is stored: a new take would replace one that the next visit may find.
        if let Some((store, record)) = opened.flatten() {
            self.store.replace(Some(store.clone()));
            if let Some(record) = record {
                self.recover_take(&store, record).await;
            }
            let now = self.now();
            spawn_local(async move { store.delete_expired(now).await });
        }
        self.set_flag(Flag::MemoryOnly, self.store.borrow().is_none());
        self.try_dispatch(Event::PageAcquired);
    }

    /// Continues a stored take as far as it is stored.
    async fn recover_take(self, store: &TakeStore, record: TakeRecord) {
        let pieces = browser::timeout(STORE_TIMEOUT, store.pieces(&record.name)).await;
        let Some(pieces) = pieces.flatten() else {
            // What can't be read now must not be replaced, so nothing is stored.
            self.store.replace(None);
            return;
        };
        let (pieces, has_gap) = pieces_before_gap(pieces, record.released.pieces);
        let url = Some(record.url.clone()).filter(|url| !url.is_empty());
        let mut server = ServerCopy::default();
        if let Some(take) = url.map(TakeUrl::new) {
            match self.page_state_soon(&take).await {
                Ok(state) if state.is_submitted() => {
                    self.end_submitted(Some(&take)).await;
                    return store.delete_take(&self.request, &record.name).await;
                }
                Ok(state) if !state.has_take() => {}
                Ok(state) => {
                    server = ServerCopy {
                        url: Some(take),
                        has_video: state.has_bytes(MIN_TAKE_BYTES),
                        is_complete: state.is_complete(),
                    }
                }
                Err(ClientError::Ended(ending)) => return self.end(ending),
                // The server may have all of the file, of which only the beginning is stored: a later visit will know.
                Err(_) if record.is_file && !record.ended => {
                    self.store.replace(None);
                    return;
                }
                // Not known yet: the upload asks until there is an answer.
                Err(_) => {
                    server.url = Some(take);
                    server.has_video = true;
                }
            }
        }
        // What was deleted here to make room is on the server, or nowhere.
        let is_lost = server.url.is_none() && record.released.bytes > 0;
        let has_video =
            (server.url.is_some() && server.has_video) || holds_video(store, &pieces).await;
        // The person has the original of a file.
        let is_partial_file = record.is_file && !record.ended && !server.is_complete;
        if !has_video || is_lost || is_partial_file {
            store.delete_take(&self.request, &record.name).await;
            if let Some(url) = server.url {
                self.delete_on_server(&url);
            }
            return;
        }
        // Another tab may have taken over while this one was frozen.
        if !self.owns_page() || !self.dispatch(Event::TakeLoaded) {
            return;
        }
        self.load_take(store, record, server.url, &pieces, has_gap)
            .await;
    }

    /// Loads the stored pieces, and submits the take if the person has pressed Send for all of it.
    async fn load_take(
        self,
        store: &TakeStore,
        record: TakeRecord,
        url: Option<TakeUrl>,
        pieces: &[PieceRecord],
        has_gap: bool,
    ) {
        self.set_flag(Flag::Recovered, true);
        self.set_flag(Flag::IsFile, record.is_file);
        self.set_flag(Flag::Loading, true);
        let (ended, interrupted) = (record.ended, record.interrupted);
        let is_requested = is_requested(&record.name);
        if has_gap || !ended {
            // The person has pressed Send for more than what is left.
            forget(&record.name);
        }
        let released = record.released.bytes;
        let start = UploadStart {
            take: url,
            released,
        };
        self.begin_take(record, start, true);
        let is_whole = self.read_pieces(store, pieces).await && !has_gap;
        self.set_flag(Flag::Interrupted, interrupted || !ended || !is_whole);
        self.set_flag(Flag::NoPreview, released > 0 || pieces.is_empty());
        self.finish_take();
        if is_requested && ended && is_whole {
            self.try_dispatch(Event::Submit);
        }
    }

    /// The state of the take, if the server answers soon.
    async fn page_state_soon(self, take: &TakeUrl) -> Result<PageStateJson, ClientError> {
        let state = browser::timeout(STATE_TIMEOUT, self.client().page_state(Some(take))).await;
        state.unwrap_or(Err(ClientError::Retry(None)))
    }

    /// Ends the page because a take was submitted with this link: this one, a discarded one whose submission was
    /// cancelled too late, or that of another device.
    pub(in crate::recorder) async fn end_submitted(self, take: Option<&TakeUrl>) {
        for take in take.cloned().into_iter().chain(self.discarded_takes()) {
            let mut backoff = Backoff::default();
            // After a submission the server has only the submitted take.
            let is_submitted = loop {
                match self.client().upload_progress(&take).await {
                    Ok(progress) => break progress.complete,
                    Err(ClientError::Ended(_)) => break false,
                    Err(_) => {
                        browser::sleep_or_wake(backoff.next_delay(browser::jitter())).await;
                    }
                }
            };
            // Another take that is loaded stays with the person.
            if is_submitted && self.has_no_other_take(&take) && self.dispatch(Event::FoundSubmitted)
            {
                return;
            }
        }
        // Another tab of this browser sent it.
        if self.take_name().is_empty() && self.has_receipt() && self.dispatch(Event::FoundSubmitted)
        {
            return;
        }
        self.end(Ending::AlreadySubmitted);
    }

    fn has_no_other_take(self, take: &TakeUrl) -> bool {
        self.take_name().is_empty() || self.upload.with(|it| it.take.as_ref() == Some(take))
    }

    /// `false`: the browser has lost a piece. Those after it are of no use.
    async fn read_pieces(self, store: &TakeStore, pieces: &[PieceRecord]) -> bool {
        for record in pieces {
            let Some(piece) = store.read_piece(record).await else {
                return false;
            };
            self.add_stored_piece(piece, record.end_ms);
        }
        true
    }

    /// Uploads the take again if the server has deleted it, but not the request, and all of it is here.
    pub(super) async fn retry_withdrawn_take(self) {
        if let Err(ending) = upload::ensure_open(self.client(), self.upload).await {
            return self.end(ending);
        }
        let recorded = self.upload.get().recorded;
        let pieces = |take: &Take| take.all_pieces(recorded);
        let Some(pieces) = self.take.borrow().as_ref().and_then(pieces) else {
            return self.end(Ending::Refused);
        };
        let old = self.take.borrow().as_ref().map(|it| it.record.clone());
        let TakeRecord {
            name: old_name,
            is_file,
            file_name,
            ..
        } = old.unwrap_or_default();
        let record = TakeRecord {
            is_file,
            file_name,
            ..self.new_record()
        };
        self.begin_take(record, UploadStart::default(), false);
        for TimedPiece { piece, end_ms } in pieces {
            self.add_piece(piece, end_ms);
        }
        self.finish_take();
        self.remember_submission();
        self.delete_stored_take(old_name);
    }
}

/// The pieces from this number on up to the first gap, and whether there is one: pieces after it are of no use.
fn pieces_before_gap(mut pieces: Vec<PieceRecord>, first: u32) -> (Vec<PieceRecord>, bool) {
    pieces.retain(|piece| piece.number >= first);
    let follows = |(piece, number): &(&PieceRecord, u32)| piece.number == *number;
    let usable = pieces.iter().zip(first..).take_while(follows).count();
    let has_gap = usable < pieces.len();
    pieces.truncate(usable);
    (pieces, has_gap)
}

/// Whether the pieces are more than the beginning of a file's header. Pieces that can't be read may be.
async fn holds_video(store: &TakeStore, pieces: &[PieceRecord]) -> bool {
    let mut bytes = 0;
    for record in pieces {
        match store.read_piece(record).await {
            Some(piece) => bytes += piece.length(),
            None => return true,
        }
        if bytes >= MIN_TAKE_BYTES {
            return true;
        }
    }
    false
}

/// Opens the store, and reads the record of the request's take. `None`: the browser can't tell.
async fn open_store(request: &str) -> Option<(TakeStore, Option<TakeRecord>)> {
    let store = TakeStore::open().await?;
    let record = store.take(request).await.ok()?;
    Some((store, record))
}
