//! The beginning of a visit: whether another tab has the page, and what an earlier visit has left here.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::bindings::Flag;
use super::client::{Failure, State, TakeUrl};
use super::controller::Recorder;
use super::state::{Ending, Event};
use super::submit::is_wanted;
use super::take::{LEAST, Take};
use super::upload::{self, Start};
use crate::backoff::Backoff;
use crate::browser;
use crate::browser::indexed_db::{Kept, KeptPiece, Store};

/// A browser that doesn't find what it keeps in this time won't.
const PATIENCE: Duration = Duration::from_secs(4);

/// What is here is shown after so long, whatever the server has of it.
const LONGEST_ASK: Duration = Duration::from_secs(1);

impl Recorder {
    /// Finds what there is. Ends when the person can begin, or go on.
    pub(super) async fn resume(self) {
        if !self.be_the_only_tab().await {
            return;
        }
        let found = browser::within(PATIENCE, find(&self.request)).await;
        // Without an answer nothing is stored: a new take would come in the place of one that may be read next time.
        if let Some((store, kept)) = found.flatten() {
            self.store.replace(Some(store.clone()));
            if let Some(kept) = kept {
                self.go_on_with(&store, kept).await;
            }
            let now = self.now();
            spawn_local(async move { store.tidy(now).await });
        }
        self.flag(Flag::Unkept, self.store.borrow().is_none());
        self.dispatch(Event::HereNow);
    }

    /// Goes on with a take of an earlier visit, as far as it came.
    async fn go_on_with(self, store: &Store, kept: Kept) {
        let pieces = browser::within(PATIENCE, store.pieces(&kept.name)).await;
        let Some(mut pieces) = pieces.flatten() else {
            // As above.
            self.store.replace(None);
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
        let mut complete = false;
        if let Some(take) = &url {
            match self.known_soon(take).await {
                Ok(state) if state.is_submitted() => {
                    self.was_submitted(Some(take)).await;
                    return store.forget(&self.request, &kept.name).await;
                }
                Ok(state) if !state.has_take() => url = None,
                Ok(state) => {
                    there = state.has_bytes(LEAST);
                    complete = state.is_complete();
                }
                Err(Failure::Over(ending)) => return self.end(ending),
                // Perhaps all of it is there, and here is the beginning alone: that says a later visit.
                Err(_) if kept.is_file && !kept.ended => {
                    self.store.replace(None);
                    return;
                }
                // Not now: the upload asks again until it knows.
                Err(_) => there = true,
            }
        }
        // Nothing to see anywhere; or what was let go of here is not on the server either; or half a file, of
        // which the person has the original.
        let gone = url.is_none() && kept.released.1 > 0;
        let something = (there && url.is_some()) || holds_something(store, &pieces).await;
        if !something || gone || (kept.is_file && !kept.ended && !complete) {
            store.forget(&self.request, &kept.name).await;
            if let Some(url) = url {
                self.reject(&url);
            }
            return;
        }
        // Another tab may have taken over, and this one have been frozen until now.
        if self.tab.borrow().is_none() || !self.dispatch(Event::TakeAtHand) {
            return;
        }
        self.flag(Flag::Resumed, true);
        self.flag(Flag::IsFile, kept.is_file);
        self.flag(Flag::Reading, true);
        let (ended, wanted) = (kept.ended, is_wanted(&kept.name));
        let interrupted = kept.interrupted;
        if lost || !ended {
            // The person pressed Send for more than what is left of it.
            self.want(false);
        }
        let released = kept.released.1;
        let start = Start {
            take: url,
            released,
        };
        self.begin_take(kept, start, true);
        let whole = self.read_kept(store, &pieces).await && !lost;
        self.flag(Flag::Interrupted, interrupted || !ended || !whole);
        self.flag(Flag::NoPreview, released > 0 || pieces.is_empty());
        self.finish_take();
        if wanted && ended && whole {
            self.submit();
        }
    }

    /// How all stands, if the server says so soon.
    async fn known_soon(self, take: &TakeUrl) -> Result<State, Failure> {
        let known = browser::within(LONGEST_ASK, self.link.state(Some(take))).await;
        known.unwrap_or(Err(Failure::Later(None)))
    }

    /// A video was submitted with this link: this take, or one that was sent, taken back too late, and thrown away; or
    /// somebody else's.
    pub(super) async fn was_submitted(self, take: Option<&TakeUrl>) {
        for take in take.cloned().into_iter().chain(self.rejected()) {
            let mut backoff = Backoff::default();
            // The only one that the server keeps is the video.
            let is_video = loop {
                match self.link.offset(&take).await {
                    Ok(at) => break at.complete,
                    Err(Failure::Over(_)) => break false,
                    Err(_) => browser::wait_or_online(backoff.next(browser::jitter())).await,
                }
            };
            // What is at hand beside that one stays with the person.
            if is_video && self.is_at_most(&take) && self.dispatch(Event::FoundSent) {
                self.switch_off();
                return self.forget_take();
            }
        }
        self.end(Ending::AlreadySubmitted);
    }

    /// Whether this take, or none, is at hand.
    fn is_at_most(self, take: &TakeUrl) -> bool {
        self.name().is_empty()
            || self
                .upload
                .with_untracked(|it| it.take.as_ref() == Some(take))
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

    /// The server knows no take, or no request, to submit. A take is sent once more, if all of it is here.
    pub(super) async fn find_out(self) {
        if self.end_if_withdrawn().await {
            return;
        }
        let recorded = self.upload.get_untracked().recorded;
        let all = |take: &Take| take.all_of_it(recorded);
        let Some(pieces) = self.take.borrow().as_ref().and_then(all) else {
            return self.end(Ending::Refused);
        };
        let old = self.name();
        let kept = self.new_kept(self.has(Flag::IsFile));
        self.begin_take(kept, Start::default(), false);
        for (piece, until_ms) in pieces {
            self.add(piece, until_ms, true);
        }
        self.finish_take();
        self.want(true);
        self.forget_kept(old);
    }

    /// Asks for the request itself, until there is an answer. `true`: nothing more can be done with it.
    pub(super) async fn end_if_withdrawn(self) -> bool {
        match upload::ensure_open(&self.link, self.upload).await {
            Ok(()) => false,
            Err(ending) => {
                self.end(ending);
                true
            }
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

/// What this browser keeps for a request. `None`: it can't tell.
async fn find(request: &str) -> Option<(Store, Option<Kept>)> {
    let store = Store::open().await?;
    let kept = store.take(request).await.ok()?;
    Some((store, kept))
}
