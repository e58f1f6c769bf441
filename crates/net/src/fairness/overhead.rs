//! Limits the rate of HTTP/2 bytes that never become a request, per client address.
//!
//! Requests are limited once they are parsed, and their bodies by flow control. The rest of HTTP/2 has no limit of its
//! own: pings, settings, empty frames, and header blocks that are refused for their length, which hpack has to decode
//! all the same (RFC 9113, section 10.5.1). So the server reads frames other than DATA at a bounded rate, for all
//! connections of an address together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Sustained rate in bytes per second.
/// It allows a hundred thousand requests with compressed headers, or the window updates of two gigabytes of downloads.
const RATE: usize = 4 << 20;

/// Burst in bytes: more than browsers send in their first requests.
const BURST: usize = 1 << 20;

/// Length of the connection preface in bytes (RFC 9113, section 3.4).
const PREFACE: usize = 24;

/// Length of a frame header in bytes (RFC 9113, section 4.1).
const FRAME_HEADER: usize = 9;

/// Frame types and flags (RFC 9113, section 6).
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
const END_HEADERS: u8 = 4;

/// Overhead limit of one address, or of a network with a multiple of its rate. Cheap to clone.
#[derive(Clone)]
pub(crate) struct OverheadLimit {
    multiple: u32,
    paid_until: Arc<Mutex<Option<Instant>>>,
}

/// Parses the frame headers in the bytes that an HTTP/2 connection reads.
pub(crate) struct FrameCounter {
    header: [u8; FRAME_HEADER],
    header_read: usize,
    /// Bytes left of the current payload.
    payload: usize,
    is_data: bool,
    /// Whether the header block isn't complete.
    /// Only a CONTINUATION frame may follow (RFC 9113, section 6.10).
    is_in_header_block: bool,
}

impl OverheadLimit {
    /// An unused limit with `multiple` times the rate of one address.
    pub(crate) fn new(multiple: u32) -> Self {
        Self {
            multiple,
            paid_until: Arc::default(),
        }
    }

    /// Counts bytes that were read.
    /// Returns the time before which no more may be read, if there is one.
    pub(crate) fn read(&self, bytes: usize, now: Instant) -> Option<Instant> {
        let mut paid_until = self.paid_until();
        let since = paid_until.map_or(now, |it| it.max(now));
        let until = since + time_for(bytes) / self.multiple;
        *paid_until = Some(until);
        until.checked_sub(time_for(BURST)).filter(|it| *it > now)
    }

    /// When all bytes that were read are paid for, and the limit is as good as new.
    pub(crate) fn settled_at(&self) -> Option<Instant> {
        *self.paid_until()
    }

    /// Locks the instant, which stays valid after a panic.
    fn paid_until(&self) -> MutexGuard<'_, Option<Instant>> {
        let paid_until = self.paid_until.lock();
        paid_until.unwrap_or_else(PoisonError::into_inner)
    }
}

fn time_for(bytes: usize) -> Duration {
    Duration::from_secs_f64(bytes as f64 / RATE as f64)
}

impl Default for FrameCounter {
    fn default() -> Self {
        Self {
            header: [0; FRAME_HEADER],
            header_read: 0,
            payload: PREFACE,
            is_data: false,
            is_in_header_block: false,
        }
    }
}

impl FrameCounter {
    /// Counts those of the connection's next bytes that aren't payload of DATA frames.
    pub(crate) fn overhead(&mut self, mut bytes: &[u8]) -> usize {
        let mut overhead = 0;
        while !bytes.is_empty() {
            let length = if self.payload > 0 {
                self.skip(bytes.len(), &mut overhead)
            } else {
                let length = self.read_header(bytes);
                overhead += length;
                length
            };
            bytes = &bytes[length..];
        }
        overhead
    }

    /// Whether a header block, a frame other than DATA or the preface is unfinished.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.is_in_header_block || self.header_read > 0 || (self.payload > 0 && !self.is_data)
    }

    fn skip(&mut self, available: usize, overhead: &mut usize) -> usize {
        let length = self.payload.min(available);
        self.payload -= length;
        if !self.is_data {
            *overhead += length;
        }
        length
    }

    fn read_header(&mut self, bytes: &[u8]) -> usize {
        let length = (FRAME_HEADER - self.header_read).min(bytes.len());
        let until = self.header_read + length;
        self.header[self.header_read..until].copy_from_slice(&bytes[..length]);
        self.header_read = until;
        if until == FRAME_HEADER {
            let [a, b, c, kind, flags, ..] = self.header;
            self.payload = u32::from_be_bytes([0, a, b, c]) as usize;
            self.is_data = kind == DATA;
            self.is_in_header_block =
                matches!(kind, HEADERS | CONTINUATION) && flags & END_HEADERS == 0;
            self.header_read = 0;
        }
        length
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn frame(kind: u8, payload: usize) -> Vec<u8> {
        let length = u32::try_from(payload).expect("24 bits").to_be_bytes();
        let header = [length[1], length[2], length[3], kind, 0, 0, 0, 0, 1];
        [&header[..], &vec![kind; payload]].concat()
    }

    proptest! {
        #[test]
        fn only_payload_of_data_frames_is_free(
            frames in vec((0..10_u8, 0..700_usize), 0..20),
            piece in 1..50_usize,
        ) {
            let mut sent = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
            let mut overhead = sent.len();
            for (kind, payload) in frames {
                sent.extend(frame(kind, payload));
                overhead += FRAME_HEADER + if kind == DATA { 0 } else { payload };
            }
            let mut counter = FrameCounter::default();
            let counted: usize = sent.chunks(piece).map(|it| counter.overhead(it)).sum();
            prop_assert_eq!(counted, overhead);
        }

        #[test]
        fn whoever_waits_as_told_sends_at_the_rate(pieces in vec(1..20_000_usize, 1..200)) {
            let limit = OverheadLimit::new(1);
            let start = Instant::now();
            let mut now = start;
            let mut read = 0;
            for bytes in pieces {
                now = limit.read(bytes, now).unwrap_or(now);
                read += bytes;
                let least = time_for(read).saturating_sub(time_for(BURST));
                // Each wait is rounded to nanoseconds.
                let waited = now - start + Duration::from_micros(1);
                prop_assert!(waited >= least, "{} bytes in {:?}", read, waited);
            }
        }
    }

    #[test]
    fn a_head_is_unfinished_until_the_frame_that_ends_it_has_ended() {
        let mut counter = FrameCounter::default();
        let mut after = |bytes: &[u8]| {
            counter.overhead(bytes);
            counter.is_unfinished()
        };
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        assert!(after(&preface[..20]));
        assert!(!after(&preface[20..]));
        let mut last = frame(CONTINUATION, 3);
        last[4] = END_HEADERS;
        assert!(after(&frame(HEADERS, 5)));
        assert!(after(&frame(CONTINUATION, 0)));
        assert!(after(&last[..FRAME_HEADER + 2]));
        assert!(!after(&last[FRAME_HEADER + 2..]));
        // The payload of a DATA frame is subject to the timeouts of bodies instead.
        assert!(after(&frame(DATA, 9)[..FRAME_HEADER - 1]));
        assert!(!after(&frame(DATA, 9)[FRAME_HEADER - 1..FRAME_HEADER + 3]));
    }

    #[test]
    fn connections_of_an_address_are_told_different_times() {
        let limit = OverheadLimit::new(1);
        let now = Instant::now();
        assert_eq!(limit.read(BURST, now), None);
        let times: Vec<_> = (0..64).map(|_| limit.read(16 << 10, now)).collect();
        assert!(times.is_sorted_by(|one, next| one < next), "{times:?}");
    }

    #[test]
    fn what_was_not_sent_is_not_saved_up() {
        let limit = OverheadLimit::new(1);
        let start = Instant::now();
        limit.read(1, start);
        let later = start + Duration::from_secs(3600);
        let next = limit.read(2 * RATE, later);
        assert_eq!(next, Some(later + time_for(2 * RATE) - time_for(BURST)));
    }
}
