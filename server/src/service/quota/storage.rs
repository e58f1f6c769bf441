//! Checks of the bytes stored per creator and in total, before anything is written.

use std::time::Duration;

use crate::db::Take;
use crate::service::quota::storage_limits::{has_free_space, max_stored_bytes};
use crate::service::quota::storage_usage::{Owner, PendingObject, ReserveError, StorageBounds};
use crate::service::quota::{RefusalReason, count_refusal};
use crate::service::{AppState, Error};
use net::client_addr::{ClientAddr, LimitKey};

/// Minimum delay before a retry: only a sweep updates the usage of the networks around a creator.
const MIN_WAIT: Duration = Duration::from_secs(30);

/// Refuses another request to a creator whose storage quota is exhausted.
pub(in crate::service) async fn check_creator(
    app: &AppState,
    creator: ClientAddr,
) -> Result<(), Error> {
    match check_creator_quota(app, Some(creator), 1).await {
        Err(Error::CreatorQuotaExceeded) => {
            let until = app.db.stored_until(creator).await?;
            let left = until.map_or(0, |until| until - app.clock.now());
            let wait = Duration::from_millis(left.max(0).unsigned_abs()).max(MIN_WAIT);
            Err(Error::CreatorStorageFull { wait })
        }
        checked => checked,
    }
}

/// Refuses bytes if the quota of the creator, or of a network around it, would be exceeded.
pub(in crate::service) async fn check_creator_quota(
    app: &AppState,
    creator: Option<ClientAddr>,
    bytes: u64,
) -> Result<(), Error> {
    let Some(creator) = creator else {
        return Ok(());
    };
    for (key, most) in app.quotas.bytes(creator) {
        let fits = |stored: u64| stored.saturating_add(bytes) <= most;
        let stored = match app.storage_usage.stored_by(key) {
            Some(stored) => stored,
            None => recount_creator(app, creator).await?,
        };
        let is_creator = matches!(key, LimitKey::ClientAddr(_));
        // A recount frees what was deleted since the last one. Networks are recounted by the next sweep.
        if fits(stored) || is_creator && fits(recount_creator(app, creator).await?) {
            continue;
        }
        return Err(creator_quota_exceeded(app, creator));
    }
    Ok(())
}

/// Returns [`Error::NoRoom`] if the disk is too full to begin an upload.
pub(in crate::service) async fn check_free_space(app: &AppState) -> Result<(), Error> {
    match has_free_space(&app.storage_limits, app.blobs.space().await?, 0) {
        true => Ok(()),
        false => Err(storage_full()),
    }
}

/// Reserves space for an object that is about to be written.
///
/// `piece_of` is the take if the object is one of its chunks. Fails if the disk is full or a quota is exhausted.
pub(in crate::service) async fn reserve(
    app: &AppState,
    piece_of: Option<&Take>,
    bytes: u64,
) -> Result<PendingObject, Error> {
    let creator = piece_of.and_then(|it| it.creator);
    let space = app.blobs.space().await?;
    if !has_free_space(&app.storage_limits, space, bytes) {
        return Err(storage_full());
    }
    let bounds = StorageBounds {
        total: max_stored_bytes(&app.storage_limits, space).unwrap_or(u64::MAX),
        creator: creator.map_or_else(Vec::new, |it| app.quotas.bytes(it).collect()),
    };
    let mut recounted = false;
    loop {
        let request = piece_of.map(|it| &it.request_id);
        let why = match app.storage_usage.reserve(request, bytes, &bounds) {
            Ok(pending) => return Ok(pending),
            Err(why) => why,
        };
        match (why, creator) {
            // A recount frees what was deleted since the last one.
            (ReserveError::Creator, Some(creator)) if !recounted => {
                recount_creator(app, creator).await?;
                recounted = true;
            }
            (ReserveError::Uncounted, Some(creator)) => {
                recount_creator(app, creator).await?;
            }
            (ReserveError::Creator, Some(creator)) => {
                return Err(creator_quota_exceeded(app, creator));
            }
            // Without a creator there is no account but that of everyone.
            (ReserveError::Total, _) | (_, None) => return Err(storage_full()),
        }
    }
}

/// Recounts everything stored, and marks the accounts of creators for a recount at their next use.
pub(in crate::service) async fn recount_usage(app: &AppState) -> Result<(), Error> {
    let recount = app.storage_usage.recount(Owner::Everyone);
    recount.finish(app.db.stored_bytes().await?);
    app.storage_usage.clear_creators();
    let recount = app.storage_usage.recount_networks();
    recount.finish(app.db.stored_in_networks().await?);
    Ok(())
}

async fn recount_creator(app: &AppState, creator: ClientAddr) -> Result<u64, Error> {
    let recount = app.storage_usage.recount(Owner::Creator(creator));
    Ok(recount.finish(app.db.stored_by(creator).await?))
}

fn creator_quota_exceeded(app: &AppState, creator: ClientAddr) -> Error {
    let refusals = &app.quotas.refusals;
    refusals.record(creator, RefusalReason::CreatorBytes);
    Error::CreatorQuotaExceeded
}

/// Not in the log by network: a full store isn't the doing of those who are refused.
fn storage_full() -> Error {
    count_refusal(RefusalReason::StoreFull);
    Error::NoRoom
}
