//! How much may be stored: by one take, one request, one creator, all of them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use metrics::counter;

use super::takes::bytes;
use super::{App, Error};
use crate::blobs::Space;
use crate::caller::Caller;
use crate::telemetry::names::{NO_ROOM, REFUSALS};

/// The bounds, in bytes where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of one take.
    pub video_bytes: u64,
    /// Takes that a request may have at a time.
    pub takes: u32,
    /// Of all takes of a request.
    pub request_bytes: u64,
    /// Of everything stored. `None`: 80 % of the disk; in a bucket, no bound.
    pub stored_bytes: Option<u64>,
    /// What must stay free on the disk.
    pub free_bytes: u64,
}

/// How much is stored, about: counted from the database at each sweep, and kept up with in between. What
/// other nodes add meanwhile is missing for as long.
#[derive(Clone, Debug, Default)]
pub struct Usage(Arc<Counted>);

#[derive(Debug, Default)]
struct Counted {
    bytes: AtomicI64,
    /// Of those who were asked for since the last sweep.
    by_creator: Mutex<HashMap<Caller, i64>>,
}

impl Usage {
    pub(super) fn get(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed).max(0).unsigned_abs()
    }

    /// This many bytes came.
    pub(super) fn add(&self, creator: Option<Caller>, bytes: i64) {
        self.0.bytes.fetch_add(bytes, Ordering::Relaxed);
        let Some(creator) = creator else {
            return;
        };
        if let Some(stored) = self.by_creator().get_mut(&creator) {
            *stored = stored.saturating_add(bytes);
        }
    }

    /// Counts anew.
    pub(super) async fn refresh(&self, app: &App) -> Result<(), Error> {
        let bytes = app.db.stored_bytes().await?;
        self.0.bytes.store(bytes, Ordering::Relaxed);
        self.by_creator().clear();
        Ok(())
    }

    /// How much a creator's requests hold.
    async fn of(&self, app: &App, creator: Caller) -> Result<u64, Error> {
        let known = self.by_creator().get(&creator).copied();
        match known {
            Some(stored) => Ok(stored.max(0).unsigned_abs()),
            None => self.count(app, creator).await,
        }
    }

    async fn count(&self, app: &App, creator: Caller) -> Result<u64, Error> {
        let stored = app.db.stored_by(creator).await?;
        self.by_creator().insert(creator, stored);
        Ok(bytes(stored))
    }

    /// Changed in one step: as good after a panic as before.
    fn by_creator(&self) -> MutexGuard<'_, HashMap<Caller, i64>> {
        self.0
            .by_creator
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses another request to whoever has stored as much as they may.
pub(super) async fn check_creator(app: &App, creator: Caller) -> Result<(), Error> {
    match check_share(app, Some(creator), 1).await {
        Err(Error::NoShare) => {
            let until = app.db.stored_until(creator).await?;
            let left = until.map_or(0, |until| until - app.clock.now());
            let wait = Duration::from_millis(left.max(0).unsigned_abs());
            Err(Error::ShareUsedUp { wait })
        }
        checked => checked,
    }
}

/// Refuses bytes to a request whose creator has stored as much as they may.
pub(super) async fn check_share(
    app: &App,
    creator: Option<Caller>,
    bytes: u64,
) -> Result<(), Error> {
    let Some(creator) = creator else {
        return Ok(());
    };
    let most = app.quotas.bytes(creator);
    let fits = |stored: u64| stored.saturating_add(bytes) <= most;
    // What was deleted since it was counted makes room, too.
    if fits(app.usage.of(app, creator).await?) || fits(app.usage.count(app, creator).await?) {
        return Ok(());
    }
    counter!(REFUSALS, "kind" => "bytes").increment(1);
    Err(Error::NoShare)
}

/// Refuses bytes for which there is no room, before they are written.
pub(super) async fn check_room(app: &App, bytes: u64) -> Result<(), Error> {
    let space = app.blobs.space().await?;
    if has_room(&app.limits, space, app.usage.get(), bytes) {
        return Ok(());
    }
    counter!(NO_ROOM).increment(1);
    Err(Error::NoRoom)
}

/// How much may be stored. `None`: no end of it.
pub(super) fn most_stored(limits: &Limits, space: Option<Space>) -> Option<u64> {
    let share = space.map(|space| space.total / 10 * 8);
    limits.stored_bytes.or(share)
}

fn has_room(limits: &Limits, space: Option<Space>, stored: u64, bytes: u64) -> bool {
    let most = most_stored(limits, space).unwrap_or(u64::MAX);
    let free = space.map_or(u64::MAX, |space| space.available.saturating_sub(bytes));
    stored.saturating_add(bytes) <= most && free >= limits.free_bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_up_to_the_limit_and_down_to_the_floor() {
        let limits = Limits {
            video_bytes: 1,
            takes: 1,
            request_bytes: 1,
            stored_bytes: None,
            free_bytes: 100,
        };
        let disk = |available| {
            Some(Space {
                total: 1000,
                available,
            })
        };
        for (stored, available, bytes, want) in [
            (0, 1000, 800, true),
            (0, 1000, 801, false), // over 80 % of the disk
            (790, 1000, 10, true),
            (790, 1000, 11, false),
            (0, 150, 50, true),
            (0, 150, 51, false), // below the floor
            (0, 20, 0, false),
            (u64::MAX, 1000, 1, false),
        ] {
            let room = has_room(&limits, disk(available), stored, bytes);
            assert_eq!(room, want, "{bytes} beside {stored}, {available} free");
        }
        let limits = Limits {
            stored_bytes: Some(50),
            ..limits
        };
        assert!(has_room(&limits, disk(1000), 40, 10));
        assert!(!has_room(&limits, disk(1000), 40, 11));
        assert!(has_room(&limits, None, 40, 10), "a bucket has no floor");
        assert!(!has_room(&limits, None, 40, 11));
    }
}
