//! Monitors the open source ten times a second: timer and countdown, audio level, dark or stuttering picture, stalled
//! recorder.

mod tick;

use gloo_timers::callback::Interval;

use super::resolution::StutterDetector;
use super::signal_check::SilenceDetector;
use super::stall::StallDetector;
use crate::browser::capture::AudioLevelMeter;

/// Monitors the source until it is dropped.
pub struct Monitor {
    _interval: Interval,
    meter: Option<AudioLevelMeter>,
    silence: SilenceDetector,
    stall: StallDetector,
    stutter: StutterDetector,
    ticks: u32,
    dark_samples: u32,
}

impl Monitor {
    /// How much longer to wait for pieces of a recorder that was stopped; zero: there won't be any.
    pub(in crate::recorder::capture) fn stop_wait_ms(&mut self, stopped_at: f64, now: f64) -> f64 {
        self.stall.stop_wait_ms(stopped_at, now)
    }
}
