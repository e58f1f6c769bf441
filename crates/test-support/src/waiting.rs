//! Waiting for what must come.

use std::time::Duration;

/// Asks again until it holds: not in a tight loop, which on a machine with few cores holds up the very
/// thing that is waited for.
pub async fn wait_until(holds: impl AsyncFn() -> bool) {
    let asking = async {
        let mut pace = tokio::time::interval(Duration::from_millis(5));
        while !holds().await {
            pace.tick().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), asking)
        .await
        .expect("it never held");
}
