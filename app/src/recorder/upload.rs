//! Sends a take while it is recorded, through whatever happens to the network or the server.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::StreamExt;
use leptos::prelude::*;

use super::client::{Failure, Link, Progress, TakeUrl};
use super::outbox::Outbox;
use super::state::Ending;
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
    /// Because the server has no room.
    pub full: bool,
    /// It is submitted, and the server makes it ready.
    pub preparing: bool,
}

/// Before a take is sent once more.
const BEGIN_ANEW: Duration = Duration::from_secs(3);

/// The server takes its time to answer that it isn't ready, so this may be short.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Uploads one take until it is complete; a closed feed without [`Feed::End`] abandons it. If the server loses it, or has
/// something else in its place, it is sent once more. Returns how many bits a second the line carried, if it can tell.
pub async fn run(
    link: Link,
    start: Start,
    mut feed: UnboundedReceiver<Feed>,
    shown: RwSignal<Upload>,
) -> Result<Option<f64>, Ending> {
    let mut outbox = Outbox::starting_at(start.released);
    let mut take = start.take;
    loop {
        // In a box, like other large futures here: inlined where they are awaited they would weigh more.
        match Box::pin(send(&link, take.take(), &mut feed, &mut outbox, shown)).await {
            // The request, or only the take.
            Err(Ending::Withdrawn) => {
                ensure_open(&link, shown).await?;
                if !outbox.begin_anew() {
                    return Err(Ending::Refused);
                }
                shown.update(|it| {
                    it.take = None;
                    show_safe(it, &outbox);
                });
                // Where all takes fail there is no hurry.
                browser::wait(BEGIN_ANEW).await;
            }
            done => return done,
        }
    }
}

/// Asks for the request until there is an answer. An error: its link takes no video any more.
pub async fn ensure_open(link: &Link, shown: RwSignal<Upload>) -> Result<(), Ending> {
    let mut tries = RetryLoop::new(shown);
    loop {
        match link.state(None).await {
            Ok(state) if state.is_submitted() => return Err(Ending::AlreadySubmitted),
            Ok(_) => {
                tries.went_well();
                return Ok(());
            }
            Err(failure) => tries.failed(failure).await?,
        }
    }
}

async fn send(
    link: &Link,
    take: Option<TakeUrl>,
    feed: &mut UnboundedReceiver<Feed>,
    outbox: &mut Outbox<Piece>,
    shown: RwSignal<Upload>,
) -> Result<Option<f64>, Ending> {
    let mut tries = RetryLoop::new(shown);
    let take = match take {
        Some(take) => {
            // What was kept comes all at once; only with all of it can the server's offset be understood.
            while let Some(fed) = feed.next().await {
                if matches!(fed, Feed::End) {
                    break;
                }
                take_in(outbox, fed);
            }
            outbox.end();
            let at = tries.offset(link, &take).await?;
            outbox.catch_up(at.offset);
            settle(outbox, at, shown)?;
            take
        }
        None => {
            // Only a piece knows for certain what the browser records.
            let media_type = loop {
                if let Some(first) = outbox.first() {
                    break first.media_type();
                }
                match feed.next().await {
                    Some(Feed::End) | None => return Ok(None),
                    Some(fed) => take_in(outbox, fed),
                }
            };
            let beginning = async {
                loop {
                    match link.begin(&media_type).await {
                        Ok(take) => return Ok(take),
                        Err(failure) => tries.failed(failure).await?,
                    }
                }
            };
            taking_in(feed, outbox, shown, beginning).await?
        }
    };
    tries.went_well();
    shown.update(|it| it.take = Some(take.clone()));
    let mut line = Throughput::default();
    while !outbox.is_complete() {
        while let Ok(fed) = feed.try_recv() {
            take_in(outbox, fed);
        }
        shown.update(|it| show_recorded(it, outbox));
        let gathers_for = outbox.gathers_for(browser::page_time());
        let part = outbox.next().filter(|_| gathers_for == 0);
        let Some(part) = part else {
            match next_within(feed, gathers_for).await {
                Some(Some(fed)) => take_in(outbox, fed),
                Some(None) => return Ok(None),
                None => {}
            }
            continue;
        };
        let (full, began) = (outbox.is_full(&part), browser::page_time());
        let appending = link.append(&take, &part);
        let at = match taking_in(feed, outbox, shown, appending).await {
            Ok(at) => {
                if full {
                    let bytes = at.offset.saturating_sub(part.offset);
                    let took = browser::page_time() - began;
                    outbox.grow(bytes, took);
                    line.carried(bytes, took);
                }
                at
            }
            Err(failure) => {
                // A file that was moved can't be sent, and browsers say no more than that it failed.
                if let Some((piece, _)) = part.slices.first()
                    && piece.bytes().await.is_none()
                {
                    return Err(Ending::Unreadable);
                }
                outbox.shrink();
                let asking = async {
                    tries.failed(failure).await?;
                    tries.offset(link, &take).await
                };
                taking_in(feed, outbox, shown, asking).await?
            }
        };
        // An answer to a question is no progress: a server that can only talk is left alone for longer
        // and longer.
        if at.complete || at.offset > outbox.committed() {
            tries.went_well();
        }
        settle(outbox, at, shown)?;
    }
    Ok(line.bits_a_second())
}

/// Makes a take the video, however often that must be tried.
pub async fn submit(link: &Link, take: &TakeUrl, shown: RwSignal<Upload>) -> Result<(), Ending> {
    let mut tries = RetryLoop::new(shown);
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
    browser::within(Duration::from_millis(wait_ms.into()), feed.next()).await
}

/// Waits for the network, and takes in what is recorded meanwhile: the page shows it, and knows how much it is.
fn taking_in<T>(
    feed: &mut UnboundedReceiver<Feed>,
    outbox: &mut Outbox<Piece>,
    shown: RwSignal<Upload>,
    work: impl Future<Output = T>,
) -> impl Future<Output = T> {
    let mut work = Box::pin(work);
    poll_fn(move |context| {
        loop {
            if let Poll::Ready(done) = work.as_mut().poll(context) {
                return Poll::Ready(done);
            }
            let Poll::Ready(Some(fed)) = feed.poll_next_unpin(context) else {
                return Poll::Pending;
            };
            take_in(outbox, fed);
            shown.update(|it| show_recorded(it, outbox));
        }
    })
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
        // It isn't this take.
        return Err(Ending::Withdrawn);
    }
    shown.update(|it| {
        show_recorded(it, outbox);
        show_safe(it, outbox);
    });
    Ok(())
}

fn show_safe(shown: &mut Upload, outbox: &Outbox<Piece>) {
    shown.committed = outbox.committed();
    shown.committed_ms = outbox.committed_ms();
    shown.complete = outbox.is_complete();
}

fn show_recorded(shown: &mut Upload, outbox: &Outbox<Piece>) {
    shown.recorded = outbox.recorded();
    shown.recorded_ms = outbox.recorded_ms();
}

/// How fast the line was, while something was on it.
#[derive(Default)]
struct Throughput {
    bytes: u64,
    busy_ms: f64,
}

impl Throughput {
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
struct RetryLoop {
    backoff: Backoff,
    shown: RwSignal<Upload>,
}

impl RetryLoop {
    fn new(shown: RwSignal<Upload>) -> Self {
        Self {
            backoff: Backoff::default(),
            shown,
        }
    }

    fn went_well(&mut self) {
        self.backoff.reset();
        self.shown
            .update(|it| (it.waiting, it.full) = (false, false));
    }

    /// Waits, unless there is nothing to wait for.
    async fn failed(&mut self, failure: Failure) -> Result<(), Ending> {
        let mut wait = self.backoff.next(browser::jitter());
        match failure {
            Failure::Over(ending) => return Err(ending),
            Failure::Later(Some(asked)) => wait = wait.max(asked.min(LONGEST_OBEYED)),
            Failure::Resync | Failure::NotYet | Failure::Full | Failure::Later(None) => {}
        }
        self.shown.update(|it| {
            it.waiting = failure != Failure::Resync;
            it.full = failure == Failure::Full;
        });
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
