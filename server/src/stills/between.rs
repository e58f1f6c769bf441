//! Pictures between keyframes that are far from each other, as messengers and editors write them.
//!
//! Such a picture needs all that is decoded before it, back to its keyframe. So each gap is decoded once, for all its
//! pictures, and only as far as its share of the work reaches.

use std::ops::Range;
use std::time::Duration;

use super::{Group, MOST_GROUP_BYTES, MOST_STILLS, Moment};
use crate::media::{CodedPicture, Keyframe};

/// Keyframes that are so far from each other are rare. Browsers' recorders make one each three seconds or so.
const RARE: Duration = Duration::from_secs(5);

/// Pictures between keyframes are at least so far from each other.
const LEAST_APART: Duration = Duration::from_secs(1);

/// As many pictures of 1280 × 720 are decoded, at most. The built-in decoder takes some six milliseconds for each, and
/// agents wait for them.
pub(super) const MOST_DECODED: u64 = 400 * 1280 * 720;

/// A keyframe and what is decoded behind it, up to the next one or to where the work ends.
struct Gap<'a> {
    pictures: &'a [CodedPicture],
    /// Those that are shown behind all that are decoded before them: in which place, and when.
    candidates: Vec<(usize, Duration)>,
    begin: Duration,
    end: Duration,
    /// Whether there is a picture where it ends: the next keyframe.
    closed: bool,
    /// How many pictures of it are wanted.
    wanted: u32,
}

/// What to decode for pictures between these keyframes, in the order of time, where they are rare: `all` are in the order of
/// decoding, each of so many pixels.
pub(super) fn groups(keyframes: &[Keyframe], all: &[CodedPicture], pixels: u64) -> Vec<Group> {
    let Some(end) = all.iter().filter_map(|it| it.at).max() else {
        return Vec::new();
    };
    let ends = keyframes.iter().map(|it| (it.at, true)).skip(1);
    let gaps = keyframes.iter().zip(ends.chain([(end, false)]));
    let rare: Vec<_> = gaps
        .filter(|(keyframe, (end, _))| end.saturating_sub(keyframe.at) >= RARE)
        .collect();
    let shares = rare.len().max(1) as u64;
    let most = Share {
        pictures: MOST_DECODED / pixels.max(1) / shares,
        bytes: MOST_GROUP_BYTES as u64 / shares,
    };
    let gaps = rare.into_iter();
    let mut gaps: Vec<Gap<'_>> = gaps
        .filter_map(|(keyframe, (end, closed))| Gap::of(keyframe, end, closed, all, &most))
        .collect();
    for _ in keyframes.len()..MOST_STILLS {
        let widest = gaps.iter_mut().max_by_key(|gap| gap.step(gap.wanted + 1));
        match widest {
            Some(gap) if gap.step(gap.wanted + 1) >= LEAST_APART => gap.wanted += 1,
            _ => break,
        }
    }
    gaps.iter().filter_map(Gap::group).collect()
}

/// What the work for one gap may cost.
struct Share {
    pictures: u64,
    /// From the first byte to the last, with what lies between.
    bytes: u64,
}

impl<'a> Gap<'a> {
    /// As deep as its share reaches.
    fn of(
        keyframe: &Keyframe,
        end: Duration,
        closed: bool,
        all: &'a [CodedPicture],
        most: &Share,
    ) -> Option<Self> {
        let begin = keyframe.at;
        let first = all
            .iter()
            .position(|it| it.key && it.bytes == keyframe.bytes)?;
        let pictures = all.get(first..)?;
        let (mut span, mut latest) = (keyframe.bytes.clone(), begin);
        let mut candidates = Vec::new();
        let mut cut = false;
        for (place, picture) in pictures.iter().enumerate().skip(1) {
            // What is never shown may have to be shown before the next one, for all that is known.
            let Some(at) = picture.at.filter(|_| !picture.key) else {
                break;
            };
            span = span.start.min(picture.bytes.start)..span.end.max(picture.bytes.end);
            if place as u64 >= most.pictures || span.end - span.start > most.bytes {
                cut = true;
                break;
            }
            if at > latest && at <= end {
                candidates.push((place, at));
                latest = at;
            }
        }
        let closed = closed && !cut;
        Some(Self {
            pictures,
            candidates,
            begin,
            end: if closed { end } else { latest },
            closed,
            wanted: 0,
        })
    }

    /// How far so many pictures would be from each other.
    fn step(&self, wanted: u32) -> Duration {
        let parts = wanted + u32::from(self.closed);
        self.end.saturating_sub(self.begin) / parts.max(1)
    }

    /// What is decoded for those that are wanted. `None`: there are none.
    fn group(&self) -> Option<Group> {
        let step = self.step(self.wanted);
        let mut places: Vec<(usize, Duration)> = (1..=self.wanted)
            .filter_map(|part| {
                let moment = self.begin + step * part;
                let behind = self.candidates.partition_point(|(_, at)| *at <= moment);
                self.candidates.get(behind.checked_sub(1)?).copied()
            })
            .collect();
        places.dedup();
        let (last, _) = *places.last()?;
        let decoded = self.pictures.get(..=last)?;
        // What is shown before the keyframe needs pictures before it, and nothing here needs it.
        let decoded = decoded.iter().filter(|it| it.at >= Some(self.begin));
        let times: Vec<Duration> = decoded.clone().filter_map(|it| it.at).collect();
        let moments = places.into_iter().map(|(_, at)| Moment {
            at,
            place: u32::try_from(times.iter().filter(|it| **it < at).count()).unwrap_or(u32::MAX),
        });
        let mut bytes = Vec::<Range<u64>>::new();
        for picture in decoded {
            match bytes.last_mut() {
                Some(last) if last.end == picture.bytes.start => last.end = picture.bytes.end,
                _ => bytes.push(picture.bytes.clone()),
            }
        }
        Some(Group {
            bytes,
            moments: moments.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::choose;
    use super::*;

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

    /// Of all groups, in the order of time.
    fn times(groups: &[Group]) -> Vec<Duration> {
        let moments = groups.iter().flat_map(|it| &it.moments);
        let mut times: Vec<Duration> = moments.map(|it| it.at).collect();
        times.sort_unstable();
        times
    }

    /// How many pictures of a hundred bytes each it takes.
    fn decoded(group: &Group) -> usize {
        usize::try_from(group.length() / 100).expect("few")
    }

    #[test]
    fn where_keyframes_are_rare_pictures_between_them_are_shown_too() {
        for (seconds, every) in [(10, 250), (30, 250), (60, 250)] {
            let (keyframes, pictures) = film(seconds, every);
            let times = times(&choose(&keyframes, &pictures, HD / 8));
            assert!(times.len() >= 10, "{times:?}");
            let widest = times.windows(2).map(|two| two[1] - two[0]).max();
            let widest = widest.expect("several");
            let even = Duration::from_secs(seconds.into()) / 12;
            assert!(widest <= even * 2, "{widest:?} of {seconds} s");
            let last = *times.last().expect("one");
            assert!(
                last + even >= Duration::from_secs(seconds.into()),
                "{last:?}"
            );
        }
    }

    #[test]
    fn each_gap_is_decoded_once_and_each_picture_has_its_place_in_it() {
        let (keyframes, pictures) = film(20, 250);
        let groups = groups(&keyframes, &pictures, HD / 2);
        assert_eq!(groups.len(), 2);
        for (group, begin) in groups.iter().zip([0, 250]) {
            assert!(group.moments.len() > 1, "{group:?}");
            assert_eq!(group.bytes.len(), 1, "they lie one behind the other");
            assert_eq!(
                group.bytes[0].start,
                begin as u64 * 100,
                "the keyframe comes first"
            );
            let all = &pictures[begin..][..decoded(group)];
            for Moment { at, place } in &group.moments {
                let before = all.iter().filter(|it| it.at < Some(*at)).count();
                assert_eq!(before, *place as usize);
                assert!(all.iter().any(|it| it.at == Some(*at)));
            }
            assert!(group.moments.is_sorted_by(|a, b| a.place < b.place));
        }
    }

    #[test]
    fn a_video_of_a_moment_and_one_with_many_keyframes_are_shown_by_these_alone() {
        for (seconds, every) in [(1, 25), (10, 75), (60, 25)] {
            let (keyframes, pictures) = film(seconds, every);
            assert_eq!(groups(&keyframes, &pictures, HD), []);
        }
    }

    #[test]
    fn what_costs_too_much_is_decoded_as_far_as_its_share_reaches() {
        let reach = |pixels| {
            let (keyframes, pictures) = film(70, 70 * 25);
            let times = times(&groups(&keyframes, &pictures, pixels));
            times.last().map(Duration::as_secs)
        };
        assert_eq!(reach(HD / 32), Some(69));
        assert_eq!(reach(HD), Some(15));
        assert_eq!(reach(HD * 9), Some(1));
        // Every gap gets its share.
        let (keyframes, pictures) = film(60, 250);
        let groups = groups(&keyframes, &pictures, HD);
        assert_eq!(groups.len(), 6);
        let most = MOST_DECODED / HD / 6;
        assert!(groups.iter().all(|it| decoded(it) as u64 <= most));
    }

    #[test]
    fn behind_a_picture_that_is_never_shown_nothing_is_chosen() {
        let (keyframes, mut pictures) = film(10, 250);
        pictures[100].at = None;
        let times = times(&groups(&keyframes, &pictures, HD));
        assert!(times.len() > 1, "{times:?}");
        assert!(times.iter().all(|it| *it < Duration::from_secs(4)));
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
            let keyframes = keys_of(&pictures);
            let moments = choose(&keyframes, &pictures, HD).into_iter().flat_map(|it| it.moments);
            prop_assert!(moments.count() <= MOST_STILLS);
            let groups = groups(&keyframes, &pictures, HD);
            let decoded = groups.iter().flat_map(|group| &group.bytes);
            let decoded: usize = decoded
                .map(|bytes| pictures.iter().filter(|it| bytes.start <= it.bytes.start && it.bytes.end <= bytes.end).count())
                .sum();
            prop_assert!(decoded as u64 * HD <= MOST_DECODED);
            let spans = groups.iter().map(|it| it.span().end - it.span().start);
            prop_assert!(spans.sum::<u64>() <= MOST_GROUP_BYTES as u64);
        }
    }
}
