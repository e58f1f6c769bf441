//! Cancels transfers when their requests expire by the server's clock.
//!
//! It doesn't query the database: while that is unavailable or hangs, the change poller learns of no expiry, and an
//! active stream would go on for as long as that lasts.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::service::AppState;

/// Interval at which the expiries of all transfers are compared with the clock.
const PERIOD: Duration = Duration::from_millis(250);

/// Cancels expired transfers until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let mut ticks = interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => app.coordination.transfers.cancel_expired(app.clock.now()),
        }
    }
}
