//! Light, zoom and focus of the open camera, by buttons, gestures and the keyboard.
//!
//! The browser gets one request at a time, with light and zoom as the person has set them: what a request doesn't name
//! returns to its default. A point of focus is named once. The page shows at once what was asked for, and then what the
//! camera's settings say, which also is what later requests name.

mod controls;

use std::cell::Cell;

use super::latest::Latest;
use super::zoom::ZoomRange;
use crate::browser::capture::{Abilities, Adjustment};

/// The tools of the open camera.
#[derive(Default)]
pub struct CameraTools {
    /// Numbers the cameras that were opened: the answer to a request for an earlier one is late.
    camera: Cell<u32>,
    abilities: Cell<Abilities>,
    /// What the person has set.
    wanted: Cell<Adjustment>,
    /// What the page shows.
    shown: Cell<Adjustment>,
    requests: Cell<Latest>,
    /// The zoom factor when two fingers were put down.
    pinched_from: Cell<f64>,
}

impl CameraTools {
    fn zoom_range(&self) -> Option<ZoomRange> {
        self.abilities.get().zoom.and_then(ZoomRange::new)
    }

    /// Whether the camera chooses among several lenses by its zoom.
    pub(in crate::recorder::capture) fn zooms_over_lenses(&self) -> bool {
        self.zoom_range().is_some_and(ZoomRange::has_wide_lens)
    }

    /// The zoom factor that is shown.
    fn factor(&self, range: ZoomRange) -> f64 {
        let zoom = self.shown.get().zoom.map(|it| range.factor(it));
        zoom.unwrap_or_else(|| range.clamp(1.0))
    }
}
