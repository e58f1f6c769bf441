//! Repeats calls as long as the request lives: a server may restart, and a laptop may sleep.

use std::time::Duration;

use app::backoff::Backoff;
use jiff::Timestamp;
use tokio::time::sleep;

use super::api_error::ApiError;
use super::report::Report;

/// The longest pause.
/// A page for an hour of maintenance may be over in a minute, and a video come meanwhile.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// A call that may be repeated.
#[derive(Clone, Copy)]
pub(super) struct Retry<'a> {
    /// What is wanted, for people.
    pub what: &'a str,
    /// After it there is nothing to get any more.
    pub until: Timestamp,
    /// Whether an answer of a proxy, while the server restarts, is waited out.
    /// Another server of this interface may lack what is asked for, and say so in its own way.
    pub through_proxies: bool,
    /// How many internal errors in a row end it. `None`: none do.
    pub internal_errors: Option<u32>,
    pub report: &'a Report,
}

impl Retry<'_> {
    /// Calls until it succeeds, or fails for another reason than one that passes.
    pub async fn until_done<T>(
        self,
        mut call: impl AsyncFnMut() -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let (mut backoff, mut internal_errors) = (Backoff::default(), 0);
        loop {
            let done = call().await;
            internal_errors = internal_errors_after(internal_errors, &done);
            let is_over = self.internal_errors.is_some_and(|it| internal_errors >= it);
            match done {
                Err(error) if self.passes(&error) && !is_over && Timestamp::now() < self.until => {
                    let why = format!("{}; it is tried again", error.with_cause());
                    self.report.set_problem(self.what, Some(why));
                    let pause = pause(backoff.next_delay(rand::random()), error.retry_after());
                    let left = self.until.duration_since(Timestamp::now());
                    sleep(pause.min(left.unsigned_abs())).await;
                }
                done => {
                    self.report.set_problem(self.what, None);
                    return done;
                }
            }
        }
    }

    fn passes(self, error: &ApiError) -> bool {
        error.is_temporary() || self.through_proxies && error.is_of_a_proxy()
    }
}

/// The number of internal errors in a row, after so many, and a call with this end.
fn internal_errors_after<T>(before: u32, done: &Result<T, ApiError>) -> u32 {
    match done {
        Err(error) if error.is_internal() => before + 1,
        _ => 0,
    }
}

/// The pause before the next attempt: what the server asks for, if that is longer, and not too long.
fn pause(usual: Duration, asked: Option<Duration>) -> Duration {
    usual.max(asked.unwrap_or_default()).min(MAX_PAUSE)
}

#[cfg(test)]
mod tests {
    use reqwest::StatusCode;

    use super::*;

    #[test]
    fn only_internal_errors_in_a_row_are_counted() {
        let refused = |status, code: Option<&str>, retry_after| -> Result<(), ApiError> {
            Err(ApiError::Refused {
                status,
                code: code.map(str::to_owned),
                message: String::new(),
                retry_after,
            })
        };
        let internal = || {
            let code = Some("internal_error");
            refused(StatusCode::INTERNAL_SERVER_ERROR, code, None)
        };
        let count = |calls: &[Result<(), ApiError>]| calls.iter().fold(0, internal_errors_after);
        assert_eq!(count(&[internal(), internal(), internal()]), 3);
        let minute = Some(Duration::from_secs(60));
        for other in [
            Ok(()),
            refused(StatusCode::SERVICE_UNAVAILABLE, Some("unavailable"), None),
            // One that is expected to pass, and a proxy's.
            refused(
                StatusCode::INTERNAL_SERVER_ERROR,
                Some("internal_error"),
                minute,
            ),
            refused(StatusCode::INTERNAL_SERVER_ERROR, None, None),
        ] {
            assert_eq!(count(&[internal(), internal(), other, internal()]), 1);
        }
    }

    #[test]
    fn a_retry_after_is_capped_at_a_minute() {
        let seconds = Duration::from_secs;
        for (usual, asked, want) in [
            (2, None, 2),
            (2, Some(1), 2),
            (2, Some(30), 30),
            (2, Some(3600), 60),
        ] {
            assert_eq!(pause(seconds(usual), asked.map(seconds)), seconds(want));
        }
    }
}
