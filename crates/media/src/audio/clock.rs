//! When a moment of extracted audio is in the video.
//!
//! A recorder that loses packets, or is paused, leaves gaps; a file may begin with one. The extracted audio is continuous,
//! because ADTS knows no times, and few decoders heed those of Ogg.

use std::time::Duration;

/// Differences in nanoseconds up to this are rounding, or the jitter of a recorder's clock.
const TOLERANCE: u64 = 20_000_000;

/// Maps times of the extracted audio to times of the video.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AudioClock {
    /// In the order of their positions.
    anchors: Vec<Anchor>,
    /// The position behind the last packet, in nanoseconds.
    end: i64,
}

/// From here on a moment of the audio is as long behind `at` as it is behind `position`.
/// In nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Anchor {
    position: i64,
    at: i64,
}

impl Anchor {
    fn time_of(&self, position: i64) -> i64 {
        self.at
            .saturating_add(position.saturating_sub(self.position))
    }
}

impl AudioClock {
    /// A clock whose audio begins at this position: before 0 if decoders drop the beginning.
    pub(super) fn starting_at(position: i64) -> Self {
        Self {
            anchors: Vec::new(),
            end: position,
        }
    }

    /// Adds a packet that is played at this time of the video. `None`: when the packet before it ends.
    pub(super) fn add(&mut self, at: Option<i64>, duration: u64) {
        let position = self.end;
        let expected = self.anchors.last().map(|last| last.time_of(position));
        let at = at.or(expected).unwrap_or(0);
        let is_continuous = expected.is_some_and(|expected| at.abs_diff(expected) <= TOLERANCE);
        if !is_continuous {
            self.anchors.push(Anchor { position, at });
        }
        self.end = position.saturating_add_unsigned(duration);
    }

    /// When something begins in the video that begins at `position` of the audio.
    pub fn begin(&self, position: Duration) -> Duration {
        let position = nanoseconds(position);
        let next = self.anchors.partition_point(|it| it.position <= position);
        self.time(next, position)
    }

    /// When something ends in the video that ends at `position` of the audio: before a gap that begins there.
    pub fn end(&self, position: Duration) -> Duration {
        let position = nanoseconds(position);
        let next = self.anchors.partition_point(|it| it.position < position);
        self.time(next, position)
    }

    /// The duration of the audio, without gaps.
    pub fn duration(&self) -> Duration {
        Duration::from_nanos(self.end.max(0).unsigned_abs())
    }

    /// The time of a position by the anchor before `next`.
    fn time(&self, next: usize, position: i64) -> Duration {
        let anchor = self.anchors.get(next.saturating_sub(1));
        let at = anchor.map_or(0, |anchor| anchor.time_of(position));
        Duration::from_nanos(at.max(0).unsigned_abs())
    }
}

fn nanoseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Packets of 20 ms at these milliseconds.
    fn clock(start: i64, at: &[Option<i64>]) -> AudioClock {
        let mut clock = AudioClock::starting_at(start * MS);
        for at in at {
            clock.add(at.map(|it| it * MS), 20_000_000);
        }
        clock
    }

    #[test]
    fn a_late_start_and_a_gap_shift_what_follows() {
        let clock = clock(0, &[Some(300), Some(320), None, Some(1360), Some(1380)]);
        assert_eq!(clock.duration(), ms(100));
        for (position, begin, end) in [
            (0, 300, 300),
            (10, 310, 310),
            (60, 1360, 360),
            (70, 1370, 1370),
            (500, 1800, 1800),
        ] {
            let times = (clock.begin(ms(position)), clock.end(ms(position)));
            assert_eq!(times, (ms(begin), ms(end)), "{position}");
        }
    }

    #[test]
    fn jitter_is_no_gap_and_drift_adds_up_to_one() {
        let jitter = clock(0, &[Some(0), Some(35), Some(25), Some(60)]);
        assert_eq!(jitter.begin(ms(60)), ms(60));
        let drift = clock(0, &[Some(0), Some(29), Some(58), Some(87)]);
        assert_eq!(drift.begin(ms(60)), ms(87));
    }

    #[test]
    fn samples_dropped_by_decoders_precede_the_audio() {
        let clock = clock(-6, &[Some(-6), Some(14)]);
        assert_eq!(clock.begin(ms(0)), ms(0));
        assert_eq!(clock.duration(), ms(34));
        assert_eq!(AudioClock::default().begin(ms(5)), ms(0));
    }
}
