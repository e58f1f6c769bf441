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

/// After so long without a request a connection may lay down what it needs for one: soon, so that a crowd that asks
/// once never has it all at the same time; not at once, because picking it up again takes a microsecond or two.
const REST: Duration = Duration::from_millis(100);

/// Requests under way may move nothing for so long: more than the longest wait for news.
const STALL: Duration = Duration::from_secs(120);

/// What must move in that time, in bytes, both ways together. A byte now and then keeps nobody a place.
const TRICKLE: u64 = 1024;

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
    /// When it began to do that; while it answers, when it was last counted.
    since: Instant,
    has_asked: bool,
    /// HTTP/2: what arrives between requests need not be one.
    is_multiplexed: bool,
    /// Something is still to be written, and the other side takes no more for now.
    is_blocked: bool,
    /// The last request had a body. It may still arrive when the answer has long gone.
    had_body: bool,
}

#[derive(Debug)]
enum Doing {
    Nothing,
    Asking,
    Answering { requests: u32, moved: u64 },
}

impl Activity {
    /// Accepted.
    pub(super) fn new(now: Instant) -> Self {
        Self {
            doing: Doing::Nothing,
            since: now,
            has_asked: false,
            is_multiplexed: false,
            is_blocked: false,
            had_body: false,
        }
    }

    /// So many bytes arrived on the line.
    pub(super) fn read(&mut self, bytes: usize, now: Instant) {
        match &mut self.doing {
            Doing::Nothing if self.is_multiplexed => {}
            Doing::Nothing => (self.doing, self.since) = (Doing::Asking, now),
            Doing::Asking => {}
            Doing::Answering { .. } => self.moved_on_the_line(bytes),
        }
    }

    /// The other side took so many.
    pub(super) fn wrote(&mut self, bytes: usize) {
        self.is_blocked = false;
        self.moved_on_the_line(bytes);
    }

    /// So many bytes of bodies went either way.
    pub(super) fn moved_in_bodies(&mut self, bytes: usize) {
        if self.is_multiplexed {
            self.moved(bytes);
        }
    }

    /// Over HTTP/2 they may be pings, which get nothing done.
    fn moved_on_the_line(&mut self, bytes: usize) {
        if !self.is_multiplexed {
            self.moved(bytes);
        }
    }

    fn moved(&mut self, bytes: usize) {
        if let Doing::Answering { moved, .. } = &mut self.doing {
            *moved += bytes as u64;
        }
    }

    /// It takes no more for now.
    pub(super) fn blocked(&mut self) {
        self.is_blocked = true;
    }

    /// It has taken all there was.
    pub(super) fn flushed(&mut self) {
        self.is_blocked = false;
    }

    /// Whether nothing is under way, either way, and hasn't been for a moment: nothing of a body either.
    pub(super) fn may_rest(&self, now: Instant) -> bool {
        matches!(self.doing, Doing::Nothing)
            && self.has_asked
            && !self.is_multiplexed
            && !self.is_blocked
            && !self.had_body
            && now >= self.since + REST
    }

    /// A request is understood, and its answer begins to be made.
    pub(super) fn begin(&mut self, is_multiplexed: bool, has_body: bool, now: Instant) {
        let before = self.requests();
        self.has_asked = true;
        self.had_body = has_body;
        self.is_multiplexed = is_multiplexed;
        self.count(before + 1, now);
    }

    /// An answer is over, in whatever way.
    pub(super) fn end(&mut self, now: Instant) {
        self.count(self.requests().saturating_sub(1), now);
    }

    fn requests(&self) -> u32 {
        match self.doing {
            Doing::Answering { requests, .. } => requests,
            Doing::Nothing | Doing::Asking => 0,
        }
    }

    fn count(&mut self, requests: u32, now: Instant) {
        self.since = now;
        self.doing = match requests {
            0 => Doing::Nothing,
            requests => Doing::Answering { requests, moved: 0 },
        };
    }

    /// Whether it may go on.
    pub(super) fn judge(&mut self, now: Instant, is_crowded: bool) -> Verdict {
        let (patience, verdict) = match &mut self.doing {
            Doing::Answering { moved, .. } => {
                if now >= self.since + STALL && *moved >= TRICKLE {
                    (*moved, self.since) = (0, now);
                }
                (STALL, Verdict::Stalled)
            }
            Doing::Nothing | Doing::Asking if is_crowded => (CROWDED, Verdict::Idle),
            Doing::Asking => (HEAD, Verdict::Stalled),
            Doing::Nothing if self.has_asked => (IDLE, Verdict::Idle),
            Doing::Nothing => (UNUSED, Verdict::Idle),
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
mod tests {
    use super::*;

    fn second(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    /// Looks when it is told to, until it is over: after how long, and why.
    fn end_of(activity: &mut Activity, from: Instant) -> (Duration, Verdict) {
        let mut now = from;
        loop {
            match activity.judge(now, false) {
                Verdict::Look(next) => now = next,
                over => return (now - from, over),
            }
        }
    }

    #[test]
    fn who_says_nothing_is_let_go() {
        let start = Instant::now();
        let mut unused = Activity::new(start);
        assert_eq!(end_of(&mut unused, start), (UNUSED, Verdict::Idle));

        let mut idle = Activity::new(start);
        idle.read(100, start);
        idle.begin(false, false, start);
        idle.end(start);
        assert_eq!(end_of(&mut idle, start), (IDLE, Verdict::Idle));
    }

    #[test]
    fn a_head_must_come_in_time_however_many_its_pieces() {
        let start = Instant::now();
        let mut slow = Activity::new(start);
        for n in 0..14 {
            slow.read(1, start + second(n));
            assert!(matches!(
                slow.judge(start + second(n), false),
                Verdict::Look(_)
            ));
        }
        assert_eq!(end_of(&mut slow, start), (HEAD, Verdict::Stalled));
    }

    #[test]
    fn the_second_head_too() {
        let start = Instant::now();
        let mut slow = Activity::new(start);
        slow.read(100, start);
        slow.begin(false, false, start);
        slow.end(start + second(1));
        slow.read(1, start + second(60));
        assert_eq!(
            end_of(&mut slow, start + second(60)),
            (HEAD, Verdict::Stalled)
        );
    }

    #[test]
    fn a_trickle_keeps_nobody_a_place_and_a_slow_line_does() {
        for (bytes, want) in [(8, Some(STALL)), (1000, None)] {
            let start = Instant::now();
            let mut activity = Activity::new(start);
            activity.read(100, start);
            activity.begin(false, false, start);
            let mut over = None;
            for n in 0..3600 {
                let now = start + second(n);
                if n % 10 == 0 {
                    activity.wrote(bytes);
                }
                if activity.judge(now, false) == Verdict::Stalled {
                    over = over.or(Some(now - start));
                }
            }
            assert_eq!(over, want, "{bytes} bytes each 10 s");
        }
    }

    #[test]
    fn many_waits_on_one_connection_are_no_stall() {
        let start = Instant::now();
        let mut agent = Activity::new(start);
        agent.begin(true, false, start);
        for n in 1..100 {
            let now = start + second(50 * n);
            agent.begin(true, false, now);
            agent.wrote(10);
            agent.end(now);
            assert!(matches!(agent.judge(now, false), Verdict::Look(_)));
        }
    }

    #[test]
    fn pings_are_no_progress_and_bodies_are() {
        for (pings, want) in [(true, Some(STALL)), (false, None)] {
            let start = Instant::now();
            let mut activity = Activity::new(start);
            activity.begin(true, false, start);
            let mut over = None;
            for n in 0..600 {
                let now = start + second(n);
                match pings {
                    true => activity.read(1000, now),
                    false => activity.moved_in_bodies(1000),
                }
                if activity.judge(now, false) == Verdict::Stalled {
                    over = over.or(Some(now - start));
                }
            }
            assert_eq!(over, want, "pings: {pings}");
        }
    }

    #[test]
    fn nobody_rests_while_a_body_may_still_arrive() {
        let start = Instant::now();
        let mut refused = Activity::new(start);
        refused.begin(false, true, start);
        refused.end(start);
        assert!(!refused.may_rest(start + second(60)));
        refused.begin(false, false, start);
        refused.end(start);
        assert!(refused.may_rest(start + second(60)));
    }

    #[test]
    fn what_comes_between_requests_of_http2_is_no_request() {
        let start = Instant::now();
        let mut idle = Activity::new(start);
        idle.read(100, start);
        idle.begin(true, false, start);
        idle.end(start);
        idle.read(17, start + second(1));
        assert_eq!(end_of(&mut idle, start), (IDLE, Verdict::Idle));
    }

    #[test]
    fn who_has_been_answered_rests_after_a_moment_and_not_before_all_is_sent() {
        let start = Instant::now();
        let mut idle = Activity::new(start);
        let later = start + REST;
        assert!(!idle.may_rest(later), "it never asked");
        idle.read(100, start);
        idle.begin(false, false, start);
        assert!(!idle.may_rest(later), "it is being answered");
        idle.blocked();
        idle.end(start);
        assert!(!idle.may_rest(later), "something is still to be sent");
        idle.wrote(100);
        assert!(!idle.may_rest(start));
        assert_eq!(idle.judge(start, false), Verdict::Look(later));
        assert!(idle.may_rest(later));
        idle.read(1, later);
        assert!(!idle.may_rest(later + REST), "it asks");
    }

    #[test]
    fn a_crowd_ends_what_waits_and_nothing_that_works() {
        let start = Instant::now();
        let later = start + CROWDED;
        let mut idle = Activity::new(start);
        assert_eq!(idle.judge(later, true), Verdict::Idle);
        idle.begin(false, false, start);
        assert!(matches!(idle.judge(later, true), Verdict::Look(_)));
    }
}
