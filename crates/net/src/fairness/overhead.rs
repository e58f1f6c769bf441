//! Limits the rate of HTTP/2 bytes that never become a request, per client address.
//!
//! Requests are limited once they are parsed, and their bodies by flow control. The rest of HTTP/2 has no limit of its
//! own: pings, settings, empty frames, and header blocks that are refused for their length, which hpack has to decode
//! all the same (RFC 9113, section 10.5.1). So the server reads frames other than DATA at a bounded rate, for all
//! connections of an address together.
//!
//! By hand, because h2 bounds the memory of such frames and not their rate, and governor refuses more than a burst,
//! while these bytes are counted when they have been read already.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Sustained rate in bytes per second.
/// It allows a hundred thousand requests with compressed headers, or the window updates of two gigabytes of downloads.
const RATE: usize = 4 << 20;

/// Burst in bytes: more than browsers send in their first requests.
const BURST: usize = 1 << 20;

/// Overhead limit of one address, or of a network with a multiple of its rate.
pub(crate) struct OverheadLimit {
    multiple: u32,
    /// When all bytes that were read are paid for, and the limit is as good as new.
    paid_until: Mutex<Option<Instant>>,
}

impl OverheadLimit {
    /// An unused limit with `multiple` times the rate of one address.
    pub(crate) fn new(multiple: u32) -> Self {
        Self {
            multiple,
            paid_until: Mutex::default(),
        }
    }

    /// Counts bytes that were read.
    /// Returns the time before which no more may be read, if there is one.
    pub(crate) fn read(&self, bytes: usize, now: Instant) -> Option<Instant> {
        let mut paid_until = self.paid_until.lock();
        let since = paid_until.map_or(now, |it| it.max(now));
        let until = since + time_for(bytes) / self.multiple;
        *paid_until = Some(until);
        until.checked_sub(time_for(BURST)).filter(|it| *it > now)
    }

    /// Whether all bytes that were read are paid for.
    pub(crate) fn is_settled(&self, now: Instant) -> bool {
        self.paid_until.lock().is_none_or(|it| it <= now)
    }
}

fn time_for(bytes: usize) -> Duration {
    Duration::from_secs_f64(bytes as f64 / RATE as f64)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_client_that_respects_the_delay_sends_at_the_rate(pieces in vec(1..20_000_usize, 1..200)) {
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
    fn throttled_connections_of_one_address_wake_at_different_times() {
        let limit = OverheadLimit::new(1);
        let now = Instant::now();
        assert_eq!(limit.read(BURST, now), None);
        let times: Vec<_> = (0..64).map(|_| limit.read(16 << 10, now)).collect();
        assert!(times.is_sorted_by(|one, next| one < next), "{times:?}");
    }

    #[test]
    fn unused_rate_is_not_saved_up() {
        let limit = OverheadLimit::new(1);
        let start = Instant::now();
        limit.read(1, start);
        let later = start + Duration::from_secs(3600);
        let next = limit.read(2 * RATE, later);
        assert_eq!(next, Some(later + time_for(2 * RATE) - time_for(BURST)));
    }
}
