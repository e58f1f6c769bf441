//! Decides when a connection has made too little progress and must close. Pure: callers pass the time.
//!
//! An open connection costs memory and one of a bounded number of permits. So each must make progress: send a request
//! soon, or have its requests served at more than a trickle. An upload or a stream may last for hours; no timeout
//! limits it as a whole.
//!
//! | phase | timeout |
//! |---|---|
//! | accepted, no byte yet | 30 s, plus up to 15 s ([`Timeouts::spread`]) |
//! | TLS handshake, protocol detection | 10 s |
//! | request head, from its first byte, HTTP/1.1 and HTTP/2 | 15 s |
//! | pause within a request body | 30 s |
//! | requests in progress | 1 KiB must move in 120 s |
//! | idle between requests | 130 s, plus up to 15 s ([`Timeouts::spread`]) |
//! | idle while new connections are pending | 5 s |
//! | grace period between the shutdown notice and the close | 2 s |

use std::time::{Duration, Instant};

/// Timeouts of each phase of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From accepting the connection to its first byte. Browsers open connections ahead of time.
    pub unused: Duration,
    /// TLS handshake, or detection of the protocol without TLS.
    pub handshake: Duration,
    /// From the first byte of a request to the end of its head.
    pub head: Duration,
    /// Between a response and the next request.
    /// It is longer than the idle timeouts of proxies (60 s in nginx, two minutes in Caddy): the side that closes first
    /// must be the one that would send the next request.
    pub idle: Duration,
    /// Idle timeout while new connections are pending.
    pub crowded: Duration,
    /// Upper bound of the random time that is added to `unused` and `idle`.
    /// Connections that were opened at the same moment are then not closed at the same moment, to reconnect together
    /// again and again.
    pub spread: Duration,
    /// Between two reads of a request body.
    /// A network path that is silent for longer is as good as broken; a client that uploads a recording resumes where
    /// it stopped.
    pub silence: Duration,
    /// Requests in progress may move less than [`MIN_PROGRESS`] for this long.
    /// It exceeds the longest long poll.
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

/// Grace period between the shutdown notice and the close, unless the client closes before.
pub(crate) const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// Idle time after which a connection may free the buffers that it needs for a request.
/// It is short, so that clients that send one request each don't all hold buffers at the same time. It isn't zero,
/// because allocating them again takes a microsecond or two.
const PARK_AFTER: Duration = Duration::from_millis(100);

/// Default of [`Timeouts::stall`].
pub(crate) const STALL: Duration = Duration::from_secs(120);

/// Bytes that must move within [`Timeouts::stall`], both directions together.
/// A byte now and then doesn't keep a connection open.
pub(crate) const MIN_PROGRESS: u64 = 1024;

/// Verdict on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The connection stays open. Evaluate it again at this time.
    RecheckAt(Instant),
    /// The idle timeout has passed.
    Idle,
    /// The connection makes too little progress.
    Stalled,
}

#[derive(Debug)]
pub(crate) struct Activity {
    phase: Phase,
    /// When the phase began; while requests make progress, when that was last counted.
    since: Instant,
    /// Bytes that have moved since `since`.
    moved: u64,
    /// Fraction of [`Timeouts::spread`] that this connection gets: 0 to 1.
    share: f64,
    has_had_request: bool,
    /// Whether this is HTTP/2, where bytes that arrive between requests need not begin one.
    is_multiplexed: bool,
    /// HTTP/2: when the unfinished header block or frame other than DATA began to arrive.
    begun: Option<Instant>,
    /// Whether bytes remain to be written, and the client doesn't take more for now.
    is_blocked: bool,
    /// Whether more of the last request's body may arrive, even long after its response.
    awaits_body: bool,
    /// Whether the client was told about the shutdown.
    is_told: bool,
    /// Whether the write side is being shut down.
    is_closing: bool,
}

#[derive(Debug)]
enum Phase {
    Idle,
    ReadingHead,
    Responding { requests: u32 },
}

impl Activity {
    /// A connection that was just accepted. `share` is its fraction, 0 to 1, of [`Timeouts::spread`].
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

    /// Marks the connection as HTTP/2.
    pub(crate) fn multiplex(&mut self) {
        self.is_multiplexed = true;
    }

    /// Counts bytes that were read from the connection.
    pub(crate) fn read(&mut self, bytes: usize, now: Instant) {
        match self.phase {
            // The rest of a refused request's body isn't a new request.
            Phase::Idle if self.is_multiplexed || self.awaits_body => {}
            Phase::Idle => self.begin_to(Phase::ReadingHead, now),
            Phase::ReadingHead => {}
            Phase::Responding { .. } => self.moved_on_the_line(bytes),
        }
    }

    /// HTTP/2: records whether a header block or a frame other than DATA is unfinished.
    /// Returns `true` if one has just begun.
    pub(crate) fn is_unfinished(&mut self, is_unfinished: bool, now: Instant) -> bool {
        let has_begun = is_unfinished && self.begun.is_none();
        self.begun = is_unfinished.then(|| self.begun.unwrap_or(now));
        has_begun
    }

    /// Counts bytes that the client took.
    pub(crate) fn wrote(&mut self, bytes: usize) {
        self.moved_on_the_line(bytes);
    }

    /// Counts bytes of request and response bodies.
    pub(crate) fn moved_in_bodies(&mut self, bytes: usize) {
        if self.is_multiplexed {
            self.moved += bytes as u64;
        }
    }

    /// Records that all of a request's body has arrived.
    pub(crate) fn body_ended(&mut self) {
        self.awaits_body = false;
    }

    /// Counts raw bytes over HTTP/1. Over HTTP/2 they may be pings, which aren't progress.
    fn moved_on_the_line(&mut self, bytes: usize) {
        if !self.is_multiplexed {
            self.moved += bytes as u64;
        }
    }

    /// Records that the client takes no more bytes for now.
    pub(crate) fn blocked(&mut self) {
        self.is_blocked = true;
    }

    /// Records that all bytes were written.
    /// The connection is idle only from now on, if no request is in progress.
    pub(crate) fn flushed(&mut self, now: Instant) {
        if self.is_blocked && self.requests() == 0 {
            self.since = now;
        }
        self.is_blocked = false;
    }

    /// Records that the client was told about the shutdown.
    /// Requests in progress go on, and another request may be in flight.
    pub(crate) fn announce_shutdown(&mut self, now: Instant) {
        self.is_told = true;
        if !matches!(self.phase, Phase::Responding { .. }) {
            self.since = now;
        }
    }

    /// Records that the write side is being shut down.
    pub(crate) fn closing(&mut self) {
        self.is_closing = true;
    }

    /// Whether the buffers can be freed: no request or body bytes in either direction for a moment.
    pub(crate) fn may_park(&self, now: Instant) -> bool {
        matches!(self.phase, Phase::Idle)
            && self.has_had_request
            && !self.is_multiplexed
            && !self.is_blocked
            && !self.awaits_body
            && !self.is_closing
            && now >= self.since + PARK_AFTER
    }

    /// Counts a request whose head was parsed.
    pub(crate) fn begin(&mut self, has_body: bool, now: Instant) {
        let before = self.requests();
        self.has_had_request = true;
        self.awaits_body = has_body;
        self.count(before + 1, now);
    }

    /// Counts a response that has ended, completely or not.
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

    /// Decides whether the connection stays open.
    pub(crate) fn evaluate(
        &mut self,
        now: Instant,
        is_crowded: bool,
        timeouts: &Timeouts,
    ) -> Decision {
        // hyper has accepted the whole response, and the client hasn't taken all of it yet.
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
            // A head that began during another request has the whole head timeout after that request's response.
            let unfinished = begun.max(self.since) + head;
            if unfinished < until {
                (until, verdict) = (unfinished, Decision::Stalled);
            }
        }
        if now >= until {
            return verdict;
        }
        // The phase may change before then, and the head timeout is the shortest that a phase has.
        let next = until.min(now + head);
        let rest = self.since + PARK_AFTER;
        Decision::RecheckAt(if now < rest { next.min(rest) } else { next })
    }
}

#[cfg(test)]
mod tests;
