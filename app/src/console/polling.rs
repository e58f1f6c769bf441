//! When to ask for the status again. Pure.

use std::time::Duration;

use crate::backoff::Backoff;

/// How long the server is asked to hold a question: RFC 7240, section 4.3.
pub const PREFER: &str = "wait=25";

/// What takes longer hangs.
pub const LONGEST_ANSWER: Duration = Duration::from_secs(45);

/// An answer that took so long was held back until there was news, or until it was time. One that came at
/// once is from a server that holds nothing.
const HELD: Duration = Duration::from_secs(2);

const AFTER_HELD: Duration = Duration::from_millis(200);
const SHOWN: Duration = Duration::from_secs(3);
/// Nothing much happens to a video.
const SUBMITTED: Duration = Duration::from_secs(20);
const HIDDEN: Duration = Duration::from_secs(30);

/// A server that says later than this is asked all the same.
const LONGEST_REST: Duration = Duration::from_secs(600);

/// How a question went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Answered, after so long.
    Status(Duration),
    /// 429: `Retry-After`, in seconds, if it said so.
    TooOften(Option<u64>),
    /// No answer, or none that could be read.
    Nothing,
}

/// Who asks, and for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// Whether nobody sees the page.
    pub hidden: bool,
    /// Whether the video is there.
    pub submitted: bool,
}

/// Keeps count of failures.
#[derive(Default)]
pub struct Pace {
    backoff: Backoff,
}

impl Pace {
    /// How long to rest before the next question. `jitter` is from 0 to 1.
    pub fn next(&mut self, heard: Heard, setting: Setting, jitter: f64) -> Duration {
        let rest = match heard {
            Heard::Status(took) => {
                self.backoff.reset();
                match setting {
                    Setting {
                        submitted: true, ..
                    } => SUBMITTED,
                    _ if took >= HELD => AFTER_HELD,
                    _ => SHOWN,
                }
            }
            Heard::TooOften(seconds) => {
                // Never earlier than told; spread, because others were told the same.
                let told = seconds.map(Duration::from_secs).unwrap_or(SHOWN);
                told.clamp(Duration::from_secs(1), LONGEST_REST)
                    .mul_f64(1.0 + jitter.clamp(0.0, 1.0) / 10.0)
            }
            Heard::Nothing => self.backoff.next(jitter),
        };
        match setting.hidden {
            true => rest.max(HIDDEN),
            false => rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_server_that_holds_questions_is_asked_again_at_once() {
        let mut pace = Pace::default();
        let rest = |pace: &mut Pace, took| pace.next(Heard::Status(took), Setting::default(), 0.5);
        assert!(rest(&mut pace, 25 * SECOND) < SECOND);
        assert_eq!(rest(&mut pace, SECOND / 20), 3 * SECOND);
    }

    #[test]
    fn nobody_is_in_a_hurry_behind_another_tab_or_with_the_video_there() {
        let mut pace = Pace::default();
        let hidden = Setting {
            hidden: true,
            ..Setting::default()
        };
        let submitted = Setting {
            submitted: true,
            ..Setting::default()
        };
        for took in [SECOND / 20, 25 * SECOND] {
            assert_eq!(pace.next(Heard::Status(took), hidden, 0.5), 30 * SECOND);
            assert_eq!(pace.next(Heard::Status(took), submitted, 0.5), 20 * SECOND);
        }
        assert_eq!(pace.next(Heard::Nothing, hidden, 0.5), 30 * SECOND);
    }

    #[test]
    fn it_is_never_asked_earlier_than_the_server_said() {
        let mut pace = Pace::default();
        for jitter in [0.0, 0.5, 1.0] {
            for (said, least) in [(Some(0), 1), (Some(17), 17), (Some(3600), 600), (None, 3)] {
                let rest = pace.next(Heard::TooOften(said), Setting::default(), jitter);
                assert!(rest >= least * SECOND, "{said:?}: {rest:?}");
                assert!(
                    rest <= (least + least.div_ceil(10)) * SECOND,
                    "{said:?}: {rest:?}"
                );
            }
        }
    }

    #[test]
    fn failures_wait_longer_each_time_until_one_goes_well() {
        let mut pace = Pace::default();
        let fail = |pace: &mut Pace| pace.next(Heard::Nothing, Setting::default(), 1.0);
        let (first, second) = (fail(&mut pace), fail(&mut pace));
        assert!(second > first);
        pace.next(Heard::Status(SECOND), Setting::default(), 1.0);
        assert_eq!(fail(&mut pace), first);
    }
}
