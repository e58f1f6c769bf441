//! Repeats calls as long as the request lives: a server may restart, and a laptop may sleep.

use app::backoff::Backoff;
use jiff::Timestamp;
use tokio::time::sleep;

use super::api::ApiError;
use super::report::Report;

/// A call that may be repeated.
#[derive(Clone, Copy)]
pub(super) struct Retry<'a> {
    /// What is wanted, for people.
    pub what: &'a str,
    /// After it there is nothing to get any more.
    pub until: Timestamp,
    /// Whether an answer of a proxy, while the server restarts, is waited out. Another server of this interface may lack
    /// what is asked for, and say so in its own way.
    pub through_proxies: bool,
    pub report: &'a Report,
}

impl Retry<'_> {
    /// Calls until it succeeds, or fails for another reason than one that passes.
    pub async fn until_done<T>(
        self,
        mut call: impl AsyncFnMut() -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let mut backoff = Backoff::default();
        loop {
            match call().await {
                Err(error) if self.passes(&error) && Timestamp::now() < self.until => {
                    let why = format!("{error}; it is tried again");
                    self.report.trouble(self.what, Some(why));
                    let asked = error.retry_after().unwrap_or_default();
                    let pause = backoff.next_delay(rand::random()).max(asked);
                    let left = self.until.duration_since(Timestamp::now());
                    sleep(pause.min(left.unsigned_abs())).await;
                }
                done => {
                    self.report.trouble(self.what, None);
                    return done;
                }
            }
        }
    }

    fn passes(self, error: &ApiError) -> bool {
        error.is_temporary() || self.through_proxies && error.is_of_a_proxy()
    }
}
