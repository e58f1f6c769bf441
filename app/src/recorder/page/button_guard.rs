//! Ignores presses right after the buttons have changed: a press on Stop twice must not send the take.

use std::cell::Cell;
use std::time::Duration;

use crate::browser;
use crate::recorder::controller::Recorder;

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

impl Recorder {
    /// Disables the buttons for a moment.
    pub(in crate::recorder) fn guard_buttons(self) {
        let change = self.button_guard.changes.get() + 1;
        self.button_guard.changes.set(change);
        self.page.set_buttons_disabled(true);
        browser::after(DISABLED, move || {
            if self.button_guard.changes.get() == change {
                let now = browser::performance_now();
                self.button_guard.enabled_at.set(now);
                self.page.set_buttons_disabled(false);
            }
        });
    }

    /// Whether a press at this time was meant for the buttons before the change, and is received only now.
    pub(in crate::recorder) fn is_stale_press(self, pressed_at: f64) -> bool {
        let early = self.button_guard.enabled_at.get() - pressed_at;
        // The events of some devices count time differently, far from the page's clock.
        (0.0..MAX_DELAY_MS).contains(&early)
    }
}
