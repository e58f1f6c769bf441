//! Polling for a condition.

use std::time::Duration;

/// Polls until the condition holds, with a timeout of 20 s.
///
/// Every 5 ms: a tight loop would starve the code under test on a machine with few cores.
pub async fn wait_until(holds: impl AsyncFn() -> bool) {
    let polling = async {
        let mut ticks = tokio::time::interval(Duration::from_millis(5));
        while !holds().await {
            ticks.tick().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), polling)
        .await
        .expect("the condition held in time");
}
