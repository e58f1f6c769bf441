//! What a movie box says: its tracks, and what isn't theirs.

use std::num::NonZeroU32;
use std::time::Duration;

use shiguredo_mp4::SampleFlags;
use shiguredo_mp4::boxes::{
    ElstBox, ElstEntry, HdlrBox, MdhdBox, MehdBox, MvhdBox, TkhdBox, TrexBox,
};

use super::boxes::{node, nodes, within};
use super::samples::Samples;
use super::tables::Tables;
use super::timeline::duration;

/// As many tracks as are looked at.
const MOST_TRACKS: usize = 64;

#[derive(Debug)]
pub(super) struct Movie {
    pub header: MvhdBox,
    pub tracks: Vec<Track>,
    /// The content of the box.
    pub content: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Track {
    pub header: TkhdBox,
    pub media: MdhdBox,
    pub handler: [u8; 4],
    pub edits: Vec<ElstEntry>,
    pub defaults: Defaults,
    /// The samples that were gathered so far: of fragments, or of the tables.
    pub samples: Samples,
    /// The content of the track box.
    pub content: Vec<u8>,
}

/// What is true of a fragment's samples unless it says otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defaults {
    pub description: u32,
    pub duration: u32,
    pub size: u32,
    pub flags: SampleFlags,
}

impl Movie {
    /// From the content of a movie box. Tracks that can't be read are left out.
    pub(super) fn read(content: Vec<u8>) -> Option<Self> {
        let header = node(&content, *b"mvhd")?.decode()?;
        let extends = within(&content, &[*b"mvex"]).unwrap_or_default();
        let defaults: Vec<TrexBox> = nodes(extends)
            .filter(|node| node.kind == *b"trex")
            .take(MOST_TRACKS)
            .filter_map(|node| node.decode())
            .collect();
        let tracks = nodes(&content)
            .filter(|node| node.kind == *b"trak")
            .take(MOST_TRACKS)
            .filter_map(|node| Track::read(node.content, &defaults))
            .collect();
        Some(Self {
            header,
            tracks,
            content,
        })
    }

    /// How long all fragments are together, where their writer knew it (ISO/IEC 14496-12, section 8.8.2).
    pub(super) fn fragments_duration(&self) -> Option<Duration> {
        let extends = within(&self.content, &[*b"mvex"])?;
        let told: MehdBox = node(extends, *b"mehd")?.decode()?;
        Some(duration(told.fragment_duration, self.header.timescale))
    }

    /// The pictures that are meant to be seen first.
    pub(super) fn video(&self) -> Option<usize> {
        let is_video = |track: &Track| track.handler == HdlrBox::HANDLER_TYPE_VIDE;
        let shown = |track: &Track| is_video(track) && track.header.flag_track_enabled;
        let first_shown = self.tracks.iter().position(shown);
        first_shown.or_else(|| self.tracks.iter().position(is_video))
    }

    pub(super) fn track(&mut self, id: u32) -> Option<&mut Track> {
        let mut tracks = self.tracks.iter_mut();
        tracks.find(|track| track.header.track_id == id)
    }
}

/// A recorder writes one or two. Each sample is looked up in them.
const MOST_EDITS: usize = 64;

impl Track {
    fn read(content: &[u8], defaults: &[TrexBox]) -> Option<Self> {
        let header: TkhdBox = node(content, *b"tkhd")?.decode()?;
        let media = node(content, *b"mdia")?.content;
        let handler: HdlrBox = node(media, *b"hdlr")?.decode()?;
        let edits = within(content, &[*b"edts"])
            .and_then(|edits| node(edits, *b"elst")?.decode::<ElstBox>())
            .map(|list| list.entries)
            .filter(|edits| edits.len() <= MOST_EDITS)
            .unwrap_or_default();
        let defaults = defaults
            .iter()
            .find(|defaults| defaults.track_id == header.track_id);
        Some(Self {
            media: node(media, *b"mdhd")?.decode()?,
            handler: handler.handler_type,
            edits,
            defaults: Defaults {
                description: defaults.map_or(1, |d| d.default_sample_description_index.max(1)),
                duration: defaults.map_or(0, |d| d.default_sample_duration),
                size: defaults.map_or(0, |d| d.default_sample_size),
                flags: defaults.map_or(SampleFlags::empty(), |d| d.default_sample_flags),
            },
            samples: Samples::default(),
            content: content.to_vec(),
            header,
        })
    }

    /// In ticks a second.
    pub(super) fn timescale(&self) -> NonZeroU32 {
        self.media.timescale
    }

    pub(super) fn is_audio(&self) -> bool {
        self.handler == HdlrBox::HANDLER_TYPE_SOUN
    }

    /// The content of its sample table.
    pub(super) fn table(&self) -> Option<&[u8]> {
        within(&self.content, &[*b"mdia", *b"minf", *b"stbl"])
    }

    pub(super) fn tables(&self) -> Option<Tables> {
        Tables::read(self.table()?)
    }

    /// Adds the samples that its tables list, as long as there is room. `false`: there was too little.
    pub(super) fn gather(&mut self, room: &mut usize) -> bool {
        let Some(tables) = self.tables() else {
            return true;
        };
        for sample in tables.samples() {
            if *room == 0 {
                return false;
            }
            *room -= 1;
            self.samples.push(sample);
        }
        true
    }
}
