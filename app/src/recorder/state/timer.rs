//! The time of a recording, without its pauses. Pure.

/// Measures how long is recorded. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timer {
    before: f64,
    started_at: Option<f64>,
    max_duration_ms: f64,
}

impl Timer {
    /// The timer of a recording that starts now and may take this long.
    pub fn started(now: f64, max_duration_ms: f64) -> Self {
        Self {
            before: 0.0,
            started_at: Some(now),
            max_duration_ms,
        }
    }

    /// The timer stopped, until it is resumed.
    #[must_use]
    pub fn paused(self, now: f64) -> Self {
        Self {
            before: self.elapsed(now),
            started_at: None,
            ..self
        }
    }

    /// The timer running again.
    #[must_use]
    pub fn resumed(self, now: f64) -> Self {
        Self {
            started_at: self.started_at.or(Some(now)),
            ..self
        }
    }

    /// How long is recorded.
    pub fn elapsed(self, now: f64) -> f64 {
        // Not negative if the clock is set back.
        let running = self.started_at.map_or(0.0, |at| (now - at).max(0.0));
        self.before + running
    }

    /// How much longer the recording may be; not above zero: it has become too long.
    pub fn left_ms(self, now: f64) -> f64 {
        self.max_duration_ms - self.elapsed(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_don_t_count() {
        let timer = Timer::started(1_000.0, 60_000.0).paused(4_000.0);
        assert_eq!(timer.elapsed(9_000.0), 3_000.0);
        let timer = timer.resumed(10_000.0).resumed(10_500.0);
        assert_eq!(timer.elapsed(11_000.0), 4_000.0);
        assert_eq!(timer.left_ms(11_000.0), 56_000.0);
    }

    #[test]
    fn a_clock_that_is_set_back_shortens_nothing() {
        let timer = Timer::started(1_000.0, 60_000.0)
            .paused(4_000.0)
            .resumed(5_000.0);
        assert_eq!(timer.elapsed(2_000.0), 3_000.0);
    }
}
