//! What a connection is doing, and how long it may go on like that. Pure: it is told the time.
//!
//! Who holds a connection costs memory and one of a bounded number of places. So each must be getting somewhere:
//! asking within moments, or having its requests answered at more than a trickle. An upload or a stream may last
//! for hours; none of these is a limit on the whole.

use std::time::{Duration, Instant};

/// From being accepted to the first byte. Browsers open connections ahead of time.
const UNUSED: Duration = Duration::from_secs(30);

/// From the first byte of a request to the end of its head.
const HEAD: Duration = Duration::from_secs(15);

/// Between an answer and the next request. Longer than proxies keep theirs (60 s in nginx, two minutes in Caddy):
/// whoever closes first must be the one who would send.
const IDLE: Duration = Duration::from_secs(130);

/// Likewise, while others wait to be let in.
const CROWDED: Duration = Duration::from_secs(5);

/// Between the word that it is over and the end, unless that comes by itself.
pub(super) const GOODBYE: Duration = Duration::from_secs(2);

/// How much longer some have than others, with nothing to do. Those who came in one moment are not sent away, and
/// back in, in one moment, time after time.
pub(super) const SPREAD: Duration = Duration::from_secs(15);

/// After so long without a request a connection may lay down what it needs for one: soon, so that a crowd that asks
/// once never has it all at the same time; not at once, because picking it up again takes a microsecond or two.
const REST: Duration = Duration::from_millis(100);

/// Requests under way may move nothing for so long: more than the longest wait for news.
pub(super) const STALL: Duration = Duration::from_secs(120);

/// What must move in that time, in bytes, both ways together. A byte now and then keeps nobody a place.
pub(super) const TRICKLE: u64 = 1024;

/// What becomes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It goes on. Look again then.
    Look(Instant),
    /// It has nothing to do.
    Idle,
    /// It gets nowhere.
    Stalled,
}

#[derive(Debug)]
pub(super) struct Activity {
    doing: Doing,
    /// When it began to do that; while something moves, when that was last counted.
    since: Instant,
    /// Bytes that have moved since then.
    moved: u64,
    /// Beyond the time that all have with nothing to do.
    longer: Duration,
    has_asked: bool,
    /// HTTP/2: what arrives between requests need not be one.
    is_multiplexed: bool,
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
enum Doing {
    Nothing,
    Asking,
    Answering { requests: u32 },
}

impl Activity {
    /// What it has beyond the time that all have with nothing to do.
    #[cfg(test)]
    pub(super) fn longer(&self) -> Duration {
        self.longer
    }

    /// Accepted. With nothing to do, it has so much longer than it must.
    pub(super) fn new(now: Instant, longer: Duration) -> Self {
        Self {
            doing: Doing::Nothing,
            since: now,
            moved: 0,
            longer,
            has_asked: false,
            is_multiplexed: false,
            is_blocked: false,
            awaits_body: false,
            is_told: false,
            is_closing: false,
        }
    }

    /// It speaks HTTP/2.
    pub(super) fn multiplex(&mut self) {
        self.is_multiplexed = true;
    }

    /// So many bytes arrived on the line.
    pub(super) fn read(&mut self, bytes: usize, now: Instant) {
        match self.doing {
            // What nobody wants of a refused body is no request.
            Doing::Nothing if self.is_multiplexed || self.awaits_body => {}
            Doing::Nothing => self.begin_to(Doing::Asking, now),
            Doing::Asking => {}
            Doing::Answering { .. } => self.moved_on_the_line(bytes),
        }
    }

    /// The other side took so many.
    pub(super) fn wrote(&mut self, bytes: usize) {
        self.moved_on_the_line(bytes);
    }

    /// So many bytes of bodies went either way.
    pub(super) fn moved_in_bodies(&mut self, bytes: usize) {
        if self.is_multiplexed {
            self.moved += bytes as u64;
        }
    }

    /// All of a request's body has arrived.
    pub(super) fn body_ended(&mut self) {
        self.awaits_body = false;
    }

    /// Over HTTP/2 they may be pings, which get nothing done.
    fn moved_on_the_line(&mut self, bytes: usize) {
        if !self.is_multiplexed {
            self.moved += bytes as u64;
        }
    }

    /// It takes no more for now.
    pub(super) fn blocked(&mut self) {
        self.is_blocked = true;
    }

    /// It has taken all there was: only now it is idle, if nothing else is under way.
    pub(super) fn flushed(&mut self, now: Instant) {
        if self.is_blocked && self.requests() == 0 {
            self.since = now;
        }
        self.is_blocked = false;
    }

    /// The other side is told that it is over. What is under way goes on, and it may have something on its way.
    pub(super) fn told(&mut self, now: Instant) {
        self.is_told = true;
        if !matches!(self.doing, Doing::Answering { .. }) {
            self.since = now;
        }
    }

    /// Nothing more is said.
    pub(super) fn closing(&mut self) {
        self.is_closing = true;
    }

    /// Whether nothing is under way, either way, and hasn't been for a moment: nothing of a body either.
    pub(super) fn may_rest(&self, now: Instant) -> bool {
        matches!(self.doing, Doing::Nothing)
            && self.has_asked
            && !self.is_multiplexed
            && !self.is_blocked
            && !self.awaits_body
            && !self.is_closing
            && now >= self.since + REST
    }

    /// A request is understood, and its answer begins to be made.
    pub(super) fn begin(&mut self, has_body: bool, now: Instant) {
        let before = self.requests();
        self.has_asked = true;
        self.awaits_body = has_body;
        self.count(before + 1, now);
    }

    /// An answer is over, in whatever way.
    pub(super) fn end(&mut self, now: Instant) {
        self.count(self.requests().saturating_sub(1), now);
    }

    fn requests(&self) -> u32 {
        match self.doing {
            Doing::Answering { requests } => requests,
            Doing::Nothing | Doing::Asking => 0,
        }
    }

    fn count(&mut self, requests: u32, now: Instant) {
        let doing = match requests {
            0 => Doing::Nothing,
            requests => Doing::Answering { requests },
        };
        self.begin_to(doing, now);
    }

    fn begin_to(&mut self, doing: Doing, now: Instant) {
        (self.doing, self.since, self.moved) = (doing, now, 0);
    }

    /// Whether it may go on.
    pub(super) fn judge(&mut self, now: Instant, is_crowded: bool) -> Verdict {
        // The end of an answer, which hyper has whole, and the other side hasn't yet.
        let is_sending = self.is_blocked && !self.is_multiplexed;
        let is_moving = is_sending || self.requests() > 0;
        if is_moving && now >= self.since + STALL && self.moved >= TRICKLE {
            (self.moved, self.since) = (0, now);
        }
        let (patience, verdict) = match self.doing {
            Doing::Answering { .. } => (STALL, Verdict::Stalled),
            _ if is_sending => (STALL, Verdict::Stalled),
            Doing::Nothing if self.is_told && self.is_blocked => (STALL, Verdict::Stalled),
            Doing::Nothing | Doing::Asking if self.is_told => (GOODBYE, Verdict::Idle),
            _ if is_crowded && !self.is_blocked => (CROWDED, Verdict::Idle),
            Doing::Asking => (HEAD, Verdict::Stalled),
            Doing::Nothing if self.has_asked => (IDLE + self.longer, Verdict::Idle),
            Doing::Nothing => (UNUSED + self.longer, Verdict::Idle),
        };
        let until = self.since + patience;
        if now >= until {
            return verdict;
        }
        // What it does may change meanwhile, and the shortest patience is that with a head.
        let next = until.min(now + HEAD);
        let rest = self.since + REST;
        Verdict::Look(if now < rest { next.min(rest) } else { next })
    }
}

#[cfg(test)]
mod tests;
