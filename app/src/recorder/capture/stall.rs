//! Detects that the recorder hands out no pieces any more, without an event: while it records, and after a stop. Pure.

/// How long a busy device may take to hand out the next piece: while it records, which is twice a second, and after a
/// stop.
///
/// Some browsers never report that they have stopped; a slow phone hands out a queue of pieces, which may take longer as
/// a whole. Firefox on two busy processors was seen to need more than five seconds for the last piece.
const STALL_MS: f64 = 15_000.0;

/// How long a stalled recorder has to hand out a requested piece.
/// A dialog may have kept the page from receiving pieces; they arrive within this time.
const GRACE_MS: f64 = 2_000.0;

/// A wait that ends later than this was held up, by a dialog or by a locked phone: then pieces may be held up behind it.
const LATE_MS: f64 = 500.0;

/// When the recorder handed out pieces. Times are in milliseconds on the page's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct StallDetector {
    progress_at: f64,
    requested_at: f64,
    /// When the wait after a stop was found to have ended late.
    late_at: f64,
}

/// What is known of the recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecorderState {
    /// It hands out pieces, or has been asked for one a moment ago.
    Working,
    /// It has handed out nothing for a while: ask it for a piece. Told once for each pause between pieces.
    Late,
    /// It was asked, and handed out nothing.
    Stalled,
}

impl StallDetector {
    /// The recorder has begun, gone on, or handed out a piece.
    pub fn note_progress(&mut self, now: f64) {
        self.progress_at = now;
    }

    /// How much longer to wait for pieces of a recorder that was stopped; zero: there won't be any.
    /// A wait that ends late is extended, once for each pause between pieces.
    pub fn stop_wait_ms(&mut self, stopped_at: f64, now: f64) -> f64 {
        let quiet_since = stopped_at.max(self.progress_at);
        let left = quiet_since + STALL_MS - now;
        if left < -LATE_MS && self.late_at <= quiet_since {
            self.late_at = now;
            return GRACE_MS;
        }
        left.max(0.0)
    }

    /// What is known of the recorder.
    pub fn check(&mut self, now: f64) -> RecorderState {
        if now - self.progress_at <= STALL_MS {
            return RecorderState::Working;
        }
        if self.requested_at <= self.progress_at {
            self.requested_at = now;
            return RecorderState::Late;
        }
        if now - self.requested_at > GRACE_MS {
            return RecorderState::Stalled;
        }
        RecorderState::Working
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorder_is_asked_once_before_it_counts_as_stalled() {
        let mut detector = StallDetector::default();
        detector.note_progress(1_000.0);
        for (now, want) in [
            (16_000.0, RecorderState::Working),
            (16_001.0, RecorderState::Late),
            (16_100.0, RecorderState::Working),
            (18_001.0, RecorderState::Working),
            (18_002.0, RecorderState::Stalled),
        ] {
            assert_eq!(detector.check(now), want, "{now}");
        }
    }

    #[test]
    fn the_wait_after_a_stop_begins_anew_with_each_piece() {
        let mut detector = StallDetector::default();
        detector.note_progress(9_500.0);
        assert_eq!(detector.stop_wait_ms(10_000.0, 10_000.0), 15_000.0);
        assert_eq!(detector.stop_wait_ms(10_000.0, 25_000.0), 0.0);
        detector.note_progress(24_000.0);
        assert_eq!(detector.stop_wait_ms(10_000.0, 25_000.0), 14_000.0);
        assert_eq!(detector.stop_wait_ms(10_000.0, 39_500.0), 0.0, "on time");
    }

    #[test]
    fn a_wait_that_was_held_up_is_extended_once_for_each_pause_between_pieces() {
        let mut detector = StallDetector::default();
        detector.note_progress(9_500.0);
        for (now, want) in [(40_000.0, 2_000.0), (42_000.0, 0.0), (50_000.0, 0.0)] {
            assert_eq!(detector.stop_wait_ms(10_000.0, now), want, "{now}");
        }
        detector.note_progress(41_000.0);
        for (now, want) in [(42_000.0, 14_000.0), (56_600.0, 2_000.0), (58_600.0, 0.0)] {
            assert_eq!(detector.stop_wait_ms(10_000.0, now), want, "{now}");
        }
    }

    #[test]
    fn a_piece_that_was_only_late_ends_the_suspicion() {
        let mut detector = StallDetector::default();
        detector.note_progress(1_000.0);
        assert_eq!(detector.check(17_000.0), RecorderState::Late);
        detector.note_progress(18_000.0);
        assert_eq!(detector.check(20_000.0), RecorderState::Working);
        assert_eq!(detector.check(33_001.0), RecorderState::Late, "asked again");
    }
}
