//! Chooses pictures before the first keyframe that is shown.
//!
//! A video that was trimmed without being encoded again begins between keyframes. Decoding begins with a keyframe that
//! the trim has cut off, and that must not be shown.

use std::time::Duration;

use super::{Group, exact};
use crate::MAX_STILLS;
use media::{CodedPicture, Keyframe};

/// The most pictures before a keyframe that is shown.
const MAX_BEFORE_KEYFRAME: u32 = 4;

/// Minimum distance between two of them.
const MIN_STEP: Duration = Duration::from_secs(1);

/// The groups to decode for pictures that are presented before all of these keyframes, the first one among them; all over
/// the video if there is no keyframe.
///
/// `all` are the video's pictures in decoding order; each has `pixels` pixels.
pub fn beginning(keyframes: &[Keyframe], all: &[CodedPicture], pixels: u64) -> Vec<Group> {
    let first = keyframes.iter().map(|it| it.at).min();
    let is_before = |at: Duration| first.is_none_or(|first| at.as_millis() < first.as_millis());
    let times = all.iter().enumerate();
    let times = times.filter_map(|(index, it)| Some((it.at.filter(|at| is_before(*at))?, index)));
    let mut times: Vec<(Duration, usize)> = times.collect();
    times.sort_unstable();
    // A still is named by its milliseconds.
    times.dedup_by_key(|it| it.0.as_millis());
    let (Some(&(begin, _)), Some(&(end, _))) = (times.first(), times.last()) else {
        return Vec::new();
    };
    let most = match first {
        Some(_) => MAX_BEFORE_KEYFRAME,
        None => u32::try_from(MAX_STILLS).unwrap_or(MAX_BEFORE_KEYFRAME),
    };
    let steps = (end - begin).as_secs() / MIN_STEP.as_secs();
    let steps = u32::try_from(steps).unwrap_or(most).min(most - 1);
    let wanted = (0..=steps).map(|step| {
        let at = begin + (end - begin) / steps.max(1) * step;
        times[times.partition_point(|it| it.0 < at).min(times.len() - 1)].1
    });
    let wanted: Vec<usize> = wanted.collect();
    let mut groups = exact(all, &wanted, pixels);
    // In place of a picture that is too far behind its keyframe there may be one of the keyframes.
    groups.retain(|it| it.moments.iter().all(|it| is_before(it.at)));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    const HD: u64 = 1280 * 720;

    /// Ten pictures a second, of which those before `cut` aren't shown. A keyframe each `every` pictures.
    fn trimmed(count: u64, every: u64, cut: u64) -> (Vec<Keyframe>, Vec<CodedPicture>) {
        let at = |index: u64| Some(Duration::from_millis(index.checked_sub(cut)? * 100));
        let pictures = (0..count).map(|index| CodedPicture {
            at: at(index),
            composition_time: index.cast_signed(),
            bytes: index * 10..index * 10 + 10,
            is_keyframe: index % every == 0,
        });
        let pictures: Vec<_> = pictures.collect();
        let shown = pictures.iter().filter(|it| it.is_keyframe);
        let shown = shown.filter_map(|it| {
            let bytes = it.bytes.clone();
            Some(Keyframe { at: it.at?, bytes })
        });
        (shown.collect(), pictures)
    }

    fn times(groups: &[Group]) -> Vec<u128> {
        let moments = groups.iter().flat_map(|it| &it.moments);
        moments.map(|it| it.at.as_millis()).collect()
    }

    #[test]
    fn a_video_that_begins_with_a_keyframe_needs_no_others() {
        let (keyframes, pictures) = trimmed(100, 30, 0);
        assert_eq!(beginning(&keyframes, &pictures, HD), []);
        assert_eq!(beginning(&keyframes, &[], HD), []);
    }

    #[test]
    fn a_trimmed_video_begins_with_its_first_picture_that_is_shown() {
        for (cut, want) in [
            (55, &[0][..]),
            (20, &[0, 1300, 2600, 3900]),
            (59, &[0]),
            (60, &[]),
        ] {
            let (keyframes, pictures) = trimmed(120, 60, cut);
            let groups = beginning(&keyframes, &pictures, HD);
            assert_eq!(times(&groups), want, "{cut}");
            for group in groups {
                let positions = group.moments.iter().map(|it| u64::from(it.position));
                let shown = want
                    .iter()
                    .map(|at| u64::try_from(*at).expect("small") / 100);
                assert!(positions.eq(shown.map(|index| index + cut)), "{cut}");
            }
        }
    }

    #[test]
    fn a_trimmed_video_with_one_keyframe_has_stills_throughout() {
        let (keyframes, pictures) = trimmed(200, 1000, 80);
        assert_eq!(keyframes, []);
        let times = times(&beginning(&keyframes, &pictures, HD));
        assert_eq!(times.len(), MAX_STILLS);
        assert_eq!((times[0], times[MAX_STILLS - 1]), (0, 11_900));
    }
}
