//! Writes the log lines about refusals when they are due, and what is left at the end.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::periodic;
use crate::service::AppState;

/// Interval at which the worker looks whether a report is due.
const PERIOD: Duration = Duration::from_secs(1);

/// Reports refusals until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let refusals = app.quotas.refusals.clone();
    let work = |app: AppState| async move {
        app.quotas.refusals.report_if_due();
        Ok(())
    };
    periodic::run("refusals", PERIOD, Arc::default(), app, stop, work).await;
    refusals.report();
}
