//! The sweeper: cuts transfers and removes bytes of expired and deleted requests, and abandoned takes.
//!
//! Every read compares the expiry with the clock, so access never depends on the sweeper. It only removes the bytes, by
//! the confirmed time, so it may run at any time, twice, or on several nodes, and may be killed at any point.

use std::time::Duration;

use metrics::counter;
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use crate::clock::Millis;
use crate::db::RequestState;
use crate::id::{RequestId, TakeId};
use crate::service::moderation::reports;
use crate::service::quota::storage;
use crate::service::state::changes;
use crate::service::uploads::removal;
use crate::service::uploads::takes::ABANDONED_AFTER;
use crate::service::workers::periodic;
use crate::service::{AppState, Error};
use crate::telemetry::names::{ABANDONED, SWEEP_FAILURES, SWEPT, TRANSITIONS};

/// Interval between two sweeps.
///
/// Bytes are removed at most 60 s after expiry: half of that until the sweep begins, half of it for the removal.
const PERIOD: Duration = Duration::from_secs(30);

/// Number of requests per query.
const BATCH: i64 = 500;

/// Result of one sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepReport {
    /// Requests whose expiry this sweep recorded.
    pub expired: usize,
    /// Requests whose bytes this sweep removed.
    pub removed: usize,
    /// Abandoned takes that this sweep removed.
    pub abandoned: usize,
    /// Requests and takes whose bytes could not be removed. The next sweep tries again.
    pub failed: usize,
}

/// Sweeps periodically until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let work = |app: AppState| async move { sweep(&app).await };
    let wake = app.sweeper.clone();
    periodic::run("sweep", PERIOD, wake, app, stop, work).await;
}

/// Runs one sweep: batch after batch, until one processes fewer requests than a batch may have.
pub async fn sweep(app: &AppState) -> Result<SweepReport, Error> {
    if let Some(at) = app.db.server_time().await? {
        app.clock.anchor(at);
    }
    changes::cancel_ended(app).await?;
    let mut total = SweepReport::default();
    loop {
        let batch = sweep_batch(app).await?;
        total.expired += batch.expired;
        total.removed += batch.removed;
        // Failed requests stay at the head of the queue, so each batch counts them again.
        total.failed = batch.failed;
        if i64::try_from(batch.expired.max(batch.removed)).is_ok_and(|done| done < BATCH) {
            remove_abandoned(app, &mut total).await?;
            storage::recount_usage(app).await?;
            app.db.quotas_forget(app.clock.confirmed()).await?;
            reports::forget_old(app).await?;
            empty_log(app).await;
            return Ok(total);
        }
    }
}

/// Empties the database's write-ahead log, which may still contain deleted data.
///
/// If the log is in use, a later sweep empties it.
pub(in crate::service) async fn empty_log(app: &AppState) {
    match app.db.truncate_wal().await {
        Ok(true) => {}
        Ok(false) => debug!("the database's log is in use"),
        Err(error) => {
            let error: &dyn std::error::Error = &error;
            warn!(error, "the database's log could not be emptied");
        }
    }
}

/// Removes an abandoned take. `false`: its client has resumed it.
async fn remove_take(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
    before: Millis,
) -> Result<bool, Error> {
    let forgotten = app.db.take_delete_if_abandoned(take, before).await?;
    if forgotten {
        removal::remove_bytes(app, request, take).await?;
    }
    Ok(forgotten)
}

/// Removes incomplete takes without a write for [`ABANDONED_AFTER`].
///
/// Rows are deleted first: if the removal of the bytes fails, they are orphans.
async fn remove_abandoned(app: &AppState, report: &mut SweepReport) -> Result<(), Error> {
    let before = app.clock.confirmed() - ABANDONED_AFTER;
    for (request, take) in app.db.takes_abandoned(before, BATCH).await? {
        // A client has resumed the take, and hasn't committed anything yet.
        if app.coordination.upload_locks.is_taken(&take) {
            continue;
        }
        match remove_take(app, &request, &take, before).await {
            Ok(removed) => {
                report.abandoned += usize::from(removed);
                counter!(ABANDONED).increment(u64::from(removed));
            }
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                warn!(error, "an abandoned take's bytes could not be removed");
                counter!(SWEEP_FAILURES).increment(1);
                report.failed += 1;
            }
        }
    }
    Ok(())
}

async fn sweep_batch(app: &AppState) -> Result<SweepReport, Error> {
    let mut report = SweepReport::default();
    for id in app.db.requests_due(app.clock.confirmed(), BATCH).await? {
        match expire(app, &id).await {
            Ok(expired) => {
                app.coordination.changes.notify(&id);
                report.expired += usize::from(expired);
            }
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                warn!(error, "an expiry could not be written down");
                report.failed += 1;
            }
        }
    }
    for id in app.db.requests_unswept(BATCH).await? {
        match remove_bytes(app, id).await {
            Ok(()) => report.removed += 1,
            Err(error) => {
                warn!(
                    error = &error as &dyn std::error::Error,
                    "bytes could not be removed"
                );
                report.failed += 1;
            }
        }
    }
    counter!(SWEPT).increment(report.removed as u64);
    counter!(SWEEP_FAILURES).increment(report.failed as u64);
    Ok(report)
}

/// Records the expiry of a request.
async fn expire(app: &AppState, id: &RequestId) -> Result<bool, Error> {
    let expire = || app.db.request_expire(id.clone(), &app.clock);
    let expired = match expire().await {
        Err(error) if error.is_full() && app.one_disk => {
            make_room(app, id).await?;
            expire().await?
        }
        expired => expired?,
    };
    counter!(TRANSITIONS, "to" => RequestState::Expired.word()).increment(u64::from(expired));
    Ok(expired)
}

/// Removes the bytes of an expired or deleted request.
///
/// The manifest is deleted first: after that nothing can be appended, and an active writer stops before the removal
/// lock is granted.
pub(in crate::service) async fn remove_bytes(app: &AppState, id: RequestId) -> Result<(), Error> {
    let forget = || app.db.request_delete_takes(id.clone());
    match forget().await {
        Err(error) if error.is_full() && app.one_disk => {
            make_room(app, &id).await?;
            forget().await?;
        }
        forgotten => forgotten?,
    }
    remove_objects(app, &id).await?;
    app.db.request_purged(id).await?;
    Ok(())
}

/// Removes the objects of a request before its rows, for a disk that is too full to delete rows.
///
/// Its takes are poisoned first: nothing may be appended to one with missing bytes, and it can't be submitted.
pub(in crate::service) async fn make_room(app: &AppState, id: &RequestId) -> Result<(), Error> {
    for take in app.db.takes_of(id).await? {
        app.coordination.poisoned.add(&take.id);
    }
    remove_objects(app, id).await
}

/// Removes the objects of a request that is over, whatever its rows say, and cuts its transfers.
async fn remove_objects(app: &AppState, id: &RequestId) -> Result<(), Error> {
    app.coordination.transfers.cancel(id);
    let _gate = app.coordination.removal_locks.exclusive(id).await;
    Ok(app.blobs.remove_request(id).await?)
}
