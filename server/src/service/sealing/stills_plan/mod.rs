//! Which frames of a take are decoded for its illustrations.

mod picture_index;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use self::picture_index::{PictureIndex, are_larger_than};
use media::{Codec, CodedPicture, Keyframe, Summary, VideoTrack};
use stills::{FEW_CANDIDATES, Group, MAX_CANDIDATE_BYTES, MAX_CANDIDATE_PIXELS, MAX_STILLS};

/// Maximum length of a decoder configuration in bytes; valid ones are shorter.
const MAX_CONFIG_BYTES: usize = 16 << 10;

/// Up to when stills are chosen between keyframes.
struct Sparse {
    /// From so many keyframes on they are chosen among these alone.
    enough_keyframes: usize,
    /// The most pictures of the video.
    max_pictures: usize,
    /// The least bytes of each of them.
    bytes_each: u64,
}

/// Four minutes. The plan joins these pictures, as the decoders find their limits.
const SPARSE_IN_H26X: Sparse = Sparse {
    enough_keyframes: 12,
    max_pictures: 8192,
    bytes_each: 1,
};

/// A minute.
/// The plan lists each of these pictures twice, in some 35 bytes, and no quota counts it; and ffmpeg decodes a gap at
/// a time. Firefox writes a keyframe every seven seconds or so.
const SPARSE_IN_IVF: Sparse = Sparse {
    enough_keyframes: 6,
    max_pictures: 2048,
    bytes_each: 80,
};

/// What nothing decodes.
const NEVER_SPARSE: Sparse = Sparse {
    enough_keyframes: 0,
    ..SPARSE_IN_IVF
};

/// Frames to decode, which sealing chooses so that the recording isn't read again for the stills.
#[derive(Serialize, Deserialize)]
pub(super) struct StillsPlan {
    video: VideoTrack,
    /// Keyframes alone, for nodes of the previous release.
    keyframes: Vec<Keyframe>,
    /// As many as there are stills at most, spread evenly.
    #[serde(default)]
    groups: Vec<Group>,
    /// More, among which stills are chosen by what changes. Empty: `groups` are all that there are.
    #[serde(default)]
    candidates: Vec<Group>,
    /// All keyframes of the video, for pictures on demand: milliseconds, offset and length.
    #[serde(default)]
    index: Vec<(u64, u64, u64)>,
    /// All other pictures, too, for the same purpose, as far as they can be decoded.
    #[serde(default)]
    pictures: PictureIndex,
}

/// Where the pictures of a video lie in its recording.
/// It is a part of the stored plan, which outlives the stills.
#[derive(Deserialize)]
pub(in crate::service) struct VideoIndex {
    /// The video track.
    pub video: VideoTrack,
    #[serde(default)]
    index: Vec<(u64, u64, u64)>,
    #[serde(default)]
    pictures: PictureIndex,
}

impl VideoIndex {
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

    /// All pictures in decoding order. Empty: an earlier release has sealed the video, or it is very long.
    pub fn pictures(&self) -> Vec<CodedPicture> {
        self.pictures.pictures()
    }
}

impl StillsPlan {
    pub(super) fn of(summary: Summary) -> Self {
        let pixels = u64::from(summary.video.width) * u64::from(summary.video.height);
        let decodable = summary.video.config.len() <= MAX_CONFIG_BYTES;
        let has_runs = matches!(summary.video.codec, Codec::H264 | Codec::H265);
        let rare = match summary.video.codec {
            Codec::H264 | Codec::H265 => SPARSE_IN_H26X,
            Codec::Vp8 | Codec::Vp9 | Codec::Av1 => SPARSE_IN_IVF,
            Codec::Other => NEVER_SPARSE,
        };
        let are_few = summary.keyframes.len() < rare.enough_keyframes;
        let is_short = summary.pictures.len() <= rare.max_pictures;
        let are_large = are_larger_than(&summary.pictures, rare.bytes_each);
        let all = match is_short && are_large {
            true => summary.pictures.as_slice(),
            false => &[],
        };
        let between = if are_few { all } else { &[] };
        let beginning = stills::beginning(&summary.keyframes, all, pixels);
        let choose = |max: usize| -> Vec<Group> {
            let max = max.saturating_sub(moments(&beginning));
            let chosen = stills::choose(&summary.keyframes, between, pixels, max);
            let chosen = beginning.iter().cloned().chain(chosen);
            let small = chosen.filter(|it| decodable && it.is_small());
            match has_runs {
                true => small.map(Group::into_runs).collect(),
                false => small.collect(),
            }
        };
        let groups = choose(MAX_STILLS);
        let most = stills::max_candidates(summary.video.codec);
        let counts = [most, FEW_CANDIDATES].into_iter();
        let counts = counts.filter(|count| *count as u64 * pixels <= MAX_CANDIDATE_PIXELS);
        let candidates = counts.map(choose).find(|it| {
            moments(it) > moments(&groups)
                && it.iter().map(Group::length).sum::<u64>() <= MAX_CANDIDATE_BYTES
        });
        let all = summary.keyframes.iter().filter(|_| decodable);
        let index = all.filter_map(|it| {
            let at_ms = u64::try_from(it.at.as_millis()).ok()?;
            Some((at_ms, it.bytes.start, it.bytes.end - it.bytes.start))
        });
        Self {
            index: index.collect(),
            pictures: match decodable {
                true => PictureIndex::of(&summary.pictures),
                false => PictureIndex::default(),
            },
            keyframes: groups.iter().filter_map(Group::keyframe).collect(),
            groups,
            candidates: candidates.unwrap_or_default(),
            video: match decodable {
                true => summary.video,
                false => VideoTrack {
                    config: Vec::new(),
                    ..summary.video
                },
            },
        }
    }

    /// The video track.
    pub(super) fn video(&self) -> &VideoTrack {
        &self.video
    }

    /// Groups to decode, among whose moments stills are chosen.
    /// The previous release stored fewer, or keyframes alone.
    pub(super) fn candidates(self) -> Vec<Group> {
        match (self.candidates.is_empty(), self.groups.is_empty()) {
            (false, _) => self.candidates,
            (true, false) => self.groups,
            (true, true) => self.keyframes.into_iter().map(Group::from).collect(),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Numbers, strings and lists of them always serialize to JSON.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

fn moments(groups: &[Group]) -> usize {
    groups.iter().map(|it| it.moments.len()).sum()
}

#[cfg(test)]
mod tests;
