//! A stopwatch with pauses. Pure.

/// Measures how long something ran, without its pauses. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stopwatch {
    before: f64,
    started_at: Option<f64>,
}

impl Stopwatch {
    /// A stopwatch that runs from now on.
    pub fn started(now: f64) -> Self {
        let mut stopwatch = Self::default();
        stopwatch.start(now);
        stopwatch
    }

    /// Starts or resumes, unless it runs.
    pub fn start(&mut self, now: f64) {
        self.started_at.get_or_insert(now);
    }

    /// Stops until it is started again.
    pub fn pause(&mut self, now: f64) {
        self.before = self.elapsed(now);
        self.started_at = None;
    }

    /// How long it has run.
    pub fn elapsed(&self, now: f64) -> f64 {
        // Not negative if the clock is set back.
        self.before
            + self
                .started_at
                .map_or(0.0, |started_at| (now - started_at).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_don_t_count() {
        let mut stopwatch = Stopwatch::started(1_000.0);
        stopwatch.pause(4_000.0);
        assert_eq!(stopwatch.elapsed(9_000.0), 3_000.0);
        stopwatch.start(10_000.0);
        stopwatch.start(10_500.0);
        assert_eq!(stopwatch.elapsed(11_000.0), 4_000.0);
    }
}
