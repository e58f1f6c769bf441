//! Storage limits per take, per request, per creator and in total.

use std::time::Duration;

use crate::blobs::DiskSpace;
use crate::db::Take;
use crate::service::quota::RefusalReason;
use crate::service::quota::storage_usage::{Owner, PendingObject, ReserveError, StorageBounds};
use crate::service::{AppState, Error};
use net::client_addr::{ClientAddr, LimitKey};

/// Storage limits, in bytes unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of one take.
    pub video_bytes: u64,
    /// Maximum number of takes that a request may have at a time.
    pub takes: u32,
    /// Maximum size of all takes of a request together.
    pub request_bytes: u64,
    /// Maximum of everything stored, with [`crate::db::STORED_OBJECT_COST`] for each object.
    ///
    /// `None`: 80 % of the disk; no limit in a bucket.
    pub stored_bytes: Option<u64>,
    /// Minimum of free bytes on the disk.
    pub free_bytes: u64,
    /// Minimum number of files that the disk must still be able to hold.
    pub free_files: u64,
}

/// Minimum delay before a retry: only a sweep updates the usage of the networks around a creator.
const SHORTEST_WAIT: Duration = Duration::from_secs(30);

/// Refuses another request to a creator whose storage quota is exhausted.
pub(in crate::service) async fn check_creator(
    app: &AppState,
    creator: ClientAddr,
) -> Result<(), Error> {
    match check_creator_quota(app, Some(creator), 1).await {
        Err(Error::CreatorQuotaExceeded) => {
            let until = app.db.stored_until(creator).await?;
            let left = until.map_or(0, |until| until - app.clock.now());
            let wait = Duration::from_millis(left.max(0).unsigned_abs()).max(SHORTEST_WAIT);
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
        total: most_stored(&app.storage_limits, space).unwrap_or(u64::MAX),
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
    RefusalReason::StoreFull.count();
    Error::NoRoom
}

/// Maximum of stored bytes. `None`: no limit.
pub(in crate::service) fn most_stored(limits: &Limits, space: Option<DiskSpace>) -> Option<u64> {
    let share = space.map(|space| space.total / 10 * 8);
    limits.stored_bytes.or(share)
}

/// The required number of free files is at most this fraction of all files: one twentieth.
///
/// A small file system would otherwise never reach it.
const MOST_FREE_FILES: u64 = 20;

/// Number of files that the file system must still be able to hold. `None`: it has no fixed number.
pub(in crate::service) fn least_free_files(limits: &Limits, space: DiskSpace) -> Option<u64> {
    let files = space.inodes?;
    Some(limits.free_files.min(files.total / MOST_FREE_FILES))
}

/// Whether enough bytes and files stay free after a file of `bytes` is written.
fn has_free_space(limits: &Limits, space: Option<DiskSpace>, bytes: u64) -> bool {
    let Some(space) = space else {
        return true;
    };
    let files = space.inodes.map(|it| it.available.saturating_sub(1));
    let has_files = files.zip(least_free_files(limits, space));
    space.available.saturating_sub(bytes) >= limits.free_bytes
        && has_files.is_none_or(|(left, floor)| left >= floor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blobs::Inodes;

    const LIMITS: Limits = Limits {
        video_bytes: 1,
        takes: 1,
        request_bytes: 1,
        stored_bytes: None,
        free_bytes: 100,
        free_files: 10,
    };

    fn disk(available: u64) -> Option<DiskSpace> {
        Some(DiskSpace {
            total: 1000,
            available,
            inodes: None,
        })
    }

    #[test]
    fn so_many_files_can_still_be_made_on_a_disk() {
        for (total, available, want) in [
            (1000, 11, true),
            (1000, 10, false),
            (1000, 0, false),
            // On a small file system, a twentieth of its files must stay free.
            (100, 6, true),
            (100, 5, false),
        ] {
            let space = disk(1000).map(|it| DiskSpace {
                inodes: Some(Inodes { total, available }),
                ..it
            });
            let room = has_free_space(&LIMITS, space, 1);
            assert_eq!(room, want, "{available} of {total} files");
        }
    }

    #[test]
    fn what_is_stored_may_take_most_of_the_disk_or_as_much_as_was_set() {
        assert_eq!(most_stored(&LIMITS, disk(1000)), Some(800));
        assert_eq!(most_stored(&LIMITS, None), None, "a bucket has no end");
        let limits = Limits {
            stored_bytes: Some(50),
            ..LIMITS
        };
        assert_eq!(most_stored(&limits, disk(1000)), Some(50));
        assert_eq!(most_stored(&limits, None), Some(50));
    }

    #[test]
    fn so_many_bytes_stay_free_on_a_disk() {
        for (available, bytes, want) in [
            (1000, 800, true),
            (150, 50, true),
            (150, 51, false),
            (20, 0, false),
        ] {
            let room = has_free_space(&LIMITS, disk(available), bytes);
            assert_eq!(room, want, "{bytes} of {available}");
        }
        assert!(
            has_free_space(&LIMITS, None, u64::MAX),
            "a bucket has no floor"
        );
    }
}
