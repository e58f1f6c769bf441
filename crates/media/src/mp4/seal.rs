//! From all that was read of a file to what is said about it and what goes in front of it.

use std::num::NonZeroU32;
use std::time::Duration;

use super::index::Plan;
use super::movie::{Movie, Track};
use super::scan::Ending;
use super::timeline::{Clocks, Media, Timeline, common, duration};
use super::{geotag, video_entry};
use crate::facts::{
    Codec, CodedPicture, ENOUGH_KEYFRAMES, Facts, Keyframe, MOST_KEYFRAMES, MOST_PICTURES, Missing,
    Sealed, Unplayable,
};

/// Ticks a second, so many that nothing is lost by rounding to one.
const FINE: u32 = 1000;

/// All that was read of a file.
#[derive(Debug)]
pub(super) struct Parsed {
    /// The content of its file type box.
    pub file_type: Option<Vec<u8>>,
    pub movie: Movie,
    /// Whether there was a fragment. Then all tracks have what samples there are.
    pub fragmented: bool,
    /// How many samples more may be gathered.
    pub room: usize,
    /// Whether something was left out for want of room.
    pub overfull: bool,
    /// Whether the file ends behind what announces samples.
    pub ends_early: bool,
    pub ending: Ending,
}

impl Parsed {
    pub(super) fn seal(mut self) -> Result<Sealed, Unplayable> {
        let video = self.movie.video().ok_or(Unplayable::NoVideo)?;
        let whole = !self.fragmented && self.reach() <= self.ending.length;
        self.gather(whole, video);
        let is_there = |track: &Track| match whole {
            true => track.tables().is_some_and(|tables| tables.count() > 0),
            false => !track.samples.is_empty(),
        };
        let reach = match whole {
            true => self.reach(),
            false => self.samples_end(),
        };
        let end = match self.ending.cut {
            Some(start) => start.max(reach),
            None => self.ending.length,
        };

        let movie = &self.movie;
        let written = movie.header.timescale;
        let lay_out = |clock: NonZeroU32| {
            let timelines = movie.tracks.iter().map(|track| {
                let clocks = Clocks {
                    movie: clock,
                    media: track.timescale(),
                };
                let media = self.media(track, whole);
                let timeline = || Timeline::new(&track.edits, written, clocks, media);
                is_there(track).then(timeline)
            });
            let mut timelines: Vec<_> = timelines.collect();
            if !whole {
                // Some recorders count from when they were switched on. Nobody wants to wait that long.
                let waits = timelines.iter().flatten().map(Timeline::wait);
                let wait = waits.min().unwrap_or(0);
                let all = timelines.iter_mut().flatten();
                all.for_each(|timeline| timeline.bring_forward(wait));
            }
            timelines
        };
        let exact = common(movie.tracks.iter().map(Track::timescale), written);
        let timelines = lay_out(exact);
        // Firefox takes the length of a wait for ticks of the track that waits. Where those are long it has to
        // be wrong: others' edits would vanish in them.
        let waits = |timeline: &Option<Timeline>| timeline.as_ref().is_some_and(|it| it.wait() > 0);
        let waiting = timelines.iter().position(waits);
        let waiting = waiting.and_then(|index| movie.tracks.get(index));
        let waiting = waiting.filter(|_| !whole).map(Track::timescale);
        let (clock, timelines) = match waiting.filter(|scale| scale.get() >= FINE) {
            Some(clock) => (clock, lay_out(clock)),
            None => (exact, timelines),
        };
        let clocks = |track: &Track| Clocks {
            movie: clock,
            media: track.timescale(),
        };

        let ends = timelines.iter().flatten().map(Timeline::end);
        let duration = duration(ends.max().unwrap_or(0), clock);
        let broken_off =
            !whole && (self.ending.cut.is_some() || self.ends_early || !self.fragmented);
        let track = movie.tracks.get(video).ok_or(Unplayable::NoVideo)?;
        let timeline = timelines.get(video).and_then(Option::as_ref);
        let timeline = timeline.ok_or(Unplayable::NoFrame)?;
        let video = video_entry::video(track).ok_or(Unplayable::Unreadable)?;
        let keyframes = keyframes(track, timeline, clocks(track))?;
        // Of these a decoder needs the bytes alone, one picture behind the other.
        let plain = matches!(video.codec, Codec::H264 | Codec::H265);
        let rare = plain && keyframes.len() < ENOUGH_KEYFRAMES;
        let facts = Facts {
            video,
            audio: movie.tracks.iter().any(|t| t.is_audio() && is_there(t)),
            duration,
            pictures: match rare {
                true => pictures(track, timeline, clocks(track)),
                false => Vec::new(),
            },
            keyframes,
            located: geotag::is_told(&movie.content),
            end,
            missing: Missing::of(self.promised(whole), duration, broken_off),
        };
        let plan = Plan {
            file_type: self.file_type.as_deref(),
            movie,
            timelines: &timelines,
            clock,
            recording: end,
        };
        let index = match whole || self.overfull {
            true => None,
            false => plan.write(),
        };
        Ok(Sealed {
            facts,
            index: index.unwrap_or_default(),
        })
    }

    /// How long the file says that it is. Nought: it doesn't, or is.
    fn promised(&self, whole: bool) -> Duration {
        let written = self.movie.header.timescale;
        let listed = |track: &Track| {
            let clocks = Clocks {
                movie: written,
                media: track.timescale(),
            };
            let over = track.tables().map_or(0, |tables| tables.duration());
            let media = Media {
                first: 0,
                begin: 0,
                over: i64::try_from(over).unwrap_or(i64::MAX),
                grown: false,
            };
            let line = Timeline::new(&track.edits, written, clocks, media);
            duration(line.end() - line.wait(), written)
        };
        match (whole, self.fragmented) {
            (true, _) => Duration::ZERO,
            (false, true) => self.movie.fragments_duration().unwrap_or_default(),
            (false, false) => self
                .movie
                .tracks
                .iter()
                .map(listed)
                .max()
                .unwrap_or_default(),
        }
    }

    /// Behind the last byte that the tables name.
    fn reach(&self) -> u64 {
        let tables = self.movie.tracks.iter().filter_map(Track::tables);
        tables.map(|tables| tables.reach()).max().unwrap_or(0)
    }

    /// Behind the last byte of what samples there are.
    fn samples_end(&self) -> u64 {
        let tracks = self.movie.tracks.iter();
        let ends = tracks.flat_map(|track| track.samples.iter().map(|sample| sample.end()));
        ends.max().unwrap_or(0)
    }

    /// Sees that the tracks have their samples: the pictures of a file that is whole, all of one that
    /// isn't.
    fn gather(&mut self, whole: bool, video: usize) {
        for (index, track) in self.movie.tracks.iter_mut().enumerate() {
            if !self.fragmented && (!whole || index == video) {
                self.overfull |= !track.gather(&mut self.room);
            }
            track.samples.cut(self.ending.length);
        }
    }

    fn media(&self, track: &Track, whole: bool) -> Media {
        let samples = &track.samples;
        match samples.iter().next() {
            // Sound that wasn't gathered.
            None => Media {
                first: 0,
                begin: 0,
                over: track.tables().map_or(0, |tables| {
                    i64::try_from(tables.duration()).unwrap_or(i64::MAX)
                }),
                grown: false,
            },
            Some(first) => Media {
                first: first.decoded.cast_signed(),
                begin: match whole {
                    true => 0,
                    false => samples.begin(),
                },
                over: samples.over(),
                grown: self.fragmented,
            },
        }
    }
}

/// What is shown of a track's sync samples, thinned out evenly, in the order of time.
fn keyframes(
    track: &Track,
    timeline: &Timeline,
    clocks: Clocks,
) -> Result<Vec<Keyframe>, Unplayable> {
    let first = track.samples.iter().next().map_or(0, |it| it.decoded);
    let sync = || {
        let samples = track.samples.iter();
        samples.filter(|sample| sample.sync && sample.size > 0)
    };
    // Before anything is computed or kept of them: there may be two million.
    let keyframes = thin_out(sync(), sync().count());
    let keyframes = keyframes.filter_map(|sample| {
        let shown = sample.shown().saturating_sub_unsigned(first);
        Some(Keyframe {
            at: timeline.shown(shown, clocks)?,
            bytes: sample.at..sample.end(),
        })
    });
    let mut keyframes: Vec<_> = keyframes.collect();
    if keyframes.is_empty() {
        return Err(Unplayable::NoFrame);
    }
    keyframes.sort_by_key(|keyframe| keyframe.at);
    Ok(keyframes)
}

/// All pictures of a track, in the order of decoding. Too many are none.
fn pictures(track: &Track, timeline: &Timeline, clocks: Clocks) -> Vec<CodedPicture> {
    let first = track.samples.iter().next().map_or(0, |it| it.decoded);
    if track.samples.len() > MOST_PICTURES {
        return Vec::new();
    }
    let samples = track.samples.iter().filter(|sample| sample.size > 0);
    let pictures = samples.map(|sample| {
        let shown = sample.shown().saturating_sub_unsigned(first);
        CodedPicture {
            at: timeline.shown_as_it_is(shown, clocks),
            order: shown,
            bytes: sample.at..sample.end(),
            key: sample.sync,
        }
    });
    pictures.collect()
}

/// At most [`MOST_KEYFRAMES`] of `all`: those at 0, all / MOST, 2 * all / MOST and so on.
fn thin_out<T>(each: impl Iterator<Item = T>, all: usize) -> impl Iterator<Item = T> {
    let mut kept = 0;
    each.enumerate()
        .filter(move |(index, _)| {
            let next = kept * all.max(MOST_KEYFRAMES) / MOST_KEYFRAMES;
            let keep = *index == next;
            kept += usize::from(keep);
            keep
        })
        .map(|(_, one)| one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyframes_are_thinned_out_evenly() {
        for all in [
            1,
            MOST_KEYFRAMES,
            MOST_KEYFRAMES + 1,
            3 * MOST_KEYFRAMES,
            100_000,
        ] {
            let keyframes = (0..all as u64).map(|at| Keyframe {
                at: Duration::from_secs(at),
                bytes: at..at + 1,
            });
            let left = thin_out(keyframes, all).collect::<Vec<_>>();
            assert_eq!(left.len(), all.min(MOST_KEYFRAMES));
            let gap = all.div_ceil(MOST_KEYFRAMES) as u64;
            let gaps = left.windows(2).map(|two| two[1].at - two[0].at);
            assert!(gaps.max() <= Some(Duration::from_secs(gap)), "{all}");
        }
    }
}
