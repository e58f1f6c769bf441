//! Changes the camera or the microphone of the preview.

use std::time::Duration;

use leptos::task::spawn_local;

use super::opening::obstacle;
use crate::browser;
use crate::browser::capture::TrackKind;
use crate::recorder::controller::Recorder;
use crate::recorder::state::{Event, Phase};

/// How soon to try again while another track is replaced.
const BUSY: Duration = Duration::from_millis(10);

impl Recorder {
    /// Changes between front and back camera.
    pub(in crate::recorder) fn flip_camera(self) {
        self.update_options(|options| {
            options.front = !options.front;
            options.camera.clear();
        });
        self.replace_track(TrackKind::Video);
    }

    /// Replaces a track of the preview by that of the chosen device.
    pub(in crate::recorder) fn replace_track(self, kind: TrackKind) {
        self.change_track(kind, None);
    }

    /// The same; the video is that of the back camera `lens`, if that is given.
    /// If it can't be opened, the one before is opened again.
    pub(super) fn change_track(self, kind: TrackKind, lens: Option<String>) {
        let Some(stream) = self.source.stream.borrow().clone() else {
            return;
        };
        if !self.dispatch(Event::ReplaceTrack) {
            // A choice that is made while a track is replaced follows: a voice mustn't be recorded against it.
            if matches!(self.phase(), Phase::Preview { .. }) {
                browser::after(BUSY, move || self.replace_track(kind));
            }
            return;
        }
        let lens_before = lens.map(|it| self.source.lens.replace(it));
        let options = self.capture_options();
        if kind == TrackKind::Video {
            self.switch_torch_off();
        }
        self.detach_preview();
        spawn_local(async move {
            let mut replaced = stream.replace_track(kind, &options).await;
            let must_reopen = match (&replaced, lens_before) {
                (Ok(()), _) => {
                    kind == TrackKind::Video && self.use_main_lens(&stream, &options).await.is_err()
                }
                (Err(_), Some(lens)) => {
                    self.source.lens.replace(lens);
                    true
                }
                (Err(_), None) => false,
            };
            // The preview may have been closed meanwhile, and another one be open.
            let is_open = || {
                let current = self.source.stream.borrow();
                current.as_ref().is_some_and(|it| it.is_same(&stream))
            };
            if must_reopen && is_open() {
                replaced = stream.replace_track(kind, &self.capture_options()).await;
            }
            if !is_open() {
                return stream.stop();
            }
            self.try_dispatch(Event::TrackReplaced);
            match replaced {
                Ok(()) => {
                    if kind == TrackKind::Video {
                        self.source.full_hd.set(options.full_hd);
                        self.reset_camera_tools();
                    }
                    self.show_preview();
                }
                // The video is kept without audio.
                Err(_) if kind == TrackKind::Audio => {
                    self.show_audio_toggle(false);
                    self.show_preview();
                }
                Err(error) => self.try_dispatch(Event::AccessFailed(obstacle(error, false))),
            }
        });
    }
}
