//! Where a track begins and ends: the end of the frame that ends last, for which few writers say how long it is.

/// For the only frame of a track, in nanoseconds: a thirtieth of a second.
const LONE_FRAME: u64 = 33_333_333;

/// The frames of one track; all times in nanoseconds.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    /// The first frame in the order of time.
    first: Option<u64>,
    /// Where the last frame ends whose duration was told.
    told: u64,
    /// The last frame, unless its duration was told.
    open: Option<u64>,
    /// The two last frames in the order of time: they arrive in that of decoding.
    latest: Option<u64>,
    before: Option<u64>,
}

impl Timeline {
    pub(super) fn add(&mut self, at: u64, duration: Option<u64>) {
        self.first = Some(self.first.map_or(at, |first| first.min(at)));
        if let Some(duration) = duration {
            self.told = self.told.max(at.saturating_add(duration));
        }
        if self.latest.is_none_or(|latest| latest < at) {
            self.before = self.latest.replace(at);
            self.open = duration.is_none().then_some(at);
        } else if self.latest != Some(at) && self.before.is_none_or(|before| before < at) {
            self.before = Some(at);
        }
    }

    /// When its first frame is shown or heard. `None`: it has none.
    pub(super) fn begin(&self) -> Option<u64> {
        self.first
    }

    pub(super) fn end(&self) -> u64 {
        let guessed = self.open.map(|at| {
            let step = self.before.map_or(LONE_FRAME, |before| at - before);
            at.saturating_add(step)
        });
        self.told.max(guessed.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(frames: &[(u64, Option<u64>)]) -> u64 {
        let mut timeline = Timeline::default();
        frames
            .iter()
            .for_each(|(at, duration)| timeline.add(*at, *duration));
        timeline.end()
    }

    #[test]
    fn it_begins_with_the_earliest_frame_in_whatever_order_they_come() {
        let mut timeline = Timeline::default();
        assert_eq!(timeline.begin(), None);
        [90, 30, 60]
            .into_iter()
            .for_each(|at| timeline.add(at, None));
        assert_eq!(timeline.begin(), Some(30));
    }

    #[test]
    fn the_last_frame_is_as_long_as_the_one_before_unless_told() {
        for (frames, want) in [
            (&[][..], 0),
            (&[(100, None)], 100 + LONE_FRAME),
            (&[(100, Some(7))], 107),
            (&[(0, None), (33, None), (66, None)], 99),
            (&[(0, None), (33, None), (66, Some(10))], 76),
            (&[(0, Some(500)), (33, None)], 500),
            (&[(40, None), (40, None)], 40 + LONE_FRAME),
            // In the order of decoding: two B-frames before the last P-frame.
            (&[(0, None), (90, None), (30, None), (60, None)], 120),
            (&[(0, None), (90, None), (60, None), (30, None)], 120),
            (&[(u64::MAX - 1, None), (u64::MAX, None)], u64::MAX),
        ] {
            assert_eq!(end(frames), want, "{frames:?}");
        }
    }
}
