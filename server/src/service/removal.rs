//! Removal of objects, after the rows that name them.

use tracing::{debug, warn};

use crate::blobs::{Blobs, ObjectKey};
use crate::db::{DbError, RequestState};
use crate::id::{RequestId, TakeId};
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;

/// Removes the bytes of an expired or deleted request.
///
/// The manifest is deleted first: after that nothing can be appended, and an active writer stops before the removal
/// lock is granted.
pub(in crate::service) async fn remove_request(app: &AppState, id: RequestId) -> Result<(), Error> {
    let delete_takes = || app.db.request_delete_takes(id.clone());
    retry_with_room(app, delete_takes, make_room(app, &id)).await?;
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

/// Removes the objects of a request that is over, whatever its rows say, and cancels its transfers.
async fn remove_objects(app: &AppState, id: &RequestId) -> Result<(), Error> {
    app.coordination.transfers.cancel(id);
    let _lock = app.coordination.removal_locks.exclusive(id).await;
    Ok(app.blobs.remove_request(id).await?)
}

/// Removes the bytes of a take whose rows are gone.
pub(in crate::service) async fn remove_take(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
) -> Result<(), Error> {
    let _lock = app.coordination.removal_locks.exclusive(request).await;
    Ok(app.blobs.remove_take(request, take).await?)
}

/// Removes the folder of a take that has no row.
///
/// A writer that is refused may have made the folder anew after a removal had deleted everything.
pub(in crate::service) async fn remove_take_if_gone(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
) {
    if let Err(error) = remove_folders(app, request, take).await {
        warn!(error = error.as_dyn(), "could not remove an empty folder");
    }
}

async fn remove_folders(app: &AppState, request: &RequestId, take: &TakeId) -> Result<(), Error> {
    if app.db.take_get(request, take).await?.is_some() {
        return Ok(());
    }
    let _lock = app.coordination.removal_locks.exclusive(request).await;
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

/// Removes an object that will get no row. If that fails, it is removed as an orphan later.
pub(in crate::service) async fn remove_unnamed(blobs: &Blobs, key: &ObjectKey) {
    if let Err(error) = blobs.remove(key).await {
        warn!(error = error.as_dyn(), "could not remove orphan");
    }
}

/// Writes rows.
/// With a full disk that also holds the objects, makes room for the rows by `make_room`, and tries again.
pub(in crate::service) async fn retry_with_room<T, F>(
    app: &AppState,
    write: impl Fn() -> F,
    make_room: impl Future<Output = Result<(), Error>>,
) -> Result<T, Error>
where
    F: Future<Output = Result<T, DbError>>,
{
    match write().await {
        Err(error) if error.is_full() && app.one_disk => {
            make_room.await?;
            Ok(write().await?)
        }
        written => Ok(written?),
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
            warn!(error = error.as_dyn(), "could not empty the database's log");
        }
    }
}
