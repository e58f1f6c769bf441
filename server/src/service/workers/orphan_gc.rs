//! Removes orphans: objects that no manifest names.
//!
//! Writers leave them when they lose a race, or crash after the object and before the row. Age separates them from
//! objects whose row is yet to be written: a commit is refused if it began so long ago that its object might be taken
//! for an orphan, and nothing is removed while a commit that began in time doesn't end. So this may run on any node at
//! any time.

use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use metrics::counter;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::blobs::{Blobs, StoredObject};
use crate::clock::{Clock, Millis};
use crate::db::{Db, DbError};
use crate::service::workers::periodic;
use crate::service::{AppState, Error};
use crate::telemetry::names::{ORPHANS_FOUND, ORPHANS_REMOVED};

/// Interval between two runs. It is long, because each run lists the whole store.
const PERIOD: Duration = Duration::from_secs(10 * 60);

/// Minimum age of an orphan in milliseconds: three times the longest commit.
const AGE: Millis = 15 * 60 * 1000;

/// Minimum age in milliseconds of an object whose request this database doesn't know: longer than any request lives. If
/// the store belongs to another database, of which an operator has made a mistake, nothing that lives is lost.
const FOREIGN_AGE: Millis = 49 * 60 * 60 * 1000;

/// Transactions that have been running for longer may name an old object: they have passed the check of their age.
const LATE_COMMIT: Duration = Duration::from_secs(5 * 60);

/// Number of objects per query of the database.
const BATCH: usize = 500;

/// Removes orphans periodically until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let work = |app: AppState| async move {
        match remove(&app).await? {
            0 => {}
            removed => info!(removed, "removed orphans"),
        }
        Ok(())
    };
    periodic::run("orphans", PERIOD, Arc::default(), app, stop, work).await;
}

/// Removes the present orphans, and returns their number.
///
/// A failed removal doesn't stop the others; its error is returned afterwards.
pub async fn remove(app: &AppState) -> Result<usize, Error> {
    remove_from(&app.db, &app.blobs, &app.clock, LATE_COMMIT).await
}

/// Like [`remove`], but a commit counts as late after this time.
pub async fn remove_unless_late(app: &AppState, late: Duration) -> Result<usize, Error> {
    remove_from(&app.db, &app.blobs, &app.clock, late).await
}

async fn remove_from(
    db: &Db,
    blobs: &Blobs,
    clock: &Clock,
    late: Duration,
) -> Result<usize, Error> {
    // The store's clock may differ from ours, by which its new objects might be old. If both are the machine's, they jump
    // together, and ours knows it.
    let now = blobs.now().await?.min(clock.confirmed());
    // Before the rows are read: one that commits between the two has written them by then.
    if db.has_transaction_older_than(late).await? {
        return Err(DbError::LateTransaction.into());
    }
    remove_old(db, blobs, now).await
}

async fn remove_old(db: &Db, blobs: &Blobs, now: Millis) -> Result<usize, Error> {
    let mut orphans = std::pin::pin!(find(db, blobs, now));
    let (mut removed, mut stay, mut failure) = (0, 0, None);
    while let Some(orphan) = orphans.try_next().await? {
        counter!(ORPHANS_FOUND).increment(1);
        if let Err(error) = blobs.remove(&orphan.key).await {
            stay += 1;
            failure.get_or_insert(error);
            continue;
        }
        counter!(ORPHANS_REMOVED).increment(1);
        removed += 1;
    }
    match failure {
        None => Ok(removed),
        Some(error) => {
            warn!(removed, stay, "could not remove some orphans");
            Err(error.into())
        }
    }
}

/// Finds objects that no row named at the time of the query, and that are too old `now` to get one.
pub(in crate::service) fn find(
    db: &Db,
    blobs: &Blobs,
    now: Millis,
) -> impl Stream<Item = Result<StoredObject, Error>> {
    let aged = blobs
        .list()
        .try_filter(move |object| ready(is_old(object.written_at, now)));
    let batches = aged.try_chunks(BATCH).map_err(|partial| partial.1.into());
    let unnamed = batches.and_then(move |batch| unnamed(db, batch, now));
    unnamed
        .map_ok(|found| stream::iter(found).map(Ok))
        .try_flatten()
}

fn is_old(written_at: Millis, now: Millis) -> bool {
    written_at < now - AGE
}

async fn unnamed(
    db: &Db,
    mut batch: Vec<StoredObject>,
    now: Millis,
) -> Result<Vec<StoredObject>, Error> {
    let keys = batch.iter().map(|it| it.key.as_str().to_owned()).collect();
    let named = db.objects_named(keys).await?;
    batch.retain(|it| !named.contains(it.key.as_str()));
    let requests = batch.iter().map(|it| it.key.request().to_owned());
    let known = db.requests_known(requests.collect()).await?;
    batch.retain(|it| known.contains(it.key.request()) || it.written_at < now - FOREIGN_AGE);
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::time::SystemTime;

    use bytes::Bytes;
    use tempfile::TempDir;

    use super::*;
    use crate::blobs::ObjectKey;
    use crate::id::{RequestId, TakeId};

    #[test]
    fn objects_younger_than_a_quarter_of_an_hour_are_not_orphans() {
        let now = 1_700_000_000_000;
        for (age, old) in [(0, false), (-1000, false), (AGE, false), (AGE + 1, true)] {
            assert_eq!(is_old(now - age, now), old, "{age} ms");
        }
    }

    /// A folder, a database in it, and the store in its folder `blobs`.
    async fn stores() -> (TempDir, Db, Blobs) {
        let root = tempfile::tempdir().expect("a folder");
        let database = root.path().join("vidence.db");
        let db = Db::open_sqlite(&database).await.expect("a database");
        let blobs = Blobs::open_local(&root.path().join("blobs")).expect("a store");
        (root, db, blobs)
    }

    /// Makes an object a little older than `age`.
    fn make_older(folder: &Path, key: &ObjectKey, age: Millis) {
        let object = File::options().write(true).open(folder.join(key.as_str()));
        let then = SystemTime::now() - Duration::from_millis(age.unsigned_abs() + 1000);
        object
            .and_then(|it| it.set_modified(then))
            .expect("an older object");
    }

    /// The database server's clock, which the nodes use, may differ from the bucket's.
    #[tokio::test(flavor = "multi_thread")]
    async fn the_age_of_objects_follows_the_clock_of_the_store() {
        let (root, db, blobs) = stores().await;
        let folder = root.path().join("blobs");
        let key = put_orphan(&blobs).await;

        let ahead = Clock::manual();
        ahead.advance(2 * FOREIGN_AGE);
        assert_eq!(removed(&db, &blobs, &ahead).await, 0);
        assert!(blobs.length(&key).await.expect("an answer").is_some());
        make_older(&folder, &key, FOREIGN_AGE);
        assert_eq!(removed(&db, &blobs, &ahead).await, 1);
        assert_eq!(blobs.length(&key).await.expect("an answer"), None);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_object_of_an_unknown_request_stays_for_longer_than_any_request() {
        let (root, db, blobs) = stores().await;
        let folder = root.path().join("blobs");
        let key = put_orphan(&blobs).await;
        for (age, want) in [(48 * 60 * 60 * 1000, 0), (FOREIGN_AGE, 1)] {
            make_older(&folder, &key, age);
            let removed = removed(&db, &blobs, &Clock::System).await;
            assert_eq!(removed, want, "{age} ms");
        }
    }

    /// A bucket or folder that is shared by mistake.
    #[tokio::test(flavor = "multi_thread")]
    async fn foreign_objects_are_never_collected() {
        let (root, db, blobs) = stores().await;
        let theirs = ObjectKey::from_manifest("logs/2024/app.gz");
        let file = root.path().join("blobs").join(theirs.as_str());
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(&file, "theirs").expect("a file");
        make_older(&root.path().join("blobs"), &theirs, 2 * FOREIGN_AGE);
        assert_eq!(removed(&db, &blobs, &Clock::System).await, 0);
        assert!(file.exists());
    }

    async fn removed(db: &Db, blobs: &Blobs, clock: &Clock) -> usize {
        let removed = remove_from(db, blobs, clock, LATE_COMMIT).await;
        removed.expect("a run")
    }

    async fn put_orphan(blobs: &Blobs) -> ObjectKey {
        let (request, take) = (RequestId::random(), TakeId::random());
        blobs.prepare_take(&request, &take).await.expect("a folder");
        let key = ObjectKey::random(&request, &take);
        let bytes = vec![Bytes::from_static(b"an orphan")];
        blobs.put(&key, bytes).await.expect("an object");
        key
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_failed_orphan_does_not_stop_the_others() {
        let (root, db, blobs) = stores().await;
        let folder = root.path().join("blobs");
        // The kernel's own files can't be removed. There are many, so that one precedes the orphan in any order.
        for _ in 0..20 {
            let request = folder.join(RequestId::random().as_str());
            std::fs::create_dir(&request).expect("a folder");
            let take = request.join(TakeId::random().as_str());
            symlink("/proc/sys/kernel/random", take).expect("a link");
        }
        let key = put_orphan(&blobs).await;
        let later = Clock::System.now() + FOREIGN_AGE + 1000;
        let failed = remove_old(&db, &blobs, later).await;
        assert!(matches!(failed, Err(Error::Blobs(_))), "{failed:?}");
        assert_eq!(blobs.length(&key).await.expect("an answer"), None);
    }
}
