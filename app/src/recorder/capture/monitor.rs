//! Monitors the open source ten times a second: timer and countdown, audio level, dark picture, stalled recorder.

use std::cell::Cell;

use gloo_timers::callback::Interval;
use leptos::prelude::*;

use super::bitrate;
use super::signal_check::{self, SilenceDetector};
use super::stopwatch::Stopwatch;
use crate::browser;
use crate::browser::capture::AudioLevelMeter;
use crate::format;
use crate::recorder::bindings::{COUNTDOWN_SECONDS, Element, Flag, Slot};
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Event, Obstacle, Phase};

const TICK_MS: u32 = 100;

/// Frames are sampled once a second.
const TICKS_PER_SAMPLE: u32 = 10;

/// A camera that was just opened is dark for a moment, so one dark sample isn't enough.
const DARK_SAMPLES: u32 = 3;

const COUNTDOWN_MS: f64 = COUNTDOWN_SECONDS as f64 * 1_000.0;

/// When the person is told that the recording ends soon.
const LAST_MINUTE_MS: f64 = 60_000.0;

/// A recorder hands out a piece twice a second; on a busy device it may be late.
const STALL_MS: f64 = 15_000.0;

/// How long a stalled recorder has to hand out a requested piece. A dialog may have kept the page from receiving
/// pieces; they arrive within this time.
const STALL_GRACE_MS: f64 = 2_000.0;

/// Monitors the source until it is dropped.
pub struct Monitor {
    _interval: Interval,
    meter: Option<AudioLevelMeter>,
    silence: Cell<SilenceDetector>,
    ticks: Cell<u32>,
    dark_samples: Cell<u32>,
    /// When a stalled recorder was last asked for a piece.
    requested_at: Cell<f64>,
}

impl Recorder {
    /// Starts to monitor the open source.
    pub(super) fn start_monitor(self) {
        let stream = self.source.stream.borrow();
        self.monitor.replace(Some(Monitor {
            _interval: Interval::new(TICK_MS, move || self.tick()),
            meter: stream.as_ref().and_then(AudioLevelMeter::new),
            silence: Cell::default(),
            ticks: Cell::default(),
            dark_samples: Cell::default(),
            requested_at: Cell::default(),
        }));
    }

    /// Starts the countdown to the recording.
    pub(in crate::recorder) fn start_countdown(self) {
        // The recording would end with the track that is being replaced.
        if !self.source.is_replacing.get() && self.dispatch(Event::StartCountdown) {
            let stopwatch = Stopwatch::started(browser::performance_now());
            self.recording.stopwatch.set(stopwatch);
            self.show_countdown(0.0);
        }
    }

    fn tick(self) {
        let now = browser::performance_now();
        if self.phase() != Phase::Paused {
            self.check_audio(now);
        }
        // Not during the recording: each sample costs memory, which would add up.
        if matches!(self.phase(), Phase::Preview | Phase::Countdown) {
            self.check_picture();
            let stream = self.source.stream.borrow().clone();
            if let Some(stream) = stream.filter(|_| !self.source.is_replacing.get()) {
                if !stream.is_live() {
                    self.dispatch(Event::AccessFailed(Obstacle::NoVideo));
                    return;
                }
                self.set_flag(Flag::NoAudio, !stream.has_audio());
                self.set_flag(Flag::Muted, stream.is_muted());
            }
        }
        let elapsed = self.recording.stopwatch.get().elapsed(now);
        match self.phase() {
            Phase::Countdown if elapsed >= COUNTDOWN_MS => self.start_recording(),
            Phase::Countdown => {
                self.show_countdown(elapsed);
            }
            Phase::Recording if self.is_recorder_stalled(now) => {
                self.finish_recording(&self.take_name());
            }
            Phase::Recording | Phase::Paused => self.update_timer(elapsed),
            _ => {}
        }
    }

    fn show_countdown(self, elapsed: f64) {
        let left = ((COUNTDOWN_MS - elapsed) / 1000.0).ceil();
        self.page.fill_slot(Slot::Count, &format::integer(left));
    }

    /// Shows the duration, and stops a recording that becomes too long for the server or for the link.
    pub(super) fn update_timer(self, elapsed: f64) {
        self.page
            .fill_slot(Slot::Recorded, &format::duration(elapsed));
        // The limit was computed at the start. Pauses take time too, and encoders exceed their bitrate.
        let until_expiry = bitrate::recording_time_left_ms(self.expires_at - self.now());
        let left = f64::min(self.recording.max_duration_ms.get() - elapsed, until_expiry);
        let is_full = self.upload.with_untracked(|it| it.recorded) > self.max_bytes / 32 * 31;
        self.set_flag(Flag::LastMinute, left <= LAST_MINUTE_MS);
        if left <= LAST_MINUTE_MS {
            // Rounded up, so that the recording ends at 0:00.
            let left = format::duration(left + 999.0);
            self.page.fill_slot(Slot::Left, &left);
        }
        if left <= 0.0 || is_full {
            self.stop();
            self.set_flag(Flag::Interrupted, true);
        }
    }

    /// Whether the recorder hands out no pieces any more, without an event. From a screen on which nothing moves there
    /// are none to hand out.
    fn is_recorder_stalled(self, now: f64) -> bool {
        let last_piece_at = self.recording.last_piece_at.get();
        if self.has_flag(Flag::IsScreen) || now - last_piece_at <= STALL_MS {
            return false;
        }
        let monitor = self.monitor.borrow();
        let Some(monitor) = monitor.as_ref() else {
            return false;
        };
        if monitor.requested_at.get() <= last_piece_at {
            monitor.requested_at.set(now);
            self.flush();
        }
        now - monitor.requested_at.get() > STALL_GRACE_MS
    }

    fn check_audio(self, now: f64) {
        let (peak, is_silent) = {
            let monitor = self.monitor.borrow();
            let Some(monitor) = monitor.as_ref() else {
                return;
            };
            let Some(meter) = &monitor.meter else { return };
            let peak = meter.peak();
            let mut silence = monitor.silence.get();
            let is_silent = silence.update(peak, now);
            monitor.silence.set(silence);
            (peak, is_silent)
        };
        let level = f64::from(signal_check::loudness(peak));
        self.page.set_fraction(Element::AudioLevel, level);
        // During the recording the notice would only disturb.
        self.set_flag(Flag::Silent, is_silent && self.phase() == Phase::Preview);
    }

    fn check_picture(self) {
        let is_dark = {
            let monitor = self.monitor.borrow();
            let Some(monitor) = monitor.as_ref() else {
                return;
            };
            let ticks = monitor.ticks.get() + 1;
            monitor.ticks.set(ticks);
            if ticks % TICKS_PER_SAMPLE != 0 {
                return;
            }
            let video = self.page.video(Element::Live);
            let sample = video.map(|it| browser::capture::sample_frame(&it));
            let is_dark = signal_check::is_dark(&sample.unwrap_or_default());
            let dark_samples = if is_dark {
                monitor.dark_samples.get() + 1
            } else {
                0
            };
            monitor.dark_samples.set(dark_samples);
            dark_samples >= DARK_SAMPLES
        };
        self.set_flag(Flag::Dark, is_dark);
    }
}
