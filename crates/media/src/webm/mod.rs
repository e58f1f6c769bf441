//! Reads WebM and Matroska (RFC 9559) as they arrive, and writes the index that makes live recordings seekable.
//!
//! Browsers record without a duration and without Cues, so players can't seek. The index is served in front of the
//! recording, which is neither changed nor copied. Not here: decoding.

mod audio_track;
mod block;
mod decimator;
pub(crate) mod element;
mod index;
mod info;
mod open_elements;
mod parser;
mod pending_block;
mod rules;
mod summary;
mod timeline;
mod tracks;

#[cfg(test)]
mod tests;

use std::time::Duration;

use self::audio_track::AudioCollector;
use self::index::Index;
use self::parser::Parser;
use crate::audio::{AudioTrack, NoAudio};
use crate::summary::{Sealed, Summary, Truncation, Unplayable};

/// Reads a recording as it arrives.
#[derive(Debug)]
pub struct WebMReader(Parser);

impl WebMReader {
    /// A reader at the beginning of a recording.
    pub fn new() -> Self {
        Self(Parser::new())
    }

    /// A reader that also lists the packets of an audio track, for [`Self::finish_audio`].
    pub(crate) fn for_audio() -> Self {
        let mut parser = Parser::new();
        parser.collect_audio(AudioCollector::default());
        Self(parser)
    }

    /// Reads the next bytes, in order, split anywhere. Uses a few MiB of memory at most.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.0.feed(bytes);
    }

    /// The time from the first frame to the latest one so far.
    pub fn reached(&self) -> Duration {
        self.0.reached()
    }

    /// Ends the recording, and returns the packets of its audio track.
    pub(crate) fn finish_audio(self) -> Result<AudioTrack, NoAudio> {
        let (found, ..) = self.0.finish();
        let begin = found.begin();
        let collected = found.audio.ok_or(NoAudio::Missing)?;
        collected.into_track(begin)
    }

    /// Ends the recording, and returns its summary and its index.
    ///
    /// A recording that is cut off ends behind its last complete element.
    ///
    /// # Errors
    ///
    /// [`Unplayable::Unreadable`] without an EBML header or Tracks, [`Unplayable::NoVideo`] without a video track,
    /// [`Unplayable::NoFrame`] if it has no keyframe.
    pub fn finish(self) -> Result<Sealed, Unplayable> {
        let is_cut = self.0.is_cut();
        let (found, end, length) = self.0.finish();
        let (first_timestamp, last_end) = (found.begin(), found.end());
        let has_cues = found.has_findable_cues();
        let (Some(ebml), Some((tracks_body, tracks))) = (found.ebml, found.tracks) else {
            return Err(Unplayable::Unreadable);
        };
        let video = tracks.video.ok_or(Unplayable::NoVideo)?;
        let mut keyframes = found.keyframes.into_vec();
        let mut pictures = found.pictures.unwrap_or_default();
        let (Some(clusters), false) = (found.clusters, keyframes.is_empty()) else {
            return Err(Unplayable::NoFrame);
        };
        if video.has_content_encodings {
            // Players can decode them, but not from their bytes alone.
            keyframes.clear();
            pictures.clear();
        }
        let first = Duration::from_nanos(first_timestamp);
        for keyframe in &mut keyframes {
            keyframe.at = keyframe.at.saturating_sub(first);
        }
        keyframes.sort_by_key(|keyframe| keyframe.at);
        for at in pictures.iter_mut().filter_map(|it| it.at.as_mut()) {
            *at = at.saturating_sub(first);
        }
        let info = found.info.unwrap_or_default();
        let is_seekable = !info.duration().is_zero() && has_cues && end == length;
        let index = if is_seekable {
            Vec::new()
        } else {
            let cues = found.cues.into_vec();
            let index = Index {
                ebml: &ebml,
                // From timestamp 0, not from the first frame: with anything less Chromium can't seek to the end.
                info: &info.with_duration(last_end),
                tracks: &tracks_body,
                track: video.number,
                cues: &cues,
                clusters,
            };
            index.encode()
        };
        let (declared, actual) = (info.duration(), Duration::from_nanos(last_end));
        Ok(Sealed {
            summary: Summary {
                video: video.track,
                is_hdr: video.is_hdr,
                has_audio: tracks.has_audio,
                duration: Duration::from_nanos(last_end.saturating_sub(first_timestamp)),
                keyframes,
                pictures,
                has_location: found.has_location,
                end,
                truncation: Truncation::detect(declared, actual, is_cut),
            },
            index,
        })
    }
}

impl Default for WebMReader {
    fn default() -> Self {
        Self::new()
    }
}
