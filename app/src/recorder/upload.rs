//! Sends a take while it is recorded, through whatever happens to the network or the server.

use std::time::Duration;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;
use leptos::prelude::*;

use super::link::{Failure, Link, Progress, TakeUrl};
use super::machine::Ending;
use super::outbox::Outbox;
use crate::backoff::Backoff;
use crate::browser::{self, Piece};

/// What the recorder tells the upload.
pub enum Feed {
    /// This was recorded.
    Piece(Piece),
    /// That was all.
    End,
}

/// How an upload stands, for the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upload {
    /// Once the server knows of it.
    pub take: Option<TakeUrl>,
    /// Bytes recorded.
    pub recorded: u64,
    /// Bytes safe on the server.
    pub committed: u64,
    /// Whether that is all of it.
    pub complete: bool,
    /// The last try failed; the next one comes by itself.
    pub waiting: bool,
    /// It is submitted, and the server makes it ready.
    pub preparing: bool,
}

/// The server takes its time to answer that it isn't ready, so this may be short.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Uploads one take until it is complete; a closed feed without [`Feed::End`] abandons it.
pub async fn run(
    link: Link,
    mut feed: UnboundedReceiver<Feed>,
    shown: RwSignal<Upload>,
) -> Result<(), Ending> {
    let mut outbox = Outbox::default();
    let mut tries = Tries {
        backoff: Backoff::default(),
        shown,
    };
    // Only a piece knows for certain what the browser records.
    let Some(Feed::Piece(first)) = feed.next().await else {
        return Ok(());
    };
    let media_type = first.media_type();
    take_in(&mut outbox, Feed::Piece(first));
    let take = loop {
        match link.begin(&media_type).await {
            Ok(take) => break take,
            Err(failure) => tries.failed(failure).await?,
        }
    };
    tries.went_well();
    shown.update(|it| it.take = Some(take.clone()));
    while !outbox.is_complete() {
        while let Ok(fed) = feed.try_recv() {
            take_in(&mut outbox, fed);
        }
        shown.update(|it| it.recorded = outbox.recorded());
        let Some(part) = outbox.next() else {
            match feed.next().await {
                Some(fed) => take_in(&mut outbox, fed),
                None => return Ok(()),
            }
            continue;
        };
        let at = match link.append(&take, &part).await {
            Ok(at) => {
                outbox.grow();
                at
            }
            Err(failure) => {
                outbox.shrink();
                tries.failed(failure).await?;
                tries.offset(&link, &take).await?
            }
        };
        // An answer to a question is no progress: a server that can only talk is left alone for longer
        // and longer.
        if at.complete || at.offset > outbox.committed() {
            tries.went_well();
        }
        if !outbox.settle(at.offset, at.complete) {
            return Err(Ending::Refused);
        }
        shown.update(|it| {
            it.committed = outbox.committed();
            it.complete = outbox.is_complete();
        });
    }
    Ok(())
}

/// Makes a take the video, however often that must be tried.
pub async fn submit(link: &Link, take: &TakeUrl, shown: RwSignal<Upload>) -> Result<(), Ending> {
    let mut tries = Tries {
        backoff: Backoff::default(),
        shown,
    };
    loop {
        match link.submit(take).await {
            Ok(()) => return Ok(()),
            Err(Failure::NotYet) => {
                tries.went_well();
                shown.update(|it| it.preparing = true);
                browser::wait_or_online(ASK_AGAIN).await;
            }
            Err(failure) => {
                shown.update(|it| it.preparing = false);
                if failure == Failure::Over(Ending::Unplayable) {
                    // Best effort: it would count among the takes that the request may have.
                    let _ = link.discard(take).await;
                }
                tries.failed(failure).await?;
            }
        }
    }
}

fn take_in(outbox: &mut Outbox<Piece>, fed: Feed) {
    match fed {
        Feed::Piece(piece) => {
            let length = piece.length();
            outbox.push(piece, length);
        }
        Feed::End => outbox.end(),
    }
}

/// Failing in public, and waiting before the next try.
struct Tries {
    backoff: Backoff,
    shown: RwSignal<Upload>,
}

impl Tries {
    fn went_well(&mut self) {
        self.backoff.reset();
        self.shown.update(|it| it.waiting = false);
    }

    /// Waits, unless there is nothing to wait for.
    async fn failed(&mut self, failure: Failure) -> Result<(), Ending> {
        if let Failure::Over(ending) = failure {
            return Err(ending);
        }
        self.shown
            .update(|it| it.waiting = failure != Failure::Resync);
        browser::wait_or_online(self.backoff.next(browser::jitter())).await;
        Ok(())
    }

    async fn offset(&mut self, link: &Link, take: &TakeUrl) -> Result<Progress, Ending> {
        loop {
            match link.offset(take).await {
                Ok(at) => return Ok(at),
                Err(failure) => self.failed(failure).await?,
            }
        }
    }
}
