//! Between the recorder and the network: every piece is kept on this device before it is sent.

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender};
use futures_util::StreamExt;
use leptos::prelude::*;

use super::bindings::Flag;
use super::client::TakeUrl;
use super::controller::Recorder;
use super::outbox::NOT_KEPT;
use super::state::Ending;
use super::upload::Feed;
use crate::browser::indexed_db::{Kept, Store, Unstored};
use crate::browser::{self, Piece};

/// What is to be kept.
pub enum Recorded {
    /// This was recorded, and ends that far into the take.
    Piece(Piece, u32),
    /// It is kept already.
    Kept(Piece, u32),
    /// What there is should be sent now, instead of with what comes next.
    Hurry,
    /// That was all.
    End,
}

/// Keeps a take of this name, and hands on what is kept. A piece that can't be kept is handed on all the
/// same: rather sent than lost.
pub async fn run(
    session: Recorder,
    name: String,
    mut recorder: UnboundedReceiver<Recorded>,
    feed: UnboundedSender<Feed>,
) {
    // Without a record of the take its pieces would not be found again.
    let mut whole = session.note(|_| {}).await;
    session.flag(Flag::Unkept, !whole);
    let store = session.store.borrow().clone();
    let mut keeper = store.filter(|_| whole).map(|store| Keeper {
        session,
        store,
        name,
        pieces: Vec::new(),
        released: 0,
    });
    while let Some(recorded) = recorder.next().await {
        match recorded {
            Recorded::Piece(piece, until_ms) => {
                if let Some(keeping) = &mut keeper
                    && !keeping.keep(&piece, until_ms).await
                {
                    // With a gap in it the rest would be of no use: from here on the page is all there is.
                    keeper = None;
                    whole = false;
                    session.flag(Flag::Unkept, true);
                }
                // An upload that has ended for good listens no more; the page says so already.
                let kept_at = match keeper {
                    Some(_) => browser::page_time(),
                    None => NOT_KEPT,
                };
                let _ = feed.unbounded_send(Feed::Piece(piece, until_ms, kept_at));
            }
            Recorded::Kept(piece, until_ms) => {
                let kept_at = browser::page_time();
                let _ = feed.unbounded_send(Feed::Piece(piece, until_ms, kept_at));
            }
            Recorded::Hurry => {
                let _ = feed.unbounded_send(Feed::Hurry);
            }
            Recorded::End => {
                // What lacks its end here looks like what it is: interrupted.
                let interrupted = session.has(Flag::Interrupted);
                session
                    .note(|kept| {
                        kept.ended |= whole;
                        kept.interrupted = interrupted;
                    })
                    .await;
                session.flag(Flag::Reading, false);
                let _ = feed.unbounded_send(Feed::End);
                return;
            }
        }
    }
}

struct Keeper {
    session: Recorder,
    store: Store,
    name: String,
    /// Where each piece ends, in bytes.
    pieces: Vec<u64>,
    /// Pieces at the beginning that are kept no longer.
    released: u32,
}

impl Keeper {
    /// `false`: there is no way. A file that can't be read can't be sent, either.
    async fn keep(&mut self, piece: &Piece, until_ms: u32) -> bool {
        let number = u32::try_from(self.pieces.len()).unwrap_or(u32::MAX);
        let end = self.pieces.last().unwrap_or(&0) + piece.length();
        self.pieces.push(end);
        let mut stored = self.store.add(&self.name, number, piece, until_ms).await;
        if stored == Err(Unstored::Full) && self.release().await {
            stored = self.store.add(&self.name, number, piece, until_ms).await;
        }
        if stored == Err(Unstored::Unreadable) && self.session.has(Flag::IsFile) {
            self.session.end(Ending::Unreadable);
            self.session.abandon_take();
        }
        stored.is_ok()
    }

    /// Makes room: lets go of what is safe on the server. A later visit can't show it any more.
    async fn release(&mut self) -> bool {
        let committed = self.session.upload.get_untracked().committed;
        let safe = self.pieces.partition_point(|end| *end <= committed);
        let safe = u32::try_from(safe).unwrap_or(u32::MAX);
        if safe <= self.released {
            return false;
        }
        let bytes = self.pieces.get(safe as usize - 1).copied();
        let released = (safe, bytes.unwrap_or_default());
        // Noted first: pieces that are still there and don't count do no harm, missing ones that count do.
        if !self.session.note(|kept| kept.released = released).await {
            return false;
        }
        self.store.release(&self.name, self.released..safe).await;
        self.released = safe;
        true
    }
}

impl Recorder {
    /// Changes what is known of the take at hand, and keeps that. `false`: a later visit knows only what was kept
    /// before, or nothing of the take, whose bytes then go with the link.
    pub(super) async fn note(self, change: impl FnOnce(&mut Kept)) -> bool {
        let (kept, is_new) = {
            let mut take = self.take.borrow_mut();
            let Some(take) = take.as_mut() else {
                return false;
            };
            change(&mut take.kept);
            (take.kept.clone(), !take.is_noted)
        };
        let Some(store) = self.store.borrow().clone() else {
            return false;
        };
        let noted = store.keep(&self.request, &kept, is_new).await.is_ok();
        if let Some(take) = self.take.borrow_mut().as_mut() {
            take.is_noted |= noted && take.kept.name == kept.name;
        }
        noted
    }

    /// Keeps where the server has the take, as soon as it does.
    pub(super) fn note_url(self) {
        let upload = self.upload;
        let url = Memo::new(move |_| upload.with(|it| it.take.clone()));
        Effect::new(move || {
            let Some(url) = url.get() else { return };
            leptos::task::spawn_local(async move {
                self.note(|kept| kept.url = TakeUrl::as_str(&url).to_owned())
                    .await;
            });
        });
    }
}
