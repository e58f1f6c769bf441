//! Pictures between keyframes that are far from each other, as messengers and editors write them.
//!
//! Such a picture needs all that is decoded before it, back to its keyframe. So each gap is decoded once, for all its
//! pictures, and only as far as its share of the work reaches.

use std::ops::Range;
use std::time::Duration;

use super::{Group, MOST_GROUP_BYTES, MOST_STILLS, Moment};
use media::{CodedPicture, Keyframe};

/// Keyframes that are so far from each other are rare. Browsers' recorders make one each three seconds or so.
const RARE: Duration = Duration::from_secs(5);

/// Pictures between keyframes are at least so far from each other.
const LEAST_APART: Duration = Duration::from_secs(1);

/// As many pictures of 1280 × 720 are decoded, at most. The built-in decoder takes some six milliseconds for each, and
/// agents wait for them.
pub(super) const MOST_DECODED: u64 = 400 * 1280 * 720;

/// A keyframe and what is decoded behind it, up to the next one or to where the work ends.
struct Gap<'a> {
    /// In the order of decoding.
    pictures: Vec<&'a CodedPicture>,
    /// Those that are shown behind all that are decoded before them: in which place of `pictures`, and when.
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
    /// All that is decoded; and from its first byte to its last, with what lies between. A file may name the same bytes as
    /// often as it likes.
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
        let (key, behind) = all.get(first..)?.split_first()?;
        let mut pictures = vec![key];
        let (mut span, mut bytes) = (key.bytes.clone(), length(key));
        let (mut candidates, mut latest) = (Vec::new(), key.order);
        let mut cut = false;
        for picture in behind.iter().take_while(|it| !it.key) {
            // What is shown before the keyframe needs pictures before it, and nothing here needs it.
            if picture.order < key.order {
                continue;
            }
            span = span.start.min(picture.bytes.start)..span.end.max(picture.bytes.end);
            bytes = bytes.saturating_add(length(picture));
            let is_full = pictures.len() as u64 >= most.pictures;
            if is_full || bytes.max(span.end - span.start) > most.bytes {
                cut = true;
                break;
            }
            // Else one that is decoded later may come before it, or none later that is needed for it.
            let is_last = picture.order > latest;
            if let Some(at) = picture.at.filter(|at| is_last && *at > begin && *at <= end) {
                candidates.push((pictures.len(), at));
            }
            latest = latest.max(picture.order);
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

    /// How far so many pictures would be from each other.
    fn step(&self, wanted: u32) -> Duration {
        let parts = wanted + u32::from(self.closed);
        self.end.saturating_sub(self.begin) / parts.max(1)
    }

    /// What is decoded for those that are wanted. `None`: there are none.
    fn group(&self) -> Option<Group> {
        let step = self.step(self.wanted);
        let mut wanted: Vec<(usize, Duration)> = (1..=self.wanted)
            .filter_map(|part| {
                let moment = match part == self.wanted && !self.closed {
                    // Divided and multiplied it would be a little less.
                    true => self.end,
                    false => self.begin + step * part,
                };
                let behind = self.candidates.partition_point(|(_, at)| *at <= moment);
                self.candidates.get(behind.checked_sub(1)?).copied()
            })
            .collect();
        wanted.dedup();
        let (last, _) = *wanted.last()?;
        let decoded = self.pictures.get(..=last)?;
        let moments = wanted.into_iter().filter_map(|(index, at)| {
            let order = decoded.get(index)?.order;
            let before = decoded.iter().filter(|it| it.order < order).count();
            let place = u32::try_from(before).ok()?;
            Some(Moment { at, place })
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

fn length(picture: &CodedPicture) -> u64 {
    picture.bytes.end.saturating_sub(picture.bytes.start)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::select::choose;
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
            order: i64::try_from(shown(decoded)).expect("few"),
            // Sound lies between.
            bytes: decoded as u64 * 107..decoded as u64 * 107 + 100,
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

    /// Each moment is that of the picture which a decoder hands out in its place, when it is given these.
    fn have_their_places(group: &Group, decoded: &[CodedPicture]) {
        let mut shown = decoded.to_vec();
        shown.sort_by_key(|it| it.order);
        for Moment { at, place } in &group.moments {
            assert_eq!(shown[*place as usize].at, Some(*at));
        }
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
            let all = &pictures[begin..][..decoded(group)];
            // The keyframe comes first, and nothing of the sound between.
            let want: Vec<_> = all.iter().map(|it| it.bytes.clone()).collect();
            assert_eq!(group.bytes, want);
            have_their_places(group, all);
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
    fn the_last_picture_is_shown_where_the_film_is_not_too_long() {
        let (keyframes, pictures) = film(10, 250);
        let last = pictures.iter().filter_map(|it| it.at).max();
        let times = times(&groups(&keyframes, &pictures, HD / 8));
        assert_eq!(times.last().copied(), last);
    }

    #[test]
    fn what_an_edit_leaves_out_is_decoded_and_never_shown() {
        let (mut keyframes, mut pictures) = film(10, 250);
        // It begins after two seconds, with the keyframe's moment: all before is needed for that.
        let cut = Duration::from_secs(2);
        for picture in &mut pictures {
            picture.at = picture.at.and_then(|at| at.checked_sub(cut));
        }
        keyframes[0].at = Duration::ZERO;
        let [group] = &groups(&keyframes, &pictures, HD / 8)[..] else {
            panic!("not one group");
        };
        have_their_places(group, &pictures[..decoded(group)]);
        let first = group.moments.first().expect("a moment");
        assert!(first.at > Duration::ZERO, "{first:?}");
    }

    #[test]
    fn what_is_shown_before_its_keyframe_is_left_out() {
        let (mut keyframes, mut pictures) = film(12, 150);
        // An open group: two pictures behind the second keyframe are shown before it.
        for (picture, order) in [(150, 152), (151, 150), (152, 151)] {
            pictures[picture].order = order;
            pictures[picture].at = Some(Duration::from_millis(40 * order.unsigned_abs()));
        }
        keyframes[1].at = Duration::from_millis(40 * 152);
        let groups = groups(&keyframes, &pictures, HD / 8);
        let group = groups.last().expect("two");
        assert!(group.bytes.contains(&pictures[150].bytes));
        assert!(!group.bytes.contains(&pictures[151].bytes));
        let mut all = pictures[150..][..decoded(group) + 2].to_vec();
        all.drain(1..3);
        have_their_places(group, &all);
    }

    proptest! {
        #[test]
        fn whatever_a_file_claims_the_work_is_bounded(
            times in proptest::collection::vec(
                (0_u64..100_000, 0..300_u32, 0..40_000_000_u64, 1..4_000_000_u64),
                0..3000,
            ),
        ) {
            // The same bytes as often as it likes, and in any order.
            let pictures = times.iter().enumerate().map(|(index, (at, key, start, length))| {
                CodedPicture {
                    at: Some(Duration::from_millis(*at)),
                    order: i64::try_from(*at).expect("small"),
                    bytes: *start..start + length / (1 + index as u64 % 9),
                    key: index == 0 || *key == 0,
                }
            });
            let pictures: Vec<_> = pictures.collect();
            let keyframes = keys_of(&pictures);
            let moments = choose(&keyframes, &pictures, HD).into_iter().flat_map(|it| it.moments);
            prop_assert!(moments.count() <= MOST_STILLS);
            let groups = groups(&keyframes, &pictures, HD);
            let all: usize = groups.iter().map(|it| it.bytes.len()).sum();
            prop_assert!(all as u64 * HD <= MOST_DECODED);
            let most = MOST_GROUP_BYTES as u64;
            prop_assert!(groups.iter().map(Group::length).sum::<u64>() <= most);
            let spans = groups.iter().map(|it| it.span().end - it.span().start);
            prop_assert!(spans.sum::<u64>() <= most);
        }
    }
}
