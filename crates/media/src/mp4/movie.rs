//! Reads a `moov` box: its tracks, and the boxes that belong to none of them.

use std::num::NonZeroU32;
use std::time::Duration;

use shiguredo_mp4::SampleFlags;
use shiguredo_mp4::boxes::{
    ElstBox, ElstEntry, HdlrBox, MdhdBox, MehdBox, MvhdBox, TkhdBox, TrexBox,
};

use super::boxes::{boxes_of, find_box, find_path};
use super::sample_table::SampleTable;
use super::samples::{MAX_SAMPLES, Samples};
use super::timescale::to_duration;

/// Maximum number of tracks that are read.
const MAX_TRACKS: usize = 64;

/// Maximum number of edits of a track: recorders write one or two, and each sample is looked up in them.
const MAX_EDITS: usize = 64;

#[derive(Debug)]
pub(super) struct Movie {
    pub header: MvhdBox,
    pub tracks: Vec<Track>,
    /// Payload of the `moov` box.
    pub payload: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Track {
    pub header: TkhdBox,
    pub media_header: MdhdBox,
    pub handler: [u8; 4],
    pub edits: Vec<ElstEntry>,
    pub defaults: SampleDefaults,
    /// The samples that were collected so far, of fragments or of the sample table.
    pub samples: Samples,
    /// Payload of the `trak` box.
    pub payload: Vec<u8>,
}

/// Defaults for the samples of a track's fragments (ISO/IEC 14496-12, section 8.8.3).
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleDefaults {
    pub description_index: u32,
    pub duration: u32,
    pub size: u32,
    pub flags: SampleFlags,
}

impl Movie {
    /// Reads the payload of a `moov` box. Malformed tracks are left out.
    pub(super) fn read(payload: Vec<u8>) -> Option<Self> {
        let header = find_box(&payload, *b"mvhd")?.decode()?;
        let extends = find_path(&payload, &[*b"mvex"]).unwrap_or_default();
        let defaults: Vec<TrexBox> = boxes_of(extends, *b"trex")
            .take(MAX_TRACKS)
            .filter_map(|it| it.decode())
            .collect();
        let tracks = boxes_of(&payload, *b"trak")
            .take(MAX_TRACKS)
            .filter_map(|it| Track::read(it.payload, &defaults))
            .collect();
        Some(Self {
            header,
            tracks,
            payload,
        })
    }

    /// The duration of all fragments, if their writer knew it (ISO/IEC 14496-12, section 8.8.2).
    pub(super) fn fragments_duration(&self) -> Option<Duration> {
        let extends = find_path(&self.payload, &[*b"mvex"])?;
        let header: MehdBox = find_box(extends, *b"mehd")?.decode()?;
        Some(to_duration(header.fragment_duration, self.header.timescale))
    }

    /// The index of the first video track, preferably of an enabled one.
    pub(super) fn video_index(&self) -> Option<usize> {
        let is_enabled = |track: &Track| track.is_video() && track.header.flag_track_enabled;
        let first_enabled = self.tracks.iter().position(is_enabled);
        first_enabled.or_else(|| self.tracks.iter().position(Track::is_video))
    }

    /// The tracks with their indexes, the video first, so that its samples are the last for which there is no room.
    pub(super) fn video_first(&mut self) -> impl Iterator<Item = (usize, &mut Track)> {
        let video = self.video_index();
        let mut tracks: Vec<_> = self.tracks.iter_mut().enumerate().collect();
        tracks.sort_by_key(|(index, _)| Some(*index) != video);
        tracks.into_iter()
    }

    pub(super) fn track_mut(&mut self, id: u32) -> Option<&mut Track> {
        let mut tracks = self.tracks.iter_mut();
        tracks.find(|track| track.header.track_id == id)
    }
}

impl Track {
    fn read(payload: &[u8], defaults: &[TrexBox]) -> Option<Self> {
        let header: TkhdBox = find_box(payload, *b"tkhd")?.decode()?;
        let media = find_box(payload, *b"mdia")?.payload;
        let handler: HdlrBox = find_box(media, *b"hdlr")?.decode()?;
        let edits = find_path(payload, &[*b"edts"])
            .and_then(|edits| find_box(edits, *b"elst")?.decode::<ElstBox>())
            .map(|list| list.entries)
            .filter(|edits| edits.len() <= MAX_EDITS)
            .unwrap_or_default();
        let defaults = defaults
            .iter()
            .find(|defaults| defaults.track_id == header.track_id);
        Some(Self {
            media_header: find_box(media, *b"mdhd")?.decode()?,
            handler: handler.handler_type,
            edits,
            defaults: SampleDefaults {
                description_index: defaults
                    .map_or(1, |it| it.default_sample_description_index.max(1)),
                duration: defaults.map_or(0, |it| it.default_sample_duration),
                size: defaults.map_or(0, |it| it.default_sample_size),
                flags: defaults.map_or(SampleFlags::empty(), |it| it.default_sample_flags),
            },
            samples: Samples::default(),
            payload: payload.to_vec(),
            header,
        })
    }

    /// Ticks a second of its decode and composition times.
    pub(super) fn timescale(&self) -> NonZeroU32 {
        self.media_header.timescale
    }

    pub(super) fn is_video(&self) -> bool {
        self.handler == HdlrBox::HANDLER_TYPE_VIDE
    }

    pub(super) fn is_audio(&self) -> bool {
        self.handler == HdlrBox::HANDLER_TYPE_SOUN
    }

    /// Whether a further sample may be collected, if there is so much room for samples of all tracks.
    /// Sound has a share of it: without compression it has 48,000 samples a second, and would leave none to pictures.
    pub(super) fn may_collect(&self, room: usize) -> bool {
        let share = MAX_SAMPLES / 4 * 3;
        room > 0 && !(self.is_audio() && self.samples.len() >= share)
    }

    /// Payload of its `stbl` box.
    pub(super) fn sample_table(&self) -> Option<&[u8]> {
        find_path(&self.payload, &[*b"mdia", *b"minf", *b"stbl"])
    }

    pub(super) fn read_sample_table(&self) -> Option<SampleTable> {
        SampleTable::read(self.sample_table()?)
    }

    /// Collects the samples of its sample table, as long as there is room. `false`: there was too little.
    pub(super) fn collect_listed(&mut self, room: &mut usize) -> bool {
        let Some(table) = self.read_sample_table() else {
            return true;
        };
        for sample in table.samples() {
            if !self.may_collect(*room) {
                return false;
            }
            *room -= 1;
            self.samples.push(sample);
        }
        true
    }
}
