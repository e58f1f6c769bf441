//! Starts, pauses and stops the recording of the open source.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::bitrate;
use super::stopwatch::Stopwatch;
use crate::browser;
use crate::browser::blob::Piece;
use crate::browser::capture::{CaptureStream, Recording};
use crate::recorder::bindings::Flag;
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Event, Obstacle, Phase};
use crate::recorder::take::{MIN_TAKE_BYTES, TAKE_FLAGS, Take};
use crate::recorder::upload::status::UploadStart;

/// How long a browser may take to hand out the remaining pieces. Some never report that they have stopped.
const STOP_TIMEOUT: Duration = Duration::from_secs(4);

/// The recording that is under way.
#[derive(Default)]
pub struct RecordingControl {
    pub(in crate::recorder) current: RefCell<Option<Recording>>,
    /// Runs during the countdown, too.
    pub(in crate::recorder) stopwatch: Cell<Stopwatch>,
    pub(super) max_duration_ms: Cell<f64>,
    /// When the browser handed out the last piece, on the page's clock.
    pub(super) last_piece_at: Cell<f64>,
}

impl Recorder {
    /// Starts recording at the end of the countdown.
    pub(in crate::recorder) fn start_recording(self) {
        if self.phase() != Phase::Countdown {
            return;
        }
        let stream = self.source.stream.borrow().clone();
        let Some(stream) = stream.filter(CaptureStream::is_live) else {
            self.dispatch(Event::AccessFailed(Obstacle::NoVideo));
            return;
        };
        let record = self.new_record(false);
        let name = record.name.clone();
        let on_piece = {
            let name = name.clone();
            move |piece| self.receive_piece(&name, piece)
        };
        let on_end = move || self.finish_recording(&name);
        let on_audio_lost = move || self.set_flag(Flag::AudioLost, true);
        let bitrates = self.choose_bitrates();
        let recording = Recording::start(&stream, bitrates, on_piece, on_audio_lost, on_end);
        let Some(recording) = recording else {
            self.dispatch(Event::AccessFailed(Obstacle::Unsupported));
            return;
        };
        self.clear_flags(&TAKE_FLAGS);
        self.clear_flags(&[Flag::Dark, Flag::Muted]);
        self.begin_take(record, UploadStart::default(), false);
        let state = &self.recording;
        state.current.replace(Some(recording));
        let until_expiry_ms = self.expires_at - self.now();
        let max_duration_ms = bitrate::max_duration_ms(self.max_bytes, bitrates, until_expiry_ms);
        state.max_duration_ms.set(max_duration_ms);
        let now = browser::performance_now();
        state.last_piece_at.set(now);
        state.stopwatch.set(Stopwatch::started(now));
        self.dispatch(Event::RecordingStarted);
        self.update_timer(0.0);
        spawn_local(browser::storage::indexed_db::persist());
    }

    /// Pauses the recording.
    pub(in crate::recorder) fn pause_recording(self) {
        if self.phase() == Phase::Recording && self.with_recording(Recording::pause) {
            self.update_stopwatch(|stopwatch, now| stopwatch.pause(now));
            self.flush_upload();
            self.dispatch(Event::Pause);
        }
    }

    /// Resumes the recording.
    pub(in crate::recorder) fn resume_recording(self) {
        if self.phase() == Phase::Paused && self.with_recording(Recording::resume) {
            self.recording.last_piece_at.set(browser::performance_now());
            self.update_stopwatch(|stopwatch, now| stopwatch.start(now));
            self.dispatch(Event::Resume);
        }
    }

    /// Cancels the countdown, or stops the recording.
    pub(in crate::recorder) fn stop(self) {
        if self.dispatch(Event::CancelCountdown) {
            return;
        }
        if self.dispatch(Event::Stop) {
            self.update_stopwatch(|stopwatch, now| stopwatch.pause(now));
        }
    }

    /// Stops the recorder, which hands out the remaining pieces. `false`: nothing is recorded.
    pub(in crate::recorder) fn stop_recording(self) -> bool {
        let is_recording = self.with_recording(|recording| {
            recording.stop();
            true
        });
        if is_recording {
            let name = self.take_name();
            set_timeout(move || self.finish_recording(&name), STOP_TIMEOUT);
        }
        is_recording
    }

    /// Stores and uploads what is recorded so far, because the page may be closed.
    pub(in crate::recorder) fn flush(self) {
        self.with_recording(|recording| {
            recording.request_piece();
            true
        });
        self.flush_upload();
    }

    fn with_recording(self, act: impl FnOnce(&Recording) -> bool) -> bool {
        self.recording.current.borrow().as_ref().is_some_and(act)
    }

    fn update_stopwatch(self, change: impl FnOnce(&mut Stopwatch, f64)) {
        let mut stopwatch = self.recording.stopwatch.get();
        change(&mut stopwatch, browser::performance_now());
        self.recording.stopwatch.set(stopwatch);
    }

    /// Adds a piece to its take. The recorder of an earlier take may still hand out a piece, which is dropped.
    fn receive_piece(self, name: &str, piece: Piece) {
        if self.take_name() != name {
            return;
        }
        let now = browser::performance_now();
        // A recording is shorter than 2³² ms.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let end_ms = self.recording.stopwatch.get().elapsed(now) as u32;
        self.recording.last_piece_at.set(now);
        self.add_piece(piece, end_ms);
    }

    /// Continues after the recorder has handed out all pieces of this take: with the review, if there are any.
    pub(super) fn finish_recording(self, name: &str) {
        let phase = self.phase();
        // The recording is dropped at its end, which may be reported twice.
        if self.recording.current.borrow().is_none() || self.take_name() != name {
            return;
        }
        self.update_stopwatch(|stopwatch, now| stopwatch.pause(now));
        // At once: a camera's light that stays on makes people wonder who is watching.
        self.close_stream();
        self.finish_take();
        if matches!(phase, Phase::Ended(_)) {
            return;
        }
        let is_video = |take: &Take| take.length() >= MIN_TAKE_BYTES;
        if self.take.borrow().as_ref().is_some_and(is_video) {
            self.dispatch(Event::RecordingEnded);
            // After the state, so that both are announced. Who stops sharing a screen means to stop the recording.
            if phase != Phase::Stopping && !self.has_flag(Flag::IsScreen) {
                self.set_flag(Flag::Interrupted, true);
            }
        } else {
            self.dispatch(Event::RecordingEmpty);
        }
    }
}
