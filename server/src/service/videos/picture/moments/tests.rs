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
