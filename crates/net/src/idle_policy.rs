//! What a connection is phase, and how long it may go on like that. Pure: it is told the time.
//!
//! Who holds a connection costs memory and one of a bounded number of limit. So each must be getting somewhere:
//! asking within moments, or having its requests answered at more than a trickle. An upload or a stream may last
//! for hours; none of these is a limit on the whole.

use std::time::{Duration, Instant};

/// How long a connection may go on without getting anywhere.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From being accepted to the first byte. Browsers open connections ahead of time.
    pub unused: Duration,
    /// For a TLS handshake, or whatever else tells what is spoken.
    pub handshake: Duration,
    /// From the first byte of a request to the end of its head.
    pub head: Duration,
    /// Between an answer and the next request. Longer than proxies keep theirs (60 s in nginx, two minutes in Caddy): the
    /// side that closes first must be the one that would send.
    pub idle: Duration,
    /// Likewise, while others wait to be let in.
    pub crowded: Duration,
    /// How much longer some have than others, with nothing to do. Those who came in one moment are not sent away, and back
    /// in, in one moment, time after time.
    pub spread: Duration,
    /// For the next byte of a body. A line that is away for longer is as good as broken: a client that sends a recording
    /// goes on where it stopped.
    pub silence: Duration,
    /// Requests under way may move less than [`MIN_PROGRESS`] for so long: more than the longest wait for news.
    pub stall: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            unused: Duration::from_secs(30),
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(15),
            idle: Duration::from_secs(130),
            crowded: Duration::from_secs(5),
            spread: Duration::from_secs(15),
            silence: Duration::from_secs(30),
            stall: STALL,
        }
    }
}

/// Between the word that it is over and the end, unless that comes by itself.
pub(crate) const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// After so long without a request a connection may lay down what it needs for one: soon, so that a crowd that asks
/// once never has it all at the same time; not at once, because picking it up again takes a microsecond or two.
const PARK_AFTER: Duration = Duration::from_millis(100);

/// See [`Timeouts::stall`].
pub(crate) const STALL: Duration = Duration::from_secs(120);

/// What must move in that time, in bytes, both ways together. A byte now and then keeps nobody a place.
pub(crate) const MIN_PROGRESS: u64 = 1024;

/// What becomes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It goes on. Look again then.
    RecheckAt(Instant),
    /// It has nothing to do.
    Idle,
    /// It gets nowhere.
    Stalled,
}

#[derive(Debug)]
pub(crate) struct Activity {
    phase: Phase,
    /// When it began to do that; while something moves, when that was last counted.
    since: Instant,
    /// Bytes that have moved since then.
    moved: u64,
    /// Of the time that some have longer than others: 0 to 1.
    share: f64,
    has_had_request: bool,
    /// HTTP/2: what arrives between requests need not be one.
    is_multiplexed: bool,
    /// HTTP/2: since when something that isn't a body has begun to arrive and hasn't ended, such as a head.
    begun: Option<Instant>,
    /// Something is still to be written, and the other side takes no more for now.
    is_blocked: bool,
    /// Of the last request's body more may arrive, even when its answer has long gone.
    awaits_body: bool,
    /// That it is over has been said.
    is_told: bool,
    /// Its end is being said.
    is_closing: bool,
}

#[derive(Debug)]
enum Phase {
    Idle,
    ReadingHead,
    Responding { requests: u32 },
}

impl Activity {
    /// Accepted. With nothing to do it has this share, 0 to 1, of the time that some have longer than others.
    pub(crate) fn new(now: Instant, share: f64) -> Self {
        Self {
            phase: Phase::Idle,
            since: now,
            moved: 0,
            share,
            has_had_request: false,
            is_multiplexed: false,
            begun: None,
            is_blocked: false,
            awaits_body: false,
            is_told: false,
            is_closing: false,
        }
    }

    /// It speaks HTTP/2.
    pub(crate) fn multiplex(&mut self) {
        self.is_multiplexed = true;
    }

    /// So many bytes arrived on the line.
    pub(crate) fn read(&mut self, bytes: usize, now: Instant) {
        match self.phase {
            // What nobody wants of a refused body is no request.
            Phase::Idle if self.is_multiplexed || self.awaits_body => {}
            Phase::Idle => self.begin_to(Phase::ReadingHead, now),
            Phase::ReadingHead => {}
            Phase::Responding { .. } => self.moved_on_the_line(bytes),
        }
    }

    /// HTTP/2: after what has arrived, a head or another frame is unfinished, or none is. `true`: one has just begun.
    pub(crate) fn is_unfinished(&mut self, is_unfinished: bool, now: Instant) -> bool {
        let has_begun = is_unfinished && self.begun.is_none();
        self.begun = is_unfinished.then(|| self.begun.unwrap_or(now));
        has_begun
    }

    /// The other side took so many.
    pub(crate) fn wrote(&mut self, bytes: usize) {
        self.moved_on_the_line(bytes);
    }

    /// So many bytes of bodies went either way.
    pub(crate) fn moved_in_bodies(&mut self, bytes: usize) {
        if self.is_multiplexed {
            self.moved += bytes as u64;
        }
    }

    /// All of a request's body has arrived.
    pub(crate) fn body_ended(&mut self) {
        self.awaits_body = false;
    }

    /// Over HTTP/2 they may be pings, which get nothing done.
    fn moved_on_the_line(&mut self, bytes: usize) {
        if !self.is_multiplexed {
            self.moved += bytes as u64;
        }
    }

    /// It takes no more for now.
    pub(crate) fn blocked(&mut self) {
        self.is_blocked = true;
    }

    /// It has taken all there was: only now it is idle, if nothing else is under way.
    pub(crate) fn flushed(&mut self, now: Instant) {
        if self.is_blocked && self.requests() == 0 {
            self.since = now;
        }
        self.is_blocked = false;
    }

    /// The other side is told that it is over. What is under way goes on, and it may have something on its way.
    pub(crate) fn announce_shutdown(&mut self, now: Instant) {
        self.is_told = true;
        if !matches!(self.phase, Phase::Responding { .. }) {
            self.since = now;
        }
    }

    /// Nothing more is said.
    pub(crate) fn closing(&mut self) {
        self.is_closing = true;
    }

    /// Whether nothing is under way, either way, and hasn't been for a moment: nothing of a body either.
    pub(crate) fn may_park(&self, now: Instant) -> bool {
        matches!(self.phase, Phase::Idle)
            && self.has_had_request
            && !self.is_multiplexed
            && !self.is_blocked
            && !self.awaits_body
            && !self.is_closing
            && now >= self.since + PARK_AFTER
    }

    /// A request is understood, and its answer begins to be made.
    pub(crate) fn begin(&mut self, has_body: bool, now: Instant) {
        let before = self.requests();
        self.has_had_request = true;
        self.awaits_body = has_body;
        self.count(before + 1, now);
    }

    /// An answer is over, in whatever way.
    pub(crate) fn end(&mut self, now: Instant) {
        self.count(self.requests().saturating_sub(1), now);
    }

    fn requests(&self) -> u32 {
        match self.phase {
            Phase::Responding { requests } => requests,
            Phase::Idle | Phase::ReadingHead => 0,
        }
    }

    fn count(&mut self, requests: u32, now: Instant) {
        let phase = match requests {
            0 => Phase::Idle,
            requests => Phase::Responding { requests },
        };
        self.begin_to(phase, now);
    }

    fn begin_to(&mut self, phase: Phase, now: Instant) {
        (self.phase, self.since, self.moved) = (phase, now, 0);
    }

    /// Whether it may go on.
    pub(crate) fn evaluate(
        &mut self,
        now: Instant,
        is_crowded: bool,
        timeouts: &Timeouts,
    ) -> Decision {
        // The end of an answer, which hyper has whole, and the other side hasn't yet.
        let is_sending = self.is_blocked && !self.is_multiplexed;
        let is_moving = is_sending || self.requests() > 0;
        if is_moving && now >= self.since + timeouts.stall && self.moved >= MIN_PROGRESS {
            (self.moved, self.since) = (0, now);
        }
        let Timeouts { stall, head, .. } = *timeouts;
        let longer = timeouts.spread.mul_f64(self.share);
        let (patience, verdict) = match self.phase {
            Phase::Responding { .. } => (stall, Decision::Stalled),
            _ if is_sending => (stall, Decision::Stalled),
            Phase::Idle if self.is_told && self.is_blocked => (stall, Decision::Stalled),
            Phase::Idle | Phase::ReadingHead if self.is_told => (SHUTDOWN_GRACE, Decision::Idle),
            _ if is_crowded && !self.is_blocked => (timeouts.crowded, Decision::Idle),
            Phase::ReadingHead => (head, Decision::Stalled),
            Phase::Idle if self.has_had_request => (timeouts.idle + longer, Decision::Idle),
            Phase::Idle => (timeouts.unused + longer, Decision::Idle),
        };
        let mut until = self.since + patience;
        let mut verdict = verdict;
        if let (Phase::Idle, Some(begun)) = (&self.phase, self.begun) {
            // Behind the last answer it has its time, too.
            let unfinished = begun.max(self.since) + head;
            if unfinished < until {
                (until, verdict) = (unfinished, Decision::Stalled);
            }
        }
        if now >= until {
            return verdict;
        }
        // What it does may change meanwhile, and the shortest patience is that with a head.
        let next = until.min(now + head);
        let rest = self.since + PARK_AFTER;
        Decision::RecheckAt(if now < rest { next.min(rest) } else { next })
    }
}

#[cfg(test)]
mod tests;
