//! Periodic jobs, which run until the server stops.

use std::sync::Arc;
use std::time::Duration;

use metrics::counter;
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::JOB_RUNS;

/// Runs `work` now, every `period`, and whenever `wake` is notified.
/// A failed run is retried by the next one.
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
        counter!(JOB_RUNS, "work" => name, "outcome" => outcome).increment(1);
    }
}
