//! When to poll again. Pure.

use std::time::Duration;

use crate::backoff::Backoff;

/// How long the server may hold a long poll: RFC 7240, section 4.3.
pub const PREFER_WAIT: &str = "wait=25";

/// A response that takes longer has stalled; a long poll takes 25 s.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(45);

/// A response that took longer was held: it is a change, or the end of the long poll.
/// A faster one came from a server that doesn't hold requests.
const LONG_POLL_MIN: Duration = Duration::from_secs(2);

/// After a long poll.
const AFTER_LONG_POLL: Duration = Duration::from_millis(200);
/// Between polls of a server that doesn't hold requests.
const INTERVAL: Duration = Duration::from_secs(3);
/// After a submission, when only a deletion can follow.
const SUBMITTED_INTERVAL: Duration = Duration::from_secs(20);
/// At least this long while the page is hidden.
const HIDDEN_INTERVAL: Duration = Duration::from_secs(30);

/// The longest `Retry-After` that is obeyed.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(600);

/// The result of a poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollResult {
    /// A response, and how long it took.
    Answered(Duration),
    /// 429, with `Retry-After` in seconds, if there is one.
    RateLimited(Option<u64>),
    /// No response, or an unreadable one.
    Failed,
}

/// What the interval depends on besides the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PollContext {
    /// Whether the page is hidden.
    pub hidden: bool,
    /// Whether the video was submitted.
    pub submitted: bool,
}

/// Computes the delay before each poll. Failures count.
#[derive(Default)]
pub struct PollSchedule {
    backoff: Backoff,
}

impl PollSchedule {
    /// The delay before the next poll. `jitter` is from 0 to 1.
    pub fn next_delay(
        &mut self,
        result: PollResult,
        context: PollContext,
        jitter: f64,
    ) -> Duration {
        let delay = match result {
            PollResult::Answered(took) => {
                self.backoff.reset();
                match context {
                    PollContext {
                        submitted: true, ..
                    } => SUBMITTED_INTERVAL,
                    _ if took >= LONG_POLL_MIN => AFTER_LONG_POLL,
                    _ => INTERVAL,
                }
            }
            PollResult::RateLimited(seconds) => {
                // Never earlier than the server said; later by some jitter, because other clients were told the same.
                let retry_after = seconds.map(Duration::from_secs).unwrap_or(INTERVAL);
                retry_after
                    .clamp(Duration::from_secs(1), MAX_RETRY_AFTER)
                    .mul_f64(1.0 + jitter.clamp(0.0, 1.0) / 10.0)
            }
            PollResult::Failed => self.backoff.next_delay(jitter),
        };
        match context.hidden {
            true => delay.max(HIDDEN_INTERVAL),
            false => delay,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_long_poll_is_repeated_at_once() {
        let mut schedule = PollSchedule::default();
        let next = |schedule: &mut PollSchedule, took| {
            schedule.next_delay(PollResult::Answered(took), PollContext::default(), 0.5)
        };
        assert!(next(&mut schedule, 25 * SECOND) < SECOND);
        assert_eq!(next(&mut schedule, SECOND / 20), 3 * SECOND);
    }

    #[test]
    fn polls_are_rare_while_hidden_or_after_a_submission() {
        let mut schedule = PollSchedule::default();
        let hidden = PollContext {
            hidden: true,
            ..PollContext::default()
        };
        let submitted = PollContext {
            submitted: true,
            ..PollContext::default()
        };
        for took in [SECOND / 20, 25 * SECOND] {
            assert_eq!(
                schedule.next_delay(PollResult::Answered(took), hidden, 0.5),
                30 * SECOND
            );
            assert_eq!(
                schedule.next_delay(PollResult::Answered(took), submitted, 0.5),
                20 * SECOND
            );
        }
        assert_eq!(
            schedule.next_delay(PollResult::Failed, hidden, 0.5),
            30 * SECOND
        );
    }

    #[test]
    fn a_retry_after_is_obeyed() {
        let mut schedule = PollSchedule::default();
        for jitter in [0.0, 0.5, 1.0] {
            for (retry_after, least) in [(Some(0), 1), (Some(17), 17), (Some(3600), 600), (None, 3)]
            {
                let delay = schedule.next_delay(
                    PollResult::RateLimited(retry_after),
                    PollContext::default(),
                    jitter,
                );
                assert!(delay >= least * SECOND, "{retry_after:?}: {delay:?}");
                assert!(
                    delay <= (least + least.div_ceil(10)) * SECOND,
                    "{retry_after:?}: {delay:?}"
                );
            }
        }
    }

    #[test]
    fn failures_back_off_until_a_success() {
        let mut schedule = PollSchedule::default();
        let fail = |schedule: &mut PollSchedule| {
            schedule.next_delay(PollResult::Failed, PollContext::default(), 1.0)
        };
        let (first, second) = (fail(&mut schedule), fail(&mut schedule));
        assert!(second > first);
        schedule.next_delay(PollResult::Answered(SECOND), PollContext::default(), 1.0);
        assert_eq!(fail(&mut schedule), first);
    }
}
