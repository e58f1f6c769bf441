//! Reads MP4 and QuickTime files as they arrive, and writes the index that makes live recordings seekable.
//!
//! The formats are ISO/IEC 14496-12 and Apple's QuickTime File Format. A complete progressive file is left as it is.
//! A fragmented one, or one that is cut off behind its `moov` box, gets an index. Not here: decoding, encryption,
//! the sample packing of audio in old QuickTime versions.

mod audio_entry;
mod boxes;
mod edit_list;
mod finish;
mod fragment;
mod geotag;
mod index;
mod movie;
mod sample_table;
mod samples;
mod scanner;
mod timescale;
mod video_entry;

#[cfg(test)]
mod tests;

use std::time::Duration;

use self::boxes::BoxType;
use self::finish::Parsed;
use self::movie::Movie;
use self::samples::MAX_SAMPLES;
use self::scanner::{Event, Scanner};
use self::timescale::to_duration;
use crate::audio::{AudioTrack, NoAudio};
use crate::summary::{Sealed, Unplayable};

/// Reads a recording as it arrives.
#[derive(Debug)]
pub struct Mp4Reader {
    scanner: Scanner,
    collector: Collector,
}

/// Collects what the top-level boxes say.
#[derive(Debug)]
struct Collector {
    file_type: Option<Vec<u8>>,
    movie: Option<Movie>,
    has_fragments: bool,
    pending: Option<PendingFragment>,
    /// How many more samples may be collected.
    room: usize,
    is_overfull: bool,
}

/// A `moof` box whose samples have not arrived yet.
#[derive(Debug)]
struct PendingFragment {
    payload: Vec<u8>,
    start: u64,
}

impl Default for Mp4Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Mp4Reader {
    /// A reader at the beginning of a recording.
    pub fn new() -> Self {
        Self {
            scanner: Scanner::new(),
            collector: Collector {
                file_type: None,
                movie: None,
                has_fragments: false,
                pending: None,
                room: MAX_SAMPLES,
                is_overfull: false,
            },
        }
    }

    /// Reads the next bytes, in order, split anywhere. Never fails, and uses bounded memory.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.scanner
            .feed(bytes, |event| self.collector.handle(event));
    }

    /// The time of the fragments so far. One counts as soon as its data begin.
    pub fn reached(&self) -> Duration {
        self.collector.reached()
    }

    /// Ends the recording, and returns its summary and its index.
    ///
    /// # Errors
    ///
    /// [`Unplayable::Unreadable`] without a readable `moov` box, [`Unplayable::NoVideo`] without a video track,
    /// [`Unplayable::NoFrame`] if no sync sample of it is complete.
    pub fn finish(self) -> Result<Sealed, Unplayable> {
        self.parsed().ok_or(Unplayable::Unreadable)?.finish()
    }

    /// Ends the recording, and returns the packets of its audio track.
    pub(crate) fn finish_audio(self) -> Result<AudioTrack, NoAudio> {
        self.parsed().ok_or(NoAudio::Missing)?.finish_audio()
    }

    /// All that was read. `None`: there was no readable `moov` box.
    fn parsed(mut self) -> Option<Parsed> {
        let end = self.scanner.finish(|event| self.collector.handle(event));
        let collector = self.collector;
        Some(Parsed {
            file_type: collector.file_type,
            movie: collector.movie?,
            has_fragments: collector.has_fragments,
            room: collector.room,
            is_overfull: collector.is_overfull,
            ends_with_moof: collector.pending.is_some(),
            end,
        })
    }
}

impl Collector {
    fn reached(&self) -> Duration {
        let tracks = self.movie.iter().flat_map(|movie| &movie.tracks);
        let spans =
            tracks.map(|track| to_duration(track.samples.span(), track.media_header.timescale));
        spans.max().unwrap_or_default()
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::TooLarge(_) => self.is_overfull = true,
            Event::MediaData => self.collect_pending(),
            Event::Box(box_type, payload, start) => self.handle_box(box_type, payload, start),
        }
    }

    fn handle_box(&mut self, box_type: BoxType, payload: Vec<u8>, start: u64) {
        match (&box_type, &mut self.movie) {
            (b"ftyp", _) if self.file_type.is_none() => self.file_type = Some(payload),
            (b"moov", None) => self.movie = Movie::read(payload),
            (b"moof", Some(movie)) => {
                if !self.has_fragments {
                    // The samples of the sample tables precede those of all fragments.
                    self.has_fragments = true;
                    for (_, track) in movie.video_first() {
                        self.is_overfull |= !track.collect_listed(&mut self.room);
                    }
                }
                // WebKitGTK writes some `moof` boxes twice, and their samples once behind the second one. At the data
                // offset of the first one lies the second one, so only the second one counts.
                let is_same = |pending: &PendingFragment| pending.payload == payload;
                if !self.pending.as_ref().is_some_and(is_same) {
                    self.collect_pending();
                }
                self.pending = Some(PendingFragment { payload, start });
            }
            // A fragment before the `moov` box belongs to another movie.
            _ => {}
        }
    }

    /// Collects the samples of the pending fragment.
    ///
    /// It is called when data or another fragment follow: a fragment at the end of the file has no samples.
    fn collect_pending(&mut self) {
        if let (Some(pending), Some(movie)) = (self.pending.take(), &mut self.movie) {
            let PendingFragment { payload, start } = pending;
            let collected = fragment::collect(&payload, start, movie, &mut self.room);
            self.is_overfull |= collected.is_err();
        }
    }
}
