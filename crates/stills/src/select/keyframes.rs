//! Chooses keyframes that are spread evenly over a video.

use std::time::Duration;

use media::Keyframe;

/// Chooses at most `max` keyframes, in presentation order, no two in the same millisecond.
///
/// The first and the last one are always chosen. For each of `max` evenly spaced times the nearest keyframe is taken. Where keyframes are unevenly spaced several times share one; the rest of the number fills
/// the largest gaps.
pub(super) fn choose(keyframes: &[Keyframe], max: usize) -> Vec<Keyframe> {
    // Reversed: of several keyframes before the beginning of an edit the last one is presented.
    let mut frames: Vec<&Keyframe> = keyframes.iter().rev().collect();
    frames.retain(|frame| i64::try_from(frame.at.as_millis()).is_ok());
    frames.sort_by_key(|frame| frame.at);
    // The interface names a still by its milliseconds.
    frames.dedup_by_key(|frame| frame.at.as_millis());
    let mut rest = frames;
    let mut chosen: Vec<&Keyframe> = Vec::with_capacity(max);
    for time in even_times(&rest, max) {
        let nearest = rest.iter().min_by_key(|it| it.at.abs_diff(time)).copied();
        chosen.extend(nearest.filter(|it| !chosen.contains(it)));
    }
    while chosen.len() < max {
        rest.retain(|it| !chosen.contains(it));
        // Reversed, because `max_by_key` returns the last of equal ones.
        let Some(loneliest) = rest.iter().rev().max_by_key(|it| distance(it, &chosen)) else {
            break;
        };
        chosen.push(loneliest);
    }
    chosen.sort_by_key(|frame| (frame.at, frame.bytes.start));
    chosen.into_iter().cloned().collect()
}

/// Evenly spaced times from the first frame to the last one.
fn even_times(frames: &[&Keyframe], count: usize) -> Vec<Duration> {
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else {
        return Vec::new();
    };
    let span = last.at.saturating_sub(first.at);
    let steps = u32::try_from(count.saturating_sub(1).max(1)).unwrap_or(u32::MAX);
    (0..=steps)
        // Divided before it is multiplied: a file may declare any time, and the product would overflow.
        .map(|step| {
            if step == steps {
                last.at
            } else {
                first.at.saturating_add((span / steps).saturating_mul(step))
            }
        })
        .collect()
}

/// The distance to the nearest chosen keyframe.
fn distance(frame: &Keyframe, chosen: &[&Keyframe]) -> Duration {
    let distances = chosen.iter().map(|it| it.at.abs_diff(frame.at));
    distances.min().unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::MAX_STILLS;

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
        assert_eq!(millis(&choose(&at(&second), MAX_STILLS)), want);
    }

    #[test]
    fn where_keyframes_crowd_the_gaps_are_filled_first() {
        let crowded: Vec<u64> = (0..100).chain([5000, 60_000]).collect();
        let chosen = millis(&choose(&at(&crowded), MAX_STILLS));
        assert_eq!(chosen.len(), MAX_STILLS);
        for lonely in [0, 99, 5000, 60_000] {
            assert!(chosen.contains(&lonely), "{chosen:?}");
        }
    }

    #[test]
    fn senseless_times_are_tolerated() {
        let mut frames = at(&[0, 0, 0, 7]);
        frames[3].at = Duration::MAX;
        let chosen = choose(&frames, MAX_STILLS);
        assert_eq!(millis(&chosen), [0]);
        assert_eq!(chosen[0].bytes, frames[2].bytes, "the last of them");
        assert!(choose(&[], MAX_STILLS).is_empty());
    }

    proptest! {
        #[test]
        fn chosen_keyframes_are_ordered_distinct_and_hold_both_ends(
            mut times in proptest::collection::vec(0_u64..100_000, 0..80),
        ) {
            times.sort_unstable();
            let frames = at(&times);
            let chosen = choose(&frames, MAX_STILLS);
            times.dedup();
            prop_assert_eq!(chosen.len(), times.len().min(MAX_STILLS), "one a moment");
            prop_assert!(chosen.windows(2).all(|pair| pair[0].bytes.start < pair[1].bytes.start));
            prop_assert!(chosen.iter().all(|it| frames.contains(it)));
            prop_assert_eq!(chosen.first().map(|it| it.at), frames.first().map(|it| it.at));
            prop_assert_eq!(chosen.last().map(|it| it.at), frames.last().map(|it| it.at));
        }

        /// No keyframe is farther from a still than it must be.
        #[test]
        fn no_keyframe_is_farther_from_a_chosen_one_than_an_eleventh_of_the_video(
            mut times in proptest::collection::vec(0_u64..100_000, 1..80),
        ) {
            times.sort_unstable();
            let frames = at(&times);
            let chosen: Vec<Keyframe> = choose(&frames, MAX_STILLS);
            let chosen: Vec<&Keyframe> = chosen.iter().collect();
            let span = times[times.len() - 1] - times[0];
            let eleventh = Duration::from_millis(span / 11 + 1);
            prop_assert!(frames.iter().all(|it| distance(it, &chosen) <= eleventh));
        }
    }
}
