//! Readiness of this server, which load balancers query every few seconds.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tracing::{info, warn};

use crate::blobs::Blobs;
use crate::clock::Clock;
use crate::db::Db;
use crate::service::Error;
use crate::telemetry::logging::AsDynError;

/// Timeout after which a store counts as unavailable.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Time for which a result is cached, so that frequent queries put no load on the stores.
const CACHED_FOR: Duration = Duration::from_secs(1);

/// Probes the stores, and keeps the last result for a moment. Cheap to clone.
#[derive(Clone)]
pub struct ReadinessProbe(Arc<Probes>);

struct Probes {
    /// The last result with its time by [`Clock::monotonic`].
    last: Mutex<Option<(Duration, StoreHealth)>>,
    /// Held during a check, so that only one runs at a time.
    probing: tokio::sync::Mutex<()>,
    /// One permit per store, so that a probe that hangs isn't joined by another one.
    database: Arc<Semaphore>,
    blobs: Arc<Semaphore>,
}

impl Default for ReadinessProbe {
    fn default() -> Self {
        Self(Arc::new(Probes {
            last: Mutex::default(),
            probing: tokio::sync::Mutex::default(),
            database: Arc::new(Semaphore::new(1)),
            blobs: Arc::new(Semaphore::new(1)),
        }))
    }
}

/// Availability of the stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreHealth {
    /// The database.
    pub database: Availability,
    /// The folder or the bucket.
    pub blobs: Availability,
}

/// Availability of one store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    /// It answers, and takes writes as far as it tells.
    Ready,
    /// It can be read, and its disk takes no writes.
    ReadOnly,
    /// It doesn't answer.
    Unavailable,
}

impl Availability {
    /// Whether it can be read.
    pub fn answers(self) -> bool {
        self != Self::Unavailable
    }
}

impl StoreHealth {
    /// As a server starts: it has used both.
    const READY: Self = Self {
        database: Availability::Ready,
        blobs: Availability::Ready,
    };

    /// Whether both stores answer.
    pub fn all(self) -> bool {
        self.database.answers() && self.blobs.answers()
    }
}

impl ReadinessProbe {
    /// Probes both stores, or returns the cached result.
    pub async fn probe(&self, clock: &Clock, db: &Db, blobs: &Blobs) -> StoreHealth {
        let (db, blobs) = (db.clone(), blobs.clone());
        let database = async move { Ok(db.ping().await?) };
        let objects = async move { Ok(blobs.ping().await?) };
        self.check(clock, database, objects).await
    }

    /// Runs the check in a task of its own, so that it completes even if the client disconnects.
    ///
    /// Otherwise an aborted check would keep its permits, and the next one would report the stores as unavailable.
    async fn check(
        &self,
        clock: &Clock,
        database: impl Future<Output = Result<bool, Error>> + Send + 'static,
        blobs: impl Future<Output = Result<bool, Error>> + Send + 'static,
    ) -> StoreHealth {
        let (probes, clock) = (self.0.clone(), clock.clone());
        let checking = tokio::spawn(async move { probes.check(&clock, database, blobs).await });
        // An error means that the task panicked.
        checking.await.unwrap_or(StoreHealth {
            database: Availability::Unavailable,
            blobs: Availability::Unavailable,
        })
    }
}

impl Probes {
    async fn check(
        &self,
        clock: &Clock,
        database: impl Future<Output = Result<bool, Error>> + Send + 'static,
        blobs: impl Future<Output = Result<bool, Error>> + Send + 'static,
    ) -> StoreHealth {
        let _probing = self.probing.lock().await;
        if let Some(health) = self.cached(clock.monotonic()) {
            return health;
        }
        let (database, blobs) = tokio::join!(
            probe(&self.database, TIMEOUT, database),
            probe(&self.blobs, TIMEOUT, blobs),
        );
        let before = self.last.lock().map_or(StoreHealth::READY, |(_, it)| it);
        log_change("the database", before.database, &database);
        log_change("the blob store", before.blobs, &blobs);
        let health = StoreHealth {
            database: availability(&database),
            blobs: availability(&blobs),
        };
        // The time is taken after the probes: clients that waited for a slow store would otherwise find the result
        // outdated, and each of them would check again.
        let result = Some((clock.monotonic(), health));
        *self.last.lock() = result;
        health
    }

    fn cached(&self, now: Duration) -> Option<StoreHealth> {
        let last = *self.last.lock();
        let (at, health) = last?;
        (now.abs_diff(at) < CACHED_FOR).then_some(health)
    }
}

/// What a store answered: whether it takes writes, or why it can't say so.
/// `None`: it doesn't answer in time.
type Answer = Option<Result<bool, Error>>;

fn availability(answer: &Answer) -> Availability {
    match answer {
        Some(Ok(true)) => Availability::Ready,
        Some(Ok(false)) => Availability::ReadOnly,
        Some(Err(_)) | None => Availability::Unavailable,
    }
}

/// Logs when a store becomes unavailable, why, and when it answers again: without calls of clients nothing else would.
fn log_change(store: &str, before: Availability, answer: &Answer) {
    let now = availability(answer);
    if now == before {
        return;
    }
    match answer {
        Some(Ok(true)) => info!(store, "store available"),
        Some(Ok(false)) => warn!(store, "store read-only"),
        Some(Err(error)) => warn!(store, error = error.as_dyn(), "store unavailable"),
        None => warn!(store, "store did not answer in time"),
    }
}

/// Asks a store, for this long at most.
///
/// It runs in a task that keeps its permit for as long as it hangs.
async fn probe(
    permits: &Arc<Semaphore>,
    limit: Duration,
    request: impl Future<Output = Result<bool, Error>> + Send + 'static,
) -> Answer {
    let permit = permits.clone().try_acquire_owned().ok()?;
    let probing = tokio::spawn(async move {
        let answer = request.await;
        drop(permit);
        answer
    });
    // A task that panicked has answered as little.
    timeout(limit, probing).await.ok()?.ok()
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures_util::FutureExt;

    use super::Availability::{ReadOnly, Ready, Unavailable};
    use super::*;

    #[tokio::test]
    async fn a_cancelled_probe_leaves_the_server_ready() {
        let (health, clock) = (ReadinessProbe::default(), Clock::manual());
        let go_on = Arc::new(Semaphore::new(0));
        let asked = go_on.clone();
        let slow = async move {
            let _permit = asked.acquire().await.map_err(|_| Error::Corrupt)?;
            Ok(true)
        };
        let mut hung_up = Box::pin(health.check(&clock, slow, ready(Ok(true))));
        while health.0.database.available_permits() > 0 {
            assert_eq!((&mut hung_up).now_or_never(), None);
            tokio::task::yield_now().await;
        }
        drop(hung_up);
        let mut next = Box::pin(health.check(&clock, ready(Ok(true)), ready(Ok(true))));
        assert_eq!(
            (&mut next).now_or_never(),
            None,
            "it waits for the first check"
        );
        go_on.add_permits(1);
        let (database, blobs) = (Ready, Ready);
        assert_eq!(next.await, StoreHealth { database, blobs });
    }

    #[tokio::test]
    async fn concurrent_probes_share_one_result() {
        let (health, clock) = (ReadinessProbe::default(), Clock::manual());
        let slow = {
            let clock = clock.clone();
            async move {
                clock.advance(1500);
                Ok(true)
            }
        };
        let asked = async { panic!("asked a second time") };
        let (first, second) = tokio::join!(
            health.check(&clock, slow, ready(Ok(true))),
            health.check(&clock, asked, ready(Ok(true))),
        );
        let (database, blobs) = (Ready, Ready);
        assert_eq!([first, second], [StoreHealth { database, blobs }; 2]);
        clock.advance(1000);
        let again = health.check(&clock, ready(Err(Error::Corrupt)), ready(Ok(true)));
        assert!(
            !again.await.database.answers(),
            "the result is checked again in the end"
        );
    }

    #[tokio::test]
    async fn a_hanging_store_is_queried_once_and_unavailable() {
        let permits = Arc::new(Semaphore::new(1));
        for (answer, want) in [
            (Ok(true), Ready),
            (Ok(false), ReadOnly),
            (Err(Error::Corrupt), Unavailable),
        ] {
            let answer = probe(&permits, TIMEOUT, ready(answer)).await;
            assert_eq!(availability(&answer), want);
        }
        let hanging = probe(&permits, Duration::ZERO, pending()).await;
        assert!(hanging.is_none());
        assert_eq!(availability(&hanging), Unavailable);
        // The first probe still hangs, so there is no second one.
        let asked = async { panic!("asked a second time") };
        assert!(probe(&permits, TIMEOUT, asked).await.is_none());
        assert_eq!(permits.available_permits(), 0);
    }
}
