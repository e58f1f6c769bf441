//! Ignores presses right after the buttons have changed: a press on Stop twice must not send the take.

use std::cell::Cell;
use std::time::Duration;

use super::dom::Page;
use crate::browser;

/// How long the buttons are disabled after a change.
const DISABLED: Duration = Duration::from_millis(500);

/// The longest time by which a busy page may receive a press late.
const MAX_DELAY_MS: f64 = 5_000.0;

/// When the buttons changed.
#[derive(Default)]
pub struct ButtonGuard {
    /// Counts the changes: only after the last one the buttons are enabled again.
    changes: Cell<u32>,
    /// When the buttons were last enabled, on the page's clock.
    enabled_at: Cell<f64>,
}

impl ButtonGuard {
    /// Disables the buttons for a moment.
    pub fn disable(&'static self, page: &'static Page) {
        let change = self.changes.get() + 1;
        self.changes.set(change);
        page.set_buttons_disabled(true);
        browser::after(DISABLED, move || {
            if self.changes.get() == change {
                self.enabled_at.set(browser::performance_now());
                page.set_buttons_disabled(false);
            }
        });
    }

    /// Whether a press at this time was meant for the buttons before the change, and is received only now.
    pub fn is_stale(&self, pressed_at: f64) -> bool {
        let early = self.enabled_at.get() - pressed_at;
        // The events of some devices count time differently, far from the page's clock.
        (0.0..MAX_DELAY_MS).contains(&early)
    }
}
