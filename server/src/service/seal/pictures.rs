//! Stills of a sealed take: a few keyframes read, decoded elsewhere, and stored.

use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use tracing::info;

use super::super::{App, Error};
use super::super::{orphans, parts};
use super::{Job, LEASE};
use crate::blobs::ObjectKey;
use crate::clock::Stopwatch;
use crate::db::Still;
use crate::media::{Facts, Keyframe};
use crate::stills;

impl Job {
    /// Makes stills and stores them, or writes down why there are none. Whatever goes wrong with them, the
    /// video is not touched by it.
    pub(super) async fn make_stills(&self, facts: Facts) -> Result<(), Error> {
        let app = &self.app;
        // Never closed.
        let _turn = app.sealer.picturing.acquire().await.ok();
        let since = Stopwatch::start();
        let mut frames = Vec::new();
        for keyframe in stills::choose(&facts.keyframes) {
            if keyframe.bytes.end - keyframe.bytes.start <= stills::MOST_FRAME_BYTES as u64 {
                frames.push(self.frame(keyframe).await?);
            }
        }
        let made = stills::make(&app.decoders, &facts.video, frames).await;
        let (made, none) = match made {
            Ok(made) => (made, None),
            Err(why) => (Vec::new(), Some(why.to_string())),
        };
        let took = since.elapsed();
        info!(pictures = made.len(), none, ?took, "stills");
        self.store_stills(made, none).await
    }

    async fn frame(&self, keyframe: Keyframe) -> Result<(Duration, Vec<u8>), Error> {
        let parts = self.parts(keyframe.bytes.clone()).await?;
        let pieces = parts::read(&self.app.blobs, &parts, keyframe.bytes);
        let pieces: Vec<Bytes> = pieces.try_collect().await?;
        Ok((keyframe.at, pieces.concat()))
    }

    /// First the objects, then the rows that name them.
    async fn store_stills(
        &self,
        made: Vec<stills::Still>,
        none: Option<String>,
    ) -> Result<(), Error> {
        let app = &self.app;
        let _gate = app.gates.write(&self.request).await;
        // Behind the gate: whoever removes the take has removed its rows before, or waits.
        if !app.db.sealing_renew(&self.lease, LEASE, &app.clock).await? {
            return Ok(());
        }
        let since = Stopwatch::start();
        let mut rows: Vec<Still> = Vec::new();
        for still in made {
            let length = still.jpeg.len();
            match self.put(vec![still.jpeg.into()]).await {
                Ok(Some(key)) => rows.push(Still {
                    take_id: self.take.clone(),
                    at_ms: i64::try_from(still.at.as_millis()).unwrap_or(i64::MAX),
                    width: i64::from(still.width),
                    height: i64::from(still.height),
                    length: i64::try_from(length).unwrap_or(i64::MAX),
                    object: key.as_str().to_owned(),
                }),
                Ok(None) => {}
                Err(error) => {
                    discard(app, &rows).await;
                    return Err(error);
                }
            }
        }
        let db = &app.db;
        match db
            .stills_insert(&self.lease, rows.clone(), none, since)
            .await?
        {
            true => app.usage.add(rows.iter().map(|row| row.length).sum()),
            false => discard(app, &rows).await,
        }
        Ok(())
    }
}

async fn discard(app: &App, rows: &[Still]) {
    for row in rows {
        orphans::prevent(app, &ObjectKey::from_manifest(&row.object)).await;
    }
}
