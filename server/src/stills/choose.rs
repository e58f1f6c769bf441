//! Which moments to show: few, and spread over the video.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{MOST_FRAME_BYTES, MOST_STILLS};
use crate::media::{CodedPicture, Keyframe};

/// Keyframes that are so far from each other are rare. Browsers' recorders make one each three seconds or so.
const RARE: Duration = Duration::from_secs(5);

/// Pictures between keyframes are at least so far from each other.
const LEAST_APART: Duration = Duration::from_secs(1);

/// As many pictures are decoded, at most, for the sake of those between keyframes: some three seconds of work.
const MOST_DECODED: usize = 1500;

/// A moment to show, and what it takes to decode it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shot {
    /// When it is shown, from the first frame of the video on.
    pub at: Duration,
    /// Where it lies in the recording, with all that it needs, in the order of decoding.
    pub bytes: Vec<Range<u64>>,
    /// How many pictures that are. Of those the one that is shown last is meant.
    pub pictures: u32,
}

impl Shot {
    /// In bytes.
    pub fn length(&self) -> u64 {
        self.bytes.iter().map(|it| it.end - it.start).sum()
    }
}

impl From<Keyframe> for Shot {
    fn from(keyframe: Keyframe) -> Self {
        Self {
            at: keyframe.at,
            bytes: vec![keyframe.bytes],
            pictures: 1,
        }
    }
}

/// Which moments to show: at most [`MOST_STILLS`], in the order of time. Keyframes first; and where they are rare, pictures
/// between them, of `all` that there are in the order of decoding.
pub fn choose(keyframes: &[Keyframe], all: &[CodedPicture]) -> Vec<Shot> {
    let mut shots: Vec<Shot> = choose_keyframes(keyframes)
        .into_iter()
        .map(Shot::from)
        .collect();
    let mut decoded = 0;
    for moment in between(&shots, all) {
        let Some(shot) = shot_at(moment, all) else {
            continue;
        };
        let more = decoded + shot.pictures as usize;
        if more <= MOST_DECODED && shot.length() <= MOST_FRAME_BYTES as u64 {
            decoded = more;
            shots.push(shot);
        }
    }
    shots.sort_by_key(|shot| shot.at);
    shots.dedup_by_key(|shot| shot.at.as_millis());
    shots
}

/// Between a picture and the next one, or the end.
struct Gap {
    from: Duration,
    length: Duration,
    /// It is divided into so many, with a picture where each begins.
    parts: u32,
}

/// The moments that lack a picture most: wide gaps between those that there are, and behind the last one, are divided
/// evenly.
fn between(shots: &[Shot], all: &[CodedPicture]) -> Vec<Duration> {
    let room = MOST_STILLS.saturating_sub(shots.len());
    let end = all.iter().map(|it| it.at).max();
    let Some(end) = end.filter(|_| room > 0) else {
        return Vec::new();
    };
    let begins = shots.iter().map(|shot| shot.at);
    let ends = begins.clone().skip(1).chain([end]);
    let gaps = begins.zip(ends).map(|(from, to)| Gap {
        from,
        length: to.saturating_sub(from),
        parts: 1,
    });
    let mut gaps: Vec<Gap> = gaps.filter(|gap| gap.length >= RARE).collect();
    // Behind the last keyframe there is none where the gap ends, either.
    let last = gaps.last().map(|gap| gap.from + gap.length);
    let mut moments: Vec<Duration> = last.filter(|it| *it == end).into_iter().collect();
    for _ in moments.len()..room {
        let widest = gaps
            .iter_mut()
            .max_by_key(|gap| gap.length / (gap.parts + 1));
        match widest {
            Some(gap) if gap.length / (gap.parts + 1) >= LEAST_APART => gap.parts += 1,
            _ => break,
        }
    }
    for Gap {
        from,
        length,
        parts,
    } in gaps
    {
        moments.extend((1..parts).map(|part| from + length / parts * part));
    }
    moments
}

/// The last picture before this moment that is shown behind all that are decoded before it, and what it needs.
fn shot_at(moment: Duration, all: &[CodedPicture]) -> Option<Shot> {
    let before = |it: &CodedPicture| it.key && it.at <= moment;
    let key = all.iter().rposition(before)?;
    let group = all.get(key..)?;
    let next = group.iter().skip(1).position(|it| it.key);
    let group = &group[..next.map_or(group.len(), |next| next + 1)];
    let begin = group.first()?.at;
    let mut latest = begin;
    let mut shot: Option<Shot> = None;
    let (mut bytes, mut pictures) = (Vec::<Range<u64>>::new(), 0);
    // What is shown before the keyframe needs pictures before it, and nothing here needs it.
    for picture in group.iter().filter(|it| it.at >= begin) {
        pictures += 1;
        match bytes.last_mut() {
            Some(last) if last.end == picture.bytes.start => last.end = picture.bytes.end,
            _ => bytes.push(picture.bytes.clone()),
        }
        if picture.at > moment {
            break;
        }
        if picture.at > latest {
            latest = picture.at;
            shot = Some(Shot {
                at: latest,
                bytes: bytes.clone(),
                pictures,
            });
        }
    }
    shot
}

/// Of keyframes: at most [`MOST_STILLS`], in the order of time, no two in the same millisecond, the
/// first and the last one always.
///
/// Evenly spaced moments are asked for, and each gets the keyframe nearest to it. Where keyframes lie
/// unevenly some moments share one: what is left of the number goes where the largest gaps are.
fn choose_keyframes(keyframes: &[Keyframe]) -> Vec<Keyframe> {
    let mut frames: Vec<&Keyframe> = keyframes.iter().collect();
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
        assert_eq!(
            millis(&choose_keyframes(&frames)),
            [0, Duration::MAX.as_millis()]
        );
        assert!(choose(&[], &[]).is_empty());
    }

    /// 25 pictures a second, a keyframe every so many; in the order of decoding, with two B-frames before each P-frame.
    fn film(seconds: u32, every: usize) -> (Vec<Keyframe>, Vec<CodedPicture>) {
        let shown = |decoded: usize| match decoded % every {
            0 => decoded,
            place if place % 3 == 1 => (decoded + 2).min(decoded - place + every - 1),
            _ => decoded - 1,
        };
        let pictures = (0..seconds as usize * 25).map(|decoded| CodedPicture {
            at: Duration::from_millis(40 * shown(decoded) as u64),
            bytes: decoded as u64 * 100..decoded as u64 * 100 + 100,
            key: decoded % every == 0,
        });
        let pictures: Vec<_> = pictures.collect();
        let keyframes = pictures.iter().filter(|it| it.key).map(|it| Keyframe {
            at: it.at,
            bytes: it.bytes.clone(),
        });
        (keyframes.collect(), pictures)
    }

    #[test]
    fn where_keyframes_are_rare_pictures_between_them_are_shown_too() {
        for (seconds, every) in [(10, 250), (30, 250), (60, 250)] {
            let (keyframes, pictures) = film(seconds, every);
            let shots = choose(&keyframes, &pictures);
            assert!(shots.len() >= 10, "{shots:?}");
            let gaps = shots.windows(2).map(|two| two[1].at - two[0].at);
            let widest = gaps.max().expect("several");
            let even = Duration::from_secs(seconds.into()) / 12;
            assert!(widest <= even * 2, "{widest:?} of {seconds} s");
            let last = shots.last().expect("one").at;
            assert!(
                last + even >= Duration::from_secs(seconds.into()),
                "{last:?}"
            );
        }
    }

    #[test]
    fn a_picture_comes_with_all_that_it_needs_and_is_shown_last_of_them() {
        let (keyframes, pictures) = film(10, 250);
        for shot in choose(&keyframes, &pictures) {
            assert_eq!(shot.bytes.len(), 1, "they lie one behind the other");
            assert_eq!(shot.bytes[0].start, 0, "the keyframe comes first");
            let decoded = &pictures[..shot.pictures as usize];
            assert_eq!(shot.bytes[0].end, decoded[decoded.len() - 1].bytes.end);
            assert_eq!(decoded.iter().map(|it| it.at).max(), Some(shot.at));
            assert_eq!(decoded[decoded.len() - 1].at, shot.at);
        }
    }

    #[test]
    fn a_video_of_a_moment_and_one_with_many_keyframes_are_shown_by_these_alone() {
        for (seconds, every) in [(1, 25), (10, 75), (60, 25)] {
            let (keyframes, pictures) = film(seconds, every);
            let shots = choose(&keyframes, &pictures);
            assert!(shots.iter().all(|shot| shot.pictures == 1), "{shots:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_a_file_claims_the_work_is_bounded(
            times in proptest::collection::vec((any::<u64>(), any::<bool>()), 0..300),
        ) {
            let pictures = times.iter().enumerate().map(|(index, (at, key))| CodedPicture {
                at: Duration::from_millis(*at),
                bytes: index as u64 * 7..index as u64 * 7 + 5,
                key: *key,
            });
            let pictures: Vec<_> = pictures.collect();
            let mut keyframes: Vec<_> = pictures.iter().filter(|it| it.key).map(|it| Keyframe {
                at: it.at,
                bytes: it.bytes.clone(),
            }).collect();
            keyframes.sort_by_key(|it| it.at);
            let shots = choose(&keyframes, &pictures);
            prop_assert!(shots.len() <= MOST_STILLS);
            prop_assert!(shots.is_sorted_by_key(|it| it.at));
            let decoded: u32 = shots.iter().map(|it| it.pictures).sum();
            prop_assert!(decoded as usize <= MOST_DECODED + MOST_STILLS);
        }

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
