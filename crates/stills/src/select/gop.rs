//! A group of pictures: a keyframe and the pictures that are decoded behind it.

use std::time::Duration;

use super::{Group, Moment};
use media::{CodedPicture, Keyframe};

/// A keyframe and the pictures behind it, up to the next keyframe or to where its share of the work ends.
pub(super) struct Gop<'a> {
    /// All of them, in decoding order.
    pictures: Vec<&'a CodedPicture>,
    /// The index in `pictures` and the time of those that may be chosen, in presentation order.
    ///
    /// Each is presented behind all that are decoded before it.
    candidates: Vec<(usize, Duration)>,
    begin: Duration,
    end: Duration,
    /// Whether the next keyframe is at its end.
    closed: bool,
    /// The number of pictures to choose.
    pub wanted: u32,
}

/// The work that one group of pictures may cost.
pub(super) struct Share {
    pub pictures: u64,
    /// Limits both the bytes to decode and the span from the first of them to the last.
    ///
    /// The two differ: other data is interleaved, and a file may name the same bytes as often as it likes.
    pub bytes: u64,
}

impl<'a> Gop<'a> {
    /// Follows the keyframe through `all`, as far as the share allows.
    pub(super) fn new(
        keyframe: &Keyframe,
        end: Duration,
        closed: bool,
        all: &'a [CodedPicture],
        share: &Share,
    ) -> Option<Self> {
        let begin = keyframe.at;
        let first = all
            .iter()
            .position(|it| it.is_keyframe && it.bytes == keyframe.bytes)?;
        let (key, behind) = all.get(first..)?.split_first()?;
        let mut pictures = vec![key];
        let (mut span, mut bytes) = (key.bytes.clone(), length(key));
        let (mut candidates, mut latest) = (Vec::new(), key.composition_time);
        let mut cut = false;
        for picture in behind.iter().take_while(|it| !it.is_keyframe) {
            // An open GOP: what is presented before its keyframe refers to the GOP before, and nothing here needs it.
            if picture.composition_time < key.composition_time {
                continue;
            }
            span = span.start.min(picture.bytes.start)..span.end.max(picture.bytes.end);
            bytes = bytes.saturating_add(length(picture));
            let is_full = pictures.len() as u64 >= share.pictures;
            if is_full || bytes.max(span.end - span.start) > share.bytes {
                cut = true;
                break;
            }
            // A picture that is presented before one decoded earlier is no candidate: one that is decoded later may be
            // presented before it, too.
            let is_last = picture.composition_time > latest;
            if let Some(at) = picture.at.filter(|at| is_last && *at > begin && *at <= end) {
                candidates.push((pictures.len(), at));
            }
            latest = latest.max(picture.composition_time);
            pictures.push(picture);
        }
        let closed = closed && !cut;
        let reached = candidates.last().map_or(begin, |(_, at)| *at);
        Some(Self {
            pictures,
            candidates,
            begin,
            end: if closed { end } else { reached },
            closed,
            wanted: 0,
        })
    }

    /// The distance between stills if `wanted` pictures are chosen.
    pub(super) fn step(&self, wanted: u32) -> Duration {
        let parts = wanted + u32::from(self.closed);
        self.end.saturating_sub(self.begin) / parts.max(1)
    }

    /// Chooses the wanted pictures, and what is decoded for them. `None`: there are none.
    pub(super) fn to_group(&self) -> Option<Group> {
        let step = self.step(self.wanted);
        let mut chosen: Vec<(usize, Duration)> = (1..=self.wanted)
            .filter_map(|part| {
                let time = match part == self.wanted && !self.closed {
                    // Divided and multiplied again it would be a little less.
                    true => self.end,
                    false => self.begin + step * part,
                };
                let behind = self.candidates.partition_point(|(_, at)| *at <= time);
                self.candidates.get(behind.checked_sub(1)?).copied()
            })
            .collect();
        chosen.dedup();
        let (last, _) = *chosen.last()?;
        let decoded = self.pictures.get(..=last)?;
        let moments = chosen.into_iter().filter_map(|(index, at)| {
            let time = decoded.get(index)?.composition_time;
            let before = decoded.iter().filter(|it| it.composition_time < time);
            let position = u32::try_from(before.count()).ok()?;
            Some(Moment { at, position })
        });
        Some(Group {
            bytes: decoded.iter().map(|it| it.bytes.clone()).collect(),
            moments: moments.collect(),
        })
    }
}

fn length(picture: &CodedPicture) -> u64 {
    picture.bytes.end.saturating_sub(picture.bytes.start)
}
