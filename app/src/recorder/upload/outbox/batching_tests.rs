//! How long stored pieces wait for more, and what doesn't wait.

use super::*;

/// Simulates a minute of recording with a piece every half second, and with requests that take `round_trip`.
///
/// Returns the bytes of each request, and checks that none waited for too long.
fn requests_of_a_minute(length: u64, round_trip: f64) -> Vec<u64> {
    const HALF_SECOND: f64 = 500.0;
    let (mut outbox, mut requests) = (Outbox::default(), vec![]);
    let (mut piece, mut free_at) = (0, 0.0);
    // In steps of 50 ms.
    for step in 1..=1200 {
        let now = f64::from(step) * 50.0;
        if now >= f64::from(piece + 1) * HALF_SECOND {
            piece += 1;
            outbox.push(piece, length, piece * 500, now);
        }
        if now >= 60_000.0 {
            outbox.end();
        }
        if now < free_at || outbox.batch_delay_ms(now) > 0 {
            continue;
        }
        let Some(part) = outbox.next_part() else {
            continue;
        };
        let oldest = part
            .slices
            .first()
            .map(|(piece, _)| f64::from(*piece) * HALF_SECOND);
        let waited = now - oldest.unwrap_or(now);
        assert!(waited <= BATCH_DELAY_MS + round_trip + 50.0, "{waited}");
        let bytes = part.slices.iter().map(|(_, range)| range.end - range.start);
        let bytes = bytes.sum();
        requests.push(bytes);
        assert!(outbox.acknowledge(part.offset + bytes, part.is_last));
        outbox.adapt_part_size(bytes, round_trip);
        free_at = now + round_trip;
    }
    requests
}

#[test]
fn a_minute_of_recording_is_at_most_31_requests() {
    // 2.5 Mbit/s.
    let length = 156 << 10;
    for round_trip in [0.0, 50.0, 200.0, 1000.0] {
        let requests = requests_of_a_minute(length, round_trip);
        assert!(requests.len() <= 31, "{round_trip}: {}", requests.len());
        assert_eq!(requests.iter().sum::<u64>(), 120 * length);
    }
}

#[test]
fn a_mebibyte_is_sent_at_once() {
    assert_eq!(requests_of_a_minute(BATCH_BYTES, 0.0), [BATCH_BYTES; 120]);
    let mut outbox = Outbox::default();
    outbox.push(0, BATCH_BYTES - 1, 500, 0.0);
    assert!(outbox.batch_delay_ms(500.0) > 0);
    outbox.push(1, 1, 1000, 500.0);
    assert_eq!(outbox.batch_delay_ms(500.0), 0);
}

#[test]
fn pieces_after_a_request_are_batched_again() {
    let mut outbox = Outbox::default();
    outbox.push(0, 10, 500, 500.0);
    outbox.push(1, 10, 1000, 1000.0);
    assert_eq!(outbox.batch_delay_ms(1000.0), 1500);
    assert!(outbox.acknowledge(20, false));
    outbox.push(2, 10, 1500, 1500.0);
    assert_eq!(outbox.batch_delay_ms(1500.0), 2000);
    // A piece that is committed in part keeps its time.
    assert!(outbox.acknowledge(25, false));
    assert_eq!(outbox.batch_delay_ms(2500.0), 1000);
}

#[test]
fn pieces_that_are_not_stored_do_not_wait() {
    let mut outbox = Outbox::default();
    outbox.push(0, 10, 500, 500.0);
    outbox.push(1, 10, 1000, NOT_STORED);
    assert_eq!(outbox.batch_delay_ms(500.0), 0);
}

#[test]
fn nothing_is_delayed_at_the_end_or_after_a_flush() {
    let mut outbox = Outbox::default();
    outbox.push(0, 10, 500, 500.0);
    assert!(outbox.batch_delay_ms(600.0) > 0);
    outbox.flush(600.0);
    assert_eq!(outbox.batch_delay_ms(600.0), 0);
    // So does what the recorder hands out because of the flush.
    assert!(outbox.acknowledge(10, false));
    outbox.push(1, 10, 900, 900.0);
    assert_eq!(outbox.batch_delay_ms(900.0), 0);
    assert!(outbox.acknowledge(20, false));
    outbox.push(2, 10, 5000, 5000.0);
    assert!(outbox.batch_delay_ms(5000.0) > 0);
    outbox.end();
    assert_eq!(outbox.batch_delay_ms(5000.0), 0);
}

#[test]
fn a_flush_lasts_a_second() {
    let mut outbox = Outbox::default();
    outbox.push(0, 10, 500, 1500.0);
    outbox.flush(600.0);
    assert_eq!(outbox.batch_delay_ms(1600.0), 0);
    assert!(outbox.batch_delay_ms(1601.0) > 0);
}
