//! Between the recorder and the network: every piece is kept on this device before it is sent.

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender};
use futures_util::StreamExt;
use leptos::prelude::*;

use super::link::TakeUrl;
use super::marks::Flag;
use super::session::Session;
use super::upload::Feed;
use crate::browser::Piece;
use crate::browser::store::{Kept, Store, Unstored};

/// What is to be kept.
pub enum Recorded {
    /// This was recorded, and ends that far into the take.
    Piece(Piece, u32),
    /// It is kept already.
    Kept(Piece, u32),
    /// That was all.
    End,
}

/// Keeps a take of this name, and hands on what is kept. A piece that can't be kept is handed on all the
/// same: rather sent than lost.
pub async fn run(
    session: Session,
    name: String,
    mut recorder: UnboundedReceiver<Recorded>,
    feed: UnboundedSender<Feed>,
) {
    let store = session.store.borrow().clone();
    let mut keeper = store.map(|store| Keeper {
        session,
        store,
        name,
        pieces: Vec::new(),
        released: 0,
    });
    session.note(|_| {}).await;
    while let Some(recorded) = recorder.next().await {
        match recorded {
            Recorded::Piece(piece, until_ms) => {
                if let Some(keeping) = &mut keeper
                    && !keeping.keep(&piece, until_ms).await
                {
                    // With a gap in it the rest would be of no use: from here on the page is all there is.
                    keeper = None;
                    session.flag(Flag::Unkept, true);
                }
                // An upload that has ended for good listens no more; the page says so already.
                let _ = feed.unbounded_send(Feed::Piece(piece, until_ms));
            }
            Recorded::Kept(piece, until_ms) => {
                let _ = feed.unbounded_send(Feed::Piece(piece, until_ms));
            }
            Recorded::End => {
                session.note(|kept| kept.ended = true).await;
                session.flag(Flag::Reading, false);
                let _ = feed.unbounded_send(Feed::End);
                return;
            }
        }
    }
}

struct Keeper {
    session: Session,
    store: Store,
    name: String,
    /// Where each piece ends, in bytes.
    pieces: Vec<u64>,
    /// Pieces at the beginning that are kept no longer.
    released: u32,
}

impl Keeper {
    /// `false`: there is no way.
    async fn keep(&mut self, piece: &Piece, until_ms: u32) -> bool {
        let number = u32::try_from(self.pieces.len()).unwrap_or(u32::MAX);
        let end = self.pieces.last().unwrap_or(&0) + piece.length();
        let mut stored = self.store.add(&self.name, number, piece, until_ms).await;
        if stored == Err(Unstored::Full) && self.release().await {
            stored = self.store.add(&self.name, number, piece, until_ms).await;
        }
        self.pieces.push(end);
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
        self.store.release(&self.name, self.released..safe).await;
        self.released = safe;
        let bytes = self.pieces.get(safe as usize - 1).copied();
        let note = move |kept: &mut Kept| kept.released = bytes.unwrap_or_default();
        self.session.note(note).await;
        true
    }
}

impl Session {
    /// Changes what is known of the take at hand, and keeps that.
    pub(super) async fn note(self, change: impl FnOnce(&mut Kept)) {
        let kept = {
            let mut take = self.take.borrow_mut();
            let Some(take) = take.as_mut() else { return };
            change(&mut take.kept);
            take.kept.clone()
        };
        let store = self.store.borrow().clone();
        if let Some(store) = store {
            // Best effort: without it a later visit doesn't know of the take, and its bytes go with the link.
            let _ = store.keep(&self.request, &kept).await;
        }
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
