//! Which moments to show: few, and spread over the video.

use std::collections::HashSet;
use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{MOST_FRAME_BYTES, MOST_GROUP_BYTES, MOST_STILLS, between};
use media::{CodedPicture, Keyframe};

/// What is decoded together, and which moments it gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Where a keyframe lies in the recording, and what follows it as far as that is needed, in the order of decoding.
    pub bytes: Vec<Range<u64>>,
    /// The pictures that are wanted, in the order of time.
    pub moments: Vec<Moment>,
}

/// A picture that is wanted of those that are decoded together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// When it is shown, from the first frame of the video on.
    pub at: Duration,
    /// How many of them are shown before it.
    pub place: u32,
}

impl Group {
    /// In bytes.
    pub fn length(&self) -> u64 {
        let lengths = self.bytes.iter().map(|it| it.end.saturating_sub(it.start));
        lengths.fold(0, u64::saturating_add)
    }

    /// Whether it may be read and decoded.
    pub fn is_small(&self) -> bool {
        let most = match self.keyframe() {
            Some(_) => MOST_FRAME_BYTES,
            None => MOST_GROUP_BYTES,
        };
        let span = self.span();
        self.length().max(span.end - span.start) <= most as u64
    }

    /// From its first byte to its last, with what lies between.
    pub fn span(&self) -> Range<u64> {
        let start = self.bytes.iter().map(|it| it.start).min().unwrap_or(0);
        let end = self.bytes.iter().map(|it| it.end).max().unwrap_or(0);
        start..end.max(start)
    }

    /// If it is a keyframe alone.
    pub fn keyframe(&self) -> Option<Keyframe> {
        match (self.moments.as_slice(), self.bytes.as_slice()) {
            ([Moment { at, place: 0 }], [bytes]) => Some(Keyframe {
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
            moments: vec![Moment { at, place: 0 }],
        }
    }
}

/// Which moments to show: at most [`MOST_STILLS`], no two in the same millisecond. First keyframes, each alone; and where
/// those are rare, pictures between them, of `all` that there are in the order of decoding, each of so many pixels.
pub fn choose(keyframes: &[Keyframe], all: &[CodedPicture], pixels: u64) -> Vec<Group> {
    let keyframes = choose_keyframes(keyframes);
    let between = between::groups(&keyframes, all, pixels);
    let alone = keyframes.into_iter().map(Group::from);
    let mut groups: Vec<Group> = alone.chain(between).collect();
    let mut taken = HashSet::new();
    for group in &mut groups {
        group.moments.retain(|it| taken.insert(it.at.as_millis()));
    }
    groups.retain(|it| !it.moments.is_empty());
    groups
}

/// Of keyframes: at most [`MOST_STILLS`], in the order of time, no two in the same millisecond, the
/// first and the last one always.
///
/// Evenly spaced moments are asked for, and each gets the keyframe nearest to it. Where keyframes lie
/// unevenly some moments share one: what is left of the number goes where the largest gaps are.
fn choose_keyframes(keyframes: &[Keyframe]) -> Vec<Keyframe> {
    // Where an edit begins behind several of them, the last one is shown.
    let mut frames: Vec<&Keyframe> = keyframes.iter().rev().collect();
    frames.retain(|frame| i64::try_from(frame.at.as_millis()).is_ok());
    frames.sort_by_key(|frame| frame.at);
    // A moment is told in milliseconds, and has one picture.
    frames.dedup_by_key(|frame| frame.at.as_millis());
    let mut rest = frames;
    let mut chosen: Vec<&Keyframe> = Vec::with_capacity(MOST_STILLS);
    for moment in moments(&rest) {
        let nearest = rest.iter().min_by_key(|it| it.at.abs_diff(moment)).copied();
        chosen.extend(nearest.filter(|it| !chosen.contains(it)));
    }
    while chosen.len() < MOST_STILLS {
        rest.retain(|it| !chosen.contains(it));
        // Of equals the first: `max_by_key` would take the last one.
        let Some(loneliest) = rest.iter().rev().max_by_key(|it| distance(it, &chosen)) else {
            break;
        };
        chosen.push(loneliest);
    }
    chosen.sort_by_key(|frame| (frame.at, frame.bytes.start));
    chosen.into_iter().cloned().collect()
}

/// From the first frame to the last one, evenly.
fn moments(frames: &[&Keyframe]) -> Vec<Duration> {
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else {
        return Vec::new();
    };
    let span = last.at.saturating_sub(first.at);
    let steps = u32::try_from(MOST_STILLS - 1).unwrap_or(u32::MAX);
    (0..=steps)
        // Divided first: a file may claim any time, and the product would overflow.
        .map(|step| {
            if step == steps {
                last.at
            } else {
                first.at.saturating_add((span / steps).saturating_mul(step))
            }
        })
        .collect()
}

/// How far the nearest chosen one is.
fn distance(frame: &Keyframe, chosen: &[&Keyframe]) -> Duration {
    let distances = chosen.iter().map(|it| it.at.abs_diff(frame.at));
    distances.min().unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(millis: &[u64]) -> Vec<Keyframe> {
        let frames = millis.iter().enumerate().map(|(index, millis)| Keyframe {
            at: Duration::from_millis(*millis),
            bytes: index as u64 * 10..index as u64 * 10 + 10,
        });
        frames.collect()
    }

    fn millis(frames: &[Keyframe]) -> Vec<u128> {
        frames.iter().map(|frame| frame.at.as_millis()).collect()
    }

    #[test]
    fn an_even_video_is_shown_evenly_from_its_first_to_its_last_keyframe() {
        let second: Vec<u64> = (0..=110).map(|second| second * 1000).collect();
        let want: Vec<u128> = (0..12).map(|index| index * 10_000).collect();
        assert_eq!(millis(&choose_keyframes(&at(&second))), want);
    }

    #[test]
    fn where_keyframes_crowd_the_gaps_are_filled_first() {
        let crowded: Vec<u64> = (0..100).chain([5000, 60_000]).collect();
        let chosen = millis(&choose_keyframes(&at(&crowded)));
        assert_eq!(chosen.len(), MOST_STILLS);
        for lonely in [0, 99, 5000, 60_000] {
            assert!(chosen.contains(&lonely), "{chosen:?}");
        }
    }

    #[test]
    fn times_that_make_no_sense_do_no_harm() {
        let mut frames = at(&[0, 0, 0, 7]);
        frames[3].at = Duration::MAX;
        let chosen = choose_keyframes(&frames);
        assert_eq!(millis(&chosen), [0]);
        assert_eq!(chosen[0].bytes, frames[2].bytes, "the last of them");
        assert!(choose(&[], &[], 1).is_empty());
    }

    proptest! {
        #[test]
        fn they_are_few_in_order_and_all_different(
            mut times in proptest::collection::vec(0_u64..100_000, 0..80),
        ) {
            times.sort_unstable();
            let frames = at(&times);
            let chosen = choose_keyframes(&frames);
            times.dedup();
            prop_assert_eq!(chosen.len(), times.len().min(MOST_STILLS), "one a moment");
            prop_assert!(chosen.windows(2).all(|pair| pair[0].bytes.start < pair[1].bytes.start));
            prop_assert!(chosen.iter().all(|it| frames.contains(it)));
            prop_assert_eq!(chosen.first().map(|it| it.at), frames.first().map(|it| it.at));
            prop_assert_eq!(chosen.last().map(|it| it.at), frames.last().map(|it| it.at));
        }

        /// No moment of the video is farther from a picture than it must be.
        #[test]
        fn no_keyframe_is_farther_from_a_chosen_one_than_an_eleventh_of_the_video(
            mut times in proptest::collection::vec(0_u64..100_000, 1..80),
        ) {
            times.sort_unstable();
            let frames = at(&times);
            let chosen: Vec<Keyframe> = choose_keyframes(&frames);
            let chosen: Vec<&Keyframe> = chosen.iter().collect();
            let span = times[times.len() - 1] - times[0];
            let eleventh = Duration::from_millis(span / 11 + 1);
            prop_assert!(frames.iter().all(|it| distance(it, &chosen) <= eleventh));
        }
    }
}
