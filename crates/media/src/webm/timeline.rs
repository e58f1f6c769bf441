//! The begin and the end of a track: few writers state the duration of its last frame.

/// The duration of the only frame of a track, in nanoseconds: a thirtieth of a second.
const ONLY_FRAME: u64 = 33_333_333;

/// The timestamps of a track's frames, as far as its begin and its end depend on them. In nanoseconds.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    /// The earliest timestamp.
    first: Option<u64>,
    /// The latest end of a frame with a stated duration.
    stated_end: u64,
    /// The latest timestamp, unless that frame has a stated duration.
    without_duration: Option<u64>,
    /// The two latest timestamps. Frames arrive in decoding order, not in the order of their timestamps.
    latest: Option<u64>,
    second_latest: Option<u64>,
}

impl Timeline {
    pub(super) fn add(&mut self, timestamp: u64, duration: Option<u64>) {
        self.first = Some(self.first.map_or(timestamp, |first| first.min(timestamp)));
        if let Some(duration) = duration {
            self.stated_end = self.stated_end.max(timestamp.saturating_add(duration));
        }
        if self.latest.is_none_or(|latest| latest < timestamp) {
            self.second_latest = self.latest.replace(timestamp);
            self.without_duration = duration.is_none().then_some(timestamp);
        } else if self.latest != Some(timestamp)
            && self.second_latest.is_none_or(|second| second < timestamp)
        {
            self.second_latest = Some(timestamp);
        }
    }

    /// The earliest timestamp. `None`: the track has no frames.
    pub(super) fn begin(&self) -> Option<u64> {
        self.first
    }

    /// The latest timestamp. `None`: the track has no frames.
    pub(super) fn latest(&self) -> Option<u64> {
        self.latest
    }

    /// The end of the frame that ends last. Without a stated duration it lasts as long as the one before.
    pub(super) fn end(&self) -> u64 {
        let estimated = self.without_duration.map(|timestamp| {
            let step = self
                .second_latest
                .map_or(ONLY_FRAME, |second| timestamp - second);
            timestamp.saturating_add(step)
        });
        self.stated_end.max(estimated.unwrap_or(0))
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
    fn the_timeline_begins_with_its_earliest_frame() {
        let mut timeline = Timeline::default();
        assert_eq!(timeline.begin(), None);
        [90, 30, 60]
            .into_iter()
            .for_each(|at| timeline.add(at, None));
        assert_eq!(timeline.begin(), Some(30));
    }

    #[test]
    fn the_last_frame_is_as_long_as_the_one_before_unless_stated() {
        for (frames, want) in [
            (&[][..], 0),
            (&[(100, None)], 100 + ONLY_FRAME),
            (&[(100, Some(7))], 107),
            (&[(0, None), (33, None), (66, None)], 99),
            (&[(0, None), (33, None), (66, Some(10))], 76),
            (&[(0, Some(500)), (33, None)], 500),
            (&[(40, None), (40, None)], 40 + ONLY_FRAME),
            // In decoding order: two B-frames are presented before the last P-frame.
            (&[(0, None), (90, None), (30, None), (60, None)], 120),
            (&[(0, None), (90, None), (60, None), (30, None)], 120),
            (&[(u64::MAX - 1, None), (u64::MAX, None)], u64::MAX),
        ] {
            assert_eq!(end(frames), want, "{frames:?}");
        }
    }
}
