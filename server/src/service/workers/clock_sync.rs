//! Keeps the clock of each node at the database server's, by which they agree on the time.
//!
//! A machine that was paused goes on with a clock that is behind, and another database server takes over with a clock of
//! its own. Nodes whose clocks differ by more than a lease would take each other's jobs.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::db::DbError;
use crate::service::workers::periodic;
use crate::service::{AppState, Error};

/// Interval at which the database server's clock is read.
const PERIOD: Duration = Duration::from_secs(5);

/// Follows the database server's clock until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    if !matches!(app.clock, Clock::Anchored(_)) {
        return;
    }
    let work = |app: AppState| async move { sync(&app).await.map_err(Error::from) };
    periodic::run("clock", PERIOD, Arc::default(), app, stop, work).await;
}

/// Sets an anchored clock to the database server's.
pub(in crate::service) async fn sync(app: &AppState) -> Result<(), DbError> {
    if let Some(at) = app.db.server_time().await? {
        app.clock.anchor(at);
    }
    Ok(())
}
