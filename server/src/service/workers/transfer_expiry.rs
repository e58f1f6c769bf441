//! Cancels transfers when their requests expire by the server's clock.
//!
//! It doesn't query the database: while that is unavailable or hangs, the change poller learns of no expiry, and an
//! active stream would go on for as long as that lasts.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::periodic;
use crate::service::AppState;

/// Interval at which the expiries of all transfers are compared with the clock.
const PERIOD: Duration = Duration::from_millis(250);

/// Cancels expired transfers until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let work = |app: AppState| async move {
        app.coordination.transfers.cancel_expired(app.clock.now());
        Ok(())
    };
    periodic::run("transfers", PERIOD, Arc::default(), app, stop, work).await;
}
