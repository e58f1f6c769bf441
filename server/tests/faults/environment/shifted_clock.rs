//! A system clock that jumps, while the server runs.

use super::preloaded::Preloaded;

/// The system clock of one server.
pub struct ShiftedClock(Preloaded);

impl ShiftedClock {
    /// A clock that is right.
    pub fn new() -> Self {
        Self(Preloaded::compile("shifted_clock.c", 8))
    }

    /// The variables that give a server this clock.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        self.0.variables()
    }

    /// Sets the clock so many seconds ahead of the right time, or behind it.
    pub fn set_ahead(&self, seconds: i64) {
        self.0.write(0, &seconds.to_ne_bytes());
    }
}
