//! Chooses what to decode for pictures that someone asks for, wherever their keyframes are.

use std::collections::BTreeMap;
use std::time::Duration;

use super::between::MAX_DECODED_PIXELS;
use super::{Group, Moment};
use media::{CodedPicture, Keyframe};

/// The groups to decode for these pictures of a video, which are given by their indices.
/// In presentation order.
///
/// `all` are the video's pictures in decoding order; each has `pixels` pixels. The work is bounded, and shared equally
/// among the keyframes that decoding begins with. A picture that is too far behind its keyframe is replaced by the
/// keyframe next to it, and so is one of an open GOP, which is presented before its keyframe and refers to the GOP before.
pub fn exact(all: &[CodedPicture], wanted: &[usize], pixels: u64) -> Vec<Group> {
    let mut by_keyframe = BTreeMap::<usize, Vec<usize>>::new();
    for index in wanted {
        let until = all.get(..=*index).unwrap_or_default();
        if let Some(keyframe) = until.iter().rposition(|it| it.is_keyframe) {
            by_keyframe.entry(keyframe).or_default().push(*index);
        }
    }
    let most = MAX_DECODED_PIXELS / pixels.max(1) / by_keyframe.len().max(1) as u64;
    let fits = |it: &Group| it.bytes.len() as u64 <= most && it.is_small();
    let (mut groups, mut replaced) = (Vec::new(), Vec::new());
    for (keyframe, wanted) in by_keyframe {
        let begin = all[keyframe].composition_time;
        let is_shown = |index: &usize| all[*index].at.is_some();
        let (mut near, leading): (Vec<usize>, Vec<usize>) = wanted
            .into_iter()
            .filter(is_shown)
            .partition(|index| all[*index].composition_time >= begin);
        replaced.extend(leading);
        near.sort_unstable();
        while let Some(last) = near.last() {
            let group = decoded(all, keyframe, *last).and_then(|it| group(it, keyframe, &near));
            match group.filter(fits) {
                Some(group) => {
                    groups.push(group);
                    break;
                }
                None => replaced.extend(near.pop()),
            }
        }
    }
    for index in replaced {
        let Some(keyframe) = nearest_keyframe(all, all[index].at) else {
            continue;
        };
        let is_new = |at| {
            !groups
                .iter()
                .any(|it| it.moments.iter().any(|it| it.at == at))
        };
        if keyframe.moments.iter().all(|it| is_new(it.at)) {
            groups.push(keyframe);
        }
    }
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

/// All that decoding needs for the wanted pictures of a GOP, which begins at the index `keyframe`.
///
/// A picture's position is the number of those before it, in decoding order where they have the same time.
fn group(decoded: &[CodedPicture], keyframe: usize, wanted: &[usize]) -> Option<Group> {
    let begin = decoded.first()?.composition_time;
    let needed = || {
        let all = (keyframe..).zip(decoded);
        all.filter(|(_, it)| it.composition_time >= begin)
    };
    let moments = wanted.iter().filter_map(|index| {
        let picture = decoded.get(index - keyframe)?;
        let place = (picture.composition_time, *index);
        let before = needed().filter(|(index, it)| (it.composition_time, *index) < place);
        Some(Moment {
            at: picture.at?,
            position: u32::try_from(before.count()).ok()?,
        })
    });
    let mut moments: Vec<Moment> = moments.collect();
    moments.sort_by_key(|it| it.position);
    moments.dedup();
    (!moments.is_empty()).then(|| Group {
        bytes: needed().map(|(_, it)| it.bytes.clone()).collect(),
        moments,
    })
}

fn nearest_keyframe(all: &[CodedPicture], at: Option<Duration>) -> Option<Group> {
    let at = at?;
    let keyframes = all.iter().filter(|it| it.is_keyframe);
    let keyframes = keyframes.filter_map(|it| {
        let keyframe = Keyframe {
            at: it.at?,
            bytes: it.bytes.clone(),
        };
        Some(Group::from(keyframe)).filter(Group::is_small)
    });
    keyframes.min_by_key(|it| it.moments.first().map(|it| it.at.abs_diff(at)))
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::prelude::*;

    use super::*;

    const HD: u64 = 1280 * 720;

    /// Pictures in decoding order, with these places in presentation order, 40 ms each.
    /// A keyframe at each of `keys`.
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
    fn pictures_presented_earlier_are_decoded_with_their_group() {
        // B-frames: the second picture is presented after the two behind it.
        let all = coded(&[0, 3, 1, 2, 6, 4, 5], &[0]);
        assert_eq!(summary(&exact(&all, &[1], HD)), [(4, vec![(120, 3)])]);
        assert_eq!(summary(&exact(&all, &[2], HD)), [(4, vec![(40, 1)])]);
    }

    #[test]
    fn leading_pictures_of_an_open_gop_show_its_keyframe() {
        let all = coded(&[0, 1, 4, 2, 3, 5], &[0, 2]);
        assert_eq!(summary(&exact(&all, &[4], HD)), [(1, vec![(160, 0)])]);
        // What refers to the group before is left out.
        assert_eq!(summary(&exact(&all, &[5], HD)), [(2, vec![(200, 1)])]);
    }

    #[test]
    fn moments_too_costly_to_decode_show_the_nearest_keyframe() {
        let places: Vec<u32> = (0..900).collect();
        let all = coded(&places, &[0, 450]);
        assert_eq!(
            summary(&exact(&all, &[399], HD)),
            [(400, vec![(15_960, 399)])]
        );
        assert_eq!(summary(&exact(&all, &[400], HD)), [(1, vec![(18_000, 0)])]);
        let both = exact(&all, &[210, 700], HD);
        assert_eq!(summary(&both), [(1, vec![(0, 0)]), (1, vec![(18_000, 0)])]);
        // What is nearer is shown all the same.
        let some = exact(&all, &[9, 440], HD);
        assert_eq!(
            summary(&some),
            [(10, vec![(360, 9)]), (1, vec![(18_000, 0)])]
        );
    }

    #[test]
    fn a_picture_that_is_never_shown_is_not_shown_here() {
        let mut all = coded(&[0, 1, 2], &[0]);
        all[1].at = None;
        assert_eq!(exact(&all, &[1], HD), []);
        assert_eq!(summary(&exact(&all, &[2], HD)), [(3, vec![(80, 2)])]);
    }

    #[test]
    fn two_pictures_of_one_time_have_different_positions() {
        let all = coded(&[0, 1, 1, 2], &[0]);
        assert_eq!(summary(&exact(&all, &[1], HD)), [(2, vec![(40, 1)])]);
        assert_eq!(summary(&exact(&all, &[2], HD)), [(3, vec![(40, 2)])]);
    }

    proptest! {
        #[test]
        fn work_and_positions_are_bounded_for_any_declared_timing(
            pictures in proptest::collection::vec((0_i64..200, 0..9_u32, 1..4_000_000_u64), 1..300),
            wanted in proptest::collection::vec(0..400_usize, 0..9),
        ) {
            let pictures = pictures.iter().enumerate().map(|(index, (time, key, length))| CodedPicture {
                // Each has a time of its own, by which it is known again.
                at: Some(Duration::from_millis(1000 * time.unsigned_abs() + index as u64)),
                composition_time: *time,
                bytes: index as u64..index as u64 + *length,
                is_keyframe: *key == 0,
            });
            let all: Vec<_> = pictures.collect();
            let groups = exact(&all, &wanted, HD);
            prop_assert!(groups.iter().map(|it| it.bytes.len() as u64).sum::<u64>() * HD <= MAX_DECODED_PIXELS + 9 * HD);
            for group in groups {
                prop_assert!(group.is_small() && !group.moments.is_empty());
                // As a decoder sees it: it begins with a keyframe, and hands out what it got by composition time.
                let index = |it: &Range<u64>| usize::try_from(it.start).expect("few");
                let mut decoded: Vec<usize> = group.bytes.iter().map(index).collect();
                let keyframe = decoded[0];
                prop_assert!(all[keyframe].is_keyframe && decoded.is_sorted());
                let until = all[keyframe..].iter().skip(1).take_while(|it| !it.is_keyframe).count();
                prop_assert!(decoded.iter().all(|it| (keyframe..=keyframe + until).contains(it)));
                let last = *decoded.last().expect("a picture");
                let begin = all[keyframe].composition_time;
                let needed = (keyframe..=last).filter(|it| all[*it].composition_time >= begin);
                prop_assert!(needed.eq(decoded.iter().copied()), "what pictures refer to is missing");
                decoded.sort_by_key(|it| all[*it].composition_time);
                for moment in &group.moments {
                    let shown = &all[decoded[moment.position as usize]];
                    prop_assert_eq!(shown.at, Some(moment.at));
                    // None that is decoded later is presented earlier.
                    let behind = all.get(last + 1..=keyframe + until).unwrap_or_default();
                    prop_assert!(behind.iter().take(1).all(|it| it.composition_time >= shown.composition_time || it.composition_time < begin));
                }
            }
        }
    }
}
