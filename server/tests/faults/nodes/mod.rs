//! Nodes that are killed, lose their stores, race each other, run different releases, or whose clock or bucket can't be
//! trusted.

mod bucket_faults;
mod clock_jumps;
mod day;
mod failover;
mod kills;
mod linearizability;
mod outages;
mod races;
mod releases;

use std::time::{Duration, Instant};

use test_support::clients::ledger::Ledger;

/// Waits until bytes are acknowledged that were sent after this moment.
async fn acknowledged_since(ledger: &Ledger, since: Instant) {
    let mut ticks = tokio::time::interval(Duration::from_millis(5));
    while !ledger
        .appends()
        .iter()
        .any(|it| it.sent > since && it.length > 0)
    {
        ticks.tick().await;
    }
}
