//! Tests of the law by which bytes count as having come while they were recorded.

use media::Container;
use proptest::prelude::*;

use super::*;

fn marks(marks: &[(Millis, Millis)]) -> Vec<Mark> {
    let marks = marks.iter().map(|&(at, last_ms)| Mark {
        at,
        first_ms: 0,
        last_ms,
    });
    marks.collect()
}

#[test]
fn bytes_are_live_if_a_recording_explains_when_they_came() {
    for (what, came, live) in [
        (
            "piece by piece",
            &[(2_000, 2_500), (4_000, 4_500), (6_000, 6_500)][..],
            true,
        ),
        (
            "a short one, when it may have ended",
            &[(2_000, 3_000)],
            true,
        ),
        ("a short one, before", &[(1_400, 3_000)], false),
        (
            "a short one in two parts",
            &[(1_900, 2_500), (3_200, 4_000)],
            true,
        ),
        (
            "a short one, as the page sends it from a busy device",
            &[(2_400, 3_100), (4_900, 5_700)],
            true,
        ),
        ("all at once", &[(300, 60_000)], false),
        ("all at once, a minute later", &[(60_000, 60_000)], false),
        (
            "with a pause",
            &[(2_000, 2_500), (900_000, 2_600), (902_000, 4_500)],
            true,
        ),
        (
            "with an outage",
            &[
                (2_000, 2_500),
                (14_000, 14_500),
                (22_000, 22_500),
                (30_000, 30_500),
            ],
            true,
        ),
        (
            "with an outage for most of it",
            &[(2_000, 2_500), (14_000, 14_500), (16_000, 16_500)],
            false,
        ),
        ("ten seconds at once, as late", &[(10_000, 10_000)], false),
        ("ten seconds at once, later", &[(60_000, 10_000)], false),
        ("four seconds at once, as late", &[(4_000, 4_000)], true),
        ("a little more at once", &[(4_100, 4_100)], false),
        (
            "the rest an hour later",
            &[(2_000, 2_500), (3_600_000, 30_000)],
            false,
        ),
        (
            "the rest an hour later, piece by piece",
            &[
                (2_000, 2_500),
                (3_600_000, 10_000),
                (3_601_000, 20_000),
                (3_602_000, 30_000),
            ],
            false,
        ),
        (
            "half of the time paused",
            &[(20_000, 10_000), (40_000, 20_000), (60_000, 30_000)],
            true,
        ),
        (
            "the last third afterwards",
            &[(20_000, 20_000), (22_000, 40_000)],
            false,
        ),
        ("twice as fast", &[(5_000, 10_000), (10_000, 20_000)], false),
        (
            "its length is told at the end",
            &[(1_000, 0), (2_000, 1_900)],
            true,
        ),
        (
            "likewise, and longer",
            &[(2_000, 0), (4_000, 0), (6_000, 6_500)],
            false,
        ),
        ("likewise, at once", &[(10, 0), (20, 0), (30, 6_500)], false),
        (
            "a clock that was set back",
            &[(9_000, 9_000), (2_000, 12_000)],
            false,
        ),
        ("without a frame", &[(2_000, 0)], false),
        ("nothing", &[], false),
    ] {
        assert_eq!(came_live(0, &marks(came)), live, "{what}");
    }
}

/// Such a screen gives no frames for a while, so the next one leaps in the recording's time, and comes at once.
#[test]
fn a_screen_on_which_nothing_moves_is_live() {
    let mark = |at, first_ms, last_ms| Mark {
        at,
        first_ms,
        last_ms,
    };
    let still = [mark(2_000, 0, 2_000), mark(62_000, 60_500, 61_000)];
    assert!(came_live(0, &still));
    let kept = [mark(2_000, 0, 2_000), mark(62_000, 2_100, 61_000)];
    assert!(!came_live(0, &kept));
}

#[test]
fn arrivals_are_stored_without_loss() {
    let chunks = vec![(1, Some(-5)), (8 << 20, Some(1_795_297_880_692))];
    let arrivals = Arrivals::of(chunks.clone()).expect("times");
    let bytes = arrivals.to_bytes();
    assert_eq!(bytes.len(), 24);
    assert_eq!(Arrivals::from_bytes(&bytes), Some(arrivals));
    for damaged in [&[][..], &bytes[..23], &bytes[..13]] {
        assert_eq!(Arrivals::from_bytes(damaged), None);
    }
    for unknown in [vec![], vec![(1, None)], vec![chunks[0], (1, None)]] {
        assert_eq!(Arrivals::of(unknown), None);
    }
}

/// Half a second to a second each, whichever way the file is cut into pieces and chunks.
#[test]
fn the_media_time_at_the_end_of_each_chunk_is_known() {
    let file = test_support::recordings::fixtures::LIVE_WEBM;
    let whole = |reader: Reader| reader.finish().expect("a video").summary.duration;
    let mut reader = Reader::new(Container::WebM);
    reader.feed(file);
    let duration = whole(reader);
    let (third, length) = (file.len() / 3, file.len());
    let lengths = [third, third, length - 2 * third];
    let chunks = lengths.map(|it| (it as u64, Some(0)));
    let arrivals = Arrivals::of(chunks.to_vec()).expect("times");
    for size in [1, 7, third, third + 1, length] {
        let mut reader = TimedReader::new(Reader::new(Container::WebM), Some(&arrivals));
        file.chunks(size).for_each(|piece| reader.feed(piece));
        let (reader, spans) = reader.into_parts();
        assert_eq!(spans.len(), 3, "{size}");
        let moments: Vec<_> = spans.iter().flat_map(|it| [it.first, it.last]).collect();
        assert!(moments.is_sorted(), "{size}: {moments:?}");
        // The last frame begins before it ends.
        let last = duration - spans[2].last;
        assert!(last < Duration::from_millis(100), "{size}: {last:?}");
        assert!(spans[1].last > spans[0].last, "{size}: {moments:?}");
        assert_eq!(whole(reader), duration);
    }
}

/// A recording as a person makes it: its pieces, each with a pause before it and the time that it is on its way, in
/// thousandths of the longest one.
fn recordings() -> impl Strategy<Value = Vec<(Millis, Millis, Millis)>> {
    let pause = prop_oneof![4 => Just(0), 1 => 0..600_000_i64];
    prop::collection::vec((300..1_000_i64, pause, 0..=1_000_i64), 12..200)
}

/// When the take was begun, and its marks: a piece is sent behind the one before.
fn recorded(pieces: &[(Millis, Millis, Millis)], begun: Millis) -> (Millis, Vec<Mark>) {
    let duration = pieces.iter().map(|(length, ..)| length).sum();
    // A piece has up to a second.
    let longest_way = late(duration) - 1_000;
    let (mut now, mut media_ms, mut at) = (0, 0, begun);
    let mut first = None;
    let marks = pieces.iter().map(|&(length, pause, way)| {
        now += length + if first.is_some() { pause } else { 0 };
        first.get_or_insert(now);
        media_ms += length;
        at = at.max(now + longest_way * way / 1_000);
        Mark {
            at,
            first_ms: 0,
            last_ms: media_ms,
        }
    });
    let marks = marks.collect();
    (begun.max(first.unwrap_or_default()), marks)
}

proptest! {
    #[test]
    fn bytes_sent_during_the_recording_count_as_live(pieces in recordings(), begun in 0..1_500_i64) {
        let (begun_at, marks) = recorded(&pieces, begun);
        prop_assert!(came_live(begun_at, &marks));
    }

    /// However it is cut, and whenever it was begun before.
    #[test]
    fn bytes_faster_than_real_time_do_not_count_as_live(
        pieces in recordings(),
        begun in 0..1_500_i64,
        speed in 2..50_i64,
    ) {
        let (begun_at, mut marks) = recorded(&pieces, begun);
        let duration = marks.last().map_or(0, |it| it.last_ms);
        let span = duration / speed;
        let count = Millis::try_from(marks.len()).expect("few");
        for (index, mark) in (1..).zip(&mut marks) {
            mark.at = begun_at + span * index / count;
        }
        // Shorter ones are within what a page is given.
        prop_assume!(duration - span > EARLY);
        prop_assert!(!came_live(begun_at, &marks));
    }

    /// What was kept on the device and sent later, from anywhere in the recording on.
    #[test]
    fn bytes_sent_after_the_recording_are_not_live(
        pieces in recordings(),
        from in 0.0..1.0_f64,
        later in 60_000..1_000_000_i64,
    ) {
        let (begun_at, mut marks) = recorded(&pieces, 0);
        let duration = marks.last().map_or(0, |it| it.last_ms);
        let end = marks.last().map_or(0, |it| it.at) + later;
        #[expect(clippy::cast_possible_truncation, reason = "a test's")]
        let kept = (duration as f64 * from) as Millis;
        let sent: Vec<_> = marks.iter().filter(|it| it.last_ms <= kept).copied().collect();
        prop_assume!(duration - sent.last().map_or(0, |it| it.last_ms) > late(duration));
        let rest = marks.split_off(sent.len());
        let all = sent.into_iter().chain(rest.into_iter().map(|mark| Mark { at: end, ..mark }));
        prop_assert!(!came_live(begun_at, &all.collect::<Vec<_>>()));
    }

    /// The same law, from its definition: each run of chunks, and each chunk since the begin.
    #[test]
    fn live_arrival_equals_its_definition_over_every_run_of_chunks(
        steps in prop::collection::vec((0..20_000_i64, 0..20_000_i64, 0..20_000_i64), 1..12),
        begun in 0..5_000_i64,
    ) {
        let (mut at, mut media_ms) = (begun, 0);
        let marks: Vec<_> = steps.iter().map(|(later, gap, more)| {
            at += later;
            let first_ms = media_ms + gap;
            media_ms = first_ms + more;
            Mark { at, first_ms, last_ms: media_ms }
        }).collect();
        let (early, late) = (EARLY.min(media_ms / 2), late(media_ms));
        let runs = (0..marks.len()).flat_map(|from| (from..marks.len()).map(move |to| (from, to)));
        let fits = |(from, to): (usize, usize)| {
            marks[to].last_ms - marks[from].first_ms <= marks[to].at - marks[from].at + late
        };
        let possible = marks.iter().all(|it| it.last_ms <= it.at - begun + early);
        let want = media_ms > 0 && possible && runs.clone().all(fits);
        prop_assert_eq!(came_live(begun, &marks), want);
    }
}
