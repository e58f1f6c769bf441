//! Polling for a condition.

use std::time::Duration;

use crate::scale::TIMEOUT;

/// Polls until the condition holds, for at most [`TIMEOUT`].
///
/// Every 5 ms: a tight loop would starve the code under test on a machine with few cores.
pub async fn wait_until(holds: impl AsyncFn() -> bool) {
    let polling = async {
        let mut ticks = tokio::time::interval(Duration::from_millis(5));
        while !holds().await {
            ticks.tick().await;
        }
    };
    tokio::time::timeout(TIMEOUT, polling)
        .await
        .expect("the condition held in time");
}
