//! Which part of a track is shown when (edit lists, ISO/IEC 14496-12, section 8.6.6).

use std::num::NonZeroU32;
use std::time::Duration;

use shiguredo_mp4::FixedPointNumber;
use shiguredo_mp4::boxes::{ElstBox, ElstEntry};

const NORMAL_SPEED: FixedPointNumber<i16> = FixedPointNumber::new(1, 0);

/// A track's own clock against the movie's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    /// In which edits are long, in ticks a second.
    pub movie: NonZeroU32,
    /// In which samples are timed, in ticks a second.
    pub media: NonZeroU32,
}

/// What there is to show of a track, in its own ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Media {
    /// What is counted as 0 from now on.
    pub first: i64,
    /// Before this, nothing is shown. Players look for a picture where an edit begins, and some warn and
    /// lose the track's place when the first one comes later: then the edit has to.
    pub begin: i64,
    /// When the last sample is over.
    pub over: i64,
    /// Whether the list was written before the rest was filmed: then its last edit goes on to the end.
    pub grown: bool,
}

/// A track's edits, in the movie's ticks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Timeline {
    edits: Vec<ElstEntry>,
}

impl Timeline {
    /// From the edits that the file has, whose lengths are in ticks of `written`.
    pub(super) fn new(
        edits: &[ElstEntry],
        written: NonZeroU32,
        clocks: Clocks,
        media: Media,
    ) -> Self {
        let all = [edit(0, 0)];
        let edits = if edits.is_empty() { &all } else { edits };
        let mut line = Self { edits: Vec::new() };
        for (index, entry) in edits.iter().enumerate() {
            let said = rescale(entry.edit_duration, written, clocks.movie);
            if entry.media_time < 0 {
                line.push(edit(said, -1));
                continue;
            }
            if entry.media_rate != NORMAL_SPEED {
                let media_time = entry.media_time.saturating_sub(media.first).max(0);
                line.push(ElstEntry {
                    edit_duration: said,
                    media_time,
                    media_rate: entry.media_rate,
                });
                continue;
            }
            let to_movie = |ticks: i64| {
                let ticks = u64::try_from(ticks).unwrap_or(0);
                rescale(ticks, clocks.media, clocks.movie)
            };
            let rest = to_movie(media.over.saturating_sub(entry.media_time));
            let grown = media.grown && index + 1 == edits.len();
            let length = match said {
                0 => rest,
                _ if grown => rest,
                said => said.min(rest),
            };
            let begin = entry.media_time.max(media.begin);
            let wait = to_movie(begin.saturating_sub(entry.media_time)).min(length);
            line.push(edit(wait, -1));
            line.push(edit(
                length - wait,
                begin.saturating_sub(media.first).max(0),
            ));
        }
        line
    }

    fn push(&mut self, edit: ElstEntry) {
        if edit.edit_duration > 0 {
            self.edits.push(edit);
        }
    }

    /// How long nothing is shown at first, in the movie's ticks.
    pub(super) fn wait(&self) -> u64 {
        let empty = self.edits.iter().take_while(|edit| edit.media_time < 0);
        let lengths = empty.map(|edit| edit.edit_duration);
        lengths.fold(0, u64::saturating_add)
    }

    /// Shows everything earlier, by no more than [`Self::wait`].
    pub(super) fn bring_forward(&mut self, mut ticks: u64) {
        for edit in self.edits.iter_mut().take_while(|edit| edit.media_time < 0) {
            let less = edit.edit_duration.min(ticks);
            edit.edit_duration -= less;
            ticks -= less;
        }
        self.edits.retain(|edit| edit.edit_duration > 0);
    }

    /// When all is shown, in the movie's ticks.
    pub(super) fn end(&self) -> u64 {
        let lengths = self.edits.iter().map(|edit| edit.edit_duration);
        lengths.fold(0, u64::saturating_add)
    }

    /// When that is shown which the track shows at `media`. What is decoded only because of the others is
    /// counted as the first of them; what comes after the last one isn't shown.
    pub(super) fn shown(&self, media: i64, clocks: Clocks) -> Option<Duration> {
        self.shown_as_it_is(media, clocks)
            .or_else(|| self.begin_behind(media, clocks))
    }

    /// Likewise; what the edits leave out isn't shown at all.
    pub(super) fn shown_as_it_is(&self, media: i64, clocks: Clocks) -> Option<Duration> {
        let mut begin = 0_u64;
        for edit in &self.edits {
            if edit.media_time >= 0 {
                let length = rescale(edit.edit_duration, clocks.movie, clocks.media);
                let into = u64::try_from(media.saturating_sub(edit.media_time)).ok();
                if let Some(ticks) = into.filter(|ticks| *ticks <= length) {
                    let into = duration(ticks, clocks.media);
                    return Some(duration(begin, clocks.movie).saturating_add(into));
                }
            }
            begin = begin.saturating_add(edit.edit_duration);
        }
        None
    }

    /// When the first edit begins whose part of the track lies behind `media`.
    fn begin_behind(&self, media: i64, clocks: Clocks) -> Option<Duration> {
        let mut begin = 0_u64;
        for edit in &self.edits {
            if edit.media_time > media {
                return Some(duration(begin, clocks.movie));
            }
            begin = begin.saturating_add(edit.edit_duration);
        }
        None
    }

    /// As a box, unless everything is shown from the beginning, for `length` of the movie's ticks or more.
    pub(super) fn list(&self, length: u64) -> Option<ElstBox> {
        match self.edits.as_slice() {
            [only]
                if only.media_time == 0
                    && only.media_rate == NORMAL_SPEED
                    && only.edit_duration >= length =>
            {
                None
            }
            [] => None,
            edits => Some(ElstBox {
                entries: edits.to_vec(),
            }),
        }
    }
}

fn edit(edit_duration: u64, media_time: i64) -> ElstEntry {
    ElstEntry {
        edit_duration,
        media_time,
        media_rate: NORMAL_SPEED,
    }
}

/// Ticks of one clock in those of another, to the nearest.
pub(super) fn rescale(ticks: u64, from: NonZeroU32, to: NonZeroU32) -> u64 {
    let (from, to) = (u128::from(from.get()), u128::from(to.get()));
    let ticks = (u128::from(ticks) * to + from / 2) / from;
    u64::try_from(ticks).unwrap_or(u64::MAX)
}

/// So many ticks.
pub(super) fn duration(ticks: u64, scale: NonZeroU32) -> Duration {
    let scale = u64::from(scale.get());
    let nanoseconds = u128::from(ticks % scale) * 1_000_000_000 / u128::from(scale);
    Duration::from_secs(ticks / scale).saturating_add(Duration::from_nanos(
        // Less than a second.
        u64::try_from(nanoseconds).unwrap_or(0),
    ))
}

/// A clock on which all these tick exactly, or as good as it gets.
pub(super) fn common(scales: impl Iterator<Item = NonZeroU32>, written: NonZeroU32) -> NonZeroU32 {
    let mut common = written;
    for scale in scales {
        let multiple = u64::from(common.get()) / gcd(common.get(), scale.get());
        let multiple = multiple.saturating_mul(u64::from(scale.get()));
        let Some(multiple) = u32::try_from(multiple).ok().and_then(NonZeroU32::new) else {
            return common.max(scale);
        };
        common = multiple;
    }
    common
}

fn gcd(mut a: u32, mut b: u32) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    u64::from(a.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(ticks: u32) -> NonZeroU32 {
        NonZeroU32::new(ticks).expect("not 0")
    }

    fn clocks() -> Clocks {
        Clocks {
            movie: scale(1000),
            media: scale(100),
        }
    }

    fn line(edits: &[ElstEntry], first: i64, over: i64, grown: bool) -> Vec<(u64, i64)> {
        let media = Media {
            first,
            begin: first,
            over,
            grown,
        };
        let line = Timeline::new(edits, scale(1000), clocks(), media);
        let edits = line.edits.iter();
        edits.map(|e| (e.edit_duration, e.media_time)).collect()
    }

    #[test]
    fn a_track_without_edits_is_shown_from_its_first_sample() {
        assert_eq!(line(&[], 0, 500, true), [(5000, 0)]);
        assert_eq!(line(&[], 20, 500, true), [(200, -1), (4800, 0)]);
    }

    #[test]
    fn the_last_edit_of_a_live_recording_goes_on_to_the_end() {
        assert_eq!(line(&[edit(0, 10)], 0, 500, true), [(4900, 10)]);
        assert_eq!(line(&[edit(70, 10)], 0, 500, true), [(4900, 10)]);
        assert_eq!(line(&[edit(70, 10)], 0, 500, false), [(70, 10)]);
        assert_eq!(line(&[edit(9000, 10)], 0, 500, false), [(4900, 10)]);
        assert_eq!(
            line(&[edit(300, 10), edit(70, 100)], 0, 500, true),
            [(300, 10), (4000, 100)]
        );
        assert_eq!(
            line(&[edit(300, -1), edit(0, 40)], 50, 500, true),
            [(300, -1), (100, -1), (4500, 0)]
        );
    }

    #[test]
    fn a_picture_that_stands_still_does_so_for_as_long_as_it_says() {
        for (first, media_time) in [(4, 6), (50, 0)] {
            let still = ElstEntry {
                media_rate: FixedPointNumber::new(0, 0),
                ..edit(9000, 10)
            };
            assert_eq!(line(&[still], first, 500, true), [(9000, media_time)]);
        }
    }

    #[test]
    fn of_several_waits_what_is_left_stays() {
        let edits = [edit(80, -1), edit(70, -1), edit(900, 0)].to_vec();
        let mut line = Timeline { edits };
        line.bring_forward(100);
        assert_eq!(line.edits, [edit(50, -1), edit(900, 0)]);
        line.bring_forward(50);
        assert_eq!(line.edits, [edit(900, 0)]);
    }

    #[test]
    fn what_is_shown_when_follows_the_edits() {
        let media = Media {
            first: 0,
            begin: 0,
            over: 500,
            grown: false,
        };
        let edits = [edit(500, -1), edit(1000, 100), edit(1000, 300)];
        let line = Timeline::new(&edits, scale(1000), clocks(), media);
        let shown = |media| line.shown(media, clocks());
        assert_eq!(line.end(), 2500);
        assert_eq!(line.wait(), 500);
        for (media, want) in [
            (0, Some(500)),
            (100, Some(500)),
            (150, Some(1000)),
            (250, Some(1500)),
            (300, Some(1500)),
            (400, Some(2500)),
            (401, None),
        ] {
            assert_eq!(shown(media), want.map(Duration::from_millis), "{media}");
        }
    }

    #[test]
    fn nobody_waits_for_a_beginning() {
        let media = Media {
            first: 50,
            begin: 60,
            over: 500,
            grown: true,
        };
        let mut line = Timeline::new(&[], scale(1000), clocks(), media);
        assert_eq!(line.edits, [edit(600, -1), edit(4400, 10)]);
        line.bring_forward(600);
        assert_eq!(line.edits, [edit(4400, 10)]);
        assert_eq!(line.wait(), 0);
    }

    #[test]
    fn what_is_shown_as_it_comes_needs_no_list() {
        let media = Media {
            first: 0,
            begin: 0,
            over: 500,
            grown: true,
        };
        let line = Timeline::new(&[], scale(1000), clocks(), media);
        assert_eq!(line.list(5000), None);
        assert!(line.list(5001).is_some());
        for only in [
            edit(5000, 1),
            ElstEntry {
                media_rate: FixedPointNumber::new(2, 0),
                ..edit(5000, 0)
            },
        ] {
            let line = Timeline { edits: vec![only] };
            assert!(line.list(5000).is_some());
        }
        let nothing = Timeline { edits: Vec::new() };
        assert_eq!(nothing.list(5000), None);
    }

    #[test]
    fn clocks_have_a_common_one() {
        let of = |scales: &[u32], written| {
            common(scales.iter().map(|ticks| scale(*ticks)), scale(written)).get()
        };
        assert_eq!(of(&[30000, 48000], 1000), 240_000);
        assert_eq!(of(&[], 600), 600);
        assert_eq!(of(&[u32::MAX, 4_294_967_291], 1000), u32::MAX);
        assert_eq!(duration(u64::MAX, scale(1)), Duration::from_secs(u64::MAX));
        assert_eq!(rescale(u64::MAX, scale(1), scale(u32::MAX)), u64::MAX);
    }
}
