//! Deep check: reads every sealed video, and compares it with the digests of its seal. One whose bytes have changed is
//! marked, so that servers report the damage instead of serving it; one that is intact again loses its mark.

use std::ops::Range;
use std::pin::pin;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt, TryStreamExt};
use sha2::{Digest, Sha256};

use super::super::Error;
use super::{BATCH, CheckReport, Finding, MAX_UNREADABLE};
use crate::blobs::{BlobError, Blobs, ObjectPart};
use crate::clock::Clock;
use crate::db::{Db, Seal};
use crate::id::RequestId;
use crate::service::videos::extents::Extents;

/// What a sealed video was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Intact,
    /// All bytes are there, and have another digest.
    Changed,
    /// An object is missing or too short, or a row.
    Incomplete,
}

/// Adds videos to the report, intact or damaged.
///
/// Those whose rows are deleted meanwhile aren't counted. What is wrong with a video is reported even if its mark can't be
/// written; the error of that is returned after all videos are read.
pub(super) async fn compare(
    db: &Db,
    blobs: &Blobs,
    clock: &Clock,
    report: &mut CheckReport,
) -> Result<(), Error> {
    let (mut after, mut unreadable, mut marked) = (String::new(), 0, Ok(()));
    loop {
        let batch = db.seals_after(&after, BATCH).await?;
        let Some((last, _)) = batch.last() else {
            return Ok(marked?);
        };
        after = last.take_id.to_string();
        for (seal, request) in &batch {
            let found = confirmed(async || condition(db, blobs, request, seal).await).await;
            let take = &seal.take_id;
            let Some((_, _, mark)) = db.take_and_seal(request, take).await? else {
                continue;
            };
            let fault = match found {
                Ok(Condition::Intact) => {
                    report.read += 1;
                    if mark.is_some() {
                        marked = marked.and(db.take_set_damage(take, None).await);
                    }
                    continue;
                }
                Ok(Condition::Changed) => {
                    if mark.is_none() {
                        let now = Some(clock.now());
                        marked = marked.and(db.take_set_damage(take, now).await);
                    }
                    Finding::Digest(request.clone())
                }
                // A server notices that by itself, and serves it again if the store has it again.
                Ok(Condition::Incomplete) => Finding::Digest(request.clone()),
                // The database can't be read.
                Err(Error::Blobs(BlobError::Manifest(error))) => {
                    return Err(BlobError::Manifest(error).into());
                }
                Err(Error::Blobs(_)) if unreadable < MAX_UNREADABLE => {
                    unreadable += 1;
                    Finding::UnreadableVideo(request.clone())
                }
                Err(error) => return Err(error),
            };
            report.faults.push(fault);
        }
    }
}

/// Looks again before a video counts as changed: something else than the disk may have changed it on its way, and a mark
/// lasts.
async fn confirmed(look: impl AsyncFn() -> Result<Condition, Error>) -> Result<Condition, Error> {
    match look().await {
        Ok(Condition::Changed) => look().await,
        found => found,
    }
}

async fn condition(
    db: &Db,
    blobs: &Blobs,
    request: &RequestId,
    seal: &Seal,
) -> Result<Condition, Error> {
    let Some(take) = db.take_get(request, &seal.take_id).await? else {
        return Ok(Condition::Incomplete);
    };
    let base = seal.index_length;
    let layout = Extents::of_video(db, &take.id, Some(seal));
    let served = 0..base + seal.recording_length;
    let whole = 0..base + take.committed;
    let came = base..whole.end;
    for (range, sealed) in [
        (served, &seal.served_sha256),
        (came, &seal.recording_sha256),
    ] {
        match digest(blobs, &layout, range, whole.clone()).await {
            Ok(Some(digest)) if digest == *sealed => {}
            Ok(Some(_)) | Err(Error::Blobs(BlobError::Changed)) => return Ok(Condition::Changed),
            Ok(None) => return Ok(Condition::Incomplete),
            Err(error) => return Err(error),
        }
    }
    Ok(Condition::Intact)
}

/// SHA-256 of a range of `whole`. `None`: part of `whole` is missing.
async fn digest(
    blobs: &Blobs,
    layout: &Extents,
    range: Range<u64>,
    whole: Range<u64>,
) -> Result<Option<Vec<u8>>, Error> {
    let length = range.end - range.start;
    let read = || layout.clone().read(blobs, range.clone());
    let parts = layout.clone().parts(whole);
    digest_again(length, read, async || all_is_there(blobs, parts).await).await
}

/// Computes a digest, with one retry, since a disk or a network may have a transient failure.
///
/// If the retry fails although all objects are there, the content is unknown, and that is an error.
async fn digest_again(
    length: u64,
    read: impl Fn() -> BoxStream<'static, Result<Bytes, BlobError>>,
    all_is_there: impl AsyncFnOnce() -> Result<bool, Error>,
) -> Result<Option<Vec<u8>>, Error> {
    let mut found = digest_once(length, read()).await;
    if found.is_err() {
        found = digest_once(length, read()).await;
    }
    match found {
        Err(Error::Blobs(_)) if !all_is_there().await? => Ok(None),
        found => found,
    }
}

async fn digest_once(
    length: u64,
    mut pieces: BoxStream<'static, Result<Bytes, BlobError>>,
) -> Result<Option<Vec<u8>>, Error> {
    let mut digest = Sha256::new();
    let mut left = length;
    while let Some(piece) = pieces.next().await {
        let piece = piece?;
        left = left.saturating_sub(piece.len() as u64);
        digest = tokio::task::spawn_blocking(move || digest.chain_update(&piece)).await?;
    }
    Ok((left == 0).then(|| digest.finalize().to_vec()))
}

/// Whether all objects exist with the expected length. The parts must be whole objects.
async fn all_is_there(
    blobs: &Blobs,
    parts: impl Stream<Item = Result<ObjectPart, BlobError>>,
) -> Result<bool, Error> {
    let mut parts = pin!(parts);
    loop {
        match parts.try_next().await {
            Ok(None) => return Ok(true),
            Ok(Some(ObjectPart { key, range, .. })) => {
                if blobs.length(&key).await? != Some(range.end) {
                    return Ok(false);
                }
            }
            Err(BlobError::Gap) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures_util::stream;

    use super::*;

    #[tokio::test]
    async fn a_video_counts_as_changed_only_after_two_readings() {
        use Condition::{Changed, Incomplete, Intact};
        for (first, second, want) in [
            (Changed, Some(Changed), Changed),
            (Changed, Some(Intact), Intact),
            (Changed, Some(Incomplete), Incomplete),
            (Intact, None, Intact),
            (Incomplete, None, Incomplete),
        ] {
            let next = Cell::new(Some(first));
            let look = async || Ok(next.replace(second).expect("no further look"));
            assert_eq!(confirmed(look).await.ok(), Some(want));
        }
    }

    #[tokio::test]
    async fn an_unreadable_video_is_read_again_and_is_not_reported_as_changed() {
        let bytes = || vec![Ok(Bytes::from_static(b"bytes"))];
        let failure = || vec![Ok(Bytes::from_static(b"by")), Err(BlobError::Other)];
        let sum = Sha256::digest(b"bytes").to_vec();
        for (first, second, all_is_there, want) in [
            (bytes(), failure(), true, Some(Some(sum.clone()))),
            (failure(), bytes(), true, Some(Some(sum))),
            (failure(), failure(), true, None),
            (failure(), failure(), false, Some(None)),
            (vec![], bytes(), true, Some(None)),
        ] {
            let readings = Cell::new(vec![second, first]);
            let read = || {
                let mut left = readings.take();
                let next = left.pop().expect("at most two");
                readings.set(left);
                stream::iter(next).boxed()
            };
            let found = digest_again(5, read, async || Ok(all_is_there)).await;
            assert_eq!(found.ok(), want);
        }
    }
}
