//! Reads MP4 and QuickTime files as they arrive, and writes the index that makes live ones seekable
//! (ISO/IEC 14496-12; Apple's QuickTime File Format).
//!
//! A file in one piece is left as it is. One in fragments, or cut off behind its movie box, gets an index.
//! Not here: decoding, encryption, the packing of sound in old QuickTime versions.

mod boxes;
#[cfg(test)]
mod doubled;
mod fragment;
mod geotag;
mod index;
#[cfg(test)]
mod listed;
mod movie;
mod samples;
mod scan;
mod seal;
#[cfg(test)]
mod sealed;
mod tables;
mod timeline;
mod video_entry;

#[cfg(test)]
mod tests;

use self::boxes::Kind;
use self::movie::Movie;
use self::samples::MOST_SAMPLES;
use self::scan::{Found, Scan};
use self::seal::Parsed;
use crate::facts::{Sealed, Unplayable};

/// Reads a recording as it arrives.
#[derive(Debug)]
pub struct Reader {
    scan: Scan,
    gathered: Gathered,
}

#[derive(Debug)]
struct Gathered {
    file_type: Option<Vec<u8>>,
    movie: Option<Movie>,
    fragmented: bool,
    pending: Option<Fragment>,
    room: usize,
    overfull: bool,
}

/// A fragment whose samples have yet to come.
#[derive(Debug)]
struct Fragment {
    content: Vec<u8>,
    start: u64,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// At the beginning of a recording.
    pub fn new() -> Self {
        Self {
            scan: Scan::new(),
            gathered: Gathered {
                file_type: None,
                movie: None,
                fragmented: false,
                pending: None,
                room: MOST_SAMPLES,
                overfull: false,
            },
        }
    }

    /// The next bytes of the recording, in order, cut anywhere. Never fails; bounded memory whatever
    /// comes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.scan.feed(bytes, |found| self.gathered.take(found));
    }

    /// After the last byte.
    ///
    /// # Errors
    ///
    /// [`Unplayable::Unreadable`] without a movie box that can be read, [`Unplayable::NoVideo`] when it
    /// names no pictures, [`Unplayable::NoFrame`] when none that needs no other is wholly there.
    pub fn finish(mut self) -> Result<Sealed, Unplayable> {
        let ending = self.scan.finish(|found| self.gathered.take(found));
        let gathered = self.gathered;
        let read = Parsed {
            file_type: gathered.file_type,
            movie: gathered.movie.ok_or(Unplayable::Unreadable)?,
            fragmented: gathered.fragmented,
            room: gathered.room,
            overfull: gathered.overfull,
            ends_early: gathered.pending.is_some(),
            ending,
        };
        read.seal()
    }
}

impl Gathered {
    fn take(&mut self, found: Found) {
        match found {
            Found::TooLarge(_) => self.overfull = true,
            Found::Media => self.gather_pending(),
            Found::Box(kind, content, start) => self.take_box(kind, content, start),
        }
    }

    fn take_box(&mut self, kind: Kind, content: Vec<u8>, start: u64) {
        match (&kind, &mut self.movie) {
            (b"ftyp", _) if self.file_type.is_none() => self.file_type = Some(content),
            (b"moov", None) => self.movie = Movie::read(content),
            (b"moof", Some(movie)) => {
                if !self.fragmented {
                    // What the movie has of its own comes before all fragments.
                    self.fragmented = true;
                    for track in &mut movie.tracks {
                        self.overfull |= !track.gather(&mut self.room);
                    }
                }
                // WebKitGTK writes some fragments' boxes twice, before their samples come once. What lies where the
                // first one says is the second one.
                let again = |pending: &Fragment| pending.content == content;
                if !self.pending.as_ref().is_some_and(again) {
                    self.gather_pending();
                }
                self.pending = Some(Fragment { content, start });
            }
            // A fragment that comes before the movie belongs to another one.
            _ => {}
        }
    }

    /// The samples of a fragment whose data begins, or which another one follows. Of one that the file ends with
    /// none is there.
    fn gather_pending(&mut self) {
        if let (Some(pending), Some(movie)) = (self.pending.take(), &mut self.movie) {
            let Fragment { content, start } = pending;
            let gathered = fragment::gather(&content, start, movie, &mut self.room);
            self.overfull |= gathered.is_err();
        }
    }
}
