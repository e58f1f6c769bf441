//! Removal of a take's objects, after its rows.

use tracing::warn;

use crate::db::RequestState;
use crate::id::{RequestId, TakeId};
use crate::service::{AppState, Error};

/// Removes the bytes of a take whose rows are gone.
pub(in crate::service) async fn remove_bytes(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
) -> Result<(), Error> {
    let _gate = app.coordination.removal_locks.exclusive(request).await;
    Ok(app.blobs.remove_take(request, take).await?)
}

/// Removes the folder of a take that has no row.
///
/// A writer that is refused may have made the folder anew after a removal had deleted everything.
pub(in crate::service) async fn remove_if_gone(app: &AppState, request: &RequestId, take: &TakeId) {
    if let Err(error) = remove_folders(app, request, take).await {
        let error: &dyn std::error::Error = &error;
        warn!(error, "could not remove an empty folder");
    }
}

async fn remove_folders(app: &AppState, request: &RequestId, take: &TakeId) -> Result<(), Error> {
    if app.db.take_get(request, take).await?.is_some() {
        return Ok(());
    }
    let _gate = app.coordination.removal_locks.exclusive(request).await;
    app.blobs.remove_take(request, take).await?;
    let over = [RequestState::Expired, RequestState::Deleted];
    let row = app.db.request_get(request).await?;
    let is_over = row.is_none_or(|it| over.contains(&it.state));
    // Where other takes are left, the removal of their rows removes the request's folder.
    if is_over && app.db.takes_of(request).await?.is_empty() {
        app.blobs.remove_request(request).await?;
    }
    Ok(())
}
