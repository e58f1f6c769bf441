use bytes::Bytes;
use clap::Parser;
use tempfile::TempDir;

use super::*;
use crate::blobs::ObjectKey;
use crate::clock::Stopwatch;
use crate::config::Config;
use crate::db::{Addition, Chunk, Request, SealingState, Take, TakeInsertion, TakeState};
use crate::id::AccessToken;

/// A store in which things happen between the copy of the rows and that of the objects.
struct Scene {
    live: Stores,
    root: TempDir,
}

impl Scene {
    async fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let database = root.path().join("vidence.db");
        Self {
            live: Stores {
                db: Db::open_sqlite(&database).await.expect("a database"),
                blobs: Blobs::open_local(&root.path().join("blobs")).expect("a folder"),
                clock: Clock::manual(),
            },
            root,
        }
    }

    /// One that awaits a submission and has a take of two objects.
    async fn request(&self) -> (RequestId, TakeId) {
        let (request, take, now) = (RequestId::random(), TakeId::random(), self.live.clock.now());
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
        db.request_insert(row, Vec::new(), clock)
            .await
            .expect("a row");
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
            grown_at: now,
            pieces: 0,
            creator: None,
        };
        let inserted = db.take_insert(row, 9, None, clock).await.expect("a row");
        assert_eq!(inserted, TakeInsertion::Done { ended: None });
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

    async fn complete(&self, request: &RequestId, take: &TakeId, at: i64) {
        let Stores { db, clock, .. } = &self.live;
        let claim = db.take_claim(request, take, Some(at), None, clock).await;
        let addition = Addition {
            from: at,
            chunks: Vec::new(),
            complete: true,
            since: None,
            length: None,
            container: None,
        };
        let claim = claim.expect("rows").expect("a take that stands there");
        assert!(db.take_commit(&claim, addition, clock).await.expect("rows"));
    }

    /// Takes a backup as the command does, told to stop or not.
    async fn back_up(&self, dir: &Path, stop: &CancellationToken) -> Result<(), BackupError> {
        let root = self.root.path().as_os_str();
        let config = Config::parse_from(["vidence".as_ref(), "--data-dir".as_ref(), root]);
        take(&config.store, dir, stop).await.map(drop)
    }

    /// Takes a backup during which this happens; its rows.
    async fn backup_during(&self, happening: impl Future) -> Result<(Db, Manifest), BackupError> {
        let dir = self.root.path().join("backup");
        fs::create_dir(&dir).expect("a folder");
        let rows = copy_rows(&self.live.db, &dir).await?;
        happening.await;
        let stop = CancellationToken::new();
        let manifest = copy_objects(&self.live, rows, 0, &dir, &stop).await?;
        let rows = Db::open_sqlite(&dir.join(ROWS)).await?;
        Ok((rows, manifest))
    }
}

async fn row_of(rows: &Db, request: &RequestId) -> Request {
    let row = rows.request_get(request).await.expect("rows");
    row.expect("a row")
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
        let row = row_of(&rows, id).await;
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
    let row = row_of(&rows, &request).await;
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
    let row = row_of(&rows, &request).await;
    assert_eq!(row.state, RequestState::Expired);
    assert_eq!((manifest.requests, manifest.objects), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_had_expired_before_and_was_not_swept_yet_is_over_in_the_backup() {
    let scene = Scene::new().await;
    let (request, _) = scene.request().await;
    let Stores { db, clock, .. } = &scene.live;
    clock.advance(1000);
    let expired = db.request_expire(request.clone(), clock).await;
    assert!(expired.expect("rows"));
    let (rows, manifest) = scene.backup_during(async {}).await.expect("a backup");
    let row = row_of(&rows, &request).await;
    assert!(row.bytes_gone && row.prompt.is_none());
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

/// Open when the rows were copied, or complete: its sealing has made one object of two by the time of the objects.
#[tokio::test(flavor = "multi_thread")]
async fn a_take_whose_chunks_are_rewritten_meanwhile_is_in_the_backup_as_rewritten() {
    for complete_before in [false, true] {
        let scene = Scene::new().await;
        let (request, take) = scene.request().await;
        let Stores { db, blobs, clock } = &scene.live;
        if complete_before {
            scene.complete(&request, &take, 10).await;
        }
        let happening = async {
            if !complete_before {
                scene.append(&request, &take, 10).await;
                scene.complete(&request, &take, 15).await;
            }
            let old = manifest(db, &take).await.expect("rows");
            let work = SealingState::Due;
            let lease = db.sealing_claim(&take, work, 1000, clock).await;
            let lease = lease.expect("rows").expect("a free lease");
            let key = ObjectKey::random(&request, &take);
            let bytes = vec![Bytes::from_static(b"bytes"); old.len()];
            blobs.put(&key, bytes).await.expect("an object");
            let new = Chunk {
                take_id: take.clone(),
                start: 0,
                length: 5 * i64::try_from(old.len()).expect("few"),
                object: key.as_str().to_owned(),
            };
            let since = Stopwatch::start();
            let replaced = db.chunks_replace(&lease, &request, old.clone(), new, since, clock);
            assert!(replaced.await.expect("rows"));
            let keys = old.iter().map(|it| ObjectKey::from_manifest(&it.object));
            assert_eq!(blobs.remove_all(keys.collect()).await, 0);
        };
        let (rows, backup) = scene.backup_during(happening).await.expect("a backup");
        let copied = rows.take_get(&request, &take).await.expect("rows");
        let copied = copied.expect("a take");
        assert_eq!(copied.state == TakeState::Complete, complete_before);
        let length = if complete_before { 10 } else { 15 };
        assert_eq!((copied.committed, copied.pieces), (length, 1));
        assert!(rows.manifests_broken().await.expect("rows").is_empty());
        assert_eq!((backup.objects, backup.bytes), (1, length.unsigned_abs()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_is_missing_without_a_reason_is_no_matter_of_course() {
    let scene = Scene::new().await;
    let (request, take) = scene.request().await;
    let happening = scene.live.blobs.remove_take(&request, &take);
    let refused = scene.backup_during(happening).await;
    assert!(matches!(refused.map(drop), Err(BackupError::Damaged)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_down_meanwhile_is_taken_down_in_the_backup() {
    let scene = Scene::new().await;
    let (request, _) = scene.request().await;
    let Stores { db, clock, .. } = &scene.live;
    let happening = async {
        let id = request.clone();
        assert!(
            db.request_take_down(id, clock)
                .await
                .expect("rows")
                .is_some()
        );
    };
    let (rows, manifest) = scene.backup_during(happening).await.expect("a backup");
    let row = row_of(&rows, &request).await;
    assert_eq!(row.state, RequestState::Deleted);
    assert!(row.taken_down_at >= Some(clock.now()) && row.prompt.is_none());
    assert_eq!((manifest.requests, manifest.objects), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_interrupted_or_fails_leaves_nothing_and_the_next_one_may_begin() {
    let scene = Scene::new().await;
    let (request, take) = scene.request().await;
    let there = scene.root.path().join("there");
    fs::create_dir(&there).expect("a folder");
    let new = scene.root.path().join("above/new");
    let told = CancellationToken::new();
    told.cancel();
    for dir in [&there, &there, &new] {
        let refused = scene.back_up(dir, &told).await;
        assert!(matches!(refused, Err(BackupError::Interrupted)));
    }
    let removed = scene.live.blobs.remove_take(&request, &take).await;
    removed.expect("no objects");
    for dir in [&there, &there, &new] {
        let refused = scene.back_up(dir, &CancellationToken::new()).await;
        assert!(matches!(refused, Err(BackupError::Damaged)));
    }
    let left = fs::read_dir(there).expect("a folder");
    let left: Vec<_> = left.map(|it| it.expect("an entry").file_name()).collect();
    assert_eq!(left, ["lock"]);
    assert!(!scene.root.path().join("above").exists());
}
