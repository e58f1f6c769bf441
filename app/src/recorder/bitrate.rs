//! How much a recording may be: bits a second, and how long. Pure.

use crate::format::whole;

/// What a good picture of 1280×720 takes.
const BEST_VIDEO: u32 = 2_500_000;

/// Below this a picture is no evidence any more. On a line that is slower the rest is sent after the end.
const LEAST_VIDEO: u32 = 500_000;

/// Speech, well understood.
pub const AUDIO: u32 = 96_000;

/// Lines change; what a browser estimates is the best case.
const SHARE_OF_LINE: f64 = 0.7;

/// For how long the last place's line says something about this one's, in seconds.
const LINE_LASTS: u32 = 600;

/// Encoders overshoot, and files have heads.
const SHARE_OF_ROOM: f64 = 0.9;

/// Time before the link closes that the end of a recording needs to arrive.
const LEFT_FOR_SENDING_MS: f64 = 60_000.0;

/// Bits a second for the picture, on a line of so many bits a second; `None`: nobody knows. A recording
/// that the line can carry is sent when it ends, one that it can't is waited for.
pub fn video_rate(line: Option<f64>) -> u32 {
    let Some(line) = line.filter(|line| line.is_finite()) else {
        return BEST_VIDEO;
    };
    let share = line * SHARE_OF_LINE - f64::from(AUDIO);
    // Clamped to numbers that fit.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "see above"
    )]
    let rate = share.clamp(f64::from(LEAST_VIDEO), f64::from(BEST_VIDEO)) as u32;
    rate
}

/// A line's bits a second as they are remembered, with the time at which they were measured, in milliseconds.
pub fn write_line(bits_a_second: f64, now: f64) -> String {
    format!("{} {}", whole(bits_a_second), seconds(now))
}

/// What was remembered not long ago.
pub fn read_line(text: &str, now: f64) -> Option<f64> {
    let (bits, at) = text.split_once(' ')?;
    // Whole numbers: what reads fractions weighs twenty kilobytes.
    let (bits, at): (u32, u32) = (bits.parse().ok()?, at.parse().ok()?);
    // A clock that was set back makes it older than it is.
    (seconds(now).abs_diff(at) <= LINE_LASTS).then(|| bits.into())
}

/// Of a time in milliseconds since 1970: enough of them until 2106.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "see above"
)]
fn seconds(now: f64) -> u32 {
    (now / 1000.0) as u32
}

/// Milliseconds that may still be recorded of those that the link has left. Of the last ones, half.
pub fn before_expiry_ms(until_expiry_ms: f64) -> f64 {
    let kept = LEFT_FOR_SENDING_MS.min(until_expiry_ms / 2.0);
    (until_expiry_ms - kept).max(0.0)
}

/// Milliseconds that a recording may last: what the server takes, and what the link's time allows.
pub fn longest_ms(max_bytes: u64, video_rate: u32, until_expiry_ms: f64) -> f64 {
    // Exact up to 2⁵³ bytes.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let max_bytes = max_bytes as f64;
    let bytes_a_ms = f64::from(video_rate + AUDIO) / 8000.0;
    let by_size = max_bytes * SHARE_OF_ROOM / bytes_a_ms;
    by_size.min(before_expiry_ms(until_expiry_ms))
}

/// How long something ran, without its pauses. Times in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopwatch {
    before: f64,
    since: Option<f64>,
}

impl Stopwatch {
    /// Runs from now on.
    pub fn start(&mut self, now: f64) {
        self.since.get_or_insert(now);
    }

    /// Stands until it is started again.
    pub fn pause(&mut self, now: f64) {
        self.before = self.at(now);
        self.since = None;
    }

    /// How long it has run.
    pub fn at(&self, now: f64) -> f64 {
        // Clocks may be set back.
        self.before + self.since.map_or(0.0, |since| (now - since).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_carries_it_gets_the_best_picture() {
        assert_eq!(video_rate(None), BEST_VIDEO);
        assert_eq!(video_rate(Some(f64::NAN)), BEST_VIDEO);
        assert_eq!(video_rate(Some(10e6)), BEST_VIDEO);
        assert_eq!(video_rate(Some(2e6)), 1_304_000);
        assert_eq!(video_rate(Some(50e3)), LEAST_VIDEO);
        assert_eq!(video_rate(Some(0.0)), LEAST_VIDEO);
    }

    #[test]
    fn a_slow_line_is_remembered_for_a_while() {
        let text = write_line(700_000.4, 5_000_000.0);
        assert_eq!(read_line(&text, 5_000_001.0), Some(700_000.0));
        assert_eq!(read_line(&text, 5_600_000.0), Some(700_000.0));
        assert_eq!(read_line(&text, 5_601_000.0), None);
        assert_eq!(read_line(&text, 4_000_000.0), None);
        for other in ["", "700000", "fast today"] {
            assert_eq!(read_line(other, 0.0), None);
        }
    }

    #[test]
    fn pauses_don_t_count() {
        let mut watch = Stopwatch::default();
        watch.start(1_000.0);
        watch.pause(4_000.0);
        assert_eq!(watch.at(9_000.0), 3_000.0);
        watch.start(10_000.0);
        watch.start(10_500.0);
        assert_eq!(watch.at(11_000.0), 4_000.0);
    }

    #[test]
    fn a_recording_ends_before_the_server_or_the_link_would_end_it() {
        let day = 24.0 * 3_600_000.0;
        // 2.596 Mbit/s: 3,081 s for a gigabyte, nine tenths of it.
        let by_size = longest_ms(1_000_000_000, BEST_VIDEO, day);
        assert!((2_770_000.0..2_775_000.0).contains(&by_size), "{by_size}");
        assert_eq!(longest_ms(1_000_000_000, BEST_VIDEO, 300_000.0), 240_000.0);
        assert_eq!(longest_ms(1_000_000_000, BEST_VIDEO, 30_000.0), 15_000.0);
        assert_eq!(longest_ms(1_000_000_000, BEST_VIDEO, -1.0), 0.0);
    }
}
