//! Chooses the moments of a video to look at, evenly, and which of them to make stills of, by what changes.

mod beginning;
mod between;
pub(super) mod by_change;
mod exact;
mod gop;
mod keyframes;

use std::collections::HashSet;
use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{CodedGroup, MAX_FRAME_BYTES, MAX_GROUP_BYTES};
use media::{CodedPicture, Keyframe};

pub use beginning::beginning;
pub(super) use between::MAX_DECODED_PIXELS;
pub use exact::exact;

/// What is decoded together, and which moments it contains.
/// The server stores it as JSON between two jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Where a keyframe and the pictures behind it lie in the recording, as far as needed, in decoding order: each, or,
    /// of H.264 and H.265, runs of them.
    pub bytes: Vec<Range<u64>>,
    /// The pictures to make stills of, in presentation order.
    pub moments: Vec<Moment>,
}

/// A picture to make a still of, among those of a [`Group`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Presentation time, from the first frame of the video on.
    pub at: Duration,
    /// The number of pictures of the group that are presented before it.
    #[serde(rename = "place")]
    pub position: u32,
}

impl Group {
    /// The number of bytes to decode.
    pub fn length(&self) -> u64 {
        let lengths = self.bytes.iter().map(|it| it.end.saturating_sub(it.start));
        lengths.fold(0, u64::saturating_add)
    }

    /// Whether it is within the limits of what is read and decoded.
    pub fn is_small(&self) -> bool {
        let max = match self.keyframe() {
            Some(_) => MAX_FRAME_BYTES,
            None => MAX_GROUP_BYTES,
        };
        let span = self.span();
        self.length().max(span.end - span.start) <= max as u64
    }

    /// From its first byte to its last, with what is interleaved.
    pub fn span(&self) -> Range<u64> {
        let start = self.bytes.iter().map(|it| it.start).min().unwrap_or(0);
        let end = self.bytes.iter().map(|it| it.end).max().unwrap_or(0);
        start..end.max(start)
    }

    /// Joins pictures that follow each other, for codecs whose decoders find their limits: a list of them is long.
    #[must_use]
    pub fn into_runs(self) -> Self {
        let mut runs = Vec::<Range<u64>>::new();
        for bytes in self.bytes {
            match runs.last_mut() {
                Some(last) if last.end == bytes.start => last.end = bytes.end,
                _ => runs.push(bytes),
            }
        }
        Self {
            bytes: runs,
            ..self
        }
    }

    /// Cuts it out of the bytes of its [`Group::span`].
    pub fn cut(self, span: &[u8]) -> CodedGroup {
        let begin = self.span().start;
        let place = |at: u64| usize::try_from(at - begin).unwrap_or(usize::MAX);
        let parts = self.bytes.iter();
        let parts = parts.filter_map(|it| span.get(place(it.start)..place(it.end)));
        let parts: Vec<&[u8]> = parts.collect();
        CodedGroup {
            bytes: parts.concat(),
            lengths: parts.iter().map(|it| it.len()).collect(),
            moments: self.moments,
        }
    }

    /// The keyframe, if the group is nothing else.
    pub fn keyframe(&self) -> Option<Keyframe> {
        match (self.moments.as_slice(), self.bytes.as_slice()) {
            ([Moment { at, position: 0 }], [bytes]) => Some(Keyframe {
                at: *at,
                bytes: bytes.clone(),
            }),
            _ => None,
        }
    }
}

impl From<Keyframe> for Group {
    fn from(keyframe: Keyframe) -> Self {
        let Keyframe { at, bytes } = keyframe;
        Self {
            bytes: vec![bytes],
            moments: vec![Moment { at, position: 0 }],
        }
    }
}

/// Chooses at most `max` moments, spread evenly, no two in the same millisecond.
///
/// Keyframes come first, each in a group of its own. Where they are rare, pictures between them follow. `all` are
/// the coded pictures of a video, in decoding order; each has `pixels` pixels.
pub fn choose(keyframes: &[Keyframe], all: &[CodedPicture], pixels: u64, max: usize) -> Vec<Group> {
    let keyframes = keyframes::choose(keyframes, max);
    let between = between::choose(&keyframes, all, pixels, max);
    let keyframes = keyframes.into_iter().map(Group::from);
    let mut groups: Vec<Group> = keyframes.chain(between).collect();
    let mut seen = HashSet::new();
    for group in &mut groups {
        group.moments.retain(|it| seen.insert(it.at.as_millis()));
    }
    groups.retain(|it| !it.moments.is_empty());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_serializes_as_in_the_last_release() {
        let moment = Moment {
            at: Duration::from_millis(1500),
            position: 3,
        };
        let stored = r#"{"at":{"secs":1,"nanos":500000000},"place":3}"#;
        let read: Moment = serde_json::from_str(stored).expect("a moment");
        assert_eq!(read, moment);
        assert_eq!(serde_json::to_string(&moment).expect("JSON"), stored);
    }
}
