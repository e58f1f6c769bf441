//! Takedown of a request by the operator, in a process of its own beside a running server.
//!
//! This process can't take the removal locks of the server ([`crate::service::RemovalLocks`]), and doesn't need to.
//! Once the rows are deleted no commit succeeds, so an active writer removes its own object, and within [`NOTICED`]
//! servers cancel the request's transfers. So bytes are removed twice: at once, and again when no writer is left.

use std::time::Duration;

use ipnet::IpNet;
use tokio::time::sleep;
use tracing::debug;

use crate::id::RequestId;
use crate::service::removal;
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;

pub use crate::db::{OpenRequest, RemovedTakes};

/// How many rows are read at a time.
const PAGE: i64 = 500;

/// Time after which all servers have cancelled their transfers: four times the longest delay.
const NOTICED: Duration = Duration::from_secs(2);

/// Result of a takedown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakedownOutcome {
    /// The request was taken down now, with these takes.
    TakenDown(RemovedTakes),
    /// The request had been taken down before.
    AlreadyTakenDown,
    /// The creator had deleted the request.
    Deleted,
}

/// The open requests that were created from this network.
pub async fn open_requests_of(app: &AppState, network: IpNet) -> Result<Vec<OpenRequest>, Error> {
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = app.db.requests_open(after, app.clock.now(), PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(found);
        };
        after = Some(last.id.clone());
        let is_of_it =
            |it: &OpenRequest| it.creator.is_some_and(|it| network.contains(&it.address()));
        found.extend(page.into_iter().filter(is_of_it));
    }
}

/// Takes a request down. When this returns, its bytes are removed.
///
/// Returns [`Error::NotFound`] if the request never existed.
pub async fn take_down(app: &AppState, id: &RequestId) -> Result<TakedownOutcome, Error> {
    let row = app.db.request_get(id).await?.ok_or(Error::NotFound)?;
    let write = || app.db.request_take_down(id.clone(), &app.clock);
    let taken_down = removal::retry_with_room(app, write, removal::make_room(app, id)).await?;
    let outcome = match taken_down {
        Some(removed) => TakedownOutcome::TakenDown(removed),
        // Read again, because its creator may have deleted it meanwhile.
        None => match app.db.request_get(id).await?.ok_or(Error::NotFound)? {
            now if now.taken_down_at.is_some() => TakedownOutcome::AlreadyTakenDown,
            _ => TakedownOutcome::Deleted,
        },
    };
    let finished = row.purged && taken_down.is_none();
    if !finished {
        // An active writer can make this removal fail. The second one counts, when no writer is left.
        if let Err(error) = app.blobs.remove_request(id).await {
            debug!(error = error.as_dyn(), "first removal failed, will retry");
        }
        sleep(NOTICED).await;
    }
    // Also if it was finished before: a takedown may have looked for the bytes in the wrong place.
    removal::remove_request(app, id.clone()).await?;
    removal::empty_log(app).await;
    Ok(outcome)
}
