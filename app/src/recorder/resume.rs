//! The beginning of a visit: whether another tab has the page, and what an earlier visit has left here.

use std::time::Duration;

use futures_util::future::{Either, select};

use super::link::{Failure, TakeUrl};
use super::machine::{Ending, Event};
use super::marks::Flag;
use super::session::Session;
use super::take::{LEAST, Take};
use super::upload::Start;
use crate::browser;
use crate::browser::store::{Kept, KeptPiece, Store};

/// A browser that doesn't open its store in this time won't.
const PATIENCE: Duration = Duration::from_secs(3);

const ASK_AGAIN: Duration = Duration::from_secs(3);

impl Session {
    /// Finds what there is. Ends when the person can begin, or go on.
    pub(super) async fn resume(self) {
        let tab = format!("vidence {}", self.request);
        if !browser::be_the_only_tab(&tab, false).await {
            self.happen(Event::OpenElsewhere);
            browser::be_the_only_tab(&tab, true).await;
            self.happen(Event::HereNow);
        }
        let store = open().await;
        self.flag(Flag::Unkept, store.is_none());
        self.store.replace(store.clone());
        if let Some(store) = store {
            store.tidy(browser::now()).await;
            if let Some(kept) = store.take(&self.request).await {
                self.go_on_with(&store, kept).await;
            }
        }
    }

    /// Goes on with a take of an earlier visit, as far as it came.
    async fn go_on_with(self, store: &Store, kept: Kept) {
        // What can't be read now may be read next time.
        let Some(mut pieces) = store.pieces(&kept.name).await else {
            return;
        };
        pieces.retain(|piece| piece.number >= kept.released.0);
        // What comes behind a gap is of no use.
        let numbers = kept.released.0..;
        let follows = |(piece, number): &(&KeptPiece, u32)| piece.number == *number;
        let usable = pieces.iter().zip(numbers).take_while(follows).count();
        let lost = usable < pieces.len();
        pieces.truncate(usable);
        let url = Some(kept.url.clone()).filter(|url| !url.is_empty());
        let mut url = url.map(TakeUrl::new);
        let mut there = kept.released.1 > 0;
        if let Some(take) = &url {
            match self.link.state(Some(take)).await {
                Ok(state) if state.is_submitted() => return self.end(Ending::AlreadySubmitted),
                Ok(state) if !state.has_take() => url = None,
                Ok(state) => there = state.has_bytes(LEAST),
                Err(Failure::Over(ending)) => return self.end(ending),
                // Not now: the upload asks again until it knows.
                Err(_) => there = true,
            }
        }
        // Nothing to see anywhere; or what was let go of here is not on the server either; or half a file, of
        // which the person has the original.
        let gone = url.is_none() && kept.released.1 > 0;
        let something = (there && url.is_some()) || holds_something(store, &pieces).await;
        if !something || gone || (kept.is_file && !kept.ended) {
            store.forget(&self.request, &kept.name).await;
            if let Some(url) = url {
                let _ = self.link.discard(&url).await;
            }
            return;
        }
        if !self.happen(Event::TakeAtHand) {
            return;
        }
        self.flag(Flag::Resumed, true);
        self.flag(Flag::IsFile, kept.is_file);
        self.flag(Flag::Reading, true);
        let ended = kept.ended;
        let released = kept.released.1;
        self.begin_take(
            kept,
            Start {
                take: url,
                released,
            },
        );
        let whole = self.read_kept(store, &pieces).await && !lost;
        self.flag(Flag::Interrupted, !ended || !whole);
        self.flag(Flag::NoPreview, released > 0 || pieces.is_empty());
        self.finish_take();
    }

    /// `false`: the browser has lost some. What comes behind those is of no use.
    async fn read_kept(self, store: &Store, pieces: &[KeptPiece]) -> bool {
        for kept in pieces {
            let Some(piece) = store.read(kept).await else {
                return false;
            };
            self.add(piece, kept.until_ms, false);
        }
        true
    }

    /// The server doesn't know what it was asked for. Whether that is the request, or only the take: then it is
    /// sent once more, if all of it is here.
    pub(super) async fn find_out(self) {
        if self.end_if_withdrawn().await {
            return;
        }
        let again = self.take.borrow().as_ref().and_then(Take::all_of_it);
        let Some((kept, pieces)) = again.filter(|_| !self.phase().is_live()) else {
            return self.end(Ending::Refused);
        };
        self.begin_take(kept, Start::default());
        for (piece, until_ms) in pieces {
            self.add(piece, until_ms, false);
        }
        self.finish_take();
    }

    /// Asks for the request itself, until there is an answer. `true`: nothing more can be done with it.
    pub(super) async fn end_if_withdrawn(self) -> bool {
        loop {
            match self.link.state(None).await {
                Ok(state) if state.is_submitted() => self.end(Ending::AlreadySubmitted),
                Err(Failure::Over(ending)) => self.end(ending),
                Ok(_) => return false,
                Err(_) => {
                    browser::wait_or_online(ASK_AGAIN).await;
                    continue;
                }
            }
            return true;
        }
    }
}

/// Whether there is more than the beginning of a file's head. What can't be read may be.
async fn holds_something(store: &Store, pieces: &[KeptPiece]) -> bool {
    let mut bytes = 0;
    for kept in pieces {
        match store.read(kept).await {
            Some(piece) => bytes += piece.length(),
            None => return true,
        }
        if bytes >= LEAST {
            return true;
        }
    }
    false
}

async fn open() -> Option<Store> {
    let opening = std::pin::pin!(Store::open());
    let patience = std::pin::pin!(browser::wait(PATIENCE));
    match select(opening, patience).await {
        Either::Left((store, _)) => store,
        Either::Right(_) => None,
    }
}
