//! Reads every sealed video, and compares it with the digests that it had when it was sealed.

use std::ops::Range;

use futures_util::StreamExt;
use sha2::{Digest, Sha256};

use super::super::Error;
use super::super::parts::{self, Part};
use super::super::takes::bytes;
use super::{BATCH, Fault, Report};
use crate::blobs::{Blobs, ObjectKey};
use crate::db::{Db, Seal};
use crate::id::RequestId;

/// Adds the videos that are what they were, and those that aren't. Those whose rows go meanwhile are neither.
pub(super) async fn compare(db: &Db, blobs: &Blobs, report: &mut Report) -> Result<(), Error> {
    let mut after = String::new();
    loop {
        let batch = db.seals_after(&after, BATCH).await?;
        let Some((_, last)) = batch.last() else {
            return Ok(());
        };
        after = last.take_id.to_string();
        for (request, seal) in &batch {
            if is_as_sealed(db, blobs, request, seal).await? {
                report.read += 1;
            } else if db.seal_get(&seal.take_id).await?.is_some() {
                report.faults.push(Fault::Digest(request.clone()));
            }
        }
    }
}

/// `false`, too: something of it isn't there, or can't be read.
async fn is_as_sealed(
    db: &Db,
    blobs: &Blobs,
    request: &RequestId,
    seal: &Seal,
) -> Result<bool, Error> {
    let Some(take) = db.take_get(request, &seal.take_id).await? else {
        return Ok(false);
    };
    let base = bytes(seal.index_length);
    let index = seal.index_object.as_ref().map(|object| Part {
        object: ObjectKey::from_manifest(object),
        bytes: 0..base,
    });
    let chunks = db.take_chunks(&take.id, 0..take.committed).await?;
    let recording = chunks.iter().map(|chunk| Part::of(chunk, base));
    let parts: Vec<Part> = index.into_iter().chain(recording).collect();
    let served = 0..base + bytes(seal.recording_length);
    let came = base..base + bytes(take.committed);
    Ok(
        digest(blobs, &parts, served).await? == Some(seal.served_sha256.clone())
            && digest(blobs, &parts, came).await? == Some(seal.recording_sha256.clone()),
    )
}

/// SHA-256 of a range. `None`: not all of it can be read. A store that is away is an error.
async fn digest(
    blobs: &Blobs,
    parts: &[Part],
    range: Range<u64>,
) -> Result<Option<Vec<u8>>, Error> {
    let mut digest = Sha256::new();
    let mut left = range.end - range.start;
    let mut pieces = parts::read(blobs, parts, range);
    while let Some(piece) = pieces.next().await {
        let Ok(piece) = piece else {
            for part in parts {
                blobs.length(&part.object).await?;
            }
            return Ok(None);
        };
        left = left.saturating_sub(piece.len() as u64);
        digest = tokio::task::spawn_blocking(move || digest.chain_update(&piece)).await?;
    }
    Ok((left == 0).then(|| digest.finalize().to_vec()))
}
