//! WebM and Matroska (RFC 9559): reads a recording as it goes by, and writes an index to go in front of it.
//!
//! What browsers record has neither a duration nor cues; nobody can seek in it. Nothing here changes or
//! copies the recording, and nothing here decodes pictures or sound.

mod block;
mod decimator;
#[cfg(test)]
mod doubled;
mod element;
mod index;
mod info;
mod opus;
#[cfg(test)]
mod parsed;
mod parser;
mod recording;
mod rules;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
mod timeline;
mod tracks;

use std::time::Duration;

use self::index::Parts;
use self::parser::Walk;
use crate::facts::{Facts, Missing, Sealed, Unplayable};

/// Reads a recording from its first byte to its last.
#[derive(Debug)]
pub struct Reader(Walk);

impl Reader {
    /// Before the first byte.
    pub fn new() -> Self {
        Self(Walk::new())
    }

    /// The next bytes, in order, cut anywhere. Whatever comes, it needs a few MiB at most.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.0.feed(bytes);
    }

    /// After the last byte. A file that is cut off is sealed up to where its last whole element ends.
    pub fn finish(self) -> Result<Sealed, Unplayable> {
        let broken_off = self.0.is_cut();
        let (recording, end, size) = self.0.finish();
        let (begin, over) = (recording.begin(), recording.end());
        let has_cues = recording.has_cues();
        let (Some(ebml), Some((tracks_body, tracks))) = (recording.ebml, recording.tracks) else {
            return Err(Unplayable::Unreadable);
        };
        let video = tracks.video.ok_or(Unplayable::NoVideo)?;
        let mut keyframes = recording.keyframes.into_vec();
        let (Some(clusters), false) = (recording.clusters, keyframes.is_empty()) else {
            return Err(Unplayable::NoFrame);
        };
        if video.encoded {
            // They are there, but can't be cut out as they are.
            keyframes.clear();
        }
        let first = Duration::from_nanos(begin);
        for keyframe in &mut keyframes {
            keyframe.at = keyframe.at.saturating_sub(first);
        }
        keyframes.sort_by_key(|keyframe| keyframe.at);
        let info = recording.info.unwrap_or_default();
        let seekable = !info.duration().is_zero() && has_cues && end == size;
        let index = if seekable {
            Vec::new()
        } else {
            let cues = recording.cues.into_vec();
            let parts = Parts {
                ebml: &ebml,
                // Players count from 0, not from the first frame: with anything less, Chromium can't seek to the end.
                info: &info.with_duration(over),
                tracks: &tracks_body,
                track: video.number,
                cues: &cues,
                clusters,
            };
            parts.index()
        };
        Ok(Sealed {
            facts: Facts {
                video: video.track,
                audio: tracks.audio,
                duration: Duration::from_nanos(over.saturating_sub(begin)),
                keyframes,
                pictures: Vec::new(),
                located: recording.located,
                end,
                missing: Missing::of(info.duration(), Duration::from_nanos(over), broken_off),
            },
            index,
        })
    }
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}
