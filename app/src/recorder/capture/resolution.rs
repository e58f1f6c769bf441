//! Chooses the size of the video. Pure.
//!
//! The rule: 1920×1080 where the device encodes it without effort, the connection carries its bitrate, and the longest
//! recording is still ten minutes; else 1280×720. Apple's devices have an encoder of their own. Others need eight cores,
//! and phones also 8 GB of memory, as cheap ones have eight slow cores. Of a connection that isn't known the best is
//! assumed, as for the bitrate. A preview that goes on dropping a tenth of its frames is reduced to 1280×720 before the
//! recording, and so is every later one of this visit. That measures whether the device can show such frames; whether it
//! can encode them too isn't known before the recording.

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

/// The page didn't run during a window that became longer. On a busy device the samples are late, too.
const MAX_WINDOW_MS: f64 = 3.0 * WINDOW_MS;

/// Consecutive windows that make a stutter.
const BAD_WINDOWS: u32 = 2;

/// Fewer frames tell nothing.
const MIN_FRAMES: f64 = 20.0;

/// The share of dropped frames that is seen as a stutter.
const MAX_DROPPED: f64 = 0.1;

/// Chooses the size to ask the camera for.
/// The throughput is in bits per second; `None`: it isn't known.
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

/// Detects that the preview goes on dropping frames.
/// A camera that was just opened may drop some, and so may a page that was just shown, so their first window isn't
/// judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct StutterDetector {
    /// When the window began, with the frames until then and those of them that were dropped.
    window: Option<(f64, f64, f64)>,
    /// How many bad windows came last, since the first one, which isn't judged, was over.
    bad: Option<u32>,
}

impl StutterDetector {
    /// Takes how many frames came and how many of them were dropped until `now`, in milliseconds.
    /// Whether it stutters.
    pub fn update(&mut self, now: f64, frames: f64, dropped: f64) -> bool {
        let (since, frames_before, dropped_before) =
            *self.window.get_or_insert((now, frames, dropped));
        if now - since < WINDOW_MS {
            return false;
        }
        if now - since > MAX_WINDOW_MS {
            *self = Self::default();
            return false;
        }
        self.window = Some((now, frames, dropped));
        let (frames, dropped) = (frames - frames_before, dropped - dropped_before);
        let is_bad = frames >= MIN_FRAMES && dropped > frames * MAX_DROPPED;
        let bad = match self.bad {
            Some(bad) if is_bad => bad + 1,
            _ => 0,
        };
        self.bad = Some(bad);
        bad >= BAD_WINDOWS
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

    /// What a detector says after each window of two seconds, of which these are the frames and the dropped ones.
    fn evaluate(windows: &[(f64, f64)]) -> Vec<bool> {
        let mut detector = StutterDetector::default();
        let (mut now, mut frames, mut dropped) = (1_000.0, 100.0, 90.0);
        assert!(!detector.update(now, frames, dropped), "no window yet");
        let mut evaluate = |(more, more_dropped): &(f64, f64)| {
            assert!(!detector.update(now + 1_900.0, frames, dropped), "within");
            now += 2_000.0;
            frames += more;
            dropped += more_dropped;
            detector.update(now, frames, dropped)
        };
        windows.iter().map(&mut evaluate).collect()
    }

    #[test]
    fn more_than_a_tenth_of_dropped_frames_in_two_windows_is_a_stutter() {
        for (dropped, want) in [(6.0, false), (7.0, true)] {
            let windows = [(60.0, 0.0), (60.0, dropped), (60.0, dropped)];
            assert_eq!(evaluate(&windows), [false, false, want], "{dropped}");
        }
        let few_frames = [(60.0, 0.0), (19.0, 19.0), (19.0, 19.0)];
        assert_eq!(evaluate(&few_frames), [false; 3]);
    }

    #[test]
    fn the_first_window_and_single_drops_are_not_a_stutter() {
        let (good, bad) = ((60.0, 0.0), (60.0, 30.0));
        assert_eq!(evaluate(&[bad, bad, good, bad, good]), [false; 5]);
        assert_eq!(evaluate(&[bad, bad, bad]), [false, false, true]);
    }

    #[test]
    fn after_a_window_in_which_the_page_did_not_run_the_detector_begins_anew() {
        let mut detector = StutterDetector::default();
        for (now, dropped, want) in [
            (0.0, 0.0, false),
            (2_000.0, 30.0, false),
            (4_000.0, 60.0, false),
            // Held up.
            (10_100.0, 90.0, false),
            (11_000.0, 120.0, false),
            (13_000.0, 150.0, false),
            (15_000.0, 180.0, false),
            (17_000.0, 210.0, true),
        ] {
            assert_eq!(detector.update(now, dropped * 2.0, dropped), want, "{now}");
        }
    }
}
