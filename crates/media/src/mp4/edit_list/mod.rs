//! Edit lists (ISO/IEC 14496-12, section 8.6.6): which part of a track is presented when.

#[cfg(test)]
mod tests;

use std::num::NonZeroU32;
use std::time::Duration;

use shiguredo_mp4::FixedPointNumber;
use shiguredo_mp4::boxes::{ElstBox, ElstEntry};

use super::timescale::{Timescales, rescale, to_duration};

const NORMAL_RATE: FixedPointNumber<i16> = FixedPointNumber::new(1, 0);

/// The composition times of a track's samples, in ticks of the track.
#[derive(Clone, Copy, Debug)]
pub(super) struct MediaRange {
    /// The time that becomes 0 in the new sample table.
    pub origin: i64,
    /// The first composition time.
    ///
    /// No edit may begin before it: players look for a picture where an edit begins, and some warn and lose the
    /// track's position when the first one comes later.
    pub begin: i64,
    /// The end of the last sample.
    pub end: i64,
    /// Whether the edit list was written before the samples were recorded: then its last edit extends to their end.
    pub is_live: bool,
}

/// The edits of a track. Their durations are in ticks of the movie.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EditList {
    edits: Vec<ElstEntry>,
}

impl EditList {
    /// Adapts the edits of a file, whose durations are in ticks of `written`, to the samples there are.
    pub(super) fn new(
        edits: &[ElstEntry],
        written: NonZeroU32,
        timescales: Timescales,
        media: MediaRange,
    ) -> Self {
        let everything = [edit(0, 0)];
        let edits = if edits.is_empty() { &everything } else { edits };
        let mut list = Self { edits: Vec::new() };
        for (index, entry) in edits.iter().enumerate() {
            let declared = rescale(entry.edit_duration, written, timescales.movie);
            if entry.media_time < 0 {
                list.push(edit(declared, -1));
                continue;
            }
            if entry.media_rate != NORMAL_RATE {
                let media_time = entry.media_time.saturating_sub(media.origin).max(0);
                list.push(ElstEntry {
                    edit_duration: declared,
                    media_time,
                    media_rate: entry.media_rate,
                });
                continue;
            }
            let to_movie = |ticks: i64| {
                let ticks = u64::try_from(ticks).unwrap_or(0);
                rescale(ticks, timescales.media, timescales.movie)
            };
            let rest = to_movie(media.end.saturating_sub(entry.media_time));
            let extends = media.is_live && index + 1 == edits.len();
            let duration = match declared {
                0 => rest,
                _ if extends => rest,
                declared => declared.min(rest),
            };
            let begin = entry.media_time.max(media.begin);
            let delay = to_movie(begin.saturating_sub(entry.media_time)).min(duration);
            list.push(edit(delay, -1));
            list.push(edit(
                duration - delay,
                begin.saturating_sub(media.origin).max(0),
            ));
        }
        list
    }

    fn push(&mut self, edit: ElstEntry) {
        if edit.edit_duration > 0 {
            self.edits.push(edit);
        }
    }

    /// The duration of the empty edits at the beginning, in ticks of the movie.
    pub(super) fn delay(&self) -> u64 {
        let empty = self.edits.iter().take_while(|edit| edit.media_time < 0);
        let durations = empty.map(|edit| edit.edit_duration);
        durations.fold(0, u64::saturating_add)
    }

    /// Shortens the empty edits at the beginning, by at most [`Self::delay`].
    pub(super) fn shorten_delay(&mut self, mut ticks: u64) {
        for edit in self.edits.iter_mut().take_while(|edit| edit.media_time < 0) {
            let shortened_by = edit.edit_duration.min(ticks);
            edit.edit_duration -= shortened_by;
            ticks -= shortened_by;
        }
        self.edits.retain(|edit| edit.edit_duration > 0);
    }

    /// The duration of all edits, in ticks of the movie.
    pub(super) fn duration(&self) -> u64 {
        let durations = self.edits.iter().map(|edit| edit.edit_duration);
        durations.fold(0, u64::saturating_add)
    }

    /// The presentation time of a composition time. `None`: no edit presents it.
    pub(super) fn presentation_time(&self, media: i64, timescales: Timescales) -> Option<Duration> {
        let mut begin = 0_u64;
        for edit in &self.edits {
            if edit.media_time >= 0 {
                let duration = rescale(edit.edit_duration, timescales.movie, timescales.media);
                let ticks = u64::try_from(media.saturating_sub(edit.media_time)).ok();
                if let Some(ticks) = ticks.filter(|ticks| *ticks <= duration) {
                    let into_edit = to_duration(ticks, timescales.media);
                    return Some(to_duration(begin, timescales.movie).saturating_add(into_edit));
                }
            }
            begin = begin.saturating_add(edit.edit_duration);
        }
        None
    }

    /// Like [`Self::presentation_time`], or the beginning of the next edit that presents a later part of the track.
    ///
    /// A keyframe before an edit is decoded because that edit's pictures depend on it.
    pub(super) fn presentation_time_or_next_edit(
        &self,
        media: i64,
        timescales: Timescales,
    ) -> Option<Duration> {
        let exact = self.presentation_time(media, timescales);
        exact.or_else(|| Some(self.next_edit(media, timescales)?.1))
    }

    /// Like [`Self::presentation_time`], of a picture that lasts for `ticks`: one that lasts into an edit is shown from that
    /// edit's beginning on.
    pub(super) fn picture_time(
        &self,
        media: i64,
        ticks: u64,
        timescales: Timescales,
    ) -> Option<Duration> {
        let exact = self.presentation_time(media, timescales);
        exact.or_else(|| {
            let (media_time, begin) = self.next_edit(media, timescales)?;
            (media_time < media.saturating_add_unsigned(ticks)).then_some(begin)
        })
    }

    /// The media time at which the next edit begins that presents a later part of the track, and when it is presented.
    fn next_edit(&self, media: i64, timescales: Timescales) -> Option<(i64, Duration)> {
        let next = self.edits.iter().position(|edit| edit.media_time > media)?;
        let before = self.edits.iter().take(next).map(|edit| edit.edit_duration);
        let begin = before.fold(0, u64::saturating_add);
        let media_time = self.edits.get(next)?.media_time;
        Some((media_time, to_duration(begin, timescales.movie)))
    }

    /// The `elst` box.
    /// `None`: it would only present the whole track, which lasts `media_duration` ticks of the movie.
    pub(super) fn to_box(&self, media_duration: u64) -> Option<ElstBox> {
        match self.edits.as_slice() {
            [only]
                if only.media_time == 0
                    && only.media_rate == NORMAL_RATE
                    && only.edit_duration >= media_duration =>
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
        media_rate: NORMAL_RATE,
    }
}
