//! A cache of what is queried for a scrape.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::clock::Clock;

/// Time for which queried values are cached, whatever the number of scrapes.
const CACHED_FOR: Duration = Duration::from_secs(5);

/// Timeout of the queries: scrapers time out after ten seconds, and would then get no metrics at all.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The last result of a query. Cheap to clone.
#[derive(Clone)]
pub(super) struct Cache<T>(Arc<Mutex<Option<CachedResult<T>>>>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

struct CachedResult<T> {
    /// Time after the queries by [`crate::clock::Clock::monotonic`].
    at: Duration,
    /// `None`: the queries failed.
    found: Option<T>,
}

impl<T> CachedResult<T> {
    fn is_fresh(&self, now: Duration) -> bool {
        now.abs_diff(self.at) < CACHED_FOR
    }
}

impl<T: Clone + Send + 'static> Cache<T> {
    /// What was found within the last seconds, or else what `query` finds. `None`: nothing in time.
    pub(super) async fn get(
        &self,
        clock: &Clock,
        query: impl Future<Output = Option<T>> + Send + 'static,
    ) -> Option<T> {
        let last = timeout(TIMEOUT, self.0.clone().lock_owned()).await;
        let mut last = last.ok()?;
        let now = clock.monotonic();
        if let Some(last) = last.as_ref().filter(|it| it.is_fresh(now)) {
            return last.found.clone();
        }
        // In a task that keeps the lock until the queries have ended: a store that hangs gets no others beside them.
        let clock = clock.clone();
        let asking = tokio::spawn(async move {
            let found = query.await;
            *last = Some(CachedResult {
                at: clock.monotonic(),
                found: found.clone(),
            });
            found
        });
        timeout(TIMEOUT, asking).await.ok()?.ok()?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queried_values_are_used_for_less_than_five_seconds() {
        let cached = CachedResult::<()> {
            at: Duration::from_secs(100),
            found: None,
        };
        for (now, fresh) in [
            (Duration::from_secs(100), true),
            (Duration::from_millis(104_999), true),
            (Duration::from_secs(105), false),
            (Duration::from_secs(95), false),
        ] {
            assert_eq!(cached.is_fresh(now), fresh, "{now:?}");
        }
    }
}
