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

/// As many pictures of 1280 × 720 are decoded, at most, for the sake of those between keyframes. The built-in decoder takes
/// some six milliseconds for each, and agents wait for them.
const MOST_DECODED: u64 = 400 * 1280 * 720;

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

    /// From its first byte to its last, with what lies between.
    pub fn span(&self) -> Range<u64> {
        let start = self.bytes.iter().map(|it| it.start).min().unwrap_or(0);
        let end = self.bytes.iter().map(|it| it.end).max().unwrap_or(0);
        start..end.max(start)
    }

    /// If it is one.
    pub fn keyframe(&self) -> Option<Keyframe> {
        let bytes = self.bytes.first()?.clone();
        (self.pictures == 1).then_some(Keyframe { at: self.at, bytes })
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
/// between them, of `all` that there are in the order of decoding, each of so many pixels.
pub fn choose(keyframes: &[Keyframe], all: &[CodedPicture], pixels: u64) -> Vec<Shot> {
    let mut shots: Vec<Shot> = choose_keyframes(keyframes)
        .into_iter()
        .map(Shot::from)
        .collect();
    let most = MOST_DECODED / pixels.max(1);
    // Fewer of them, farther from each other, rather than all of its beginning.
    let rooms = (1..=MOST_STILLS.saturating_sub(shots.len())).rev();
    let fits = |it: &Shot| {
        let span = it.span();
        u64::from(it.pictures) <= most && span.end - span.start <= MOST_FRAME_BYTES as u64
    };
    let mut between = rooms.map(|room| {
        let moments = between(&shots, all, room).into_iter();
        let found = moments.filter_map(|it| shot_at(it, all));
        found.filter(fits).collect::<Vec<_>>()
    });
    let pictures = |found: &Vec<Shot>| found.iter().map(|it| u64::from(it.pictures)).sum::<u64>();
    let between = between.find(|found| pictures(found) <= most);
    shots.extend(between.unwrap_or_default());
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
fn between(shots: &[Shot], all: &[CodedPicture], room: usize) -> Vec<Duration> {
    let Some(end) = all.iter().filter_map(|it| it.at).max() else {
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
    let before = |it: &CodedPicture| it.key && it.at.is_some_and(|at| at <= moment);
    let key = all.iter().rposition(before)?;
    let group = all.get(key..)?;
    let begin = group.first()?.at?;
    let mut latest = (0, begin);
    for (place, picture) in group.iter().enumerate().skip(1) {
        // What is never shown may have to be shown before the next one, for all that is known.
        let Some(at) = picture.at.filter(|at| !picture.key && *at <= moment) else {
            break;
        };
        if at > latest.1 {
            latest = (place, at);
        }
    }
    let (last, at) = latest;
    if last == 0 {
        return None;
    }
    // What is shown before the keyframe needs pictures before it, and nothing here needs it.
    let needed = group
        .iter()
        .take(last + 1)
        .filter(|it| it.at >= Some(begin));
    let mut bytes = Vec::<Range<u64>>::new();
    let mut pictures = 0;
    for picture in needed {
        pictures += 1;
        match bytes.last_mut() {
            Some(last) if last.end == picture.bytes.start => last.end = picture.bytes.end,
            _ => bytes.push(picture.bytes.clone()),
        }
    }
    Some(Shot {
        at,
        bytes,
        pictures,
    })
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
        assert!(choose(&[], &[], HD).is_empty());
    }

    const HD: u64 = 1280 * 720;

    /// 25 pictures a second, a keyframe every so many; in the order of decoding, with two B-frames before each P-frame.
    fn film(seconds: u32, every: usize) -> (Vec<Keyframe>, Vec<CodedPicture>) {
        let shown = |decoded: usize| match decoded % every {
            0 => decoded,
            place if place % 3 == 1 => (decoded + 2).min(decoded - place + every - 1),
            _ => decoded - 1,
        };
        let pictures = (0..seconds as usize * 25).map(|decoded| CodedPicture {
            at: Some(Duration::from_millis(40 * shown(decoded) as u64)),
            bytes: decoded as u64 * 100..decoded as u64 * 100 + 100,
            key: decoded % every == 0,
        });
        let pictures: Vec<_> = pictures.collect();
        (keys_of(&pictures), pictures)
    }

    #[test]
    fn where_keyframes_are_rare_pictures_between_them_are_shown_too() {
        for (seconds, every) in [(10, 250), (30, 250), (60, 250)] {
            let (keyframes, pictures) = film(seconds, every);
            let shots = choose(&keyframes, &pictures, HD / 8);
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
        for shot in choose(&keyframes, &pictures, HD) {
            assert_eq!(shot.bytes.len(), 1, "they lie one behind the other");
            assert_eq!(shot.bytes[0].start, 0, "the keyframe comes first");
            let decoded = &pictures[..shot.pictures as usize];
            assert_eq!(shot.bytes[0].end, decoded[decoded.len() - 1].bytes.end);
            assert_eq!(decoded.iter().filter_map(|it| it.at).max(), Some(shot.at));
            assert_eq!(decoded[decoded.len() - 1].at, Some(shot.at));
        }
    }

    #[test]
    fn a_video_of_a_moment_and_one_with_many_keyframes_are_shown_by_these_alone() {
        for (seconds, every) in [(1, 25), (10, 75), (60, 25)] {
            let (keyframes, pictures) = film(seconds, every);
            let shots = choose(&keyframes, &pictures, HD);
            assert!(shots.iter().all(|shot| shot.pictures == 1), "{shots:?}");
        }
    }

    #[test]
    fn what_costs_too_much_is_shown_by_fewer_moments() {
        let (keyframes, pictures) = film(70, 70 * 25);
        let times = |pixels| {
            let shots = choose(&keyframes, &pictures, pixels).into_iter();
            shots.map(|it| it.at.as_secs()).collect::<Vec<_>>()
        };
        let (small, hd, huge) = (times(HD / 32), times(HD), times(HD * 9));
        assert!(
            small.len() == MOST_STILLS && small.ends_with(&[69]),
            "{small:?}"
        );
        assert!((2..small.len()).contains(&hd.len()), "{hd:?}");
        assert!(huge.last() < hd.last(), "{huge:?}");
    }

    #[test]
    fn behind_a_picture_that_is_never_shown_nothing_is_chosen() {
        let (keyframes, mut pictures) = film(10, 250);
        pictures[100].at = None;
        let shots = choose(&keyframes, &pictures, HD);
        assert!(
            shots.iter().all(|it| it.at < Duration::from_secs(4)),
            "{shots:?}"
        );
    }

    fn keys_of(pictures: &[CodedPicture]) -> Vec<Keyframe> {
        let keys = pictures.iter().filter(|it| it.key);
        let keys = keys.filter_map(|it| {
            Some(Keyframe {
                at: it.at?,
                bytes: it.bytes.clone(),
            })
        });
        let mut keys: Vec<_> = keys.collect();
        keys.sort_by_key(|it| it.at);
        keys
    }

    proptest! {
        #[test]
        fn whatever_a_file_claims_the_work_is_bounded(
            times in proptest::collection::vec((0_u64..100_000, 0..300_u32, 1..50_000_u64), 0..3000),
        ) {
            let mut begin = 0;
            let pictures = times.iter().enumerate().map(|(index, (at, key, length))| {
                begin += length + 7;
                CodedPicture {
                    at: Some(Duration::from_millis(*at)),
                    bytes: begin..begin + length,
                    key: index == 0 || *key == 0,
                }
            });
            let pictures: Vec<_> = pictures.collect();
            let shots = choose(&keys_of(&pictures), &pictures, HD);
            prop_assert!(shots.len() <= MOST_STILLS);
            prop_assert!(shots.is_sorted_by_key(|it| it.at));
            let decoded = shots.iter().filter(|it| it.pictures > 1).map(|it| it.pictures);
            prop_assert!(u64::from(decoded.sum::<u32>()) * HD <= MOST_DECODED);
            let spans = shots.iter().map(|it| it.span().end - it.span().start);
            prop_assert!(spans.max() <= Some(MOST_FRAME_BYTES as u64));
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
