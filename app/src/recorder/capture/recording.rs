//! Starts, pauses and stops the recording of the open source.

use std::time::Duration;

use leptos::task::spawn_local;

use super::bitrate;
use crate::browser;
use crate::browser::blob::Piece;
use crate::browser::capture::{CaptureStream, Recording};
use crate::recorder::bindings::Flag;
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Event, Obstacle, Phase, Timer};
use crate::recorder::take::{MIN_TAKE_BYTES, TAKE_FLAGS, Take};
use crate::recorder::upload::status::UploadStart;
use crate::recorder::upload::throughput;

/// Felt at start, stop and the last minute, by a person who looks at what they film.
/// Short, as the microphone hears it.
pub(super) const VIBRATION_MS: u32 = 40;

impl Recorder {
    /// Starts recording at the end of the countdown.
    pub(in crate::recorder) fn start_recording(self) {
        if !matches!(self.phase(), Phase::Countdown { .. }) {
            return;
        }
        let stream = self.source.stream.borrow().clone();
        let Some(stream) = stream.filter(CaptureStream::is_live) else {
            return self.try_dispatch(Event::AccessFailed(Obstacle::NoVideo));
        };
        let record = self.new_record();
        let name = record.name.clone();
        let on_piece = {
            let name = name.clone();
            move |piece| self.receive_piece(&name, piece)
        };
        let on_end = move || self.finish_recording(&name);
        let bitrates = bitrate::choose_bitrates(throughput::estimate(), self.frame_size(&stream));
        let recording = Recording::start(&stream, bitrates, on_piece, on_end);
        let Some(recording) = recording else {
            return self.try_dispatch(Event::AccessFailed(Obstacle::Unsupported));
        };
        self.clear_flags(&TAKE_FLAGS);
        self.clear_flags(&[Flag::Dark]);
        self.begin_take(record, UploadStart::default(), false);
        self.recording.replace(Some(recording));
        let until_expiry_ms = self.expires_at - self.now();
        let max_duration_ms = bitrate::max_duration_ms(self.max_bytes, bitrates, until_expiry_ms);
        let now = browser::performance_now();
        self.note_progress(now);
        let timer = Timer::started(now, max_duration_ms);
        self.try_dispatch(Event::RecordingStarted(timer));
        browser::vibrate(VIBRATION_MS);
        self.update_timer(timer, now);
    }

    /// Pauses the recording.
    pub(in crate::recorder) fn pause_recording(self) {
        if matches!(self.phase(), Phase::Recording(_)) && self.with_recording(Recording::pause) {
            let now = browser::performance_now();
            self.try_dispatch(Event::Pause { now });
        }
    }

    /// Resumes the recording.
    pub(in crate::recorder) fn resume_recording(self) {
        if matches!(self.phase(), Phase::Paused(_)) && self.with_recording(Recording::resume) {
            let now = browser::performance_now();
            self.note_progress(now);
            self.try_dispatch(Event::Resume { now });
        }
    }

    /// Cancels the countdown, or stops the recording.
    pub(in crate::recorder) fn stop(self) {
        let now = browser::performance_now();
        self.try_dispatch(Event::Stop { now });
    }

    /// Stops the recorder, which hands out the remaining pieces.
    pub(in crate::recorder) fn stop_recorder(self) {
        if let Some(recording) = self.recording.borrow().as_ref() {
            recording.stop();
            browser::vibrate(VIBRATION_MS);
            // Firefox asks the person, so not over the picture.
            browser::after(browser::DRAWN, || {
                spawn_local(browser::storage::indexed_db::persist());
            });
        }
        self.finish_when_quiet(self.take_name(), browser::performance_now());
    }

    /// Finishes the recording once the recorder, which was stopped at this time, has handed out nothing for a while.
    fn finish_when_quiet(self, name: String, stopped_at: f64) {
        let wait_ms = {
            let mut monitor = self.monitor.borrow_mut();
            // Dropped with the stream, when the recording has ended.
            let Some(monitor) = monitor.as_mut() else {
                return;
            };
            monitor.stop_wait_ms(stopped_at, browser::performance_now())
        };
        if wait_ms <= 0.0 {
            return self.finish_recording(&name);
        }
        browser::after(Duration::from_secs_f64(wait_ms / 1000.0), move || {
            // The person may record again already.
            if self.take_name() == name {
                self.finish_when_quiet(name, stopped_at);
            }
        });
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
        self.recording.borrow().as_ref().is_some_and(act)
    }

    /// Adds a piece to its take.
    /// The recorder of an earlier take may still hand out a piece, and one that was asked for a piece hands out an
    /// empty one if there is nothing; both are dropped.
    fn receive_piece(self, name: &str, piece: Piece) {
        let is_part = |_: &Timer| piece.length() > 0 && self.take_name() == name;
        let Some(timer) = self.phase().timer().filter(is_part) else {
            return;
        };
        let now = browser::performance_now();
        // A recording is shorter than 2³² ms.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let end_ms = timer.elapsed(now) as u32;
        self.note_progress(now);
        self.add_piece(piece, end_ms);
    }

    /// Continues after the recorder has handed out all pieces of this take: with the review, if there are any.
    pub(super) fn finish_recording(self, name: &str) {
        if self.take_name() != name {
            return;
        }
        let is_video = |take: &Take| take.length() >= MIN_TAKE_BYTES;
        let has_video = self.take.borrow().as_ref().is_some_and(is_video);
        // May be reported twice: by the browser, and by the timeout of a stop.
        self.try_dispatch(if has_video {
            Event::RecordingEnded
        } else {
            Event::RecordingEmpty
        });
    }

    /// Tells the person that the recording ended without them.
    /// Who stops sharing a screen means to stop the recording.
    pub(in crate::recorder) fn note_interruption(self) {
        if !self.has_flag(Flag::IsScreen) {
            self.set_flag(Flag::Interrupted, true);
        }
    }
}
