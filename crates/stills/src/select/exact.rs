//! Chooses what to decode for pictures that someone asks for, wherever their keyframes are.

use std::collections::BTreeMap;

use super::between::MAX_DECODED_PIXELS;
use super::{Group, Moment};
use media::{CodedPicture, Keyframe};

/// The groups to decode for these pictures of a video, which are given by their indices. In presentation order.
///
/// `all` are the video's pictures in decoding order; each has `pixels` pixels. The work is bounded, and shared equally
/// among the keyframes that decoding begins with. A picture that is too far behind its keyframe is replaced by it, and
/// so is one of an open GOP, which is presented before its keyframe and refers to the GOP before.
pub fn exact(all: &[CodedPicture], wanted: &[usize], pixels: u64) -> Vec<Group> {
    let mut by_keyframe = BTreeMap::<usize, Vec<usize>>::new();
    for index in wanted {
        let until = all.get(..=*index).unwrap_or_default();
        if let Some(keyframe) = until.iter().rposition(|it| it.is_keyframe) {
            by_keyframe.entry(keyframe).or_default().push(*index);
        }
    }
    let most = MAX_DECODED_PIXELS / pixels.max(1) / by_keyframe.len().max(1) as u64;
    let groups = by_keyframe.into_iter().filter_map(|(keyframe, wanted)| {
        let decoded = decoded(all, keyframe, *wanted.iter().max()?)?;
        let group = group(decoded, wanted.iter().filter_map(|index| all.get(*index)));
        let group = group.filter(|it| it.bytes.len() as u64 <= most && it.is_small());
        group.or_else(|| keyframe_alone(decoded.first()?))
    });
    let mut groups: Vec<Group> = groups.collect();
    groups.sort_by_key(|it| it.moments.first().map(|it| it.at));
    groups
}

/// The pictures from a keyframe to the last one that is wanted, and those behind it that are presented before one of
/// these: with them, the number of pictures before a wanted one is final.
fn decoded(all: &[CodedPicture], keyframe: usize, last: usize) -> Option<&[CodedPicture]> {
    let (until, behind) = all.get(keyframe..)?.split_at_checked(last + 1 - keyframe)?;
    let latest = until.iter().map(|it| it.composition_time).max()?;
    let belongs = |it: &&CodedPicture| !it.is_keyframe && it.composition_time < latest;
    let more = behind.iter().take_while(belongs).count();
    all.get(keyframe..=last + more)
}

/// All that decoding needs for the wanted pictures. `None`: none of them can be shown.
fn group<'a>(
    decoded: &[CodedPicture],
    wanted: impl Iterator<Item = &'a CodedPicture>,
) -> Option<Group> {
    let begin = decoded.first()?.composition_time;
    let needed = || decoded.iter().filter(|it| it.composition_time >= begin);
    let moments = wanted.filter_map(|picture| {
        let time = picture.composition_time;
        let before = needed().filter(|it| it.composition_time < time).count();
        Some(Moment {
            at: picture.at.filter(|_| time >= begin)?,
            position: u32::try_from(before).ok()?,
        })
    });
    let mut moments: Vec<Moment> = moments.collect();
    moments.sort_by_key(|it| it.position);
    moments.dedup();
    (!moments.is_empty()).then(|| Group {
        bytes: needed().map(|it| it.bytes.clone()).collect(),
        moments,
    })
}

fn keyframe_alone(picture: &CodedPicture) -> Option<Group> {
    let keyframe = Keyframe {
        at: picture.at?,
        bytes: picture.bytes.clone(),
    };
    Some(Group::from(keyframe)).filter(Group::is_small)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    const HD: u64 = 1280 * 720;

    /// Pictures in decoding order, with these places in presentation order, 40 ms each. A keyframe at each of `keys`.
    fn coded(places: &[u32], keys: &[usize]) -> Vec<CodedPicture> {
        let pictures = places
            .iter()
            .enumerate()
            .map(|(index, place)| CodedPicture {
                at: Some(Duration::from_millis(40) * *place),
                composition_time: (*place).into(),
                bytes: index as u64 * 107..index as u64 * 107 + 100,
                is_keyframe: keys.contains(&index),
            });
        pictures.collect()
    }

    /// How many pictures are decoded for each group, and the times and positions of its moments.
    fn summary(groups: &[Group]) -> Vec<(usize, Vec<(u128, u32)>)> {
        let of_group = |it: &Group| {
            let moments = it.moments.iter();
            let moments = moments.map(|it| (it.at.as_millis(), it.position));
            (it.bytes.len(), moments.collect())
        };
        groups.iter().map(of_group).collect()
    }

    #[test]
    fn each_picture_is_decoded_from_its_keyframe_on() {
        let all = coded(&[0, 1, 2, 3, 4, 5, 6], &[0, 4]);
        assert_eq!(summary(&exact(&all, &[3], HD)), [(4, vec![(120, 3)])]);
        assert_eq!(summary(&exact(&all, &[4], HD)), [(1, vec![(160, 0)])]);
        let several = exact(&all, &[6, 1, 2], HD);
        let want = [(3, vec![(40, 1), (80, 2)]), (3, vec![(240, 2)])];
        assert_eq!(summary(&several), want);
        assert_eq!(several[0].bytes[2], all[2].bytes);
        assert_eq!(exact(&all, &[7], HD), []);
    }

    #[test]
    fn what_is_presented_before_it_is_decoded_with_it() {
        // B-frames: the second picture is presented after the two behind it.
        let all = coded(&[0, 3, 1, 2, 6, 4, 5], &[0]);
        assert_eq!(summary(&exact(&all, &[1], HD)), [(4, vec![(120, 3)])]);
        assert_eq!(summary(&exact(&all, &[2], HD)), [(4, vec![(40, 1)])]);
    }

    #[test]
    fn of_an_open_gop_the_keyframe_is_shown() {
        let all = coded(&[0, 1, 4, 2, 3, 5], &[0, 2]);
        assert_eq!(summary(&exact(&all, &[3], HD)), [(1, vec![(160, 0)])]);
        // What refers to the group before is left out.
        assert_eq!(summary(&exact(&all, &[5], HD)), [(2, vec![(200, 1)])]);
    }

    #[test]
    fn what_would_be_too_much_work_is_replaced_by_its_keyframe() {
        let places: Vec<u32> = (0..900).collect();
        let all = coded(&places, &[0, 450]);
        assert_eq!(
            summary(&exact(&all, &[399], HD)),
            [(400, vec![(15_960, 399)])]
        );
        assert_eq!(summary(&exact(&all, &[400], HD)), [(1, vec![(0, 0)])]);
        let both = exact(&all, &[300, 650], HD);
        assert_eq!(summary(&both), [(1, vec![(0, 0)]), (1, vec![(18_000, 0)])]);
    }

    #[test]
    fn a_picture_that_is_never_shown_is_not_shown_here() {
        let mut all = coded(&[0, 1, 2], &[0]);
        all[1].at = None;
        assert_eq!(summary(&exact(&all, &[1], HD)), [(1, vec![(0, 0)])]);
        assert_eq!(summary(&exact(&all, &[2], HD)), [(3, vec![(80, 2)])]);
    }

    proptest! {
        #[test]
        fn whatever_a_file_claims_the_work_is_bounded_and_positions_are_right(
            pictures in proptest::collection::vec((0_i64..200, 0..9_u32, 1..4_000_000_u64), 1..300),
            wanted in proptest::collection::vec(0..400_usize, 0..9),
        ) {
            let pictures = pictures.iter().map(|(time, key, length)| CodedPicture {
                at: Some(Duration::from_millis(time.unsigned_abs())),
                composition_time: *time,
                bytes: *length..2 * *length,
                is_keyframe: *key == 0,
            });
            let all: Vec<_> = pictures.collect();
            let groups = exact(&all, &wanted, HD);
            prop_assert!(groups.iter().map(|it| it.bytes.len() as u64).sum::<u64>() * HD <= MAX_DECODED_PIXELS + 9 * HD);
            for group in groups {
                prop_assert!(group.is_small() && !group.moments.is_empty());
                let most = group.bytes.len();
                prop_assert!(group.moments.iter().all(|it| (it.position as usize) < most));
            }
        }
    }
}
