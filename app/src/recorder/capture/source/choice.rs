//! The person's choice of a source: what is asked of the browser.

use crate::browser::capture::{CaptureOptions, CaptureStream};
use crate::browser::dom::element;
use crate::browser::{self, Hardware};
use crate::recorder::bindings::{Element, Flag};
use crate::recorder::capture::bitrate::FrameSize;
use crate::recorder::capture::{options, resolution};
use crate::recorder::controller::Recorder;
use crate::recorder::state::Event;
use crate::recorder::upload::throughput;

impl Recorder {
    /// Sets the flags for what this device can record.
    pub(in crate::recorder) fn detect_sources(self) {
        let (camera, screen) = browser::capture::capture_support();
        self.set_flag(Flag::HasCamera, camera);
        self.set_flag(Flag::HasScreen, screen);
        self.set_flag(Flag::IsHandheld, browser::is_handheld());
        let (is_screen, audio) = {
            let options = self.source.options.borrow();
            (options.screen && screen, options.audio)
        };
        self.set_flag(Flag::IsScreen, is_screen);
        self.show_audio_toggle(audio);
    }

    /// Shows in all toggles whether the microphone is recorded.
    pub(in crate::recorder) fn show_audio_toggle(self, on: bool) {
        self.page
            .elements(Element::AudioToggle)
            .for_each(|it| element::set_checked(it, on));
    }

    /// Changes the options and stores them.
    pub(in crate::recorder) fn update_options(self, change: impl FnOnce(&mut CaptureOptions)) {
        change(&mut self.source.options.borrow_mut());
        options::store(&self.source.options.borrow());
    }

    /// Opens the camera.
    pub(in crate::recorder) fn open_camera(self) {
        self.update_options(|options| options.screen = false);
        self.request_access();
    }

    /// Opens the screen.
    pub(in crate::recorder) fn share_screen(self) {
        self.update_options(|options| options.screen = true);
        self.request_access();
    }

    /// Requests access to the source that was chosen last.
    pub(in crate::recorder) fn request_access(self) {
        let attempt = self.source.attempts.get() + 1;
        self.source.attempts.set(attempt);
        self.try_dispatch(Event::RequestAccess { attempt });
    }

    /// The person's choice, with the lens and the size for it.
    pub(super) fn capture_options(self) -> CaptureOptions {
        let mut options = self.source.options.borrow().clone();
        if !options.front && options.camera.is_empty() {
            options.camera = self.source.lens.borrow().clone();
        }
        let size = resolution::choose(Hardware::detect(), throughput::estimate(), self.max_bytes);
        options.full_hd = size == FrameSize::FullHd && !self.source.stutters.get();
        options
    }

    /// The size of a stream's frames.
    /// Larger ones than were asked for are no reason for a higher bitrate: instead of 1280×720 some cameras deliver
    /// 1280×960.
    pub(in crate::recorder::capture) fn frame_size(self, stream: &CaptureStream) -> FrameSize {
        if stream.is_screen() || !self.source.full_hd.get() {
            return FrameSize::Hd;
        }
        let (width, height) = stream.frame_size();
        FrameSize::of(width, height)
    }
}
