//! What is sent next, and what the server's offsets mean.

use super::*;

fn outbox(lengths: &[u64]) -> Outbox<usize> {
    let mut outbox = Outbox::default();
    for (piece, length) in lengths.iter().enumerate() {
        let number = u32::try_from(piece).expect("few pieces") + 1;
        outbox.push(piece, *length, number * 1000, 0.0);
    }
    outbox
}

#[test]
fn an_upload_continues_in_the_middle_of_a_piece() {
    let mut outbox = outbox(&[10, 10]);
    assert!(outbox.acknowledge(7, false));
    let slices = vec![(0, 7..10), (1, 0..10)];
    assert_eq!(
        outbox.next_part(),
        Some(UploadPart {
            offset: 7,
            slices,
            is_last: false
        })
    );
}

#[test]
fn the_committed_duration_is_never_too_long() {
    let mut outbox = outbox(&[10, 10, 10]);
    for (offset, want) in [(0, 0), (9, 0), (10, 1000), (29, 2000), (30, 3000)] {
        assert!(outbox.acknowledge(offset, false));
        assert_eq!(outbox.committed_ms(), want, "{offset}");
    }
    outbox.push(3, 0, 3500, 0.0);
    assert_eq!(
        outbox.committed_ms(),
        3500,
        "a piece without bytes is committed with the take"
    );
}

#[test]
fn a_take_that_only_the_server_has_can_be_completed() {
    let mut outbox = outbox(&[10]);
    outbox.end();
    outbox.extend_to(25);
    assert!(outbox.acknowledge(25, false));
    let rest = outbox
        .next_part()
        .map(|part| (part.offset, part.slices.len(), part.is_last));
    assert_eq!(rest, Some((25, 0, true)));
}

#[test]
fn an_upload_continues_after_released_pieces() {
    let mut outbox = Outbox::starting_at(100);
    outbox.push(0, 10, 5000, 0.0);
    assert!(outbox.acknowledge(104, false));
    let rest = outbox.next_part().map(|part| (part.offset, part.slices));
    assert_eq!(rest, Some((104, vec![(0, 4..10)])));
}

#[test]
fn a_take_that_the_server_has_lost_is_uploaded_again() {
    let mut outbox = outbox(&[10, 10, 10]);
    outbox.end();
    assert!(outbox.acknowledge(30, true));
    assert!(outbox.restart());
    assert_eq!((outbox.committed(), outbox.committed_ms()), (0, 0));
    let slices = vec![(0, 0..10), (1, 0..10), (2, 0..10)];
    assert_eq!(
        outbox.next_part(),
        Some(UploadPart {
            offset: 0,
            slices,
            is_last: true
        })
    );
    assert!(outbox.acknowledge(30, true));
    assert!(outbox.is_complete());
}

#[test]
fn a_take_with_missing_pieces_is_not_uploaded_again() {
    let mut released = Outbox::starting_at(100);
    released.push(0, 10, 5000, 0.0);
    assert!(!released.restart());
    let mut lost = outbox(&[10]);
    lost.extend_to(25);
    assert!(!lost.restart());
}

#[test]
fn nothing_is_sent_while_everything_is_committed() {
    let mut outbox = outbox(&[10]);
    assert!(outbox.acknowledge(10, false));
    assert_eq!(outbox.next_part(), None);
    outbox.push(1, 5, 1500, 0.0);
    let slices = vec![(1, 0..5)];
    assert_eq!(
        outbox.next_part(),
        Some(UploadPart {
            offset: 10,
            slices,
            is_last: false
        })
    );
}

#[test]
fn the_end_is_sent_even_without_bytes() {
    let mut outbox = outbox(&[10]);
    assert!(outbox.acknowledge(10, false));
    outbox.end();
    assert_eq!(
        outbox.next_part(),
        Some(UploadPart {
            offset: 10,
            slices: vec![],
            is_last: true
        })
    );
    assert!(outbox.acknowledge(10, true));
    assert_eq!(outbox.next_part(), None);
    assert!(outbox.is_complete());
}

/// Uploads everything. Returns the length of each part, and whether it was the last.
fn drain(outbox: &mut Outbox<usize>, took_ms: impl Fn(u64) -> f64) -> Vec<(u64, bool)> {
    let mut sent = vec![];
    while let Some(part) = outbox.next_part() {
        let lengths = part.slices.iter().map(|(_, range)| range.end - range.start);
        let length = lengths.sum();
        sent.push((length, part.is_last));
        assert!(outbox.acknowledge(part.offset + length, part.is_last));
        outbox.adapt_part_size(length, took_ms(length));
    }
    sent
}

#[test]
fn parts_grow_on_a_fast_connection_and_the_last_one_ends_the_take() {
    let mut outbox = outbox(&[PartSize::INITIAL, PartSize::MAX, PartSize::MAX, 5]);
    outbox.end();
    let sent = drain(&mut outbox, |_| 100.0);
    let (one, four) = (PartSize::INITIAL, PartSize::MAX);
    assert_eq!(
        sent,
        [
            (one, false),
            (2 * one, false),
            (four, false),
            (2 * one + 5, true)
        ]
    );
}

#[test]
fn parts_on_a_slow_connection_take_a_few_seconds() {
    // 0.9 Mbit/s.
    let took_ms = |bytes: u64| bytes as f64 * 8.0 / 900.0;
    let mut outbox = outbox(&[PartSize::MAX, PartSize::MAX]);
    outbox.end();
    let sent = drain(&mut outbox, took_ms);
    let slowest = sent.iter().skip(1).map(|(length, _)| took_ms(*length));
    assert!(slowest.fold(0.0, f64::max) <= PartSize::TARGET_MS);
    assert!(sent.len() > 10, "{sent:?}");
}

#[test]
fn parts_shrink_to_the_minimum_after_failures() {
    let mut outbox = outbox(&[PartSize::MAX]);
    (0..20).for_each(|_| outbox.halve_part_size());
    outbox.end();
    assert_eq!(drain(&mut outbox, |_| 100.0)[0], (PartSize::MIN, false));
}

#[test]
fn a_part_of_the_current_size_is_full() {
    let mut outbox = outbox(&[PartSize::INITIAL - 1]);
    let part = outbox.next_part().expect("a part");
    assert!(!outbox.is_full(&part));
    outbox.push(1, 1, 2000, 0.0);
    let part = outbox.next_part().expect("a part");
    assert!(outbox.is_full(&part));
    assert!(outbox.acknowledge(10, false));
    let rest = outbox.next_part().expect("a part");
    assert!(!outbox.is_full(&rest), "committed bytes don't count");
}

#[test]
fn a_piece_without_bytes_only_extends_the_duration() {
    let mut outbox = outbox(&[0]);
    assert_eq!((outbox.recorded(), outbox.recorded_ms()), (0, 1000));
    assert_eq!((outbox.first_piece(), outbox.next_part()), (None, None));
    assert_eq!(outbox.batch_delay_ms(0.0), 0, "nothing waits");
    outbox.push(7, 10, 500, 0.0);
    assert_eq!((outbox.recorded(), outbox.recorded_ms()), (10, 1000));
    assert_eq!(outbox.first_piece(), Some(&7));
}

#[test]
fn offsets_that_contradict_the_take_are_rejected() {
    let mut outbox = outbox(&[10]);
    assert!(outbox.acknowledge(7, false));
    assert!(!outbox.acknowledge(6, false), "less than was committed");
    assert!(!outbox.acknowledge(11, false), "more than was recorded");
    assert!(
        !outbox.acknowledge(10, true),
        "complete before the end of the recording"
    );
    outbox.end();
    assert!(
        !outbox.acknowledge(9, true),
        "complete without its last byte"
    );
    assert!(!outbox.is_complete());
    assert_eq!(outbox.committed(), 7);
}
