//! Illustrations of a sealed take: reads the planned frames, has them decoded, and stores stills and contact sheet.

use bytes::Bytes;
use futures_util::TryStreamExt;
use metrics::counter;
use tracing::{info, warn};

use super::super::Error;
use super::Job;
use super::stills_plan::StillsPlan;
use crate::blobs::ObjectKey;
use crate::clock::Stopwatch;
use crate::db::{ContactSheet, Illustrations, Queue, Still};
use crate::service::quota::storage::reserve;
use crate::service::quota::storage_usage::PendingObject;
use crate::service::removal::remove_unnamed;
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::{SEALING_GIVEN_UP, STILLS, WITHOUT_STILLS};
use stills::{CodedGroup, Group, NoStills};

impl Job {
    /// Makes stills and stores them, or records why there are none. The video stays valid if this fails.
    pub(super) async fn make_stills(&self) -> Result<(), Error> {
        let begun = Stopwatch::start();
        let plan = serde_json::from_slice::<StillsPlan>(&self.lease.moments);
        let made = match plan {
            _ if self.has_failed_too_often() => {
                counter!(SEALING_GIVEN_UP, "work" => Queue::Stills.work()).increment(1);
                Err("making them failed too often".to_owned())
            }
            Err(_) => Err("the plan of the stills is unreadable".to_owned()),
            Ok(plan) => {
                let mut coded = Vec::new();
                let video = plan.video().clone();
                let decodes_all = self.app.decoders.decode_all_pictures(video.codec);
                let is_decodable = |it: &Group| decodes_all || it.keyframe().is_some();
                // Another version may have chosen larger groups.
                let groups = plan.candidates().into_iter().filter(Group::is_small);
                for group in groups.filter(is_decodable) {
                    coded.push(self.coded(group).await?);
                }
                let made = stills::illustrate(&self.app.decoders, &video, coded).await;
                if let Err(error @ (NoStills::SpawnFailed(_) | NoStills::NoSandbox)) = &made {
                    warn!(error = error.as_dyn(), "decoder unavailable");
                }
                match made {
                    // The machine may be overloaded for now.
                    Err(NoStills::SpawnFailed(_) | NoStills::TimedOut) => {
                        return Err(Error::DecoderUnavailable);
                    }
                    made => made.map_err(|why| why.to_string()),
                }
            }
        };
        let (made, none) = match made {
            Ok(made) => (made, None),
            Err(why) => (stills::Illustrations::default(), Some(why)),
        };
        let duration_ms = begun.elapsed_ms();
        info!(stills = made.stills.len(), none, duration_ms, "made stills");
        let job = self.clone();
        // Runs to completion, because a write that outlives the removal lock would be missed by a removal.
        let stored = async move {
            let stored = job.store_stills(made, none).await;
            job.clean_up(stored).await
        };
        self.app.spawn_to_completion(stored).await.map(drop)
    }

    async fn coded(&self, group: Group) -> Result<CodedGroup, Error> {
        // Reads the span at once, with the audio that is interleaved.
        let mut all = Vec::new();
        let mut pieces = self.read(group.span()).await?;
        while let Some(piece) = pieces.try_next().await? {
            all.extend_from_slice(&piece);
        }
        Ok(group.cut(&all))
    }

    /// Stores the objects and then the rows that name them.
    ///
    /// `false`: the lease was lost, or the take is gone.
    async fn store_stills(
        &self,
        made: stills::Illustrations,
        mut none: Option<String>,
    ) -> Result<bool, Error> {
        let reserved = match self.reserve_all(&made).await {
            Ok(reserved) => Some(reserved),
            Err(Error::NoRoom) => {
                none = Some("there is no room for them".to_owned());
                None
            }
            Err(error) => return Err(error),
        };
        let Some(_lock) = self.lock_removals().await? else {
            return Ok(false);
        };
        let since = Stopwatch::start();
        let mut rows = Illustrations::default();
        if reserved.is_some()
            && let Err(error) = self.put_all(made, &mut rows).await
        {
            self.discard(&rows).await;
            return Err(error);
        }
        let count = rows.stills.len();
        let (lease, db) = (&self.lease, &self.app.db);
        let stored = db
            .illustrations_insert(lease, rows.clone(), none, since)
            .await;
        // After some errors the rows may have been written: then the objects stay.
        let is_nothing_stored = match &stored {
            Ok(stored) => !stored,
            Err(error) => error.changed_nothing(),
        };
        if is_nothing_stored {
            self.discard(&rows).await;
        } else {
            reserved
                .into_iter()
                .flatten()
                .for_each(PendingObject::commit);
        }
        let stored = stored?;
        counter!(STILLS).increment(if stored { count as u64 } else { 0 });
        counter!(WITHOUT_STILLS).increment(u64::from(stored && count == 0));
        Ok(stored)
    }

    /// Writes all objects, and notes the rows that are to name them.
    async fn put_all(
        &self,
        made: stills::Illustrations,
        rows: &mut Illustrations,
    ) -> Result<(), Error> {
        for still in made.stills {
            let length = still.jpeg.len() as u64;
            if let Some(object) = self.put_picture(still.jpeg.into()).await? {
                rows.stills.push(Still {
                    take_id: self.take.clone(),
                    at_ms: u64::try_from(still.at.as_millis()).unwrap_or(u64::MAX),
                    width: still.width,
                    height: still.height,
                    length,
                    object: object.as_str().to_owned(),
                });
            }
        }
        if let Some(sheet) = made.contact_sheet {
            let jpeg = Bytes::from(sheet.jpeg);
            let object = self.put_picture(jpeg.clone()).await?;
            rows.contact_sheet = object.map(|object| ContactSheet {
                take_id: self.take.clone(),
                width: sheet.width,
                height: sheet.height,
                moments: sheet.moments,
                length: jpeg.len() as u64,
                object: object.as_str().to_owned(),
            });
        }
        Ok(())
    }

    /// Writes a picture under a key with its digest: no seal has it, as the video's bytes have theirs.
    async fn put_picture(&self, jpeg: Bytes) -> Result<Option<ObjectKey>, Error> {
        let key = ObjectKey::with_digest(&self.request, &self.take, &jpeg);
        self.put(key, jpeg).await
    }

    async fn reserve_all(&self, made: &stills::Illustrations) -> Result<Vec<PendingObject>, Error> {
        let sheet = made.contact_sheet.iter().map(|it| it.jpeg.len());
        let mut reserved = Vec::new();
        for length in made.stills.iter().map(|it| it.jpeg.len()).chain(sheet) {
            reserved.push(reserve(&self.app, None, length as u64).await?);
        }
        Ok(reserved)
    }

    async fn discard(&self, rows: &Illustrations) {
        let sheet = rows.contact_sheet.iter().map(|it| &it.object);
        for object in rows.stills.iter().map(|it| &it.object).chain(sheet) {
            remove_unnamed(&self.app.blobs, &ObjectKey::from_manifest(object)).await;
        }
    }
}
