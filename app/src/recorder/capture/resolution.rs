//! Chooses the size of the video. Pure.
//!
//! The rule: 1920×1080 where the device encodes it without effort, the connection carries its bitrate, and the longest
//! recording is still ten minutes; else 1280×720. Apple's devices have an encoder of their own. Others need eight cores,
//! and phones also 8 GB of memory, as cheap ones have eight slow cores. Of a connection that isn't known the best is
//! assumed, as for the bitrate. A preview that drops a tenth of its frames in two seconds is reduced to 1280×720 before
//! the recording, and so is every later one of this visit.

use super::bitrate::{self, FrameSize};
use crate::browser::Hardware;

/// Cores that encode 1920×1080 at 30 frames per second beside the page.
const CORES: f64 = 8.0;

/// Gigabytes of a phone whose cores are fast; browsers that report none get 1280×720.
const PHONE_MEMORY: f64 = 8.0;

/// The longest recording has to be at least this long.
const MIN_DURATION_MS: f64 = 600_000.0;

/// How long frames are counted before the preview is judged.
const WINDOW_MS: f64 = 2_000.0;

/// Fewer frames tell nothing.
const MIN_FRAMES: f64 = 20.0;

/// The share of dropped frames that is seen as a stutter.
const MAX_DROPPED: f64 = 0.1;

/// Chooses the size to ask the camera for. The throughput is in bits per second; `None`: it isn't known.
pub fn choose(hardware: Hardware, throughput: Option<f64>, max_bytes: u64) -> FrameSize {
    let size = FrameSize::FullHd;
    let has_power = hardware.has_apple_encoder
        || hardware.cores >= CORES
            && (!hardware.is_handheld || hardware.memory.is_some_and(|it| it >= PHONE_MEMORY));
    let bitrates = bitrate::choose_bitrates(throughput, size);
    let is_carried = bitrates.video >= bitrate::max_video_bitrate(size);
    let duration = bitrate::max_duration_ms(max_bytes, bitrates, f64::INFINITY);
    if has_power && is_carried && duration >= MIN_DURATION_MS {
        size
    } else {
        FrameSize::Hd
    }
}

/// Detects that the preview drops frames.
#[derive(Clone, Copy, Debug, Default)]
pub struct StutterDetector {
    /// When the window began, with the frames until then and those of them that were dropped.
    window: Option<(f64, f64, f64)>,
}

impl StutterDetector {
    /// Takes how many frames came and how many of them were dropped until `now`, in milliseconds. Whether it stutters.
    pub fn update(&mut self, now: f64, frames: f64, dropped: f64) -> bool {
        let (since, frames_before, dropped_before) =
            *self.window.get_or_insert((now, frames, dropped));
        if now - since < WINDOW_MS {
            return false;
        }
        self.window = Some((now, frames, dropped));
        let (frames, dropped) = (frames - frames_before, dropped - dropped_before);
        frames >= MIN_FRAMES && dropped > frames * MAX_DROPPED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    const LAPTOP: Hardware = Hardware {
        is_handheld: false,
        has_apple_encoder: false,
        cores: 8.0,
        memory: None,
    };

    const IPHONE: Hardware = Hardware {
        is_handheld: true,
        has_apple_encoder: true,
        cores: 4.0,
        memory: None,
    };

    #[test]
    fn the_size_depends_on_device_connection_and_limit() {
        let phone = |cores: f64, memory| Hardware {
            is_handheld: true,
            cores,
            memory,
            ..LAPTOP
        };
        for (hardware, throughput, max_bytes, want) in [
            (LAPTOP, None, GIB, FrameSize::FullHd),
            (IPHONE, None, GIB, FrameSize::FullHd),
            (phone(8.0, Some(8.0)), None, GIB, FrameSize::FullHd),
            (phone(8.0, Some(4.0)), None, GIB, FrameSize::Hd),
            (phone(8.0, None), None, GIB, FrameSize::Hd),
            (phone(4.0, Some(8.0)), None, GIB, FrameSize::Hd),
            (
                Hardware {
                    cores: 4.0,
                    ..LAPTOP
                },
                None,
                GIB,
                FrameSize::Hd,
            ),
            (LAPTOP, Some(10e6), GIB, FrameSize::FullHd),
            (LAPTOP, Some(5e6), GIB, FrameSize::Hd),
            (IPHONE, None, 100_000_000, FrameSize::Hd),
        ] {
            let size = choose(hardware, throughput, max_bytes);
            assert_eq!(size, want, "{hardware:?} {throughput:?} {max_bytes}");
        }
    }

    #[test]
    fn a_tenth_of_dropped_frames_is_a_stutter() {
        for (dropped, want) in [(6.0, false), (7.0, true)] {
            let mut detector = StutterDetector::default();
            assert!(!detector.update(0.0, 100.0, 90.0), "before the window");
            assert!(!detector.update(1_900.0, 157.0, 100.0), "within the window");
            assert_eq!(detector.update(2_000.0, 160.0, 90.0 + dropped), want);
        }
    }

    #[test]
    fn each_window_is_judged_by_itself_and_a_few_frames_not_at_all() {
        let mut detector = StutterDetector::default();
        detector.update(0.0, 0.0, 0.0);
        assert!(!detector.update(2_000.0, 60.0, 0.0));
        assert!(!detector.update(3_000.0, 75.0, 15.0));
        assert!(detector.update(4_000.0, 110.0, 15.0));
        let mut dark = StutterDetector::default();
        dark.update(0.0, 0.0, 0.0);
        assert!(!dark.update(2_000.0, 19.0, 19.0));
    }
}
