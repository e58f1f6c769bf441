//! The layout of a movie: the timescale of its header, and when each track is presented.

use std::num::NonZeroU32;
use std::time::Duration;

use super::Structure;
use crate::mp4::edit_list::{EditList, MediaRange};
use crate::mp4::movie::{Movie, Track};
use crate::mp4::timescale::{Timescales, common_timescale, to_duration};

/// From so many ticks a second on, rounding to a tick loses nothing that matters.
const FINE_TIMESCALE: u32 = 1000;

/// The part of a second for which a track's samples are shown if they have no duration.
const ONLY_PICTURE: u32 = 30;

/// The timescale of a movie, and the edit lists of its tracks.
pub(in crate::mp4) struct Layout {
    pub timescale: NonZeroU32,
    /// In the order of the movie's tracks. `None`: the track has no samples, and is left out.
    pub edit_lists: Vec<Option<EditList>>,
}

impl Layout {
    /// Lays out a movie whose tracks have collected their samples.
    pub(super) fn new(movie: &Movie, structure: Structure) -> Self {
        let timescales = movie.tracks.iter().map(Track::timescale);
        let exact = Self::at(
            common_timescale(timescales, movie.header.timescale),
            movie,
            structure,
        );
        // Firefox takes the duration of an empty edit for ticks of the track instead of the movie, so both must have
        // the same timescale. Where the track's ticks are long Firefox stays wrong: rounded to those, the edits of
        // other tracks would vanish.
        match exact.delayed_track(movie).map(Track::timescale) {
            Some(timescale)
                if structure != Structure::Progressive && timescale.get() >= FINE_TIMESCALE =>
            {
                Self::at(timescale, movie, structure)
            }
            _ => exact,
        }
    }

    fn at(timescale: NonZeroU32, movie: &Movie, structure: Structure) -> Self {
        let edit_lists = movie.tracks.iter().map(|track| {
            let media = media_range(track, structure);
            let list = || {
                EditList::new(
                    &track.edits,
                    movie.header.timescale,
                    timescales(timescale, track),
                    media,
                )
            };
            has_samples(track, structure).then(list)
        });
        let mut layout = Self {
            timescale,
            edit_lists: edit_lists.collect(),
        };
        if structure != Structure::Progressive {
            layout.remove_common_delay();
        }
        layout
    }

    /// Removes the delay that all tracks have in common: some recorders count from when they were switched on.
    fn remove_common_delay(&mut self) {
        let delays = self.edit_lists.iter().flatten().map(EditList::delay);
        let common = delays.min().unwrap_or(0);
        let edit_lists = self.edit_lists.iter_mut().flatten();
        edit_lists.for_each(|list| list.shorten_delay(common));
    }

    fn delayed_track<'a>(&self, movie: &'a Movie) -> Option<&'a Track> {
        let is_delayed =
            |list: &Option<EditList>| list.as_ref().is_some_and(|list| list.delay() > 0);
        movie
            .tracks
            .get(self.edit_lists.iter().position(is_delayed)?)
    }

    /// The timescales for the edit list of a track.
    pub(super) fn timescales(&self, track: &Track) -> Timescales {
        timescales(self.timescale, track)
    }

    /// The duration of the longest track, in ticks.
    pub(in crate::mp4) fn duration_ticks(&self) -> u64 {
        let durations = self.edit_lists.iter().flatten().map(EditList::duration);
        durations.max().unwrap_or(0)
    }

    pub(super) fn duration(&self) -> Duration {
        to_duration(self.duration_ticks(), self.timescale)
    }
}

fn timescales(movie: NonZeroU32, track: &Track) -> Timescales {
    Timescales {
        movie,
        media: track.timescale(),
    }
}

/// Whether a track has samples: listed in its table, or collected.
pub(super) fn has_samples(track: &Track, structure: Structure) -> bool {
    match structure {
        Structure::Progressive => track.read_sample_table().is_some_and(|it| it.count() > 0),
        Structure::Truncated | Structure::Fragmented => !track.samples.is_empty(),
    }
}

fn media_range(track: &Track, structure: Structure) -> MediaRange {
    let samples = &track.samples;
    match samples.iter().next() {
        // The audio of a progressive file, whose samples aren't collected.
        None => table_range(track),
        Some(first) => MediaRange {
            origin: first.decode_time.cast_signed(),
            begin: match structure {
                Structure::Progressive => 0,
                Structure::Truncated | Structure::Fragmented => samples.composition_start(),
            },
            // Android's recorder gives a single picture no duration.
            end: match samples.composition_end() {
                end if end > samples.composition_start() => end,
                end => end.saturating_add(i64::from(track.timescale().get() / ONLY_PICTURE).max(1)),
            },
            is_live: structure == Structure::Fragmented,
        },
    }
}

/// The times of all samples that a track's table lists.
fn table_range(track: &Track) -> MediaRange {
    let duration = track.read_sample_table().map_or(0, |it| it.duration());
    MediaRange {
        origin: 0,
        begin: 0,
        end: i64::try_from(duration).unwrap_or(i64::MAX),
        is_live: false,
    }
}

/// How long a progressive movie is by its own tables and edit lists, delays left out.
pub(super) fn listed_duration(movie: &Movie) -> Duration {
    let timescale = movie.header.timescale;
    let durations = movie.tracks.iter().map(|track| {
        let timescales = timescales(timescale, track);
        let list = EditList::new(&track.edits, timescale, timescales, table_range(track));
        to_duration(list.duration() - list.delay(), timescale)
    });
    durations.max().unwrap_or_default()
}
