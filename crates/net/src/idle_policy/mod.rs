//! Decides when a connection has made too little progress and must close. Pure: callers pass the time.
//!
//! An open connection costs memory and one of a bounded number of permits. So each must make progress: send a request
//! soon, or have its requests served at more than a trickle. An upload or a stream may last for hours; no timeout
//! limits it as a whole.
//!
//! By hand, because hyper's `header_read_timeout` also counts idle time, so a head would have as long as a proxy's idle
//! connection (620 s instead of 15 s); over HTTP/2 hyper has no timeout for heads, and in neither version one for
//! connections that are idle or stalled.
//!
//! | phase | timeout |
//! |---|---|
//! | accepted, no byte yet | 30 s, plus up to 15 s ([`Timeouts::spread`]) |
//! | TLS handshake, protocol detection | 30 s |
//! | request head, from its first byte, HTTP/1.1 and HTTP/2 | 15 s |
//! | pause within a request body | 75 s |
//! | requests in progress | 1 KiB must move in 120 s |
//! | idle between requests | 620 s, plus up to 15 s ([`Timeouts::spread`]) |
//! | idle while new connections are pending | 5 s |
//! | grace period between the shutdown notice and the close | 2 s |

use std::time::{Duration, Instant};

use crate::progress::Progress;

/// Timeouts of each phase of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From accepting the connection to its first byte. Browsers open connections ahead of time.
    pub unused: Duration,
    /// TLS handshake, or detection of the protocol without TLS.
    /// Where a round trip takes 2 s, each of its packets that is lost adds 6 s.
    pub handshake: Duration,
    /// From the first byte of a request to the end of its head.
    pub head: Duration,
    /// Between a response and the next request.
    /// It is longer than the idle timeouts of proxies (60 s in nginx, two minutes in Caddy, ten in Google's): the side that closes first
    /// must be the one that would send the next request.
    pub idle: Duration,
    /// Idle timeout while new connections are pending.
    pub crowded: Duration,
    /// Upper bound of the random time that is added to `unused` and `idle`.
    /// Connections that were opened at the same moment are then not closed at the same moment, to reconnect together
    /// again and again.
    pub spread: Duration,
    /// Between two reads of a request body.
    /// A network path that is silent for longer is as good as broken: where a round trip takes 2 s, TCP is silent for 42 s
    /// after three losses of one packet. A client that uploads a recording resumes where it stopped; a form doesn't.
    pub silence: Duration,
    /// Requests in progress may move less than 1 KiB for this long.
    /// It exceeds the longest long poll.
    pub stall: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            unused: Duration::from_secs(30),
            handshake: Duration::from_secs(30),
            head: Duration::from_secs(15),
            idle: Duration::from_secs(620),
            crowded: Duration::from_secs(5),
            spread: Duration::from_secs(15),
            silence: Duration::from_secs(75),
            stall: STALL,
        }
    }
}

/// Grace period between the shutdown notice and the close, unless the client closes before.
pub(crate) const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// Default of [`Timeouts::stall`].
pub(crate) const STALL: Duration = Duration::from_secs(120);

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

/// What a connection is doing, and since when.
#[derive(Debug)]
pub(crate) struct Activity {
    /// Requests whose responses haven't ended.
    requests: u32,
    /// Begins anew with each request, each response's end and, over HTTP/1, each head.
    progress: Progress,
    /// When the unfinished head began to arrive; over HTTP/2 also a frame other than DATA.
    head_since: Option<Instant>,
    /// Fraction of [`Timeouts::spread`] that this connection gets: 0 to 1.
    share: f64,
    has_had_request: bool,
    /// Whether this is HTTP/2, where bytes that arrive between requests need not begin one.
    is_multiplexed: bool,
    /// Whether bytes remain to be written, and the client doesn't take more for now.
    is_blocked: bool,
    /// Whether more of the last request's body may arrive, even long after its response.
    awaits_body: bool,
    /// Whether the client was told about the shutdown.
    is_told: bool,
    /// Whether the TLS handshake, or the detection of the protocol, is in progress.
    is_negotiating: bool,
}

impl Activity {
    /// A connection that was just accepted. `share` is its fraction, 0 to 1, of [`Timeouts::spread`].
    pub(crate) fn new(now: Instant, share: f64) -> Self {
        Self {
            requests: 0,
            progress: Progress::begin(now),
            head_since: None,
            share,
            has_had_request: false,
            is_multiplexed: false,
            is_blocked: false,
            awaits_body: false,
            is_told: false,
            is_negotiating: false,
        }
    }

    /// Marks the connection as HTTP/2.
    pub(crate) fn multiplex(&mut self) {
        self.is_multiplexed = true;
    }

    /// Counts bytes that were read from the connection.
    pub(crate) fn read(&mut self, bytes: usize, now: Instant) {
        if self.requests > 0 {
            self.moved_on_the_line(bytes);
        } else if !self.is_multiplexed && !self.awaits_body && self.head_since.is_none() {
            self.head_since = Some(now);
            self.progress = Progress::begin(now);
        }
    }

    /// HTTP/2: records whether a header block or a frame other than DATA is unfinished.
    pub(crate) fn set_unfinished(&mut self, is_unfinished: bool, now: Instant) {
        self.head_since = is_unfinished.then(|| self.head_since.unwrap_or(now));
    }

    /// Counts bytes that the client took.
    pub(crate) fn wrote(&mut self, bytes: usize) {
        self.moved_on_the_line(bytes);
    }

    /// Counts bytes of request and response bodies.
    pub(crate) fn moved_in_bodies(&mut self, bytes: usize) {
        if self.is_multiplexed {
            self.progress.add(bytes);
        }
    }

    /// Records that the first byte has arrived: the handshake has a timeout of its own.
    pub(crate) fn begin_handshake(&mut self, now: Instant) {
        self.progress = Progress::begin(now);
        self.is_negotiating = true;
    }

    /// Records that the client may send requests from now on.
    pub(crate) fn end_handshake(&mut self, now: Instant) {
        self.progress = Progress::begin(now);
        self.is_negotiating = false;
    }

    /// Records that all of a request's body has arrived.
    pub(crate) fn body_ended(&mut self) {
        self.awaits_body = false;
    }

    /// Counts raw bytes over HTTP/1. Over HTTP/2 they may be pings, which aren't progress.
    fn moved_on_the_line(&mut self, bytes: usize) {
        if !self.is_multiplexed {
            self.progress.add(bytes);
        }
    }

    /// Records that the client takes no more bytes for now.
    pub(crate) fn blocked(&mut self) {
        self.is_blocked = true;
    }

    /// Records that all bytes were written.
    /// The connection is idle only from now on, if no request is in progress.
    pub(crate) fn flushed(&mut self, now: Instant) {
        if self.is_blocked && self.requests == 0 {
            self.progress.since = now;
        }
        self.is_blocked = false;
    }

    /// Records that the client was told about the shutdown.
    /// Requests in progress go on, and another request may be in flight.
    pub(crate) fn announce_shutdown(&mut self, now: Instant) {
        self.is_told = true;
        if self.requests == 0 {
            self.progress.since = now;
        }
    }

    /// Counts a request whose head was parsed.
    pub(crate) fn begin(&mut self, has_body: bool, now: Instant) {
        self.requests += 1;
        self.progress = Progress::begin(now);
        self.has_had_request = true;
        self.awaits_body = has_body;
        if !self.is_multiplexed {
            self.head_since = None;
        }
    }

    /// Counts a response that has ended, completely or not.
    pub(crate) fn end(&mut self, now: Instant) {
        self.requests = self.requests.saturating_sub(1);
        self.progress = Progress::begin(now);
    }

    /// Decides whether the connection stays open.
    pub(crate) fn evaluate(
        &mut self,
        now: Instant,
        is_crowded: bool,
        timeouts: &Timeouts,
    ) -> Decision {
        // hyper has accepted the whole response, and the client hasn't taken all of it yet.
        let is_sending = self.is_blocked && (!self.is_multiplexed || self.is_told);
        let (until, decision) = if self.requests > 0 || is_sending {
            let next = self.progress.check(now, timeouts.stall);
            (next.unwrap_or(now), Decision::Stalled)
        } else {
            self.idle_until(is_crowded, timeouts)
        };
        // The phase may change before then, to one with a shorter timeout.
        let shortest = timeouts.head.min(timeouts.idle).min(timeouts.stall);
        match now < until {
            true => Decision::RecheckAt(until.min(now + shortest)),
            false => decision,
        }
    }

    /// Until when no request may be in progress, and what happens then.
    fn idle_until(&self, is_crowded: bool, timeouts: &Timeouts) -> (Instant, Decision) {
        let since = self.progress.since;
        let timeout = match self.has_had_request {
            _ if self.is_told => SHUTDOWN_GRACE,
            _ if is_crowded && !self.is_blocked && !self.is_negotiating => timeouts.crowded,
            true => timeouts.idle + timeouts.spread.mul_f64(self.share),
            false => timeouts.unused + timeouts.spread.mul_f64(self.share),
        };
        let idle = (since + timeout, Decision::Idle);
        // A head that began during another request has the whole head timeout after that request's response.
        let head = self.head_since.map(|it| it.max(since) + timeouts.head);
        match head {
            Some(head) if head < idle.0 => (head, Decision::Stalled),
            _ => idle,
        }
    }
}

#[cfg(test)]
mod tests;
