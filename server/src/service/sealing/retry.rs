//! How long a job keeps its lease, and when a failed one is tried again.

use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tracing::debug;

use super::LEASE;
use crate::blobs::BlobError;
use crate::clock::Millis;
use crate::db::MAX_LEASE;
use crate::service::Error;
use crate::telemetry::logging::AsDynError;

/// Interval of lease renewal: three attempts before a lease runs out.
pub(super) const RENEW: Duration = Duration::from_secs(5);

/// Failures of the database in a row after which a lease has run out.
const MAX_FAILURES: usize = 3;

/// Renews a lease every `interval` until that returns `false`, or fails so often that it has run out.
pub(super) async fn until_lost<F>(interval: Duration, renew: impl Fn() -> F) -> Result<(), Error>
where
    F: Future<Output = Result<bool, Error>>,
{
    let mut failures = 0;
    loop {
        sleep(interval).await;
        match renew().await {
            Ok(true) => failures = 0,
            Ok(false) => return Ok(()),
            Err(error) => {
                failures += 1;
                if failures == MAX_FAILURES {
                    return Err(error);
                }
                debug!(
                    error = error.as_dyn(),
                    "could not renew a lease, will retry"
                );
            }
        }
    }
}

/// Attempts to release a lease: for a minute.
const MAX_RELEASES: usize = 12;

/// Releases a lease, and tries again every `interval` while the database is away, and the server isn't stopping.
pub(super) async fn until_released<F>(
    interval: Duration,
    release: impl Fn() -> F,
    stop: &CancellationToken,
) -> Result<(), Error>
where
    F: Future<Output = Result<(), Error>>,
{
    let mut left = MAX_RELEASES;
    loop {
        left -= 1;
        match release().await {
            Err(Error::Db(_)) if left > 0 && !stop.is_cancelled() => sleep(interval).await,
            released => return released,
        }
    }
}

/// Delay before the next attempt in milliseconds, which doubles with each of the `tries` so far.
pub(super) fn retry_delay(tries: i64) -> Millis {
    (LEASE << tries.clamp(0, 8)).min(MAX_LEASE)
}

/// Whether the failure is one of the job itself, and not of a store or of a transcriber that is away: those will recover.
pub(super) fn counts_as_try(failure: &Error) -> bool {
    match failure {
        // A gap of the manifest itself isn't filled when the store recovers, nor do bytes become what they were.
        Error::Blobs(BlobError::Gap | BlobError::Changed) => true,
        Error::Db(_) | Error::Blobs(_) | Error::NoRoom | Error::ReadOnly => false,
        Error::Transcriber(why) => !why.is_unavailable(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::ready;

    use super::*;
    use crate::db::DbError;
    use crate::outbound::transcriber::TranscriberError;

    #[test]
    fn a_failed_job_is_tried_again_after_twice_the_time_and_at_most_a_minute() {
        for (tries, want) in [
            (0, 15_000),
            (1, 30_000),
            (2, 60_000),
            (100, 60_000),
            (-1, 15_000),
        ] {
            assert_eq!(retry_delay(tries), want, "after {tries} tries");
        }
    }

    #[test]
    fn only_failures_of_the_take_count_as_tries() {
        for (failure, counts) in [
            (Error::Db(DbError::Busy), false),
            (Error::Blobs(BlobError::Full), false),
            (Error::NoRoom, false),
            (Error::ReadOnly, false),
            (Error::Blobs(BlobError::Gap), true),
            (Error::DecoderUnavailable, true),
            (Error::Transcriber(TranscriberError::Busy(503)), false),
            (Error::Transcriber(TranscriberError::TimedOut), true),
            (Error::Transcriber(TranscriberError::Refused(500)), true),
            (Error::Transcriber(TranscriberError::Unreadable), true),
            (Error::Corrupt, true),
        ] {
            assert_eq!(counts_as_try(&failure), counts, "{failure}");
        }
    }

    #[tokio::test]
    async fn a_lease_is_released_once_the_database_is_back() {
        for (outage, want) in [(0, true), (MAX_RELEASES - 1, true), (MAX_RELEASES, false)] {
            let attempts = Cell::new(0);
            let release = || {
                attempts.set(attempts.get() + 1);
                ready(match attempts.get() > outage {
                    true => Ok(()),
                    false => Err(Error::Db(DbError::Busy)),
                })
            };
            let running = CancellationToken::new();
            let released = until_released(Duration::ZERO, release, &running).await;
            assert_eq!(released.is_ok(), want, "after {outage} failures");
        }
        let (stopping, attempts) = (CancellationToken::new(), Cell::new(0));
        stopping.cancel();
        let release = || {
            attempts.set(attempts.get() + 1);
            ready(Err(Error::Db(DbError::Busy)))
        };
        let released = until_released(Duration::ZERO, release, &stopping).await;
        assert!(released.is_err());
        assert_eq!(attempts.get(), 1);
    }

    #[tokio::test]
    async fn a_lease_is_renewed_until_it_is_lost() {
        let renewals = Cell::new(0);
        let renew = || {
            renewals.set(renewals.get() + 1);
            ready(Ok(renewals.get() < 3))
        };
        assert!(until_lost(Duration::ZERO, renew).await.is_ok());
        assert_eq!(renewals.get(), 3);
    }

    #[tokio::test]
    async fn a_short_outage_of_the_database_ends_no_job() {
        let attempts = Cell::new(0);
        let renew = |outage: usize| {
            attempts.set(attempts.get() + 1);
            ready(match attempts.get() {
                1 => Ok(true),
                attempt if attempt <= 1 + outage => Err(Error::Db(DbError::Busy)),
                _ => Ok(false),
            })
        };
        let lost = until_lost(Duration::ZERO, || renew(MAX_FAILURES - 1));
        assert!(lost.await.is_ok());
        attempts.set(0);
        let lost = until_lost(Duration::ZERO, || renew(MAX_FAILURES));
        assert!(lost.await.is_err());
    }
}
