//! Sealing one take: two looks at its bytes, one object, one row.

use std::ops::Range;

use bytes::Bytes;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use tracing::info;

use super::super::Error;
use super::super::orphans;
use super::super::parts::{self, Part};
use super::super::takes::bytes;
use super::{Job, LEASE};
use crate::blobs::ObjectKey;
use crate::clock::Stopwatch;
use crate::db::{Refusal, Seal};
use crate::media::{Container, Facts, Reader, Rotation, Sealed, Unsealable};

impl From<Unsealable> for Refusal {
    fn from(why: Unsealable) -> Self {
        match why {
            Unsealable::Unreadable => Self::Unreadable,
            Unsealable::NoVideo => Self::NoVideo,
            Unsealable::NoFrame => Self::NoFrame,
        }
    }
}

impl Job {
    /// Seals the take, or writes down that it can't be. `None`: then, or when somebody else was first.
    pub(super) async fn seal(&self) -> Result<Option<Facts>, Error> {
        let since_complete = Stopwatch::start();
        let (sealed, recording) = self.read().await?;
        let Sealed { facts, index } = match sealed {
            Ok(sealed) => sealed,
            Err(why) => {
                info!(%why, "a take is no video");
                self.app.db.sealing_refuse(&self.lease, why.into()).await?;
                return Ok(None);
            }
        };
        let index = Bytes::from(index);
        let served = match index.is_empty() && facts.end == recording.length {
            true => recording.sha256,
            false => self.digest(&index, facts.end).await?,
        };
        let index_length = index.len();
        if !self.store(&facts, index, recording.sha256, served).await? {
            return Ok(None);
        }
        let (length, took) = (recording.length, since_complete.elapsed());
        info!(length, index_length, ?took, "sealed");
        Ok(Some(facts))
    }

    /// Reads the whole recording once.
    pub(super) async fn read(&self) -> Result<(Result<Sealed, Unsealable>, Recording), Error> {
        let (app, db) = (&self.app, &self.app.db);
        let take = db.take_get(&self.request, &self.take).await?;
        let take = take.ok_or(Error::NotFound)?;
        let length = bytes(take.committed);
        let mut recording = Recording {
            length,
            sha256: Sha256::digest([]).into(),
        };
        // Nothing was sent, or too little to tell.
        let Some(container) = take.container.as_deref() else {
            return Ok((Err(Unsealable::Unreadable), recording));
        };
        let container = Container::from_media_type(container).ok_or(Error::Corrupt)?;
        let parts = self.parts(0..length).await?;
        let mut pieces = parts::read(&app.blobs, &parts, 0..length);
        let mut look = (Reader::new(container), Sha256::new());
        while let Some(piece) = pieces.next().await {
            let piece = piece?;
            // Megabytes of hashing would hold up others on this thread.
            look = tokio::task::spawn_blocking(move || {
                let (mut reader, mut digest) = look;
                digest.update(&piece);
                reader.feed(&piece);
                (reader, digest)
            })
            .await?;
        }
        let (reader, digest) = look;
        recording.sha256 = digest.finalize().into();
        let sealed = tokio::task::spawn_blocking(move || reader.finish()).await?;
        Ok((sealed, recording))
    }

    /// The objects that hold `range` of the recording.
    pub(super) async fn parts(&self, range: Range<u64>) -> Result<Vec<Part>, Error> {
        let (from, to) = (i64::try_from(range.start), i64::try_from(range.end));
        let within = from.map_err(|_| Error::Corrupt)?..to.map_err(|_| Error::Corrupt)?;
        let chunks = self.app.db.take_chunks(&self.take, within).await?;
        let parts: Vec<Part> = chunks.iter().map(|chunk| Part::of(chunk, 0)).collect();
        match parts::cover(&parts, &range) {
            true => Ok(parts),
            false => Err(Error::Corrupt),
        }
    }

    /// SHA-256 of what is served: the index, then the recording up to `end`.
    async fn digest(&self, index: &Bytes, end: u64) -> Result<[u8; 32], Error> {
        let parts = self.parts(0..end).await?;
        let mut pieces = parts::read(&self.app.blobs, &parts, 0..end);
        let mut digest = Sha256::new_with_prefix(index);
        while let Some(piece) = pieces.next().await {
            let piece = piece?;
            digest = tokio::task::spawn_blocking(move || digest.chain_update(&piece)).await?;
        }
        Ok(digest.finalize().into())
    }

    /// First the index object, then the row that names it. `false`: somebody else was first, or the take
    /// is gone.
    async fn store(
        &self,
        facts: &Facts,
        index: Bytes,
        recording_sha256: [u8; 32],
        served_sha256: [u8; 32],
    ) -> Result<bool, Error> {
        let app = &self.app;
        let _gate = app.gates.write(&self.request).await;
        // Behind the gate: whoever removes the take has removed its rows before, or waits.
        if !app.db.sealing_renew(&self.lease, LEASE, &app.clock).await? {
            return Ok(false);
        }
        let since = Stopwatch::start();
        let object = self.put(vec![index.clone()]).await?;
        let (width, height) = upright(facts);
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let seal = Seal {
            take_id: self.take.clone(),
            sealed_at: app.clock.now(),
            index_object: object.as_ref().map(|key| key.as_str().to_owned()),
            index_length: whole(index.len() as u64),
            recording_length: whole(facts.end),
            recording_sha256: recording_sha256.to_vec(),
            served_sha256: served_sha256.to_vec(),
            duration_ms: i64::try_from(facts.duration.as_millis()).unwrap_or(i64::MAX),
            width: i64::from(width),
            height: i64::from(height),
            sound: facts.audio,
            located: facts.located,
        };
        let length = seal.index_length;
        let stored = app.db.seal_insert(&self.lease, seal, since).await?;
        match (stored, object) {
            (true, _) => app.usage.add(length),
            (false, Some(key)) => orphans::prevent(app, &key).await,
            (false, None) => {}
        }
        Ok(stored)
    }

    /// Writes an object beside the recording's own. Nothing gets none.
    pub(super) async fn put(&self, pieces: Vec<Bytes>) -> Result<Option<ObjectKey>, Error> {
        if pieces.iter().all(Bytes::is_empty) {
            return Ok(None);
        }
        let key = ObjectKey::random(&self.request, &self.take);
        match self.app.blobs.put(&key, pieces).await {
            Ok(()) => Ok(Some(key)),
            Err(error) => {
                orphans::prevent(&self.app, &key).await;
                Err(error.into())
            }
        }
    }
}

/// What was read.
pub(super) struct Recording {
    length: u64,
    sha256: [u8; 32],
}

fn upright(facts: &Facts) -> (u32, u32) {
    let video = &facts.video;
    match video.rotation {
        Rotation::None | Rotation::Half => (video.width, video.height),
        Rotation::Quarter | Rotation::ThreeQuarters => (video.height, video.width),
    }
}
