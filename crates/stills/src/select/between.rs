//! Chooses pictures between keyframes that are far apart, as messengers and video editors write them.
//!
//! Such a picture needs everything that is decoded before it, back to its keyframe. So each group of pictures is
//! decoded once for all moments in it, and only as far as its share of the work allows.

use std::time::Duration;

use super::Group;
use super::gop::{Gop, Share};
use crate::MAX_GROUP_BYTES;
use media::{CodedPicture, Keyframe};

/// The distance between keyframes from which on pictures between them are added.
///
/// The recorders of browsers write a keyframe every three seconds or so, Firefox every seven.
const SPARSE: Duration = Duration::from_secs(5);

/// Minimum distance between two added pictures.
const MIN_STEP: Duration = Duration::from_secs(1);

/// Maximum number of pixels decoded for one video: 400 pictures of 1280 × 720.
///
/// The built-in decoder takes some six milliseconds for each, and agents wait for them.
pub(crate) const MAX_DECODED_PIXELS: u64 = 400 * 1280 * 720;

/// Chooses pictures between these keyframes where they are rare, in presentation order: as many as `max` leaves.
///
/// `all` are the video's pictures in decoding order; each has `pixels` pixels.
pub(super) fn choose(
    keyframes: &[Keyframe],
    all: &[CodedPicture],
    pixels: u64,
    max: usize,
) -> Vec<Group> {
    let Some(end) = all.iter().filter_map(|it| it.at).max() else {
        return Vec::new();
    };
    let ends = keyframes.iter().map(|it| (it.at, true)).skip(1);
    let gaps = keyframes.iter().zip(ends.chain([(end, false)]));
    let rare: Vec<_> = gaps
        .filter(|(keyframe, (end, _))| end.saturating_sub(keyframe.at) >= SPARSE)
        .collect();
    let shares = rare.len().max(1) as u64;
    let share = Share {
        pictures: MAX_DECODED_PIXELS / pixels.max(1) / shares,
        bytes: MAX_GROUP_BYTES as u64 / shares,
    };
    let rare = rare.into_iter();
    let mut gops: Vec<Gop<'_>> = rare
        .filter_map(|(keyframe, (end, closed))| Gop::new(keyframe, end, closed, all, &share))
        .collect();
    for _ in keyframes.len()..max {
        let widest = gops.iter_mut().max_by_key(|gop| gop.step(gop.wanted + 1));
        match widest {
            Some(gop) if gop.step(gop.wanted + 1) >= MIN_STEP => gop.wanted += 1,
            _ => break,
        }
    }
    gops.iter().filter_map(Gop::to_group).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Moment;
    use super::super::choose as choose_all;
    use super::*;
    use crate::MAX_STILLS;

    const HD: u64 = 1280 * 720;

    /// 25 pictures a second in decoding order, a keyframe every `every`, two B-frames behind each P-frame.
    fn coded(seconds: u32, every: usize) -> (Vec<Keyframe>, Vec<CodedPicture>) {
        let shown = |decoded: usize| match decoded % every {
            0 => decoded,
            index if index % 3 == 1 => (decoded + 2).min(decoded - index + every - 1),
            _ => decoded - 1,
        };
        let pictures = (0..seconds as usize * 25).map(|decoded| CodedPicture {
            at: Some(Duration::from_millis(40 * shown(decoded) as u64)),
            composition_time: i64::try_from(shown(decoded)).expect("few"),
            // Audio is interleaved.
            bytes: decoded as u64 * 107..decoded as u64 * 107 + 100,
            is_keyframe: decoded % every == 0,
        });
        let pictures: Vec<_> = pictures.collect();
        (keys_of(&pictures), pictures)
    }

    fn keys_of(pictures: &[CodedPicture]) -> Vec<Keyframe> {
        let keys = pictures.iter().filter(|it| it.is_keyframe);
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

    /// The moments of all groups, in presentation order.
    fn times(groups: &[Group]) -> Vec<Duration> {
        let moments = groups.iter().flat_map(|it| &it.moments);
        let mut times: Vec<Duration> = moments.map(|it| it.at).collect();
        times.sort_unstable();
        times
    }

    /// The number of pictures that are decoded for a group, of a hundred bytes each.
    fn decoded(group: &Group) -> usize {
        usize::try_from(group.length() / 100).expect("few")
    }

    /// Checks each moment against the picture that a decoder returns at its position when it is given these.
    fn assert_positions(group: &Group, decoded: &[CodedPicture]) {
        let mut shown = decoded.to_vec();
        shown.sort_by_key(|it| it.composition_time);
        for Moment { at, position } in &group.moments {
            assert_eq!(shown[*position as usize].at, Some(*at));
        }
    }

    #[test]
    fn where_keyframes_are_rare_pictures_between_them_are_shown_too() {
        for (seconds, every) in [(10, 250), (30, 250), (60, 250)] {
            let (keyframes, pictures) = coded(seconds, every);
            let times = times(&choose_all(&keyframes, &pictures, HD / 8, MAX_STILLS));
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
        let (keyframes, pictures) = coded(20, 250);
        let groups = choose(&keyframes, &pictures, HD / 2, MAX_STILLS);
        assert_eq!(groups.len(), 2);
        for (group, begin) in groups.iter().zip([0, 250]) {
            assert!(group.moments.len() > 1, "{group:?}");
            let all = &pictures[begin..][..decoded(group)];
            // From the keyframe on, without the interleaved audio.
            let want: Vec<_> = all.iter().map(|it| it.bytes.clone()).collect();
            assert_eq!(group.bytes, want);
            assert_positions(group, all);
            assert!(group.moments.is_sorted_by(|a, b| a.position < b.position));
        }
    }

    #[test]
    fn short_videos_and_frequent_keyframes_need_no_other_pictures() {
        for (seconds, every) in [(1, 25), (10, 75), (60, 25)] {
            let (keyframes, pictures) = coded(seconds, every);
            assert_eq!(choose(&keyframes, &pictures, HD, MAX_STILLS), []);
        }
    }

    #[test]
    fn an_expensive_gap_is_decoded_up_to_its_share() {
        let reach = |pixels| {
            let (keyframes, pictures) = coded(70, 70 * 25);
            let times = times(&choose(&keyframes, &pictures, pixels, MAX_STILLS));
            times.last().map(Duration::as_secs)
        };
        assert_eq!(reach(HD / 32), Some(69));
        assert_eq!(reach(HD), Some(15));
        assert_eq!(reach(HD * 9), Some(1));
        // The work is shared among all groups.
        let (keyframes, pictures) = coded(60, 250);
        let groups = choose(&keyframes, &pictures, HD, MAX_STILLS);
        assert_eq!(groups.len(), 6);
        let most = MAX_DECODED_PIXELS / HD / 6;
        assert!(groups.iter().all(|it| decoded(it) as u64 <= most));
    }

    #[test]
    fn the_last_picture_is_shown_where_the_film_is_not_too_long() {
        let (keyframes, pictures) = coded(10, 250);
        let last = pictures.iter().filter_map(|it| it.at).max();
        let times = times(&choose(&keyframes, &pictures, HD / 8, MAX_STILLS));
        assert_eq!(times.last().copied(), last);
    }

    #[test]
    fn pictures_left_out_by_an_edit_are_decoded_and_never_shown() {
        let (mut keyframes, mut pictures) = coded(10, 250);
        // The presentation begins after two seconds; everything before is decoded, but not presented.
        let cut = Duration::from_secs(2);
        for picture in &mut pictures {
            picture.at = picture.at.and_then(|at| at.checked_sub(cut));
        }
        keyframes[0].at = Duration::ZERO;
        let [group] = &choose(&keyframes, &pictures, HD / 8, MAX_STILLS)[..] else {
            panic!("not one group");
        };
        assert_positions(group, &pictures[..decoded(group)]);
        let first = group.moments.first().expect("a moment");
        assert!(first.at > Duration::ZERO, "{first:?}");
    }

    #[test]
    fn pictures_shown_before_their_keyframe_are_left_out() {
        let (mut keyframes, mut pictures) = coded(12, 150);
        // An open GOP: two pictures behind the second keyframe are presented before it.
        for (picture, order) in [(150, 152), (151, 150), (152, 151)] {
            pictures[picture].composition_time = order;
            pictures[picture].at = Some(Duration::from_millis(40 * order.unsigned_abs()));
        }
        keyframes[1].at = Duration::from_millis(40 * 152);
        let groups = choose(&keyframes, &pictures, HD / 8, MAX_STILLS);
        let group = groups.last().expect("two");
        assert!(group.bytes.contains(&pictures[150].bytes));
        assert!(!group.bytes.contains(&pictures[151].bytes));
        let mut all = pictures[150..][..decoded(group) + 2].to_vec();
        all.drain(1..3);
        assert_positions(group, &all);
    }

    proptest! {
        #[test]
        fn the_work_is_bounded_for_any_declared_timing(
            times in proptest::collection::vec(
                (0_u64..100_000, 0..300_u32, 0..40_000_000_u64, 1..4_000_000_u64),
                0..3000,
            ),
        ) {
            // The same bytes may be named several times and in any order.
            let pictures = times.iter().enumerate().map(|(index, (at, key, start, length))| {
                CodedPicture {
                    at: Some(Duration::from_millis(*at)),
                    composition_time: i64::try_from(*at).expect("small"),
                    bytes: *start..start + length / (1 + index as u64 % 9),
                    is_keyframe: index == 0 || *key == 0,
                }
            });
            let pictures: Vec<_> = pictures.collect();
            let keyframes = keys_of(&pictures);
            let moments = choose_all(&keyframes, &pictures, HD, MAX_STILLS).into_iter().flat_map(|it| it.moments);
            prop_assert!(moments.count() <= MAX_STILLS);
            let groups = choose(&keyframes, &pictures, HD, MAX_STILLS);
            let all: usize = groups.iter().map(|it| it.bytes.len()).sum();
            prop_assert!(all as u64 * HD <= MAX_DECODED_PIXELS);
            let most = MAX_GROUP_BYTES as u64;
            prop_assert!(groups.iter().map(Group::length).sum::<u64>() <= most);
            let spans = groups.iter().map(|it| it.span().end - it.span().start);
            prop_assert!(spans.sum::<u64>() <= most);
        }
    }
}
