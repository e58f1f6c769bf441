//! The beginning of a visit: whether another tab has the page, and what an earlier visit has left here.

use std::time::Duration;

use futures_util::future::{Either, select};

use super::link::{Failure, TakeUrl};
use super::machine::{Ending, Event};
use super::marks::Flag;
use super::session::Session;
use super::upload::Start;
use crate::browser;
use crate::browser::store::{Kept, KeptPiece, Store};

/// A browser that doesn't open its store in this time won't.
const PATIENCE: Duration = Duration::from_secs(3);

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
            store.forget_expired(browser::now()).await;
            if let Some(kept) = store.take(&self.request).await {
                self.go_on_with(&store, kept).await;
            }
        }
    }

    /// Goes on with a take of an earlier visit, as far as it came.
    async fn go_on_with(self, store: &Store, kept: Kept) {
        let pieces = store.pieces(&kept.name).await;
        // Of a file that wasn't read to its end the person has the original, and nobody can use the half.
        let useless = (pieces.is_empty() && kept.released == 0) || (kept.is_file && !kept.ended);
        let url = Some(kept.url.clone()).filter(|url| !url.is_empty());
        let mut url = url.map(TakeUrl::new);
        if let Some(there) = &url {
            match self.link.state().await {
                Ok(state) if state.is_submitted() => return self.end(Ending::AlreadySubmitted),
                Ok(state) if !state.has(there) => url = None,
                Err(Failure::Over(ending)) => return self.end(ending),
                // Not now: the upload asks again until it knows.
                Ok(_) | Err(_) => {}
            }
        }
        // What was let go of is on the server, or nowhere.
        let gone = url.is_none() && kept.released > 0;
        if useless || gone {
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
        self.flag(Flag::Interrupted, !kept.ended);
        self.flag(Flag::NoPreview, kept.released > 0);
        self.flag(Flag::Reading, true);
        let start = Start {
            take: url,
            released: kept.released,
        };
        self.begin_take(kept, start);
        self.read_kept(store, &pieces).await;
        self.finish_take();
    }

    async fn read_kept(self, store: &Store, pieces: &[KeptPiece]) {
        for kept in pieces {
            // What comes behind a piece that the browser has lost is of no use.
            let Some(piece) = store.read(kept).await else {
                return;
            };
            self.add(piece, kept.until_ms, false);
        }
    }
}

async fn open() -> Option<Store> {
    let opening = std::pin::pin!(Store::open());
    let patience = std::pin::pin!(browser::wait(PATIENCE));
    match select(opening, patience).await {
        Either::Left((store, _)) => store,
        Either::Right(_) => None,
    }
}
