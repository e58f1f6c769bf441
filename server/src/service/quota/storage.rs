//! How much may be stored: by one take, one request, one creator, all of them.

use std::time::Duration;

use metrics::counter;

use crate::blobs::DiskSpace;
use crate::db::Take;
use crate::service::quota::storage_usage::{Owner, PendingObject, ReserveError, StorageBounds};
use crate::service::{AppState, Error};
use crate::telemetry::names::{NO_ROOM, REFUSALS};
use net::client_addr::{ClientAddr, LimitKey};

/// The bounds, in bytes where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of one take.
    pub video_bytes: u64,
    /// Takes that a request may have at a time.
    pub takes: u32,
    /// Of all takes of a request.
    pub request_bytes: u64,
    /// Of everything stored, with [`crate::db::STORED_OBJECT_COST`] for each object. `None`: 80 % of the disk; in
    /// a bucket, no bound.
    pub stored_bytes: Option<u64>,
    /// What must stay free on the disk.
    pub free_bytes: u64,
    /// How many files the disk must still be able to take.
    pub free_files: u64,
}

/// When to ask again if it isn't known what makes room: the networks around a creator are counted by each sweep.
const SHORTEST_WAIT: Duration = Duration::from_secs(30);

/// Refuses another request to whoever has stored as much as they may.
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

/// Refuses bytes to a request whose creator, or a network around it, has stored as much as they may.
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
        // What was deleted since it was counted makes room, too; of a network, after the next sweep.
        if fits(stored) || is_creator && fits(recount_creator(app, creator).await?) {
            continue;
        }
        return Err(creator_quota_exceeded());
    }
    Ok(())
}

/// Refuses to begin anything for which the disk has no room.
pub(in crate::service) async fn check_free_space(app: &AppState) -> Result<(), Error> {
    match has_free_space(&app.storage_limits, app.blobs.space().await?, 0) {
        true => Ok(()),
        false => Err(storage_full()),
    }
}

/// Counts an object that is about to be written, or refuses it: no room on the disk, or no share left for it.
/// `piece_of`: of a piece of a take the take.
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
            // What was deleted since it was counted makes room, too.
            (ReserveError::Creator, Some(creator)) if !recounted => {
                recount_creator(app, creator).await?;
                recounted = true;
            }
            (ReserveError::Uncounted, Some(creator)) => {
                recount_creator(app, creator).await?;
            }
            (ReserveError::Creator | ReserveError::Uncounted, _) => {
                return Err(creator_quota_exceeded());
            }
            (ReserveError::Total, _) => return Err(storage_full()),
        }
    }
}

/// Counts everything that is stored, and lets the creators' accounts be counted when they are next asked for.
pub(in crate::service) async fn recount_usage(app: &AppState) -> Result<(), Error> {
    let recount = app.storage_usage.recount(Owner::Everyone);
    recount.finish(app.db.stored_bytes().await?);
    app.storage_usage.forget_creators();
    let recount = app.storage_usage.recount_networks();
    recount.finish(app.db.stored_in_networks().await?);
    Ok(())
}

async fn recount_creator(app: &AppState, creator: ClientAddr) -> Result<u64, Error> {
    let recount = app.storage_usage.recount(Owner::Creator(creator));
    Ok(recount.finish(app.db.stored_by(creator).await?))
}

fn creator_quota_exceeded() -> Error {
    counter!(REFUSALS, "kind" => "bytes").increment(1);
    Error::CreatorQuotaExceeded
}

fn storage_full() -> Error {
    counter!(NO_ROOM).increment(1);
    Error::NoRoom
}

/// How much may be stored. `None`: no end of it.
pub(in crate::service) fn most_stored(limits: &Limits, space: Option<DiskSpace>) -> Option<u64> {
    let share = space.map(|space| space.total / 10 * 8);
    limits.stored_bytes.or(share)
}

/// A floor of free files that a small file system would never reach is lowered to this share of its files.
const MOST_FREE_FILES: u64 = 20;

/// How many files a file system must still be able to take. `None`: it has no fixed number of them.
pub(in crate::service) fn least_free_files(limits: &Limits, space: DiskSpace) -> Option<u64> {
    let files = space.inodes?;
    Some(limits.free_files.min(files.total / MOST_FREE_FILES))
}

/// Whether enough stays free on the disk once a file of this many bytes is written to it.
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
            // A twentieth of a small one.
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
