//! Compaction on a real database and folder, up to the transaction.
//!
//! More than 300 lines, of which a third creates a leased take of many chunks.

use bytes::Bytes;
use futures_util::StreamExt;
use tempfile::TempDir;

use super::*;
use crate::clock::Millis;
use crate::db::{Addition, Queue, Request, RequestState, Take, TakeInsertion};
use crate::id::AccessToken;
use crate::service::sealing::LEASE;
use crate::service::videos::extents::Extents;
use crate::service::workers::orphan_gc;

/// Number of chunks, each of which is two bytes long.
const CHUNKS: u64 = 100;

/// A complete take of many chunks, whose sealing is leased.
struct Scene {
    db: Db,
    blobs: Blobs,
    clock: Clock,
    lease: Lease,
    request: RequestId,
    take: TakeId,
    _root: TempDir,
}

impl Scene {
    async fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let db = Db::open_sqlite(&root.path().join("vidence.db")).await;
        let db = db.expect("a database");
        let blobs = Blobs::open_local(&root.path().join("blobs")).expect("a folder");
        let clock = Clock::manual();
        let (request, take) = (RequestId::random(), TakeId::random());
        insert_take(&db, &clock, &request, &take).await;
        blobs.prepare_take(&request, &take).await.expect("a folder");
        let mut chunks = Vec::new();
        for number in 0..CHUNKS {
            let key = ObjectKey::random(&request, &take);
            let bytes = vec![Bytes::from(content_of(number))];
            blobs.put(&key, bytes).await.expect("an object");
            chunks.push(Chunk {
                take_id: take.clone(),
                start: number * 2,
                length: 2,
                object: key.as_str().to_owned(),
                committed_at: None,
                checksums: None,
            });
        }
        let claim = db.take_claim(&request, &take, Some(0), None, &clock).await;
        let addition = Addition {
            from: 0,
            chunks,
            complete: true,
            since: Some(Stopwatch::start()),
            length: None,
            container: None,
            first_byte_at: None,
        };
        let claim = claim.expect("rows").expect("an open take");
        assert!(
            db.take_commit(&claim, addition, &clock)
                .await
                .expect("rows")
        );
        let lease = db.lease_claim(Queue::Seal, &take, LEASE, &clock).await;
        Self {
            lease: lease.expect("rows").expect("a free lease"),
            db,
            blobs,
            clock,
            request,
            take,
            _root: root,
        }
    }

    fn replacement(&self) -> Replacement<'_> {
        Replacement {
            db: &self.db,
            blobs: &self.blobs,
            clock: &self.clock,
            lease: &self.lease,
            request: &self.request,
            take: &self.take,
        }
    }

    async fn rows(&self) -> Vec<Chunk> {
        let mut rows = Vec::new();
        while rows.len() < usize::try_from(CHUNKS).expect("few") {
            let at = rows.last().map_or(0, |it: &Chunk| it.start + it.length);
            let window = self.db.take_chunks(&self.take, at..u64::MAX).await;
            let window = window.expect("rows");
            if window.last().is_none_or(|it| it.start < at) {
                break;
            }
            rows.extend(window);
        }
        rows
    }

    /// Keys of all objects, sorted.
    async fn objects(&self) -> Vec<String> {
        let listed = self.blobs.list().map(|it| it.expect("a listing"));
        let mut keys: Vec<_> = listed.map(|it| it.key.as_str().to_owned()).collect().await;
        keys.sort();
        keys
    }

    async fn bytes(&self) -> Vec<u8> {
        let end = CHUNKS * 2;
        let pieces = Extents::of_recording(&self.db, &self.take).read(&self.blobs, 0..end);
        let append = async |mut all: Vec<u8>, piece: Bytes| {
            all.extend_from_slice(&piece);
            Ok(all)
        };
        pieces.try_fold(Vec::new(), append).await.expect("bytes")
    }

    async fn pieces(&self) -> u64 {
        let take = self.db.take_get(&self.request, &self.take).await;
        take.expect("rows").expect("a take").pieces
    }
}

fn content_of(number: u64) -> Vec<u8> {
    vec![u8::try_from(number).expect("few"), 0xff]
}

fn content(numbers: std::ops::Range<u64>) -> Vec<u8> {
    numbers.flat_map(content_of).collect()
}

async fn insert_take(db: &Db, clock: &Clock, request: &RequestId, take: &TakeId) {
    let now: Millis = clock.now();
    let row = Request {
        id: request.clone(),
        token_hash: AccessToken::random().hash(),
        prompt: Some(b"Show the dent.".to_vec()),
        state: RequestState::AwaitingSubmission,
        created_at: now,
        expires_at: now + 60 * 60 * 1000,
        video_id: None,
        take_id: None,
        purged: false,
        creator: None,
        taken_down_at: None,
        submitted_at: None,
        ticks: None,
    };
    db.request_insert(row, Vec::new(), clock)
        .await
        .expect("a row");
    let row = Take::begun(take.clone(), request.clone(), now);
    let inserted = db.take_insert(row, 9, None, clock).await.expect("a row");
    assert_eq!(inserted, TakeInsertion::Done { ended: None });
}

#[tokio::test(flavor = "multi_thread")]
async fn compaction_merges_chunks_and_keeps_the_bytes() {
    let scene = Scene::new().await;
    let old = scene.rows().await;
    assert_eq!(scene.bytes().await, content(0..CHUNKS));
    // A run in the middle, so that chunks remain before and after it.
    let run = &old[10..90];
    let replaced = scene.replacement().commit(run, content(10..90)).await;
    assert!(replaced.expect("a store"));
    assert_eq!(scene.pieces().await, 21);
    assert_eq!(scene.rows().await.len(), 21);
    assert_eq!(scene.bytes().await, content(0..CHUNKS));
    assert!(scene.db.broken_manifests().await.expect("rows").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_left_by_a_crash_are_found_as_orphans() {
    let scene = Scene::new().await;
    let old = scene.rows().await;
    let replaced = scene.replacement().commit(&old, content(0..CHUNKS)).await;
    assert!(replaced.expect("a store"));
    let named = scene.rows().await.remove(0).object;

    scene.clock.advance(60 * 60 * 1000);
    let found = orphan_gc::find(&scene.db, &scene.blobs, scene.clock.now());
    let mut found: Vec<_> = found
        .map_ok(|it| it.key.as_str().to_owned())
        .try_collect()
        .await
        .expect("a search");
    found.sort();
    let mut want: Vec<_> = old.iter().map(|it| it.object.clone()).collect();
    want.sort();
    assert_eq!(found, want);

    scene.replacement().remove(&old).await;
    assert_eq!(scene.objects().await, [named]);
    // Removing them a second time must not fail.
    scene.replacement().remove(&old).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replacement_that_is_refused_changes_no_row_and_leaves_no_object() {
    type Happening = for<'a> fn(&'a Scene) -> futures_util::future::BoxFuture<'a, ()>;
    let happenings: [(&str, Happening); 5] = [
        ("the lease is lost", |scene| {
            Box::pin(async {
                scene.clock.advance(LEASE);
                let next = scene
                    .db
                    .lease_claim(Queue::Seal, &scene.take, LEASE, &scene.clock);
                assert!(next.await.expect("rows").is_some());
            })
        }),
        ("the take is refused as no video", |scene| {
            Box::pin(async {
                let why = crate::db::Refusal::NoVideo;
                assert!(
                    scene
                        .db
                        .sealing_refuse(&scene.lease, why)
                        .await
                        .expect("rows")
                );
            })
        }),
        ("the request has expired", |scene| {
            Box::pin(async { scene.clock.advance(60 * 60 * 1000) })
        }),
        ("the request is deleted", |scene| {
            Box::pin(async {
                scene
                    .db
                    .request_delete(scene.request.clone())
                    .await
                    .expect("rows");
            })
        }),
        ("the take is discarded", |scene| {
            Box::pin(async {
                let deleted =
                    scene
                        .db
                        .take_delete_by_link(&scene.request, &scene.take, &scene.clock);
                assert!(deleted.await.expect("rows"));
            })
        }),
    ];
    for (what, happen) in happenings {
        let scene = Scene::new().await;
        let old = scene.rows().await;
        happen(&scene).await;
        let (rows, objects) = (scene.rows().await, scene.objects().await);
        let replaced = scene.replacement().commit(&old, content(0..CHUNKS)).await;
        assert!(!replaced.expect("a store"), "{what}");
        assert!(scene.rows().await == rows, "{what}");
        assert_eq!(scene.objects().await, objects, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_chunks_than_those_that_were_read_are_never_replaced() {
    let scene = Scene::new().await;
    let old = scene.rows().await;
    let objects = scene.objects().await;
    let mut renamed = old.clone();
    renamed[50].object = ObjectKey::random(&scene.request, &scene.take)
        .as_str()
        .to_owned();
    let fewer = [&old[..50], &old[51..]].concat();
    for other in [renamed, fewer] {
        let replaced = scene.replacement().commit(&other, content(0..CHUNKS)).await;
        assert!(!replaced.expect("a store"));
        assert!(scene.rows().await == old);
        assert_eq!(scene.pieces().await, CHUNKS);
        assert_eq!(scene.objects().await, objects);
    }
}

#[test]
fn takes_of_few_or_large_chunks_are_left_alone() {
    let mebibyte = 1 << 20;
    for (pieces, length, want) in [
        (0, 0, false),
        (64, 64, false),
        (65, 65, true),
        (1 << 14, 1 << 20, true),
        (100, 100 * mebibyte, false),
        (100, 100 * SMALL, false),
        (100, 100 * SMALL - 1, true),
        (1024, 1024 * mebibyte, false),
        (1025, 1025 * mebibyte, true),
    ] {
        assert_eq!(is_worth_it(pieces, length), want, "{pieces} of {length}");
    }
}

#[test]
fn a_new_chunk_has_the_time_of_the_last_unless_one_is_unknown() {
    for (times, want) in [
        (&[Some(1), Some(3)][..], Some(3)),
        (&[Some(1), None], None),
        (&[None, Some(3)], None),
        (&[], None),
    ] {
        let chunks = times.iter().map(|committed_at| Chunk {
            take_id: TakeId::random(),
            start: 0,
            length: 1,
            object: String::new(),
            committed_at: *committed_at,
            checksums: None,
        });
        assert_eq!(last_committed_at(&chunks.collect::<Vec<_>>()), want);
    }
}

#[test]
fn a_run_ends_where_an_object_is_full() {
    let chunk = |length: u64| Chunk {
        take_id: TakeId::random(),
        start: 0,
        length,
        object: String::new(),
        committed_at: None,
        checksums: None,
    };
    let mut run = Run::at(5);
    assert!(
        run.takes(&chunk(LARGEST + 1)),
        "the first one, whatever it is"
    );
    run.push(chunk(LARGEST - 1));
    assert!(run.takes(&chunk(1)));
    assert!(!run.takes(&chunk(2)));
}

/// An older object without a row may be taken for an orphan and removed.
#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_was_begun_more_than_five_minutes_ago_is_never_named() {
    let minutes = |minutes: u64| Stopwatch::started(std::time::Duration::from_secs(60 * minutes));
    for (ago, want) in [(4, true), (6, false)] {
        let scene = Scene::new().await;
        let (request, take) = (RequestId::random(), TakeId::random());
        let (db, clock) = (&scene.db, &scene.clock);
        insert_take(db, clock, &request, &take).await;
        let claim = db.take_claim(&request, &take, Some(0), None, clock).await;
        let chunk = |take: &TakeId, request: &RequestId, length| Chunk {
            take_id: take.clone(),
            start: 0,
            length,
            object: ObjectKey::random(request, take).as_str().to_owned(),
            committed_at: None,
            checksums: None,
        };
        let addition = Addition {
            from: 0,
            chunks: vec![chunk(&take, &request, 2)],
            complete: false,
            since: Some(minutes(ago)),
            length: None,
            container: None,
            first_byte_at: None,
        };
        let claim = claim.expect("rows").expect("an open take");
        let committed = db.take_commit(&claim, addition, clock).await;
        assert_eq!(committed.expect("rows"), want, "{ago} minutes");

        let (old, new) = (scene.rows().await, chunk(&scene.take, &scene.request, 4));
        let (lease, request) = (&scene.lease, &scene.request);
        let replaced =
            db.chunks_replace(lease, request, old[..2].to_vec(), new, minutes(ago), clock);
        assert_eq!(replaced.await.expect("rows"), want, "{ago} minutes");
    }
}
