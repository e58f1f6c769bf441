//! Sealing of one take: two reads of its bytes, one index object, one row.

use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use metrics::counter;
use sha2::{Digest, Sha256};
use tracing::{error, info, warn};

use super::super::Error;
use super::Job;
use super::arrival::{Arrivals, Span, TimedReader, came_live};
use super::stills_plan::StillsPlan;
use crate::blobs::{BlobError, Checksums, ObjectKey};
use crate::clock::Stopwatch;
use crate::db::{CapturedAs, Coding, Queue, Refusal, Seal, Take};
use crate::service::quota::storage::reserve;
use crate::service::quota::storage_usage::PendingObject;
use crate::service::removal::{remove_take_if_gone, remove_unnamed};
use crate::service::videos::extents::Extents;
use crate::telemetry::names::{SEALING_GIVEN_UP, SEALING_REFUSED};
use media::{Container, Reader, Rotation, Sealed, Summary, Truncation, Unplayable};

/// Version of the way in which indexes are made; part of the entity tag.
const INDEX_VERSION: i64 = 1;

/// Why a take is refused, as it is stored.
fn refusal_of(why: Unplayable) -> Refusal {
    match why {
        Unplayable::Unreadable => Refusal::Unreadable,
        Unplayable::NoVideo => Refusal::NoVideo,
        Unplayable::NoFrame => Refusal::NoFrame,
    }
}

/// Result of reading a recording.
struct ScannedTake {
    sealed: Result<Sealed, Unplayable>,
    length: u64,
    sha256: [u8; 32],
    /// The moments of the recording that each chunk holds, if the times of the chunks are known.
    spans: Vec<Span>,
}

/// Result of sealing, to be stored.
struct Outcome {
    summary: Summary,
    index: Bytes,
    recording_sha256: [u8; 32],
    served_sha256: [u8; 32],
    live: Option<bool>,
}

impl Job {
    /// Seals the take, or records why it can't be sealed.
    pub(super) async fn seal(&self) -> Result<(), Error> {
        let begun = Stopwatch::start();
        if self.has_failed_too_often() {
            counter!(SEALING_GIVEN_UP, "work" => Queue::Seal.work()).increment(1);
            error!(tries = self.lease.tries, "gave up sealing take");
            return self.refuse(Refusal::Unreadable).await;
        }
        let take = self.app.db.take_get(&self.request, &self.take).await?;
        let take = take.ok_or(Error::NotFound)?;
        let arrivals = self.load_arrivals().await?;
        self.compact(&take, arrivals.as_ref()).await;
        let scan = self.scan(&take, arrivals.as_ref()).await?;
        let Sealed { summary, mut index } = match scan.sealed {
            Ok(sealed) => sealed,
            Err(why) => {
                info!(%why, "refused take");
                let why = refusal_of(why);
                counter!(SEALING_REFUSED, "reason" => why.as_str()).increment(1);
                return self.refuse(why).await;
            }
        };
        if index.len() as u64 > max_index_bytes(scan.length) {
            let bytes = scan.length;
            warn!(index_bytes = index.len(), bytes, "dropped oversized index");
            index.clear();
        }
        let index = Bytes::from(index);
        let outcome = Outcome {
            served_sha256: match index.is_empty() && summary.end == scan.length {
                true => scan.sha256,
                false => self.digest(&index, summary.end).await?,
            },
            recording_sha256: scan.sha256,
            live: is_live(&take, arrivals.as_ref(), &scan.spans, summary.duration),
            summary,
            index,
        };
        let index_bytes = outcome.index.len();
        let job = self.clone();
        // Runs to completion, because a write that outlives the removal lock would be missed by a removal.
        let stored = async move {
            let stored = job.store(outcome).await;
            job.clean_up(stored).await
        };
        if self.app.spawn_to_completion(stored).await? {
            let (bytes, duration_ms) = (scan.length, begun.elapsed_ms());
            info!(bytes, index_bytes, duration_ms, "sealed take");
        }
        Ok(())
    }

    async fn refuse(&self, why: Refusal) -> Result<(), Error> {
        self.app.db.sealing_refuse(&self.lease, why).await?;
        Ok(())
    }

    /// When the bytes came, as the rows say, or as an earlier attempt has stored it. `None`: unknown.
    async fn load_arrivals(&self) -> Result<Option<Arrivals>, Error> {
        match &self.lease.arrivals {
            Some(stored) => Ok(Arrivals::from_bytes(stored)),
            None => Ok(Arrivals::of(self.app.db.take_arrivals(&self.take).await?)),
        }
    }

    /// Reads the whole recording once.
    async fn scan(&self, take: &Take, arrivals: Option<&Arrivals>) -> Result<ScannedTake, Error> {
        let length = take.committed;
        // The take is empty, or too short for its container to be recognised.
        let Some(container) = take.container.as_deref() else {
            return Ok(ScannedTake {
                sealed: Err(Unplayable::Unreadable),
                length,
                sha256: Sha256::digest([]).into(),
                spans: Vec::new(),
            });
        };
        let container = Container::from_media_type(container).ok_or(Error::Corrupt)?;
        let mut pieces = self.read(0..length).await?;
        let reader = TimedReader::new(Reader::new(container), arrivals);
        let mut scan = (reader, Sha256::new());
        while let Some(piece) = pieces.next().await {
            let piece = piece?;
            // Hashing megabytes would block other tasks on this thread.
            scan = tokio::task::spawn_blocking(move || {
                let (mut reader, mut digest) = scan;
                digest.update(&piece);
                reader.feed(&piece);
                (reader, digest)
            })
            .await?;
        }
        let (reader, digest) = scan;
        let (reader, spans) = reader.into_parts();
        Ok(ScannedTake {
            spans,
            sealed: tokio::task::spawn_blocking(move || reader.finish()).await?,
            length,
            sha256: digest.finalize().into(),
        })
    }

    /// Streams the bytes of `range` of the recording.
    pub(super) async fn read(
        &self,
        range: Range<u64>,
    ) -> Result<BoxStream<'static, Result<Bytes, BlobError>>, Error> {
        let layout = Extents::of_recording(&self.app.db, &self.take);
        layout.open(&self.app.blobs, range).await
    }

    /// SHA-256 of the video as it is served: the index, then the recording up to `end`.
    async fn digest(&self, index: &Bytes, end: u64) -> Result<[u8; 32], Error> {
        let mut pieces = self.read(0..end).await?;
        let mut digest = Sha256::new_with_prefix(index);
        while let Some(piece) = pieces.next().await {
            let piece = piece?;
            digest = tokio::task::spawn_blocking(move || digest.chain_update(&piece)).await?;
        }
        Ok(digest.finalize().into())
    }

    /// Stores the index object and then the row that names it.
    ///
    /// `false`: the lease was lost, or the take is gone.
    async fn store(&self, outcome: Outcome) -> Result<bool, Error> {
        let app = &self.app;
        let Outcome { summary, index, .. } = outcome;
        let pending = match index.len() as u64 {
            0 => None,
            length => Some(reserve(app, None, length).await?),
        };
        let Some(_lock) = self.lock_removals().await? else {
            return Ok(false);
        };
        let since = Stopwatch::start();
        let key = ObjectKey::random(&self.request, &self.take);
        let object = self.put(key, index.clone()).await?;
        let (width, height) = upright(&summary);
        let seal = Seal {
            take_id: self.take.clone(),
            sealed_at: app.clock.now(),
            version: INDEX_VERSION,
            index_object: object.as_ref().map(|key| key.as_str().to_owned()),
            index_length: index.len() as u64,
            recording_length: summary.end,
            recording_sha256: outcome.recording_sha256.to_vec(),
            served_sha256: outcome.served_sha256.to_vec(),
            duration_ms: millis(summary.duration),
            live: outcome.live,
            width,
            height,
            has_audio: summary.has_audio,
            has_location: summary.has_location,
            truncated: summary.truncation.is_some(),
            missing_ms: match summary.truncation {
                Some(Truncation::Time(missing)) => Some(millis(missing)),
                Some(Truncation::Unknown) | None => None,
            },
        };
        let coding = Coding {
            take_id: self.take.clone(),
            codec: summary.video.codec.name().map(str::to_owned),
            hdr: summary.is_hdr,
        };
        let moments = StillsPlan::of(summary).to_bytes();
        let checksums = object.as_ref().map(|_| Checksums::of(&[index]).to_row());
        let db = &app.db;
        let stored = db.seal_insert(&self.lease, seal, checksums, coding, moments, since);
        let stored = stored.await;
        let commit =
            |pending: Option<PendingObject>| pending.into_iter().for_each(PendingObject::commit);
        match (&stored, object) {
            (Ok(true), _) => commit(pending),
            (Ok(false), Some(key)) => remove_unnamed(&app.blobs, &key).await,
            // The row may have been written.
            (Err(error), _) if !error.changed_nothing() => commit(pending),
            _ => {}
        }
        Ok(stored?)
    }

    /// Removes the take's objects if its rows are gone. Call it after the removal lock was released.
    ///
    /// A write whose commit was refused may have come after the removal of all objects.
    pub(super) async fn clean_up(&self, stored: Result<bool, Error>) -> Result<bool, Error> {
        if !matches!(stored, Ok(true)) {
            remove_take_if_gone(&self.app, &self.request, &self.take).await;
        }
        stored
    }

    /// Writes an object under this key. `None`: there were no bytes, so there is no object.
    pub(super) async fn put(
        &self,
        key: ObjectKey,
        bytes: Bytes,
    ) -> Result<Option<ObjectKey>, Error> {
        if bytes.is_empty() {
            return Ok(None);
        }
        match self.app.blobs.put(&key, vec![bytes]).await {
            Ok(()) => Ok(Some(key)),
            Err(error) => {
                remove_unnamed(&self.app.blobs, &key).await;
                Err(error.into())
            }
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Whether a take came while it was being recorded.
/// `None`: unknown, as a release that noted no times wrote rows of it.
fn is_live(
    take: &Take,
    arrivals: Option<&Arrivals>,
    spans: &[Span],
    duration: Duration,
) -> Option<bool> {
    let marks = arrivals?.marks(spans, millis(duration));
    let is_recorded = take.captured_as? == CapturedAs::Recorded;
    Some(is_recorded && came_live(take.created_at, &marks))
}

/// Maximum length of an index. Usual ones are a few thousandths of the recording's length.
///
/// The constant part is for short recordings, whose headers are relatively long.
fn max_index_bytes(recording: u64) -> u64 {
    recording / 16 + (1 << 20)
}

fn upright(summary: &Summary) -> (u32, u32) {
    let video = &summary.video;
    match video.rotation {
        Rotation::None | Rotation::Half => (video.width, video.height),
        Rotation::Quarter | Rotation::ThreeQuarters => (video.height, video.width),
    }
}
