//! The source that is recorded: camera or screen, and the microphone. What the person chose of them, and what is open.
//!
//! `opening` opens and closes it, `replacing` changes its camera or microphone, with the lens that `main_lens` says;
//! `preview` shows it, and `device_choice` what else there is to choose from.

mod device_choice;
mod main_lens;
mod opening;
mod preview;
mod replacing;

use std::cell::{Cell, RefCell};

use super::bitrate::FrameSize;
use super::{options, resolution};
use crate::browser::capture::{CaptureOptions, CaptureStream};
use crate::browser::dom::element;
use crate::browser::{self, Hardware};
use crate::recorder::bindings::{Element, Flag};
use crate::recorder::controller::Recorder;
use crate::recorder::state::Event;

/// What is recorded: camera or screen, and the microphone.
pub struct Source {
    /// The person's choice, which outlives the page.
    options: RefCell<CaptureOptions>,
    /// A handle of the browser's stream.
    pub(super) stream: RefCell<Option<CaptureStream>>,
    /// Numbers the attempts to open a source in all states.
    attempts: Cell<u32>,
    /// The `deviceId` of the back camera to open, the main one or the person's choice; empty: any. Not stored: some
    /// browsers give cameras other ids on every visit.
    lens: RefCell<String>,
    /// Whether the page knew the cameras' names before it opened one: then the browser doesn't ask for permission. `None`:
    /// it has opened none yet. Only phones need it.
    knows_cameras: Cell<Option<bool>>,
    /// The preview has dropped frames of 1920×1080.
    pub(super) stutters: Cell<bool>,
    /// The open camera was asked for 1920×1080.
    full_hd: Cell<bool>,
}

impl Source {
    /// Nothing is open.
    pub fn new(options: CaptureOptions) -> Self {
        Self {
            options: RefCell::new(options),
            stream: RefCell::default(),
            attempts: Cell::default(),
            lens: RefCell::default(),
            knows_cameras: Cell::default(),
            stutters: Cell::default(),
            full_hd: Cell::default(),
        }
    }
}

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
    fn capture_options(self) -> CaptureOptions {
        let mut options = self.source.options.borrow().clone();
        if !options.front && options.camera.is_empty() {
            options.camera = self.source.lens.borrow().clone();
        }
        let size = resolution::choose(Hardware::detect(), self.throughput(), self.max_bytes);
        options.full_hd = size == FrameSize::FullHd && !self.source.stutters.get();
        options
    }

    /// The size of a stream's frames. Larger ones than were asked for are no reason for a higher bitrate: instead of
    /// 1280×720 some cameras deliver 1280×960.
    pub(super) fn frame_size(self, stream: &CaptureStream) -> FrameSize {
        if stream.is_screen() || !self.source.full_hd.get() {
            return FrameSize::Hd;
        }
        let (width, height) = stream.frame_size();
        FrameSize::of(width, height)
    }
}
