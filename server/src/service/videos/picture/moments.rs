//! Which pictures of a video to decode for the moments that someone wants to see.

use std::collections::BTreeSet;
use std::time::Duration;

use media::{CodedPicture, Keyframe, VideoTrack};
use stills::Group;

/// Maximum size of all that one call reads, in bytes.
pub(in crate::service::videos) const MAX_CODED_BYTES: u64 = 16 << 20;

/// Maximum number of pictures of one call.
pub const MAX_PICTURES: usize = 8;

/// The greatest distance of a picture from a moment that it stands for, in milliseconds: half of the page's interval between
/// keyframes, and some.
pub const NEAR_MS: u64 = 600;

/// Which moments of a video to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moments {
    /// The one next to this time, in milliseconds.
    At(u64),
    /// Some that are spread over this span, in milliseconds. Where there is none, the one next to its middle.
    Between(u64, u64),
    /// The ones next to these times, in milliseconds.
    Each(Vec<u64>),
    /// The same, or keyframes that are [`NEAR_MS`] from them at most, which are decoded much faster.
    Near(Vec<u64>),
}

impl Moments {
    /// The indices of those of these times, in milliseconds and in order, that show these moments best: at least one, if
    /// there is one, and at most [`MAX_PICTURES`].
    pub fn nearest(&self, times: &[u64]) -> Vec<usize> {
        self.few(times, MAX_PICTURES)
    }

    /// At most `max` of [`Moments::nearest`], at least one.
    fn few(&self, times: &[u64], max: usize) -> Vec<usize> {
        let nearest = |at: &u64| (0..times.len()).min_by_key(|index| times[*index].abs_diff(*at));
        let (from, to) = match self {
            Self::At(at) => return nearest(at).into_iter().collect(),
            Self::Each(all) | Self::Near(all) => {
                let each: BTreeSet<usize> = all.iter().filter_map(nearest).collect();
                let each: Vec<usize> = each.into_iter().collect();
                return spread(each.len(), max).map(|index| each[index]).collect();
            }
            Self::Between(from, to) => (*from, *to),
        };
        let first = times.partition_point(|at| *at < from);
        let within = times[first..].partition_point(|at| *at <= to);
        if within == 0 || max <= 1 {
            let middle = from + to.saturating_sub(from) / 2;
            return nearest(&middle).into_iter().collect();
        }
        let (begin, last) = (first, first + within - 1);
        if within <= max {
            return (begin..=last).collect();
        }
        // Even in time: where nothing changes there may be few pictures, and many where something does.
        let steps = max as u64 - 1;
        let length = times[last] - times[begin];
        let even = (0..=steps).map(|step| times[begin] + length / steps * step);
        let chosen: BTreeSet<usize> = even.filter_map(|at| nearest(&at)).collect();
        chosen.into_iter().collect()
    }
}

/// The index of the time next to this one, if they are [`NEAR_MS`] apart at most.
pub fn nearest_within(at: u64, times: &[u64]) -> Option<usize> {
    let distances = times.iter().map(|it| it.abs_diff(at)).enumerate();
    let (index, distance) = distances.min_by_key(|it| it.1)?;
    (distance <= NEAR_MS).then_some(index)
}

/// At most `max` of `all` indices: the first and the last one, and between them by equal steps.
fn spread(all: usize, max: usize) -> impl Iterator<Item = usize> {
    let count = all.min(max);
    let steps = count.saturating_sub(1).max(1);
    (0..count).map(move |number| number * (all - 1) / steps)
}

/// Chooses keyframes, which are in presentation order, for these moments: as many as have [`MAX_CODED_BYTES`] together.
pub(super) fn choose_keyframes(keyframes: &[Keyframe], moments: &Moments) -> Vec<Group> {
    let times: Vec<u64> = keyframes.iter().map(|it| millis(it.at)).collect();
    choose_among(&times, moments, |indices| {
        let chosen = indices.iter();
        chosen
            .map(|index| keyframes[*index].clone().into())
            .collect()
    })
}

/// Chooses the pictures next to these moments, likewise; none for a span in which there are enough keyframes, because
/// those are decoded much faster.
pub(super) fn choose_exact(
    keyframes: &[Keyframe],
    pictures: &[CodedPicture],
    track: &VideoTrack,
    moments: &Moments,
) -> Vec<Group> {
    let times: Vec<u64> = keyframes.iter().map(|it| millis(it.at)).collect();
    if matches!(moments, Moments::Between(..)) && moments.nearest(&times).len() == MAX_PICTURES {
        return Vec::new();
    }
    let moments = match moments {
        Moments::Near(all) => {
            let keyframe = |at: &u64| nearest_within(*at, &times).map_or(*at, |index| times[index]);
            &Moments::Each(all.iter().map(keyframe).collect())
        }
        others => others,
    };
    let shown = pictures.iter().enumerate();
    let shown = shown.filter_map(|(index, it)| Some((millis(it.at?), index)));
    let mut shown: Vec<(u64, usize)> = shown.collect();
    shown.sort_unstable();
    let times: Vec<u64> = shown.iter().map(|(at, _)| *at).collect();
    let pixels = u64::from(track.width) * u64::from(track.height);
    choose_among(&times, moments, |indices| {
        let indices: Vec<usize> = indices.iter().map(|index| shown[*index].1).collect();
        stills::exact(pictures, &indices, pixels)
    })
}

/// The groups for as many of these times as are small enough together.
fn choose_among(
    times: &[u64],
    moments: &Moments,
    groups: impl Fn(&[usize]) -> Vec<Group>,
) -> Vec<Group> {
    let fewer = (1..=MAX_PICTURES).rev();
    let mut fewer = fewer.map(|max| groups(&moments.few(times, max)));
    let fits = |some: &Vec<Group>| some.iter().map(length).sum::<u64>() <= MAX_CODED_BYTES;
    fewer.find(fits).unwrap_or_default()
}

/// The number of bytes that are read for it.
pub(super) fn length(group: &Group) -> u64 {
    let span = group.span();
    span.end - span.start
}

/// Milliseconds of a time in a video.
pub(super) fn millis(at: Duration) -> u64 {
    u64::try_from(at.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use media::{Codec, Rotation};

    fn keyframes(times: &[u64], length: u64) -> Vec<Keyframe> {
        let frames = times.iter().map(|at| Keyframe {
            at: Duration::from_millis(*at),
            bytes: at * 10..at * 10 + length,
        });
        frames.collect()
    }

    fn times_of(groups: &[Group]) -> Vec<u128> {
        let moments = groups.iter().flat_map(|it| &it.moments);
        moments.map(|it| it.at.as_millis()).collect()
    }

    fn chosen(times: &[u64], moments: &Moments) -> Vec<u128> {
        times_of(&choose_keyframes(&keyframes(times, 1), moments))
    }

    #[test]
    fn the_nearest_keyframe_is_chosen_for_a_moment() {
        let times = [0, 3000, 6000];
        for (at, want) in [(0, 0), (1499, 0), (1501, 3000), (u64::MAX, 6000)] {
            assert_eq!(chosen(&times, &Moments::At(at)), [want]);
        }
        assert!(chosen(&[], &Moments::At(7)).is_empty());
    }

    #[test]
    fn several_moments_share_their_nearest_keyframes() {
        let each = Moments::Each(vec![5900, 0, 6100, 3100]);
        assert_eq!(chosen(&[0, 3000, 6000], &each), [0, 3000, 6000]);
        let many = Moments::Each((0..30).map(|it| it * 1000).collect());
        let times: Vec<u64> = (0..30).map(|second| second * 1000).collect();
        assert_eq!(chosen(&times, &many).len(), MAX_PICTURES);
    }

    #[test]
    fn a_span_is_shown_from_its_first_keyframe_to_its_last_one() {
        let times: Vec<u64> = (0..30).map(|second| second * 1000).collect();
        let shown = chosen(&times, &Moments::Between(5000, 25_500));
        assert_eq!((shown.first(), shown.last()), (Some(&5000), Some(&25_000)));
        assert_eq!(shown.len(), MAX_PICTURES);
        assert_eq!(chosen(&[0, 9000], &Moments::Between(4000, 4900)), [0]);
    }

    #[test]
    fn a_span_is_shown_evenly_in_time_where_pictures_come_in_bursts() {
        let burst = (0..100).map(|number| number * 10);
        let times: Vec<u64> = burst.chain([4000, 7000, 9990]).collect();
        let shown = Moments::Between(0, 10_000).few(&times, 4);
        let shown: Vec<u64> = shown.into_iter().map(|index| times[index]).collect();
        assert_eq!(shown, [0, 4000, 7000, 9990]);
    }

    #[test]
    fn no_more_bytes_are_read_than_a_call_may_hold() {
        let span = &Moments::Between(0, 60_000);
        let times: Vec<u64> = (0..60).map(|second| second * 1000).collect();
        for (length, want) in [
            (MAX_CODED_BYTES / 8, 8),
            (MAX_CODED_BYTES / 8 + 1, 7),
            (MAX_CODED_BYTES / 3, 3),
            (MAX_CODED_BYTES / 2 + 1, 1),
            (MAX_CODED_BYTES, 1),
        ] {
            let keyframes = keyframes(&times, length);
            let shown = choose_keyframes(&keyframes, span);
            assert_eq!(shown.len(), want, "{length}");
            let seconds = times_of(&shown).into_iter().map(|it| it / 1000);
            let seconds: Vec<u128> = seconds.collect();
            // Both ends of the span are shown, or its middle.
            match want {
                1 => assert_eq!(seconds, [30]),
                _ => assert_eq!((seconds[0], seconds[want - 1]), (0, 59), "{seconds:?}"),
            }
        }
        assert!(choose_keyframes(&keyframes(&times, MAX_CODED_BYTES + 1), span).is_empty());
    }

    /// Ten pictures a second for a minute, with a keyframe every this many, of this length each.
    fn exact(every: u64, length: u64, moments: &Moments) -> Vec<Group> {
        let pictures = (0..600_u64).map(|number| CodedPicture {
            at: Some(Duration::from_millis(number * 100)),
            composition_time: i64::try_from(number).expect("few"),
            bytes: number * length..(number + 1) * length,
            is_keyframe: number % every == 0,
        });
        let pictures: Vec<_> = pictures.collect();
        let keyframes = pictures.iter().filter(|it| it.is_keyframe);
        let keyframes = keyframes.filter_map(|it| {
            Some(Keyframe {
                at: it.at?,
                bytes: it.bytes.clone(),
            })
        });
        let track = VideoTrack {
            codec: Codec::Vp8,
            config: Vec::new(),
            width: 1280,
            height: 720,
            rotation: Rotation::None,
        };
        choose_exact(&keyframes.collect::<Vec<_>>(), &pictures, &track, moments)
    }

    #[test]
    fn any_picture_is_found_where_all_can_be_decoded() {
        let one = exact(30, 100, &Moments::At(4751));
        assert_eq!(times_of(&one), [4800]);
        assert_eq!(one[0].bytes.len(), 19, "from its keyframe at 3000 on");
        let each = exact(30, 100, &Moments::Each(vec![50_000, 100, 260]));
        assert_eq!(times_of(&each), [100, 300, 50_000]);
        let span = exact(300, 100, &Moments::Between(4000, 4500));
        assert_eq!(times_of(&span), [4000, 4100, 4200, 4300, 4400, 4500]);
    }

    #[test]
    fn moments_near_keyframes_are_shown_by_these() {
        let shown = exact(30, 100, &Moments::Near(vec![3600, 8399, 0, 4601]));
        assert_eq!(times_of(&shown), [0, 3000, 4600, 8400]);
    }

    #[test]
    fn a_span_with_enough_keyframes_is_shown_by_these() {
        let span = Moments::Between(0, 25_000);
        assert_eq!(exact(30, 100, &span), []);
        assert_eq!(times_of(&exact(60, 100, &span)).len(), MAX_PICTURES);
    }

    #[test]
    fn the_bytes_of_preceding_pictures_count_against_the_limit() {
        let length = MAX_CODED_BYTES / 20;
        let two = Moments::Each(vec![1400, 31_500]);
        assert_eq!(times_of(&exact(300, length, &two)).len(), 1);
        assert_eq!(exact(300, length, &Moments::At(2100)), []);
    }

    proptest! {
        #[test]
        fn chosen_keyframes_are_ordered_and_within_the_maximum(
            mut times in proptest::collection::vec(0_u64..100_000, 1..80), from: u16, to: u16,
        ) {
            times.sort_unstable();
            times.dedup();
            let shown = chosen(&times, &Moments::Between(from.into(), to.into()));
            prop_assert!((1..=MAX_PICTURES).contains(&shown.len()));
            prop_assert!(shown.is_sorted_by(|a, b| a < b), "{:?}", shown);
        }
    }
}
