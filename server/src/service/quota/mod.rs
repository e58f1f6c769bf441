//! Rate limits and quotas of clients.
//!
//! Creations are counted in the database, so that the limit holds across nodes and restarts. Everything else is counted
//! here, in memory: that costs less than a count in the database. Uploads are delayed rather than refused while few of
//! them wait: bytes that must be sent again cost more than a request that waits.

mod in_progress;
mod keyed_limiter;
mod network;
mod quotas;
mod rate_limiter;
mod refusal_log;
mod refusal_report;
pub mod storage;
pub mod storage_limits;
pub mod storage_usage;

use std::time::Duration;

use metrics::counter;
use tokio::time::sleep;

use super::{AppState, Error};
use crate::clock::Millis;
use crate::db::CreationCost;
use crate::telemetry::names::THROTTLED;
pub use crate::telemetry::refusal_reasons::RefusalReason;
use net::client_addr::ClientAddr;
use net::shares::SharePermit;

pub use in_progress::InProgress;
pub use network::PerNetwork;
pub use quotas::Quotas;
pub use refusal_log::RefusalLog;
pub(in crate::service) use refusal_log::count_refusal;
pub use refusal_report::RefusalReport;

/// Maximum time between two attempts of a delayed upload call.
const MAX_SLEEP: Duration = Duration::from_secs(1);

/// Proof that a read passed the rate limit. Only this module constructs one.
#[derive(Clone, Copy)]
pub struct ReadPermit(());

/// Proof that a report passed the rate limit. Only this module constructs one.
#[derive(Clone, Copy)]
pub struct ReportPermit(());

/// Counts a call until the permit is dropped, which is when its response has been sent.
///
/// [`Error::TooOften`]: the client has too many in progress.
pub fn begin_call(app: &AppState, client: ClientAddr) -> Result<SharePermit, Error> {
    let permit = app.in_progress.begin(client);
    permit.ok_or_else(|| refused(app, client, RefusalReason::CallsInProgress, MAX_SLEEP))
}

/// Counts a body that a handler collects until the permit is dropped, which is when it has arrived.
///
/// [`Error::TooOften`]: too many are arriving.
pub fn receive_body(app: &AppState, client: ClientAddr) -> Result<SharePermit, Error> {
    let permit = app.in_progress.receive(client);
    permit.ok_or_else(|| {
        if app.in_progress.is_full() {
            // Not by network: others hold the places than the one that is refused.
            count_refusal(RefusalReason::Bodies);
            return Error::TooOften { wait: MAX_SLEEP };
        }
        refused(app, client, RefusalReason::Bodies, MAX_SLEEP)
    })
}

/// Checks the rate limit for reads, deletions and starts of playback.
///
/// [`Error::TooOften`] has the time to wait.
pub fn permit_read(app: &AppState, client: ClientAddr) -> Result<ReadPermit, Error> {
    let counted = app.quotas.reads.count(client);
    counted.map_err(|wait| refused(app, client, RefusalReason::ReadRate, wait))?;
    Ok(ReadPermit(()))
}

/// Checks the rate limit for reports of requests.
pub fn permit_report(app: &AppState, client: ClientAddr) -> Result<ReportPermit, Error> {
    let counted = app.quotas.reports.count(client);
    counted.map_err(|wait| refused(app, client, RefusalReason::ReportRate, wait))?;
    Ok(ReportPermit(()))
}

/// Counts a call of a program against the client's overall limit, and refuses excess at once.
pub fn refuse_excess_calls(app: &AppState, client: ClientAddr) -> Result<(), Error> {
    let counted = app.quotas.uploads.count(client);
    counted.map_err(|wait| refused(app, client, RefusalReason::CallRate, wait))
}

fn refused(app: &AppState, client: ClientAddr, reason: RefusalReason, wait: Duration) -> Error {
    app.quotas.refusals.record(client, reason);
    Error::TooOften { wait }
}

/// Delays an upload call until its rate limit allows it or the server stops.
///
/// Returns an error if the maximum number of calls of this client is delayed already.
pub async fn delay_excess_calls(app: &AppState, client: ClientAddr) -> Result<(), Error> {
    let mut limiters = app.quotas.uploads.limiters(client);
    // A limiter that has counted the call isn't asked again.
    let late = limiters.find(|(limiter, key)| limiter.count(*key).is_err());
    let Some(late) = late else {
        return Ok(());
    };
    let Some(_place) = app.quotas.wait(client) else {
        return Err(refused(app, client, RefusalReason::CallRate, MAX_SLEEP));
    };
    counter!(THROTTLED).increment(1);
    let waiting = async {
        // The lock lets one call per queue retry at a time, in order of arrival.
        let _lock = app.quotas.throttle_lock(client).lock().await;
        for (limiter, key) in [late].into_iter().chain(limiters) {
            while let Err(wait) = limiter.count(key) {
                sleep(wait.min(MAX_SLEEP)).await;
            }
        }
    };
    tokio::select! {
        () = waiting => {}
        () = app.shutdown.stopping.cancelled() => {}
    }
    Ok(())
}

/// Refuses a creation from a network that may create nothing.
pub(super) fn refuse_creation(app: &AppState, creator: ClientAddr) -> Result<(), Error> {
    /// The operator decides when it ends.
    const WAIT: Duration = Duration::from_secs(24 * 60 * 60);
    let address = creator.address();
    match app.quotas.refused.iter().any(|it| it.contains(&address)) {
        true => Err(refused(app, creator, RefusalReason::CreateRate, WAIT)),
        false => Ok(()),
    }
}

/// Costs of a creation for its creator and the networks around it. All of them must be covered.
pub(super) fn creation_costs(app: &AppState, creator: ClientAddr) -> Vec<CreationCost> {
    let creations = &app.quotas.creations;
    let allowance = creations.of(creator);
    let costs = creations.keys(creator).filter_map(|(key, multiple)| {
        let rate = allowance.times(multiple).0?;
        // Rounding up makes the limit slightly stricter, and never looser.
        let interval = rate.interval.as_nanos().div_ceil(1_000_000);
        Some(CreationCost {
            key,
            interval: Millis::try_from(interval).unwrap_or(Millis::MAX),
            burst: i64::from(rate.burst.get()),
        })
    });
    costs.collect()
}
