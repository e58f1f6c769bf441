//! Makes the summary and the index of a file that was read to its end.

mod audio;
mod keyframes;
mod layout;

use std::time::Duration;

use super::index::Index;
use super::movie::{Movie, Track};
use super::scanner::FileEnd;
use super::{geotag, video_entry};
use crate::summary::{Codec, Sealed, Summary, Truncation, Unplayable};

pub(super) use layout::Layout;

/// All that was read of a file.
#[derive(Debug)]
pub(super) struct Parsed {
    /// Payload of its `ftyp` box.
    pub file_type: Option<Vec<u8>>,
    pub movie: Movie,
    /// Whether there was a fragment. Then all tracks have collected their samples.
    pub has_fragments: bool,
    /// How many more samples may be collected.
    pub room: usize,
    /// Whether something was left out because a limit was exceeded.
    pub is_overfull: bool,
    /// Whether the file ends behind a `moof` box, without its samples.
    pub ends_with_moof: bool,
    pub end: FileEnd,
}

/// How a file stores its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Structure {
    /// All are listed in the sample tables and are in the file. It is seekable as it is.
    Progressive,
    /// All are listed in the sample tables, but some are behind the end of the file.
    Truncated,
    /// In fragments.
    Fragmented,
}

impl Parsed {
    pub(super) fn finish(mut self) -> Result<Sealed, Unplayable> {
        let video = self.movie.video_index().ok_or(Unplayable::NoVideo)?;
        let structure = self.structure();
        self.collect_samples(structure, video);
        let end = self.playable_end(structure);
        let layout = Layout::new(&self.movie, structure);
        let summary = self.summarize(structure, &layout, video, end)?;
        let index = Index {
            file_type: self.file_type.as_deref(),
            movie: &self.movie,
            layout: &layout,
            recording_length: end,
        };
        // An incomplete index would claim that the recording ends with its last sample.
        let index = match structure == Structure::Progressive || self.is_overfull {
            true => None,
            false => index.encode(),
        };
        Ok(Sealed {
            summary,
            index: index.unwrap_or_default(),
        })
    }

    fn structure(&self) -> Structure {
        match self.has_fragments {
            true => Structure::Fragmented,
            false if self.listed_end() <= self.end.length => Structure::Progressive,
            false => Structure::Truncated,
        }
    }

    /// Collects listed samples: the video's of a progressive file, all of a truncated one.
    fn collect_samples(&mut self, structure: Structure, video: usize) {
        for (index, track) in self.movie.video_first() {
            let is_needed = match structure {
                Structure::Progressive => index == video,
                Structure::Truncated => true,
                Structure::Fragmented => false,
            };
            if is_needed {
                self.is_overfull |= !track.collect_listed(&mut self.room);
            }
            track.samples.truncate(self.end.length);
        }
    }

    /// Offset behind what can be played: all complete boxes, and of an incomplete one the complete samples.
    fn playable_end(&self, structure: Structure) -> u64 {
        let samples_end = match structure {
            Structure::Progressive => self.listed_end(),
            Structure::Truncated | Structure::Fragmented => self.collected_end(),
        };
        match self.end.incomplete_box {
            Some(start) => start.max(samples_end),
            None => self.end.length,
        }
    }

    /// Offset behind the last byte that the sample tables list.
    ///
    /// Tables that give each of several samples in a packet a byte count only where there are no others.
    fn listed_end(&self) -> u64 {
        let tracks = self.movie.tracks.iter();
        let tables = tracks.filter_map(Track::read_sample_table);
        let ends = tables.map(|table| (!table.counts_packed_samples(), table.end()));
        ends.max().map_or(0, |(_, end)| end)
    }

    /// Offset behind the last byte of the collected samples.
    fn collected_end(&self) -> u64 {
        let tracks = self.movie.tracks.iter();
        let ends = tracks.flat_map(|track| track.samples.iter().map(|sample| sample.end()));
        ends.max().unwrap_or(0)
    }

    fn summarize(
        &self,
        structure: Structure,
        layout: &Layout,
        video: usize,
        end: u64,
    ) -> Result<Summary, Unplayable> {
        let tracks = &self.movie.tracks;
        let track = tracks.get(video).ok_or(Unplayable::NoVideo)?;
        let edit_list = layout.edit_lists.get(video).and_then(Option::as_ref);
        let edit_list = edit_list.ok_or(Unplayable::NoFrame)?;
        let video = video_entry::video_track(track).ok_or(Unplayable::Unreadable)?;
        let timescales = layout.timescales(track);
        let pictures = match video.codec {
            Codec::Other => Vec::new(),
            _ => keyframes::pictures(track, edit_list, timescales),
        };
        let keyframes = |are_listed| keyframes::keyframes(track, edit_list, timescales, are_listed);
        if keyframes(false).is_empty() {
            return Err(Unplayable::NoFrame);
        }
        let keyframes = keyframes(!pictures.is_empty());
        let has_audio = |track: &Track| track.is_audio() && layout::has_samples(track, structure);
        let (declared, duration) = (self.declared_duration(structure), layout.duration());
        Ok(Summary {
            video,
            is_hdr: video_entry::is_hdr(track),
            has_audio: tracks.iter().any(has_audio),
            duration,
            keyframes,
            pictures,
            has_location: geotag::has_location(&self.movie.payload),
            end,
            truncation: Truncation::detect(declared, duration, self.is_cut(structure)),
        })
    }

    fn is_cut(&self, structure: Structure) -> bool {
        match structure {
            Structure::Progressive => false,
            Structure::Truncated => true,
            Structure::Fragmented => self.end.incomplete_box.is_some() || self.ends_with_moof,
        }
    }

    /// The duration that an incomplete file declares. Zero: none, or the file is complete.
    fn declared_duration(&self, structure: Structure) -> Duration {
        match structure {
            Structure::Progressive => Duration::ZERO,
            Structure::Truncated => layout::listed_duration(&self.movie),
            Structure::Fragmented => self.movie.fragments_duration().unwrap_or_default(),
        }
    }
}
