//! What happens at each tick of the monitor.

use gloo_timers::callback::Interval;
use leptos::task::spawn_local;

use crate::browser;
use crate::browser::capture::{AudioLevelMeter, CaptureStream, TrackKind};
use crate::format;
use crate::recorder::bindings::{COUNTDOWN_SECONDS, Element, Flag, Slot};
use crate::recorder::capture::bitrate::{self, FrameSize};
use crate::recorder::capture::recording::VIBRATION_MS;
use crate::recorder::capture::resolution::StutterDetector;
use crate::recorder::capture::signal_check::{self, SilenceDetector};
use crate::recorder::capture::stall::{RecorderState, StallDetector};
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Event, Obstacle, Phase, Timer};

use super::Monitor;
const TICK_MS: u32 = 100;

/// Frames are sampled once a second.
const TICKS_PER_SAMPLE: u32 = 10;

/// A camera that was just opened is dark for a moment, so one dark sample isn't enough.
const DARK_SAMPLES: u32 = 3;

const COUNTDOWN_MS: f64 = COUNTDOWN_SECONDS as f64 * 1_000.0;

/// When the person is told that the recording ends soon.
const LAST_MINUTE_MS: f64 = 60_000.0;

impl Recorder {
    /// Starts to monitor the open source.
    pub(in crate::recorder::capture) fn start_monitor(self) {
        let stream = self.source.stream.borrow();
        self.monitor.replace(Some(Monitor {
            _interval: Interval::new(TICK_MS, move || self.tick()),
            meter: stream.as_ref().and_then(AudioLevelMeter::new),
            silence: SilenceDetector::default(),
            stall: StallDetector::default(),
            stutter: StutterDetector::default(),
            ticks: 0,
            dark_samples: 0,
        }));
    }

    /// Starts the countdown to the recording.
    pub(in crate::recorder) fn start_countdown(self) {
        let now = browser::performance_now();
        if self.dispatch(Event::StartCountdown { now }) {
            self.show_countdown(0.0);
        }
    }

    fn tick(self) {
        let now = browser::performance_now();
        if !matches!(self.phase(), Phase::Paused(_)) {
            self.check_audio(now);
        }
        let is_second = self.count_tick();
        let stream = self.source.stream.borrow().clone();
        if is_second {
            self.refresh_camera_tools();
            if let Some(stream) = &stream {
                self.check_tracks(stream);
            }
        }
        if self.is_before_recording() {
            // Not during the recording, which needs the processor; where a canvas is used, samples keep memory, too.
            if is_second {
                spawn_local(self.check_picture());
                self.check_smoothness(now);
            }
            let is_replacing = matches!(self.phase(), Phase::Preview { is_replacing: true });
            if let Some(stream) = stream.filter(|_| !is_replacing) {
                if !stream.is_live() {
                    return self.try_dispatch(Event::AccessFailed(Obstacle::NoVideo));
                }
                self.show_sound(&stream);
            }
        }
        match self.phase() {
            Phase::Countdown { since } if now - since >= COUNTDOWN_MS => self.start_recording(),
            Phase::Countdown { since } => self.show_countdown(now - since),
            Phase::Recording(_) if self.is_recorder_stalled(now) => {
                self.finish_recording(&self.take_name());
            }
            Phase::Recording(timer) | Phase::Paused(timer) => self.update_timer(timer, now),
            _ => {}
        }
    }

    fn is_before_recording(self) -> bool {
        matches!(
            self.phase(),
            Phase::Preview { .. } | Phase::Countdown { .. }
        )
    }

    fn show_countdown(self, elapsed: f64) {
        let left = ((COUNTDOWN_MS - elapsed) / 1000.0).ceil();
        self.page.fill_slot(Slot::Count, &format::integer(left));
    }

    /// Shows the duration, and stops a recording that becomes too long for the server or for the link.
    pub(in crate::recorder::capture) fn update_timer(self, timer: Timer, now: f64) {
        let recorded = format::duration(timer.elapsed(now));
        self.page.fill_slot(Slot::Recorded, &recorded);
        // The limit was computed at the start. Pauses take time too, and encoders exceed their bitrate.
        let until_expiry = bitrate::recording_time_left_ms(self.expires_at - self.now());
        let left = f64::min(timer.left_ms(now), until_expiry);
        let is_full = self.upload.with(|it| it.recorded) > self.max_bytes / 32 * 31;
        let is_last = left <= LAST_MINUTE_MS;
        if is_last && !self.has_flag(Flag::LastMinute) {
            browser::vibrate(VIBRATION_MS);
        }
        self.set_flag(Flag::LastMinute, is_last);
        if is_last {
            // Rounded up, so that the recording ends at 0:00.
            let left = format::duration(left + 999.0);
            self.page.fill_slot(Slot::Left, &left);
        }
        if left <= 0.0 || is_full {
            self.stop();
            self.set_flag(Flag::Interrupted, true);
        }
    }

    /// The recorder has just begun, gone on, or handed out a piece.
    pub(in crate::recorder::capture) fn note_progress(self, now: f64) {
        if let Some(monitor) = self.monitor.borrow_mut().as_mut() {
            monitor.stall.note_progress(now);
        }
    }

    /// Whether the recorder hands out no pieces any more, without an event.
    /// From a screen on which nothing moves there are none to hand out.
    fn is_recorder_stalled(self, now: f64) -> bool {
        let state = match self.monitor.borrow_mut().as_mut() {
            Some(monitor) => monitor.stall.check(now),
            None => RecorderState::Working,
        };
        if state == RecorderState::Late {
            self.flush();
        }
        state == RecorderState::Stalled && !self.has_flag(Flag::IsScreen)
    }

    fn check_audio(self, now: f64) {
        let (peak, is_silent) = {
            let mut monitor = self.monitor.borrow_mut();
            let Some(monitor) = monitor.as_mut() else {
                return;
            };
            let Some(meter) = &monitor.meter else { return };
            let peak = meter.peak();
            (peak, monitor.silence.update(peak, now))
        };
        let level = f64::from(signal_check::loudness(peak));
        self.page.set_fraction(Element::AudioLevel, level);
        // During the recording the notice would only disturb.
        let is_preview = matches!(self.phase(), Phase::Preview { .. });
        self.set_flag(Flag::Silent, is_silent && is_preview);
    }

    /// Says that the picture is black, as during a call, or that the recording lacks sound which it had.
    /// The end of the sound isn't waited for by events: a screen that is no longer shared ends the sound and the
    /// recording, in any order.
    fn check_tracks(self, stream: &CaptureStream) {
        if matches!(self.phase(), Phase::Recording(_)) {
            self.set_flag(Flag::AudioLost, stream.has_lost_sound());
        }
        self.set_flag(Flag::Muted, stream.is_muted());
    }

    /// Whether another second is over.
    fn count_tick(self) -> bool {
        self.monitor.borrow_mut().as_mut().is_some_and(|monitor| {
            monitor.ticks += 1;
            monitor.ticks.is_multiple_of(TICKS_PER_SAMPLE)
        })
    }

    /// Reduces a preview of 1920×1080 that drops frames: a recording of it would be worse.
    fn check_smoothness(self, now: f64) {
        let is_preview = matches!(
            self.phase(),
            Phase::Preview {
                is_replacing: false
            }
        );
        if !is_preview || self.source.stutters.get() {
            return;
        }
        if browser::is_hidden() {
            // The frames of a hidden page are dropped on purpose.
            if let Some(monitor) = self.monitor.borrow_mut().as_mut() {
                monitor.stutter = StutterDetector::default();
            }
            return;
        }
        let frames = self.page.video(Element::Live);
        let frames = frames.and_then(|it| browser::capture::count_frames(&it));
        let Some((frames, dropped)) = frames else {
            return;
        };
        let stutters = match self.monitor.borrow_mut().as_mut() {
            Some(monitor) => monitor.stutter.update(now, frames, dropped),
            None => false,
        };
        let stream = self.source.stream.borrow().clone();
        if stream.is_some_and(|it| stutters && self.frame_size(&it) == FrameSize::FullHd) {
            self.source.stutters.set(true);
            // Opened anew: after `applyConstraints` Chromium shows the smaller frames, and records the larger ones.
            self.replace_track(TrackKind::Video);
        }
    }

    async fn check_picture(self) {
        let Some(video) = self.page.video(Element::Live) else {
            return;
        };
        let sample = browser::capture::sample_frame(&video).await;
        // The recording may have begun meanwhile, and the notice would only disturb it.
        if !self.is_before_recording() {
            return;
        }
        let is_dark = {
            let mut monitor = self.monitor.borrow_mut();
            let Some(monitor) = monitor.as_mut() else {
                return;
            };
            if signal_check::is_dark(&sample) {
                monitor.dark_samples += 1;
            } else {
                monitor.dark_samples = 0;
            }
            monitor.dark_samples >= DARK_SAMPLES
        };
        self.set_flag(Flag::Dark, is_dark);
    }
}
