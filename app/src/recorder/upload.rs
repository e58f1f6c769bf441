//! Sends a take while it is recorded, through whatever happens to the network or the server.

use std::time::Duration;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use leptos::prelude::*;

use super::link::{Failure, Link, Progress, TakeUrl};
use super::machine::Ending;
use super::outbox::Outbox;
use crate::backoff::Backoff;
use crate::browser::{self, Piece};

/// What the recorder tells the upload.
pub enum Feed {
    /// This was recorded, ends that far into the take, and was kept at this moment on the page's clock.
    Piece(Piece, u32, f64),
    /// What there is should be sent now, instead of with what comes next.
    Hurry,
    /// That was all.
    End,
}

/// Where an upload begins.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Where the server has the take already.
    pub take: Option<TakeUrl>,
    /// Bytes at its beginning that are safe there, and not here any more.
    pub released: u64,
}

/// How an upload stands, for the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Upload {
    /// Once the server knows of it.
    pub take: Option<TakeUrl>,
    /// Bytes recorded.
    pub recorded: u64,
    /// The same in time.
    pub recorded_ms: u32,
    /// Bytes safe on the server.
    pub committed: u64,
    /// The same in time.
    pub committed_ms: u32,
    /// Whether that is all of it.
    pub complete: bool,
    /// The last try failed; the next one comes by itself.
    pub waiting: bool,
    /// It is submitted, and the server makes it ready.
    pub preparing: bool,
}

/// The server takes its time to answer that it isn't ready, so this may be short.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Uploads one take until it is complete; a closed feed without [`Feed::End`] abandons it. Returns how many
/// bits a second the line carried, if it can tell.
pub async fn run(
    link: Link,
    start: Start,
    mut feed: UnboundedReceiver<Feed>,
    shown: RwSignal<Upload>,
) -> Result<Option<f64>, Ending> {
    let mut outbox = Outbox::starting_at(start.released);
    let mut tries = Tries::new(shown);
    let take = match start.take {
        Some(take) => {
            // What was kept comes all at once; only with all of it can the server's offset be understood.
            while let Some(fed) = feed.next().await {
                if matches!(fed, Feed::End) {
                    break;
                }
                take_in(&mut outbox, fed);
            }
            outbox.end();
            let at = tries.offset(&link, &take).await?;
            outbox.catch_up(at.offset);
            settle(&mut outbox, at, shown)?;
            take
        }
        None => {
            // Only a piece knows for certain what the browser records.
            let media_type = loop {
                match feed.next().await {
                    Some(Feed::Piece(first, until_ms, kept_at)) => {
                        let media_type = first.media_type();
                        take_in(&mut outbox, Feed::Piece(first, until_ms, kept_at));
                        break media_type;
                    }
                    Some(Feed::Hurry) => take_in(&mut outbox, Feed::Hurry),
                    Some(Feed::End) | None => return Ok(None),
                }
            };
            loop {
                shown.update(|it| show_recorded(it, &outbox));
                match link.begin(&media_type).await {
                    Ok(take) => break take,
                    Err(failure) => tries.failed(failure).await?,
                }
            }
        }
    };
    tries.went_well();
    shown.update(|it| it.take = Some(take.clone()));
    let mut line = Line::default();
    while !outbox.is_complete() {
        while let Ok(fed) = feed.try_recv() {
            take_in(&mut outbox, fed);
        }
        shown.update(|it| show_recorded(it, &outbox));
        let gathers_for = outbox.gathers_for(browser::page_time());
        let part = outbox.next().filter(|_| gathers_for == 0);
        let Some(part) = part else {
            match next_within(&mut feed, gathers_for).await {
                Some(Some(fed)) => take_in(&mut outbox, fed),
                Some(None) => return Ok(None),
                None => {}
            }
            continue;
        };
        let (full, began) = (outbox.is_full(&part), browser::page_time());
        let at = match link.append(&take, &part).await {
            Ok(at) => {
                outbox.grow();
                if full {
                    let bytes = at.offset.saturating_sub(part.offset);
                    line.carried(bytes, browser::page_time() - began);
                }
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
        settle(&mut outbox, at, shown)?;
    }
    Ok(line.bits_a_second())
}

/// Makes a take the video, however often that must be tried.
pub async fn submit(link: &Link, take: &TakeUrl, shown: RwSignal<Upload>) -> Result<(), Ending> {
    let mut tries = Tries::new(shown);
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

/// What comes next, if it comes within so many milliseconds; 0: whenever it comes.
async fn next_within(feed: &mut UnboundedReceiver<Feed>, wait_ms: u32) -> Option<Option<Feed>> {
    if wait_ms == 0 {
        return Some(feed.next().await);
    }
    let wait = std::pin::pin!(browser::wait(Duration::from_millis(wait_ms.into())));
    match select(feed.next(), wait).await {
        Either::Left((fed, _)) => Some(fed),
        Either::Right(_) => None,
    }
}

fn take_in(outbox: &mut Outbox<Piece>, fed: Feed) {
    match fed {
        Feed::Piece(piece, until_ms, kept_at) => {
            let length = piece.length();
            outbox.push(piece, length, until_ms, kept_at);
        }
        Feed::Hurry => outbox.hurry(browser::page_time()),
        Feed::End => outbox.end(),
    }
}

fn settle(outbox: &mut Outbox<Piece>, at: Progress, shown: RwSignal<Upload>) -> Result<(), Ending> {
    if !outbox.settle(at.offset, at.complete) {
        return Err(Ending::Refused);
    }
    shown.update(|it| {
        show_recorded(it, outbox);
        it.committed = outbox.committed();
        it.committed_ms = outbox.committed_ms();
        it.complete = outbox.is_complete();
    });
    Ok(())
}

fn show_recorded(shown: &mut Upload, outbox: &Outbox<Piece>) {
    shown.recorded = outbox.recorded();
    shown.recorded_ms = outbox.recorded_ms();
}

/// How fast the line was, while something was on it.
#[derive(Default)]
struct Line {
    bytes: u64,
    busy_ms: f64,
}

impl Line {
    /// Less says more about the way there and back than about the line.
    const ENOUGH_BYTES: u64 = 256 << 10;

    fn carried(&mut self, bytes: u64, busy_ms: f64) {
        self.bytes += bytes;
        self.busy_ms += busy_ms;
    }

    fn bits_a_second(&self) -> Option<f64> {
        // Exact up to 2⁵³ bytes.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let bits = self.bytes as f64 * 8.0;
        (self.bytes >= Self::ENOUGH_BYTES).then(|| bits / (self.busy_ms.max(1.0) / 1000.0))
    }
}

/// Failing in public, and waiting before the next try.
struct Tries {
    backoff: Backoff,
    shown: RwSignal<Upload>,
}

impl Tries {
    fn new(shown: RwSignal<Upload>) -> Self {
        Self {
            backoff: Backoff::default(),
            shown,
        }
    }

    fn went_well(&mut self) {
        self.backoff.reset();
        self.shown.update(|it| it.waiting = false);
    }

    /// Waits, unless there is nothing to wait for.
    async fn failed(&mut self, failure: Failure) -> Result<(), Ending> {
        let mut wait = self.backoff.next(browser::jitter());
        match failure {
            Failure::Over(ending) => return Err(ending),
            Failure::Later(Some(asked)) => wait = wait.max(asked.min(LONGEST_OBEYED)),
            Failure::Resync | Failure::NotYet | Failure::Later(None) => {}
        }
        self.shown
            .update(|it| it.waiting = failure != Failure::Resync);
        browser::wait_or_online(wait).await;
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

/// Who asks for more patience than that is no server of ours.
const LONGEST_OBEYED: Duration = Duration::from_secs(120);
