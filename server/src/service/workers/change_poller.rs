//! Finds changes of requests that were made elsewhere: on other nodes, or by commands beside this server.
//!
//! It polls the database in one query for all long polls and all transfers, and only while there are any.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::service::workers::periodic;
use crate::service::{AppState, Error};

/// Interval at which the database is polled: the maximum delay of changes made elsewhere.
const PERIOD: Duration = Duration::from_millis(500);

/// Maximum number of requests per query.
const BATCH: usize = 500;

/// Polls the database for changes made elsewhere until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let work = |app: AppState| async move { poll_database(&app).await };
    periodic::run("changes", PERIOD, Arc::default(), app, stop, work).await;
}

async fn poll_database(app: &AppState) -> Result<(), Error> {
    for some in app.coordination.changes.requests().chunks(BATCH) {
        for moved in app.db.requests_not_awaiting(some, app.clock.now()).await? {
            app.coordination.changes.notify(&moved);
        }
    }
    cancel_ended(app).await
}

/// Cancels transfers of requests that are over according to the database, whichever node recorded that.
pub(super) async fn cancel_ended(app: &AppState) -> Result<(), Error> {
    for some in app.coordination.transfers.requests().chunks(BATCH) {
        for over in app.db.requests_over(some, app.clock.now()).await? {
            app.coordination.transfers.cancel(&over);
        }
    }
    Ok(())
}
