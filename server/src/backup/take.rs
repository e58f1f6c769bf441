//! Taking a backup.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use super::{
    Amount, BATCH, BackupError, Copying, Manifest, OBJECTS, ROWS, UNFINISHED, each_object, hold,
    is_empty, manifest, sync_folder,
};
use crate::beside::{self, Stores};
use crate::blobs::Blobs;
use crate::clock::{Clock, Millis};
use crate::config::{BlobUrl, StoreArgs};
use crate::db::{Db, RequestState};
use crate::id::{RequestId, TakeId};
use crate::private_dir;
use crate::start::blob_place;

/// Copies rows and bytes of what the settings name to `dir`, where nothing may be. If it fails nothing stays.
pub(crate) async fn take(store: &StoreArgs, dir: &Path) -> Result<Manifest, BackupError> {
    if store.database_url.is_some() || matches!(blob_place(store), BlobUrl::Bucket(_)) {
        return Err(BackupError::Elsewhere);
    }
    let unusable = |error| BackupError::Folder(dir.to_owned(), error);
    let live = beside::open(store).await?;
    if !is_empty(dir, "").map_err(unusable)? {
        return Err(BackupError::NotEmpty(dir.to_owned()));
    }
    let was_there = dir.exists();
    private_dir::open(dir, manifest::NAME).map_err(unusable)?;
    let taken = fill(&live, dir).await;
    if taken.is_err() {
        // Half a copy of people's videos is nothing that anybody should find there. The reason counts, whatever
        // becomes of this.
        let _ = match was_there {
            true => remove_within(dir),
            false => fs::remove_dir_all(dir),
        };
    }
    taken
}

fn remove_within(dir: &Path) -> std::io::Result<()> {
    let _ = fs::remove_file(dir.join(ROWS));
    let _ = fs::remove_dir_all(dir.join(UNFINISHED));
    fs::remove_dir_all(dir.join(OBJECTS))
}

async fn fill(live: &Stores, dir: &Path) -> Result<Manifest, BackupError> {
    let made_at = live.clock.now();
    let rows = copy_rows(&live.db, dir).await?;
    copy_objects(live, rows, made_at, dir).await
}

/// The rows as of one moment, open so that they can follow what happens after it.
async fn copy_rows(live: &Db, dir: &Path) -> Result<Db, BackupError> {
    let unfinished = dir.join(UNFINISHED);
    fs::create_dir(&unfinished).map_err(|error| BackupError::Folder(dir.to_owned(), error))?;
    let path = unfinished.join(ROWS);
    live.copy_into(&path).await?;
    Ok(Db::open_sqlite(&path).await?)
}

/// All that these rows name and that is still there, and what the rows are without the rest.
async fn copy_objects(
    live: &Stores,
    rows: Db,
    made_at: Millis,
    dir: &Path,
) -> Result<Manifest, BackupError> {
    let objects = Blobs::open_local(&dir.join(OBJECTS))?;
    // Takes of which something has gone meanwhile.
    let gone: Mutex<HashSet<(RequestId, TakeId)>> = Mutex::default();
    let copying = Copying::new(&live.blobs, &objects);
    each_object(&rows, |key, length| {
        let (gone, copying) = (&gone, &copying);
        async move {
            if !copying.copy(&key, length).await? {
                hold(gone).insert(key.owner().ok_or(BackupError::Nameless)?);
            }
            Ok(())
        }
    })
    .await?;
    let gone = std::mem::take(&mut *hold(&gone));
    for (request, take) in gone {
        forget_take(live, &rows, &objects, &request, &take).await?;
    }
    let requests = forget_what_is_over(&live.db, &rows, &objects).await?;

    // Counted anew, and each looked at where it lies now.
    let amount = each_object(&rows, |key, length| {
        let objects = &objects;
        async move {
            match objects.length(&key).await? == Some(length) {
                true => Ok(()),
                false => Err(BackupError::Damaged),
            }
        }
    })
    .await?;
    finish(dir, rows, made_at, requests, amount).await
}

/// A take of which an object is gone: the person discarded it or submitted another one, nobody came back to it,
/// or its request is over.
async fn forget_take(
    live: &Stores,
    rows: &Db,
    objects: &Blobs,
    request: &RequestId,
    take: &TakeId,
) -> Result<(), BackupError> {
    if live.db.take_get(request, take).await?.is_some() {
        return Err(BackupError::Damaged);
    }
    rows.take_drop(take).await?;
    Ok(objects.remove_take(request, take).await?)
}

/// What was deleted or expired while this went on must not come back: its rows become what they are by now, and
/// its bytes go. Returns how many requests are left that aren't over.
async fn forget_what_is_over(live: &Db, rows: &Db, objects: &Blobs) -> Result<u64, BackupError> {
    // An expiry was seen, whatever clock says so.
    let at_the_end_of_time = Clock::anchored(Millis::MAX);
    let (mut after, mut alive) = (String::new(), 0);
    loop {
        let batch = rows.requests_alive_after(&after, BATCH).await?;
        let Some(last) = batch.last() else {
            return Ok(alive);
        };
        after = last.to_string();
        let over = live.requests_ended(&batch).await?;
        alive += (batch.len() - over.len()) as u64;
        for (request, state) in over {
            match state {
                RequestState::Deleted => drop(rows.request_delete(request.clone()).await?),
                _ => drop(
                    rows.request_expire(request.clone(), &at_the_end_of_time)
                        .await?,
                ),
            }
            rows.request_forget_takes(request.clone()).await?;
            objects.remove_request(&request).await?;
            rows.request_bytes_gone(request).await?;
        }
    }
}

/// Copies the rows once more, so that nothing of what they forgot is left between them; then the manifest.
async fn finish(
    dir: &Path,
    rows: Db,
    made_at: Millis,
    requests: u64,
    amount: Amount,
) -> Result<Manifest, BackupError> {
    rows.copy_into(&dir.join(ROWS)).await?;
    drop(rows);
    let close = || {
        fs::File::open(dir.join(ROWS))?.sync_all()?;
        fs::remove_dir_all(dir.join(UNFINISHED))?;
        sync_folder(dir)?;
        let manifest = Manifest::of(dir, made_at, requests, amount)?;
        manifest.write(dir)?;
        Ok(manifest)
    };
    close().map_err(|error| BackupError::Folder(dir.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tempfile::TempDir;

    use super::*;
    use crate::blobs::ObjectKey;
    use crate::clock::Stopwatch;
    use crate::db::{Addition, Chunk, Request, Take, TakeState};
    use crate::id::AccessToken;

    /// A store in which things happen between the copy of the rows and that of the objects.
    struct Scene {
        live: Stores,
        root: TempDir,
    }

    impl Scene {
        async fn new() -> Self {
            let root = tempfile::tempdir().expect("a folder");
            let database = root.path().join("live.db");
            Self {
                live: Stores {
                    db: Db::open_sqlite(&database).await.expect("a database"),
                    blobs: Blobs::open_local(&root.path().join("live")).expect("a folder"),
                    clock: Clock::manual(),
                },
                root,
            }
        }

        /// One that awaits a submission and has a take of two objects.
        async fn request(&self) -> (RequestId, TakeId) {
            let (request, take, now) =
                (RequestId::random(), TakeId::random(), self.live.clock.now());
            let row = Request {
                id: request.clone(),
                token_hash: AccessToken::random().hash(),
                prompt: Some(b"Show the dent.".to_vec()),
                state: RequestState::AwaitingSubmission,
                created_at: now,
                expires_at: now + 1000,
                video_id: None,
                take_id: None,
                bytes_gone: false,
                creator: None,
                taken_down_at: None,
            };
            let Stores { db, clock, .. } = &self.live;
            db.request_insert(row, None, clock).await.expect("a row");
            let row = Take {
                id: take.clone(),
                request_id: request.clone(),
                state: TakeState::Open,
                committed: 0,
                epoch: 0,
                created_at: now,
                container: None,
                length: None,
                poisoned: false,
                touched_at: now,
                pieces: 0,
                creator: None,
            };
            assert!(db.take_insert(row, 9, clock).await.expect("a row"));
            self.append(&request, &take, 0).await;
            self.append(&request, &take, 5).await;
            (request, take)
        }

        async fn append(&self, request: &RequestId, take: &TakeId, at: i64) {
            let Stores { db, blobs, clock } = &self.live;
            let key = ObjectKey::random(request, take);
            blobs.prepare_take(request, take).await.expect("a folder");
            let bytes = vec![Bytes::from_static(b"bytes")];
            blobs.put(&key, bytes).await.expect("an object");
            let claim = db.take_claim(request, take, Some(at), None, clock).await;
            let addition = Addition {
                from: at,
                chunks: vec![Chunk {
                    take_id: take.clone(),
                    start: at,
                    length: 5,
                    object: key.as_str().to_owned(),
                }],
                complete: false,
                since: Some(Stopwatch::start()),
                length: None,
                container: None,
            };
            let claim = claim.expect("rows").expect("a take that stands there");
            assert!(db.take_commit(&claim, addition, clock).await.expect("rows"));
        }

        /// Takes a backup during which this happens; its rows.
        async fn backup_during(
            &self,
            happening: impl Future,
        ) -> Result<(Db, Manifest), BackupError> {
            let dir = self.root.path().join("backup");
            fs::create_dir(&dir).expect("a folder");
            let rows = copy_rows(&self.live.db, &dir).await?;
            happening.await;
            let manifest = copy_objects(&self.live, rows, 0, &dir).await?;
            let rows = Db::open_sqlite(&dir.join(ROWS)).await?;
            Ok((rows, manifest))
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_deleted_meanwhile_is_deleted_in_the_backup_whether_its_bytes_went_or_not() {
        let scene = Scene::new().await;
        let (stays, _) = scene.request().await;
        let (gone, take) = scene.request().await;
        let (going, _) = scene.request().await;
        let Stores { db, blobs, .. } = &scene.live;
        let happening = async {
            db.request_delete(gone.clone()).await.expect("rows");
            blobs.remove_request(&gone).await.expect("no objects");
            // Of this one the bytes are still there.
            db.request_delete(going.clone()).await.expect("rows");
        };
        let (rows, manifest) = scene.backup_during(happening).await.expect("a backup");
        for id in [&gone, &going] {
            let row = rows.request_get(id).await.expect("rows").expect("a row");
            assert_eq!(row.state, RequestState::Deleted);
            assert!(row.prompt.is_none() && row.bytes_gone);
            assert!(rows.takes_of(id).await.expect("rows").is_empty());
        }
        assert!(rows.take_get(&gone, &take).await.expect("rows").is_none());
        let stays = rows.request_get(&stays).await.expect("rows");
        assert_eq!(
            stays.expect("a row").state,
            RequestState::AwaitingSubmission
        );
        assert_eq!(
            (manifest.requests, manifest.objects, manifest.bytes),
            (1, 2, 10)
        );
        assert!(rows.manifests_broken().await.expect("rows").is_empty());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_take_that_is_discarded_meanwhile_leaves_its_request_without_it() {
        let scene = Scene::new().await;
        let (request, take) = scene.request().await;
        let Stores { db, blobs, clock } = &scene.live;
        let happening = async {
            assert!(db.take_delete(&request, &take, clock).await.expect("rows"));
            blobs
                .remove_take(&request, &take)
                .await
                .expect("no objects");
        };
        let (rows, manifest) = scene.backup_during(happening).await.expect("a backup");
        let row = rows
            .request_get(&request)
            .await
            .expect("rows")
            .expect("a row");
        assert_eq!(row.state, RequestState::AwaitingSubmission);
        assert!(rows.takes_of(&request).await.expect("rows").is_empty());
        assert_eq!((manifest.requests, manifest.objects), (1, 0));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_expiry_that_was_seen_meanwhile_stands_though_the_clock_steps_back() {
        let scene = Scene::new().await;
        let (request, _) = scene.request().await;
        let Stores { db, clock, .. } = &scene.live;
        let happening = async {
            clock.advance(1000);
            assert!(
                db.request_expire(request.clone(), clock)
                    .await
                    .expect("rows")
            );
            clock.advance(-1000);
        };
        let (rows, manifest) = scene.backup_during(happening).await.expect("a backup");
        let row = rows
            .request_get(&request)
            .await
            .expect("rows")
            .expect("a row");
        assert_eq!(row.state, RequestState::Expired);
        assert_eq!((manifest.requests, manifest.objects), (0, 0));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_grows_meanwhile_is_in_the_backup_as_it_was() {
        let scene = Scene::new().await;
        let (request, take) = scene.request().await;
        let happening = scene.append(&request, &take, 10);
        let (rows, manifest) = scene.backup_during(happening).await.expect("a backup");
        let take = rows.take_get(&request, &take).await.expect("rows");
        assert_eq!(take.expect("a take").committed, 10);
        assert_eq!(manifest.objects, 2);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_object_that_is_missing_without_a_reason_is_no_matter_of_course() {
        let scene = Scene::new().await;
        let (request, take) = scene.request().await;
        let happening = scene.live.blobs.remove_take(&request, &take);
        let refused = scene.backup_during(happening).await;
        assert!(matches!(refused.map(drop), Err(BackupError::Damaged)));
    }
}
