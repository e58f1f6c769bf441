//! The bitrate and the longest duration of a recording. Pure.

use crate::browser::capture::Bitrates;

/// The size of the frames. Screens count as [`Self::Hd`]: most of a screen stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameSize {
    /// 1280×720, or less.
    Hd,
    /// 1920×1080.
    FullHd,
}

impl FrameSize {
    /// The size of frames with this width and height.
    pub fn of(width: u32, height: u32) -> Self {
        match width * height > 1280 * 720 {
            true => Self::FullHd,
            false => Self::Hd,
        }
    }
}

/// Bits per second below which a picture is no evidence any more.
/// Over a slower connection the upload goes on after the recording.
const MIN_VIDEO_BITRATE: u32 = 500_000;

/// Bits per second of intelligible speech.
const AUDIO_BITRATE: u32 = 96_000;

/// The share of the measured throughput to use: it varies, and what browsers estimate is the best case.
const THROUGHPUT_SHARE: f64 = 0.7;

/// The share of the largest take to plan for: encoders exceed their bitrate, and files have headers.
const SIZE_SHARE: f64 = 0.9;

/// Time before the link closes that is reserved for the end of the upload.
const UPLOAD_RESERVE_MS: f64 = 60_000.0;

/// Bits per second of a good picture.
pub const fn max_video_bitrate(size: FrameSize) -> u32 {
    match size {
        FrameSize::Hd => 2_500_000,
        FrameSize::FullHd => 5_000_000,
    }
}

/// Chooses the bitrates for a throughput in bits per second; `None`: it isn't known.
///
/// A recording that the connection can carry is uploaded when it ends; for a larger one the person would have to wait.
pub fn choose_bitrates(throughput: Option<f64>, size: FrameSize) -> Bitrates {
    Bitrates {
        video: video_bitrate(throughput, size),
        audio: AUDIO_BITRATE,
    }
}

fn video_bitrate(throughput: Option<f64>, size: FrameSize) -> u32 {
    let max = max_video_bitrate(size);
    let Some(throughput) = throughput.filter(|it| it.is_finite()) else {
        return max;
    };
    let share = throughput * THROUGHPUT_SHARE - f64::from(AUDIO_BITRATE);
    // Limited to what fits. `clamp` would print its limits in a panic, by ten kilobytes of code for floats in the WASM.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "see above"
    )]
    let bitrate = share.max(f64::from(MIN_VIDEO_BITRATE)).min(f64::from(max)) as u32;
    bitrate
}

/// How much longer to record when the link closes in this time.
/// Of less than two minutes, half is left for the upload.
pub fn recording_time_left_ms(until_expiry_ms: f64) -> f64 {
    let reserve = UPLOAD_RESERVE_MS.min(until_expiry_ms / 2.0);
    (until_expiry_ms - reserve).max(0.0)
}

/// The longest recording, by the size that the server accepts and by the time until the link closes.
pub fn max_duration_ms(max_bytes: u64, bitrates: Bitrates, until_expiry_ms: f64) -> f64 {
    // Exact up to 2⁵³ bytes.
    #[expect(clippy::cast_precision_loss, reason = "see above")]
    let max_bytes = max_bytes as f64;
    let bytes_per_ms = f64::from(bitrates.video + bitrates.audio) / 8000.0;
    let by_size = max_bytes * SIZE_SHARE / bytes_per_ms;
    by_size.min(recording_time_left_ms(until_expiry_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_video_bitrate_follows_the_throughput() {
        for (size, max) in [(FrameSize::Hd, 2_500_000), (FrameSize::FullHd, 5_000_000)] {
            for (throughput, want) in [
                (None, max),
                (Some(f64::NAN), max),
                (Some(10e6), max),
                (Some(2e6), 1_304_000),
                (Some(50e3), MIN_VIDEO_BITRATE),
                (Some(0.0), MIN_VIDEO_BITRATE),
            ] {
                assert_eq!(video_bitrate(throughput, size), want, "{throughput:?}");
            }
        }
        assert_eq!(video_bitrate(Some(5e6), FrameSize::FullHd), 3_404_000);
    }

    #[test]
    fn the_size_of_frames_does_not_depend_on_how_the_phone_is_held() {
        for (width, height, want) in [
            (640, 480, FrameSize::Hd),
            (1280, 720, FrameSize::Hd),
            (720, 1280, FrameSize::Hd),
            (1920, 1080, FrameSize::FullHd),
            (1080, 1920, FrameSize::FullHd),
        ] {
            assert_eq!(FrameSize::of(width, height), want);
        }
    }

    #[test]
    fn a_recording_ends_before_the_server_or_the_link_would_end_it() {
        let day = 24.0 * 3_600_000.0;
        let bitrates = choose_bitrates(None, FrameSize::Hd);
        // 2.596 Mbit/s: 3,081 s for a gigabyte, nine tenths of it.
        let by_size = max_duration_ms(1_000_000_000, bitrates, day);
        assert!((2_770_000.0..2_775_000.0).contains(&by_size), "{by_size}");
        for (until_expiry_ms, want) in [(300_000.0, 240_000.0), (30_000.0, 15_000.0), (-1.0, 0.0)] {
            let longest = max_duration_ms(1_000_000_000, bitrates, until_expiry_ms);
            assert_eq!(longest, want);
        }
    }
}
