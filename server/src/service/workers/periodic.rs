//! Periodic jobs, which run until the server stops.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::counter;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

use crate::clock::Millis;
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::ROUNDS;

/// Status of each periodic job by name. Cheap to clone.
#[derive(Clone, Default)]
pub struct JobStatuses(Arc<Mutex<BTreeMap<&'static str, JobStatus>>>);

/// Status of one periodic job.
#[derive(Clone, Copy, Debug)]
pub(in crate::service) struct JobStatus {
    /// Time of its last success; of its first start if it hasn't succeeded yet.
    pub since: Instant,
    /// Time of its last success by the clock. `None`: it hasn't succeeded yet.
    pub succeeded_at: Option<Millis>,
}

impl JobStatuses {
    fn begin(&self, name: &'static str) {
        self.0.lock().entry(name).or_insert_with(|| JobStatus {
            since: Instant::now(),
            succeeded_at: None,
        });
    }

    fn succeeded(&self, name: &'static str, at: Millis) {
        let round = JobStatus {
            since: Instant::now(),
            succeeded_at: Some(at),
        };
        self.0.lock().insert(name, round);
    }

    pub(in crate::service) fn all(&self) -> BTreeMap<&'static str, JobStatus> {
        self.0.lock().clone()
    }
}

/// Runs `work` now, every `period`, and whenever `wake` is notified. A failed run is retried by the next one.
pub(in crate::service) async fn run<F>(
    name: &'static str,
    period: Duration,
    wake: Arc<Notify>,
    app: AppState,
    stop: CancellationToken,
    work: impl Fn(AppState) -> F,
) where
    F: Future<Output = Result<(), Error>> + Send + 'static,
{
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
            () = wake.notified() => {}
        }
        app.jobs.begin(name);
        // A task of its own contains a panic, so that the next run takes place.
        let outcome = match tokio::spawn(work(app.clone())).await {
            Ok(Ok(())) => {
                app.jobs.succeeded(name, app.clock.now());
                "done"
            }
            Ok(Err(error)) => {
                warn!(name, error = error.as_dyn(), "job failed");
                "failed"
            }
            // Its message may quote a secret; the panic hook has logged the place.
            Err(_) => {
                error!(name, "job panicked");
                "panicked"
            }
        };
        counter!(ROUNDS, "work" => name, "outcome" => outcome).increment(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_as_old_as_its_last_success_or_its_first_start() {
        let jobs = JobStatuses::default();
        assert!(jobs.all().is_empty());
        let status = || jobs.all()["sweep"];
        jobs.begin("sweep");
        let first = status();
        assert_eq!(first.succeeded_at, None);
        jobs.begin("sweep");
        assert_eq!(status().since, first.since, "it hasn't succeeded since");
        jobs.succeeded("sweep", 7);
        let success = status();
        assert_eq!(success.succeeded_at, Some(7));
        assert!(success.since >= first.since);
        jobs.begin("sweep");
        assert_eq!(status().since, success.since);
        assert_eq!(status().succeeded_at, Some(7));
    }
}
