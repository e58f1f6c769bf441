//! What happens many times a second while something is on: the timer, the level, a look at the picture, the
//! countdown.

use std::cell::Cell;

use gloo_timers::callback::Interval;
use leptos::prelude::*;

use super::bindings::{Element, Flag, Slot};
use super::bitrate::{self, Stopwatch};
use super::controller::Recorder;
use super::signal_check::{self, Hearing};
use super::state::{Event, Obstacle, Phase};
use crate::browser::{self, Meter};
use crate::format;

const BEAT_MS: u32 = 100;

/// A picture needs fewer looks than a timer.
const BEATS_A_GLANCE: u32 = 10;

/// Dark for so many looks: a camera that has just been switched on is dark for a moment.
const DARK_GLANCES: u32 = 3;

const COUNTDOWN_MS: f64 = super::bindings::COUNTDOWN_SECONDS as f64 * 1_000.0;

/// When the person is told that it ends soon.
const LAST_MINUTE_MS: f64 = 60_000.0;

/// A recorder hands something out twice a second; a busy device may let it wait.
const LONGEST_SILENCE_MS: f64 = 15_000.0;

/// How long it then has to hand out what it is asked for. What it did hand out while a dialog kept the page from hearing
/// of it is heard of within that time.
const LAST_CALL_MS: f64 = 2_000.0;

/// Beats for as long as it is there.
pub struct Pulse {
    _beating: Interval,
    meter: Option<Meter>,
    hearing: Cell<Hearing>,
    beats: Cell<u32>,
    dark: Cell<u32>,
    /// When a recorder that hands nothing out was last asked to.
    called_at: Cell<f64>,
}

impl Recorder {
    /// Looks after what is on, from now on.
    pub(super) fn look_and_listen(self) {
        let meter = self.camera.borrow().as_ref().and_then(Meter::of);
        self.pulse.replace(Some(Pulse {
            _beating: Interval::new(BEAT_MS, move || self.beat()),
            meter,
            hearing: Cell::default(),
            beats: Cell::default(),
            dark: Cell::default(),
            called_at: Cell::default(),
        }));
    }

    /// Three, two, one.
    pub(super) fn count_down(self) {
        // A camera that is being replaced would end the recording.
        if !self.replacing.get() && self.dispatch(Event::Count) {
            let mut watch = Stopwatch::default();
            watch.start(browser::page_time());
            self.watch.set(watch);
            self.page.fill_in(Slot::Count, "3");
        }
    }

    fn beat(self) {
        let now = browser::page_time();
        if self.phase() != Phase::Paused {
            self.listen(now);
        }
        // Only before: each look costs browsers memory, which a long recording would add up.
        if matches!(self.phase(), Phase::Preview | Phase::Countdown) {
            self.look();
            let camera = self.camera.borrow().clone();
            if let Some(camera) = camera.filter(|_| !self.replacing.get()) {
                if !camera.is_live() {
                    self.switch_off();
                    self.dispatch(Event::Failed(Obstacle::NoPicture));
                    return;
                }
                self.flag(Flag::IsSilent, camera.is_silent());
                self.flag(Flag::Muted, camera.is_muted());
            }
        }
        let elapsed = self.watch.get().at(now);
        match self.phase() {
            Phase::Countdown if elapsed >= COUNTDOWN_MS => self.record(),
            Phase::Countdown => {
                let left = ((COUNTDOWN_MS - elapsed) / 1000.0).ceil();
                self.page.fill_in(Slot::Count, &format::whole(left));
            }
            Phase::Recording if self.has_fallen_silent(now) => self.recorded(&self.name()),
            Phase::Recording | Phase::Paused => self.tell_time(elapsed),
            _ => {}
        }
    }

    /// The timer, and the end of what the server takes.
    pub(super) fn tell_time(self, elapsed: f64) {
        self.page
            .fill_in(Slot::Recorded, &format::duration(elapsed));
        // Pauses last, too, and encoders aren't as exact as asked.
        let until_expiry = bitrate::before_expiry_ms(self.expires_at - self.now());
        let left = f64::min(self.longest_ms.get() - elapsed, until_expiry);
        let full = self.upload.with_untracked(|it| it.recorded) > self.max_bytes / 32 * 31;
        self.flag(Flag::LastMinute, left <= LAST_MINUTE_MS);
        if left <= LAST_MINUTE_MS {
            // Rounded up: at 0:00 it is over.
            let left = format::duration(left + 999.0);
            self.page.fill_in(Slot::Left, &left);
        }
        if left <= 0.0 || full {
            self.stop();
            self.flag(Flag::Interrupted, true);
        }
    }

    /// Whether the recorder hands nothing out any more, without a word. On a screen where nothing moves it has
    /// nothing to hand out.
    fn has_fallen_silent(self, now: f64) -> bool {
        let piece_at = self.piece_at.get();
        if self.has(Flag::IsScreen) || now - piece_at <= LONGEST_SILENCE_MS {
            return false;
        }
        let pulse = self.pulse.borrow();
        let Some(pulse) = pulse.as_ref() else {
            return false;
        };
        if pulse.called_at.get() <= piece_at {
            pulse.called_at.set(now);
            self.flush();
        }
        now - pulse.called_at.get() > LAST_CALL_MS
    }

    fn listen(self, now: f64) {
        let heard = {
            let pulse = self.pulse.borrow();
            let Some(pulse) = pulse.as_ref() else { return };
            let Some(meter) = &pulse.meter else { return };
            let loudest = meter.loudest();
            let mut hearing = pulse.hearing.get();
            let unheard = hearing.is_unheard(loudest, now);
            pulse.hearing.set(hearing);
            (loudest, unheard)
        };
        self.page
            .fill(Element::Level, f64::from(signal_check::loudness(heard.0)));
        // Who is being filmed is not to be disturbed.
        self.flag(Flag::Unheard, heard.1 && self.phase() == Phase::Preview);
    }

    fn look(self) {
        let dark = {
            let pulse = self.pulse.borrow();
            let Some(pulse) = pulse.as_ref() else { return };
            let beats = pulse.beats.get() + 1;
            pulse.beats.set(beats);
            if beats % BEATS_A_GLANCE != 0 {
                return;
            }
            let picture = self.page.video(Element::Live);
            let picture = picture.map(|it| browser::glance(&it)).unwrap_or_default();
            let dark = signal_check::is_dark(&picture);
            pulse.dark.set(if dark { pulse.dark.get() + 1 } else { 0 });
            pulse.dark.get() >= DARK_GLANCES
        };
        self.flag(Flag::Dark, dark);
    }

    /// Bits a second for the next picture.
    pub(super) fn video_rate(self) -> u32 {
        let guessed = browser::line();
        let measured =
            browser::get_local(LINE).and_then(|text| bitrate::read_line(&text, browser::now()));
        // The lower of the two: a guess is the best case.
        bitrate::video_rate(match (guessed, measured) {
            (Some(guessed), Some(measured)) => Some(f64::min(guessed, measured)),
            (guessed, measured) => guessed.or(measured),
        })
    }

    /// Remembers how fast the line was for the take that has been uploaded. One that kept up with the recorder says
    /// nothing but that it isn't slow.
    pub(super) fn learn_line(self, bits_a_second: Option<f64>) {
        let text = bits_a_second.map(|it| bitrate::write_line(it, browser::now()));
        browser::set_local(LINE, &text.unwrap_or_default());
    }
}

/// Where it is remembered how fast the line was, and when.
const LINE: &str = "vidence.line";
