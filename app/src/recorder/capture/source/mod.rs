//! The source that is recorded: camera or screen, and the microphone.
//! What the person chose of them, and what is open.
//!
//! `opening` opens and closes it, `replacing` changes its camera or microphone, with the lens that `main_lens` says;
//! `preview` shows it, and `device_choice` what else there is to choose from.

mod choice;
mod device_choice;
mod main_lens;
mod opening;
mod preview;
mod replacing;

use std::cell::{Cell, RefCell};

use crate::browser::capture::{CaptureOptions, CaptureStream};

/// What is recorded: camera or screen, and the microphone.
pub struct Source {
    /// The person's choice, which outlives the page.
    options: RefCell<CaptureOptions>,
    /// A handle of the browser's stream.
    pub(super) stream: RefCell<Option<CaptureStream>>,
    /// Numbers the attempts to open a source in all states.
    attempts: Cell<u32>,
    /// The `deviceId` of the back camera to open, the main one or the person's choice; empty: any.
    /// Not stored: some browsers give cameras other ids on every visit.
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
