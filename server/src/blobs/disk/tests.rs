use std::task::Poll;

use futures_util::{StreamExt, TryStreamExt};

use super::*;
use crate::blobs::{Blobs, ObjectKey, Place as Kind};
use crate::id::{RequestId, TakeId};

const LENGTH: usize = 3 * LARGE + 5;

async fn objects(blobs: &Blobs, count: u8) -> Vec<ObjectPart> {
    let (request, take) = (RequestId::random(), TakeId::random());
    blobs.prepare_take(&request, &take).await.expect("a take");
    let mut parts = Vec::new();
    for byte in 0..count {
        let key = ObjectKey::random(&request, &take);
        let bytes = Bytes::from(vec![byte; LENGTH]);
        blobs.put(&key, vec![bytes]).await.expect("a put");
        let range = 1..LENGTH as u64 - 1;
        parts.push(ObjectPart { key, range });
    }
    parts
}

/// Copied: whoever keeps a piece may get no other.
async fn all(stream: impl Stream<Item = Result<Bytes, BlobError>>) -> Result<Vec<u8>, BlobError> {
    let append = async |mut all: Vec<u8>, piece: Bytes| {
        all.extend_from_slice(&piece);
        Ok(all)
    };
    stream.try_fold(Vec::new(), append).await
}

fn folder(blobs: &Blobs) -> &Arc<Folder> {
    let Kind::Folder(folder) = &blobs.place else {
        panic!("no folder");
    };
    folder
}

fn want(count: u8) -> Vec<u8> {
    (0..count).flat_map(|byte| vec![byte; LENGTH - 2]).collect()
}

#[tokio::test]
async fn parts_come_in_their_order_and_end_where_they_should() {
    let root = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::open_local(root.path()).expect("a store");
    let parts = objects(&blobs, 3).await;
    assert!(all(blobs.stream(parts)).await.expect("bytes") == want(3));
}

#[tokio::test]
async fn pieces_are_large_for_those_who_take_them_fast() {
    let root = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::open_local(root.path()).expect("a store");
    let parts = objects(&blobs, 2).await;
    let folder = folder(&blobs);
    let mut place = Place::new(folder.clone(), parts.clone());
    let first = place.next().await.expect("bytes").expect("a piece");
    assert_eq!(first.len(), SMALL, "nobody knows yet");
    drop(first);
    // Whoever is held up now and then proves it a little later.
    let mut proven = SMALL;
    while place.next().await.expect("bytes").expect("a piece").len() < LARGE {
        proven += SMALL;
    }
    assert!(proven >= PROVEN);
    let mut slow = place.room(SMALL).await;
    slow.since -= FAST;
    drop(slow);
    assert_eq!(place.held.fast.load(Ordering::Relaxed), 0);
    let mut place = Place::new(folder.clone(), parts);
    for (fast, want) in [
        (PROVEN, LARGE),
        (0, SMALL),
        (PROVEN - 1, SMALL),
        (PROVEN, LARGE),
    ] {
        place.held.fast.store(fast, Ordering::Relaxed);
        let piece = place.next().await.expect("bytes").expect("a piece");
        assert_eq!(piece.len(), want);
    }
}

#[test]
fn how_long_a_piece_is_held_for_its_length_tells_who_is_fast() {
    for (length, held, want) in [
        (LARGE, FAST, true),
        (LARGE, FAST * 2, false),
        (SMALL, FAST / 4, true),
        (SMALL, FAST / 2, false),
        (1, FAST / 4, true),
        (1, FAST / 2, false),
    ] {
        assert_eq!(is_fast(length, held), want, "{length} bytes for {held:?}");
    }
}

#[tokio::test]
async fn who_finds_no_memory_gets_on_by_one_small_piece_at_a_time() {
    let root = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::open_local(root.path()).expect("a store");
    let parts = objects(&blobs, 1).await;
    let folder = folder(&blobs);
    // Others hold all there is.
    let mut held = Vec::new();
    while held.len() < MOST_LARGE {
        let mut other = Place::new(folder.clone(), parts.clone());
        other.held.fast.store(PROVEN, Ordering::Relaxed);
        held.push(other.next().await.expect("bytes").expect("a piece"));
    }
    let mut stream = blobs.stream(parts);
    let mut got = Vec::new();
    while let Some(piece) = stream.next().await {
        let piece = piece.expect("bytes");
        assert!(piece.len() <= SMALL);
        // Pending, or the end.
        let next = futures_util::poll!(stream.next());
        let second = matches!(next, Poll::Ready(Some(_)));
        assert!(!second, "a second piece beside the first one");
        got.extend_from_slice(&piece);
        drop(piece);
    }
    assert!(got == want(1));
}

#[tokio::test]
async fn an_object_that_is_shorter_than_its_row_says_breaks_the_stream() {
    let root = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::open_local(root.path()).expect("a store");
    let mut parts = objects(&blobs, 1).await;
    parts[0].range.end = LENGTH as u64 + 1;
    assert!(all(blobs.stream(parts)).await.is_err());
}
