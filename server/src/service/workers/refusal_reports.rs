//! Writes the log lines about refusals when they are due, and what is left at the end.

use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::service::quota::RefusalLog;

/// Interval at which the worker looks whether a report is due.
const PERIOD: Duration = Duration::from_secs(1);

/// Reports refusals until `stop` is cancelled.
pub async fn run(refusals: RefusalLog, stop: CancellationToken) {
    while stop.run_until_cancelled(sleep(PERIOD)).await.is_some() {
        refusals.report_if_due();
    }
    refusals.report();
}
