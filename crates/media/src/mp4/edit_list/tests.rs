use super::*;

fn timescale(ticks: u32) -> NonZeroU32 {
    NonZeroU32::new(ticks).expect("not 0")
}

fn timescales() -> Timescales {
    Timescales {
        movie: timescale(1000),
        media: timescale(100),
    }
}

fn range(origin: i64, end: i64, is_live: bool) -> MediaRange {
    MediaRange {
        origin,
        begin: origin,
        end,
        is_live,
    }
}

/// The edits of a list as duration and media time.
fn adapted(edits: &[ElstEntry], origin: i64, end: i64, is_live: bool) -> Vec<(u64, i64)> {
    let media = range(origin, end, is_live);
    let list = EditList::new(edits, timescale(1000), timescales(), media);
    let edits = list.edits.iter();
    edits.map(|e| (e.edit_duration, e.media_time)).collect()
}

#[test]
fn a_track_without_edits_is_presented_from_its_first_sample() {
    assert_eq!(adapted(&[], 0, 500, true), [(5000, 0)]);
    assert_eq!(adapted(&[], 20, 500, true), [(200, -1), (4800, 0)]);
}

#[test]
fn the_last_edit_of_a_live_recording_extends_to_its_end() {
    assert_eq!(adapted(&[edit(0, 10)], 0, 500, true), [(4900, 10)]);
    assert_eq!(adapted(&[edit(70, 10)], 0, 500, true), [(4900, 10)]);
    assert_eq!(adapted(&[edit(70, 10)], 0, 500, false), [(70, 10)]);
    assert_eq!(adapted(&[edit(9000, 10)], 0, 500, false), [(4900, 10)]);
    assert_eq!(
        adapted(&[edit(300, 10), edit(70, 100)], 0, 500, true),
        [(300, 10), (4000, 100)]
    );
    assert_eq!(
        adapted(&[edit(300, -1), edit(0, 40)], 50, 500, true),
        [(300, -1), (100, -1), (4500, 0)]
    );
}

#[test]
fn an_edit_at_another_rate_keeps_its_duration() {
    for (first, media_time) in [(4, 6), (50, 0)] {
        let still = ElstEntry {
            media_rate: FixedPointNumber::new(0, 0),
            ..edit(9000, 10)
        };
        assert_eq!(adapted(&[still], first, 500, true), [(9000, media_time)]);
    }
}

#[test]
fn the_delay_is_shortened_across_several_empty_edits() {
    let edits = [edit(80, -1), edit(70, -1), edit(900, 0)].to_vec();
    let mut list = EditList { edits };
    list.shorten_delay(100);
    assert_eq!(list.edits, [edit(50, -1), edit(900, 0)]);
    list.shorten_delay(50);
    assert_eq!(list.edits, [edit(900, 0)]);
}

#[test]
fn presentation_times_follow_the_edits() {
    let media = range(0, 500, false);
    let edits = [edit(500, -1), edit(1000, 100), edit(1000, 300)];
    let list = EditList::new(&edits, timescale(1000), timescales(), media);
    let time = |media| list.presentation_time_or_next_edit(media, timescales());
    assert_eq!(list.duration(), 2500);
    assert_eq!(list.delay(), 500);
    for (media, want) in [
        (0, Some(500)),
        (100, Some(500)),
        (150, Some(1000)),
        (250, Some(1500)),
        (300, Some(1500)),
        (400, Some(2500)),
        (401, None),
    ] {
        assert_eq!(time(media), want.map(Duration::from_millis), "{media}");
    }
}

#[test]
fn the_delay_of_a_late_first_sample_can_be_removed() {
    let media = MediaRange {
        begin: 60,
        ..range(50, 500, true)
    };
    let mut list = EditList::new(&[], timescale(1000), timescales(), media);
    assert_eq!(list.edits, [edit(600, -1), edit(4400, 10)]);
    list.shorten_delay(600);
    assert_eq!(list.edits, [edit(4400, 10)]);
    assert_eq!(list.delay(), 0);
}

#[test]
fn a_track_without_offset_needs_no_edit_list() {
    let media = range(0, 500, true);
    let list = EditList::new(&[], timescale(1000), timescales(), media);
    assert_eq!(list.to_box(5000), None);
    assert!(list.to_box(5001).is_some());
    for only in [
        edit(5000, 1),
        ElstEntry {
            media_rate: FixedPointNumber::new(2, 0),
            ..edit(5000, 0)
        },
    ] {
        let list = EditList { edits: vec![only] };
        assert!(list.to_box(5000).is_some());
    }
    let empty = EditList { edits: Vec::new() };
    assert_eq!(empty.to_box(5000), None);
}
