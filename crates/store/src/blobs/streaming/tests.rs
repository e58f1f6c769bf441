//! Streams of many objects, from a folder and from a bucket.
//!
//! A little more than 300 lines, because all tests share the stores and objects.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use futures_util::{StreamExt, TryStreamExt};
use test_support::stores::bucket::Bucket;

use super::cut::MAX_PARTS;
use super::pace::{LARGE, MAX_LARGE, PROVEN, PieceReservation, SMALL};
use super::*;
use crate::blobs::checksums::BLOCK;
use crate::blobs::{Blobs, BucketLocation, Checksums, KnownObject, ObjectKey};
use crate::id::{RequestId, TakeId};

const LENGTH: usize = 3 * LARGE + 5;

/// A store, and the folder or service that it uses.
struct Store {
    blobs: Blobs,
    _backend: Box<dyn std::any::Any>,
}

fn folder() -> Store {
    let root = tempfile::tempdir().expect("a folder");
    Store {
        blobs: Blobs::open_local(root.path()).expect("a store"),
        _backend: Box::new(root),
    }
}

async fn bucket() -> Store {
    // Fails if another test of this process has installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let bucket = Bucket::start().await;
    let location = BucketLocation {
        bucket: "evidence".to_owned(),
        prefix: "videos".to_owned(),
    };
    let access = bucket.env().into_iter().collect();
    let blobs = Blobs::open_bucket(&location, &access).await;
    Store {
        blobs: blobs.expect("a bucket"),
        _backend: Box::new(bucket),
    }
}

async fn objects(blobs: &Blobs, count: u8, length: usize) -> Vec<ObjectPart> {
    let (request, take) = (RequestId::random(), TakeId::random());
    blobs.prepare_take(&request, &take).await.expect("a take");
    let mut parts = Vec::new();
    for byte in 0..count {
        let key = ObjectKey::random(&request, &take);
        let bytes = Bytes::from(vec![byte; length]);
        blobs.put(&key, vec![bytes]).await.expect("a put");
        let range = 1..length as u64 - 1;
        parts.push(ObjectPart {
            key,
            range,
            known: None,
        });
    }
    parts
}

/// The same parts, to be compared with what [`objects`] has written.
fn with_checksums(parts: Vec<ObjectPart>, length: usize) -> Vec<ObjectPart> {
    let known = |(byte, part)| {
        let checksums = Checksums::of(&[Bytes::from(vec![byte; length])]);
        let length = length as u64;
        ObjectPart {
            known: Some(KnownObject { length, checksums }),
            ..part
        }
    };
    (0..).zip(parts).map(known).collect()
}

fn queue(parts: Vec<ObjectPart>) -> PartStream {
    stream::iter(parts.into_iter().map(Ok)).boxed()
}

fn stream_of(blobs: &Blobs, parts: &[ObjectPart]) -> BoxStream<'static, Result<Bytes, BlobError>> {
    blobs.stream(queue(parts.to_vec()))
}

/// Copies all bytes: a client that keeps a piece may get no other.
async fn all(stream: impl Stream<Item = Result<Bytes, BlobError>>) -> Result<Vec<u8>, BlobError> {
    let append = async |mut all: Vec<u8>, piece: Bytes| {
        all.extend_from_slice(&piece);
        Ok(all)
    };
    stream.try_fold(Vec::new(), append).await
}

fn want(count: u8, length: usize) -> Vec<u8> {
    (0..count).flat_map(|byte| vec![byte; length - 2]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_come_in_their_order_and_end_where_they_should() {
    for store in [folder(), bucket().await] {
        for (count, length) in [(3, LENGTH), (200, 66), (3, 2), (5, BLOCK), (5, BLOCK + 2)] {
            let unknown = objects(&store.blobs, count, length).await;
            let known = with_checksums(unknown.clone(), length);
            for parts in [unknown, known] {
                let got = all(stream_of(&store.blobs, &parts)).await.expect("bytes");
                assert!(got == want(count, length), "{count} of {length}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_is_shorter_than_its_row_says_breaks_the_stream() {
    for store in [folder(), bucket().await] {
        let mut parts = objects(&store.blobs, 1, LENGTH).await;
        parts[0].range.end = LENGTH as u64 + 1;
        assert!(all(stream_of(&store.blobs, &parts)).await.is_err());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_have_changed_are_not_sent() {
    for store in [folder(), bucket().await] {
        let parts = objects(&store.blobs, 2, LENGTH).await;
        let mut parts = with_checksums(parts, LENGTH);
        let mut bytes = vec![1; LENGTH];
        let at = LENGTH - BLOCK;
        bytes[at] ^= 1;
        let changed = ObjectKey::random(&RequestId::random(), &TakeId::random());
        let (request, take) = changed.owner().expect("a take");
        store
            .blobs
            .prepare_take(&request, &take)
            .await
            .expect("a take");
        let written = store.blobs.put(&changed, vec![bytes.into()]).await;
        written.expect("a put");
        parts[1].key = changed;
        let mut got = Vec::new();
        let mut stream = stream_of(&store.blobs, &parts);
        let ended = loop {
            match stream.next().await.expect("bytes or an error") {
                Ok(piece) => got.extend_from_slice(&piece),
                Err(error) => break error,
            }
        };
        assert!(matches!(ended, BlobError::Changed), "{ended}");
        let before = &want(2, LENGTH)[..got.len()];
        assert!(
            got == before && got.len() <= LENGTH - 2 + at,
            "{}",
            got.len()
        );

        // Another block of the same object is as it was.
        parts[1].range = 1..BLOCK as u64 + 1;
        let got = all(stream_of(&store.blobs, &parts[1..])).await;
        assert_eq!(got.expect("bytes"), vec![1; BLOCK]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_is_gone_breaks_the_stream() {
    for store in [folder(), bucket().await] {
        let parts = objects(&store.blobs, 3, LENGTH).await;
        store.blobs.remove(&parts[1].key).await.expect("a removal");
        assert!(all(stream_of(&store.blobs, &parts)).await.is_err());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pieces_are_large_once_a_client_has_proven_fast() {
    // From a bucket a new client gets large pieces at once, because each piece costs a round trip.
    for (store, size) in [(folder(), SMALL), (bucket().await, LARGE)] {
        let parts = objects(&store.blobs, 8, LENGTH).await;
        let mut stream = stream_of(&store.blobs, &parts);
        let first = stream.next().await.expect("a piece").expect("bytes");
        assert_eq!(first.len(), size, "nothing is proven yet");
        drop(first);
        let mut sizes = Vec::new();
        while let Some(piece) = stream.next().await {
            sizes.push(piece.expect("bytes").len());
        }
        assert!(sizes.contains(&LARGE), "{sizes:?}");
    }
}

#[tokio::test]
async fn a_folder_gives_large_pieces_only_to_proven_clients() {
    let store = folder();
    let parts = objects(&store.blobs, 2, LENGTH).await;
    let mut stream = stream_of(&store.blobs, &parts);
    let mut taken = 0;
    loop {
        let piece = stream.next().await.expect("a piece").expect("bytes");
        if piece.len() > SMALL {
            break;
        }
        taken += piece.len();
    }
    assert!(taken >= PROVEN, "{taken}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_budget_gets_one_small_piece_at_a_time() {
    for store in [folder(), bucket().await] {
        let parts = objects(&store.blobs, 1, LENGTH).await;
        let budget = &store.blobs.streams;
        let others = take_all(budget);
        let mut stream = stream_of(&store.blobs, &parts);
        let mut got = Vec::new();
        while let Some(piece) = stream.next().await {
            let piece = piece.expect("bytes");
            assert!(piece.len() <= SMALL);
            // Pending, or the end of the stream.
            let next = futures_util::poll!(stream.next());
            let second = matches!(next, Poll::Ready(Some(_)));
            assert!(!second, "a second piece beside the first one");
            got.extend_from_slice(&piece);
            drop(piece);
        }
        assert!(got == want(1, LENGTH));
        drop(others);
        assert_eq!(store.blobs.stream_memory().used, 0);
    }
}

/// Takes the whole budget for large pieces.
fn take_all(budget: &Arc<StreamBudget>) -> Vec<PieceReservation> {
    let proven = Pace::proven(budget.clone());
    let all: Vec<_> = (0..MAX_LARGE)
        .map_while(|_| proven.try_reserve_ahead(0))
        .collect();
    assert_eq!(all.len(), MAX_LARGE);
    all
}

/// Fewer streams than in `bench streaming`, where they would take too long for a test.
const STALLED: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn stalled_streams_of_a_bucket_stay_within_half_of_the_budget() {
    let store = bucket().await;
    let parts = objects(&store.blobs, 2, 8 * LARGE).await;
    let mut stalled = Vec::new();
    for _ in 0..STALLED {
        let mut stream = stream_of(&store.blobs, &parts);
        // The bytes that sockets buffer when the client reads nothing.
        let mut in_sockets = 0;
        while in_sockets < 4 * SMALL {
            in_sockets += stream.next().await.expect("a piece").expect("bytes").len();
        }
        let held = stream.next().await.expect("a piece").expect("bytes");
        stalled.push((stream, held));
    }
    let held: usize = stalled.iter().map(|(_, piece)| piece.len()).sum();
    let memory = store.blobs.stream_memory();
    assert!(memory.used <= memory.limit / 2, "{memory:?}");
    assert!(
        held <= STALLED * SMALL + memory.used,
        "{held} and {memory:?}"
    );

    let got = all(stream_of(&store.blobs, &parts)).await.expect("bytes");
    assert!(got == want(2, 8 * LARGE), "another stream gets through");
    drop(stalled);
    // Aborted reads release their memory when their tasks have ended.
    while store.blobs.stream_memory().used > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_reads_ahead_for_a_fast_client() {
    let store = bucket().await;
    let parts = objects(&store.blobs, 2, 20 * LARGE).await;
    let budget = store.blobs.streams.clone();
    let pace = Pace::proven(budget);
    let source = Source::S3(store.blobs.clone());
    let mut reading = ReadAhead::new(source, pace, queue(parts));
    let first = reading.next().await.expect("bytes").expect("a piece");
    assert_eq!(first.bytes.len(), LARGE);
    assert_eq!(reading.begun.len(), READ_AHEAD - 1);
    drop((first, reading));
    // Aborted reads release their memory when their tasks have ended.
    while store.blobs.stream_memory().used > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn tiny_objects_are_read_only_until_a_piece_is_full() {
    let store = folder();
    let (request, take) = (RequestId::random(), TakeId::random());
    store
        .blobs
        .prepare_take(&request, &take)
        .await
        .expect("a take");
    let key = ObjectKey::random(&request, &take);
    let bytes = vec![Bytes::from_static(b"x")];
    store.blobs.put(&key, bytes).await.expect("a put");
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let endless = stream::repeat_with(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(ObjectPart {
            key: key.clone(),
            range: 0..1,
            known: None,
        })
    });
    let mut stream = pin!(store.blobs.stream(endless));
    for pieces in 1..4 {
        let piece = stream.next().await.expect("a piece").expect("bytes");
        assert_eq!(piece.len(), MAX_PARTS);
        assert_eq!(asked.load(Ordering::Relaxed), pieces * MAX_PARTS);
    }
}
