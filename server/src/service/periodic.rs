//! Work that is done again and again until the server stops.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::{App, Error};

/// Does `work` now, every `period`, and whenever `wake` says so; and says what it did where it did anything: what `Default`
/// makes is nothing. The next round is the retry.
pub(super) async fn run<R, F>(
    name: &'static str,
    period: Duration,
    wake: Arc<Notify>,
    app: App,
    stop: CancellationToken,
    work: impl Fn(App) -> F,
) where
    R: Debug + Default + PartialEq + Send + 'static,
    F: Future<Output = Result<R, Error>> + Send + 'static,
{
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
            () = wake.notified() => {}
        }
        // In a task: a bug in one round must not be the end of all.
        match tokio::spawn(work(app.clone())).await {
            Ok(Ok(report)) if report == R::default() => {}
            Ok(Ok(report)) => info!(name, ?report, "done"),
            Ok(Err(error)) => {
                warn!(name, error = &error as &dyn std::error::Error, "failed");
            }
            Err(error) => error!(name, error = &error as &dyn std::error::Error, "died"),
        }
    }
}
