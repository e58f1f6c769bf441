//! Stills of a sealed take: reads the chosen frames, has them decoded, and stores the JPEGs.

use std::time::Duration;

use futures_util::TryStreamExt;
use metrics::counter;
use serde::{Deserialize, Serialize};
use tracing::{info, warn};

use super::super::{AppState, Error};
use super::Job;
use crate::blobs::ObjectKey;
use crate::clock::Stopwatch;
use crate::db::{SealingState, Still};
use crate::service::quota::storage::reserve;
use crate::service::quota::storage_usage::PendingObject;
use crate::service::removal::remove_unnamed;
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::{SEALING_GIVEN_UP, STILLS, WITHOUT_STILLS};
use media::{Keyframe, Summary, VideoTrack};
use stills::{self, CodedGroup, Group, NoStills};

/// Maximum length of a decoder configuration in bytes; valid ones are shorter.
const MOST_CONFIG_BYTES: usize = 16 << 10;

/// Frames to decode, which sealing chooses so that the recording isn't read again for the stills.
#[derive(Serialize, Deserialize)]
pub(super) struct StillsPlan {
    video: VideoTrack,
    /// Keyframes alone, for nodes of the previous release.
    keyframes: Vec<Keyframe>,
    #[serde(default)]
    groups: Vec<Group>,
    /// All keyframes of the video, for pictures on demand: milliseconds, offset and length.
    #[serde(default)]
    index: Vec<(u64, u64, u64)>,
}

/// Where the keyframes of a video lie in its recording. It is a part of the stored plan, which outlives the stills.
#[derive(Deserialize)]
pub(in crate::service) struct KeyframeIndex {
    /// The video track.
    pub video: VideoTrack,
    #[serde(default)]
    index: Vec<(u64, u64, u64)>,
}

impl KeyframeIndex {
    /// Reads a stored plan. `None`: it is unreadable.
    pub fn from_plan(plan: &[u8]) -> Option<Self> {
        serde_json::from_slice(plan).ok()
    }

    /// The keyframes that are small enough to be decoded, in presentation order.
    pub fn keyframes(&self) -> Vec<Keyframe> {
        let frames = self.index.iter().map(|(at_ms, start, length)| Keyframe {
            at: Duration::from_millis(*at_ms),
            bytes: *start..start.saturating_add(*length),
        });
        let small = frames.filter(|it| Group::from(it.clone()).is_small());
        small.collect()
    }
}

impl StillsPlan {
    pub(super) fn of(summary: Summary) -> Self {
        let pixels = u64::from(summary.video.width) * u64::from(summary.video.height);
        let decodable = summary.video.config.len() <= MOST_CONFIG_BYTES;
        let chosen = stills::choose(&summary.keyframes, &summary.pictures, pixels).into_iter();
        let groups: Vec<Group> = chosen.filter(|it| decodable && it.is_small()).collect();
        let all = summary.keyframes.iter().filter(|_| decodable);
        let index = all.filter_map(|it| {
            let at_ms = u64::try_from(it.at.as_millis()).ok()?;
            Some((at_ms, it.bytes.start, it.bytes.end - it.bytes.start))
        });
        Self {
            index: index.collect(),
            keyframes: groups.iter().filter_map(Group::keyframe).collect(),
            groups,
            video: match decodable {
                true => summary.video,
                false => VideoTrack {
                    config: Vec::new(),
                    ..summary.video
                },
            },
        }
    }

    /// Groups to decode. The previous release stored keyframes alone.
    fn groups(self) -> Vec<Group> {
        match self.groups.is_empty() {
            true => self.keyframes.into_iter().map(Group::from).collect(),
            false => self.groups,
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Numbers, strings and lists of them always serialize to JSON.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Job {
    /// Makes stills and stores them, or records why there are none. The video stays valid if this fails.
    pub(super) async fn make_stills(&self) -> Result<(), Error> {
        let begun = Stopwatch::start();
        let moments = serde_json::from_slice::<StillsPlan>(&self.lease.moments);
        let made = match moments {
            _ if self.has_failed_too_often() => {
                counter!(SEALING_GIVEN_UP, "work" => SealingState::StillsDue.work()).increment(1);
                Err("making them failed too often".to_owned())
            }
            Err(_) => Err("the plan of the stills is unreadable".to_owned()),
            Ok(moments) => {
                let mut coded = Vec::new();
                let video = moments.video.clone();
                // Another version may have chosen larger groups.
                for group in moments.groups().into_iter().filter(Group::is_small) {
                    coded.push(self.coded(group).await?);
                }
                let made = stills::make(&self.app.decoders, &video, coded).await;
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
            Err(why) => (Vec::new(), Some(why)),
        };
        let duration_ms = begun.elapsed_ms();
        info!(stills = made.len(), none, duration_ms, "made stills");
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
        let span = group.span();
        let mut all = Vec::new();
        let mut pieces = self.read(span.clone()).await?;
        while let Some(piece) = pieces.try_next().await? {
            all.extend_from_slice(&piece);
        }
        let place = |at: u64| usize::try_from(at - span.start).unwrap_or(usize::MAX);
        let parts = group.bytes.iter();
        let parts = parts.filter_map(|it| all.get(place(it.start)..place(it.end)));
        Ok(CodedGroup {
            bytes: parts.collect::<Vec<_>>().concat(),
            moments: group.moments,
        })
    }

    /// Stores the objects and then the rows that name them.
    ///
    /// `false`: the lease was lost, or the take is gone.
    async fn store_stills(
        &self,
        mut made: Vec<stills::Still>,
        mut none: Option<String>,
    ) -> Result<bool, Error> {
        let app = &self.app;
        let reserved = match reserve_all(app, &made).await {
            Err(Error::NoRoom) => {
                made.clear();
                none = Some("there is no room for them".to_owned());
                Vec::new()
            }
            reserved => reserved?,
        };
        let Some(_lock) = self.lock_removals().await? else {
            return Ok(false);
        };
        let since = Stopwatch::start();
        let mut rows: Vec<Still> = Vec::new();
        for still in made {
            let length = still.jpeg.len();
            match self.put(vec![still.jpeg.into()]).await {
                Ok(Some(key)) => rows.push(Still {
                    take_id: self.take.clone(),
                    at_ms: u64::try_from(still.at.as_millis()).unwrap_or(u64::MAX),
                    width: still.width,
                    height: still.height,
                    length: length as u64,
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
            .await
        {
            Ok(true) => {
                counter!(STILLS).increment(rows.len() as u64);
                counter!(WITHOUT_STILLS).increment(u64::from(rows.is_empty()));
                reserved.into_iter().for_each(PendingObject::commit);
                Ok(true)
            }
            Ok(false) => {
                discard(app, &rows).await;
                Ok(false)
            }
            Err(error) => {
                match error.changed_nothing() {
                    true => discard(app, &rows).await,
                    false => reserved.into_iter().for_each(PendingObject::commit),
                }
                Err(error.into())
            }
        }
    }
}

async fn reserve_all(app: &AppState, made: &[stills::Still]) -> Result<Vec<PendingObject>, Error> {
    let mut reserved = Vec::new();
    for still in made {
        reserved.push(reserve(app, None, still.jpeg.len() as u64).await?);
    }
    Ok(reserved)
}

async fn discard(app: &AppState, rows: &[Still]) {
    for row in rows {
        remove_unnamed(&app.blobs, &ObjectKey::from_manifest(&row.object)).await;
    }
}

#[cfg(test)]
mod tests;
