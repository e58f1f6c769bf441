//! Measures the throughput of uploads, and stores it for the bitrate of the next recording.

use crate::browser;
use crate::browser::storage::local_storage;
use crate::format::integer;

/// The key in `localStorage`.
const KEY: &str = "vidence.line";

/// For how long a stored throughput is used, in seconds: the device may be elsewhere by then.
const LIFETIME: u32 = 600;

/// Bytes that were sent, and the time during which they were.
#[derive(Default)]
pub struct Throughput {
    bytes: u64,
    busy_ms: f64,
}

impl Throughput {
    /// Fewer bytes measure the latency rather than the throughput.
    const MIN_BYTES: u64 = 256 << 10;

    /// Adds a part that kept the connection busy all the time.
    pub fn add(&mut self, bytes: u64, busy_ms: f64) {
        self.bytes += bytes;
        self.busy_ms += busy_ms;
    }

    /// Bits per second. `None`: too few bytes were sent.
    pub fn bits_per_second(&self) -> Option<f64> {
        // Exact up to 2⁵³ bytes.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let bits = self.bytes as f64 * 8.0;
        (self.bytes >= Self::MIN_BYTES).then(|| bits / (self.busy_ms.max(1.0) / 1000.0))
    }
}

/// The throughput of the connection, in bits per second. `None`: it isn't known.
pub fn estimate() -> Option<f64> {
    let estimated = browser::downlink_estimate().filter(|it| is_believed(*it));
    let measured = local_storage::get(KEY);
    let measured = measured.and_then(|text| parse(&text, browser::unix_now()));
    // The lower one: the browser's estimate is the best case.
    match (estimated, measured) {
        (Some(estimated), Some(measured)) => Some(f64::min(estimated, measured)),
        (estimated, measured) => estimated.or(measured),
    }
}

/// Whether a downlink in bits per second is believed. Chromium measures it only while several requests are under way. Until
/// then it reports what is usual for the kind of network, a tenth more or less: 1.456 Mbit/s for Ethernet, 1.708 for 4G, 1.961
/// for an unknown one, 2.658 for Wi-Fi. So nothing in their range is believed, even if it was measured.
fn is_believed(downlink: f64) -> bool {
    !(1.3e6..3e6).contains(&downlink)
}

/// Stores the throughput of an upload; `None` deletes the stored one: an upload that kept up with the recorder
/// shows only that the connection isn't slow.
pub fn store(throughput: Option<f64>) {
    let text = throughput.map(|it| serialize(it, browser::unix_now()));
    local_storage::set(KEY, &text.unwrap_or_default());
}

/// Serializes a throughput in bits per second with its time in milliseconds since 1970.
fn serialize(throughput: f64, now: f64) -> String {
    [integer(throughput), unix_seconds(now).to_string()].join(" ")
}

/// Parses a throughput. `None`: it is too old, or isn't one.
fn parse(text: &str, now: f64) -> Option<f64> {
    let (throughput, at) = text.split_once(' ')?;
    // Integers: the library's parser of floats would add twenty kilobytes to the WASM.
    let (throughput, at): (u32, u32) = (throughput.parse().ok()?, at.parse().ok()?);
    // A difference in both directions: the clock may have been set back.
    (unix_seconds(now).abs_diff(at) <= LIFETIME).then(|| throughput.into())
}

/// Seconds since 1970 of such milliseconds; they fit until 2106.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "see above"
)]
fn unix_seconds(now: f64) -> u32 {
    (now / 1000.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_downlink_that_chromium_may_only_assume_is_not_believed() {
        for assumed in [1.456e6, 1.708e6, 1.961e6, 2.658e6] {
            for noise in [0.9, 1.0, 1.1] {
                assert!(!is_believed(assumed * noise));
            }
        }
        // The first is what it assumes of 3G, which is slow.
        for believed in [0.75e6, 1.2e6, 4.0e6, 10.0e6] {
            assert!(is_believed(believed));
        }
    }

    #[test]
    fn a_throughput_is_used_for_ten_minutes() {
        let text = serialize(700_000.4, 5_000_000.0);
        assert_eq!(parse(&text, 5_000_001.0), Some(700_000.0));
        assert_eq!(parse(&text, 5_600_000.0), Some(700_000.0));
        assert_eq!(parse(&text, 5_601_000.0), None);
        assert_eq!(parse(&text, 4_000_000.0), None);
        for invalid in ["", "700000", "fast today"] {
            assert_eq!(parse(invalid, 0.0), None);
        }
    }
}
