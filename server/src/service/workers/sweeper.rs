//! The sweeper: cancels transfers and removes bytes of expired and deleted requests, and abandoned takes.
//!
//! Every read compares the expiry with the clock, so access never depends on the sweeper. It only removes the bytes, by
//! the confirmed time, so it may run at any time, twice, or on several nodes, and may be killed at any point.

use std::time::Duration;

use metrics::counter;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::clock::Millis;
use crate::db::{RequestState, SweepPlace};
use crate::id::{RequestId, TakeId};
use crate::service::moderation::reports;
use crate::service::quota::storage;
use crate::service::removal;
use crate::service::uploads::lookup::ABANDONED_AFTER;
use crate::service::workers::{change_poller, periodic};
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::{ABANDONED, SWEEP_FAILURES, SWEPT, TRANSITIONS};

/// Interval between two sweeps.
///
/// Bytes are removed at most 60 s after expiry by a confirmed clock: half of that until the sweep begins, half of it for
/// the removal.
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

impl SweepReport {
    fn log(self) {
        let Self {
            expired,
            removed,
            abandoned,
            failed,
        } = self;
        if self != Self::default() {
            info!(expired, removed, abandoned, failed, "swept requests");
        }
    }
}

/// Sweeps periodically until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let work = |app: AppState| async move {
        sweep(&app).await?.log();
        Ok(())
    };
    let wake = app.sweeper.clone();
    periodic::run("sweep", PERIOD, wake, app, stop, work).await;
}

/// Runs one sweep. What can't be removed stops nothing else.
pub async fn sweep(app: &AppState) -> Result<SweepReport, Error> {
    change_poller::cancel_ended(app).await?;
    let mut report = SweepReport::default();
    record_expiries(app, &mut report).await?;
    // Before the removals, which may take long while a store is away.
    store_known_time(app).await;
    if app.storage_usage.stored().is_none() {
        // The first since the start: until it nothing bounds what is stored. If it fails, what is over is removed all the
        // same.
        if let Err(error) = storage::recount_usage(app).await {
            warn!(error = error.as_dyn(), "could not count what is stored");
        }
    }
    remove_bytes(app, &mut report).await?;
    remove_abandoned(app, &mut report).await?;
    storage::recount_usage(app).await?;
    app.db.quotas_forget(app.clock.confirmed()).await?;
    reports::delete_expired(app).await?;
    removal::empty_log(app).await;
    Ok(report)
}

/// Stores what the next start has to know of the time.
/// A failure costs only that one's trust, and a full disk may be its cause, so the sweep goes on.
async fn store_known_time(app: &AppState) {
    let (known, now) = app.clock.known();
    if let Err(error) = app.db.store_known_time(known, now).await {
        warn!(error = error.as_dyn(), "could not store the confirmed time");
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
        removal::remove_take(app, request, take).await?;
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
        if app.coordination.upload_locks.has_writer(&take) {
            continue;
        }
        match remove_take(app, &request, &take, before).await {
            Ok(removed) => {
                report.abandoned += usize::from(removed);
                counter!(ABANDONED).increment(u64::from(removed));
            }
            Err(error) => {
                warn!(
                    error = error.as_dyn(),
                    "could not remove an abandoned take's bytes"
                );
                counter!(SWEEP_FAILURES).increment(1);
                report.failed += 1;
            }
        }
    }
    Ok(())
}

/// Records expiries that no call has noticed, batch after batch.
async fn record_expiries(app: &AppState, report: &mut SweepReport) -> Result<(), Error> {
    let mut after = SweepPlace::default();
    loop {
        let now = app.clock.confirmed();
        let due = app.db.requests_due(now, &after, BATCH).await?;
        let Some(last) = due.last() else {
            return Ok(());
        };
        after = last.clone();
        for (_, id) in due {
            match expire(app, &id).await {
                Ok(expired) => {
                    app.coordination.changes.notify(&id);
                    report.expired += usize::from(expired);
                }
                Err(error) => {
                    warn!(error = error.as_dyn(), "could not record an expiry");
                    counter!(SWEEP_FAILURES).increment(1);
                    report.failed += 1;
                }
            }
        }
    }
}

/// Removes the bytes of requests that are over, batch after batch.
async fn remove_bytes(app: &AppState, report: &mut SweepReport) -> Result<(), Error> {
    let mut after = SweepPlace::default();
    loop {
        let over = app.db.requests_unswept(&after, BATCH).await?;
        let Some(last) = over.last() else {
            return Ok(());
        };
        after = last.clone();
        for (_, id) in over {
            match removal::remove_request(app, id).await {
                Ok(()) => {
                    counter!(SWEPT).increment(1);
                    report.removed += 1;
                }
                Err(error) => {
                    warn!(error = error.as_dyn(), "could not remove bytes");
                    counter!(SWEEP_FAILURES).increment(1);
                    report.failed += 1;
                }
            }
        }
    }
}

/// Records the expiry of a request.
async fn expire(app: &AppState, id: &RequestId) -> Result<bool, Error> {
    let write = || app.db.request_expire(id.clone(), &app.clock);
    let expired = removal::retry_with_room(app, write, removal::make_room(app, id)).await?;
    counter!(TRANSITIONS, "to" => RequestState::Expired.as_str()).increment(u64::from(expired));
    Ok(expired)
}
