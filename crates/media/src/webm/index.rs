//! What goes in front of a recording, so that players find their way in it.
//!
//! EBML header, a Segment without end, SeekHead, Info with a duration, Tracks, Cues; then the head of a Void
//! as long as the recording's own head, so that the old EBML header, Info and Tracks are passed over and its
//! Clusters follow, untouched. The Segment's size stays open: ffmpeg warns of Clusters of unknown size in a
//! Segment that has one.

use mkv_element::prelude as mkv;
use mkv_element::prelude::{Element, VInt64};

use super::element::{put_endless_head, put_head, put_id, put_leaf, put_master};
use super::recording::Cue;

/// What an index is made of: bodies of elements, and positions in the recording.
pub(super) struct Parts<'a> {
    pub ebml: &'a [u8],
    pub info: &'a [u8],
    pub tracks: &'a [u8],
    /// The number of the track that the cues are about.
    pub track: u64,
    pub cues: &'a [Cue],
    /// Where the first Cluster begins.
    pub clusters: u64,
}

/// Where the elements of an index begin, counted from its Segment's body, as SeekHead and Cues do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Layout {
    info: u64,
    tracks: u64,
    cues: u64,
    recording: u64,
}

impl Parts<'_> {
    pub(super) fn index(&self) -> Vec<u8> {
        let mut index = Vec::new();
        put_master(mkv::Ebml::ID, self.ebml, &mut index);
        put_endless_head(mkv::Segment::ID, &mut index);
        // Positions are written in as few bytes as they need, so they move what they point to. They only
        // ever grow from one attempt to the next, up to eight bytes, so the attempts come to an end.
        let mut layout = Layout::default();
        loop {
            let (body, found) = self.body(layout);
            if found == layout {
                index.extend_from_slice(&body);
                return index;
            }
            layout = found;
        }
    }

    /// The Segment's body if its elements began there, and where they do begin.
    fn body(&self, layout: Layout) -> (Vec<u8>, Layout) {
        let mut body = Vec::new();
        put_master(mkv::SeekHead::ID, &seeks(layout), &mut body);
        let info = body.len() as u64;
        put_master(mkv::Info::ID, self.info, &mut body);
        let tracks = body.len() as u64;
        put_master(mkv::Tracks::ID, self.tracks, &mut body);
        let cues = body.len() as u64;
        put_master(mkv::Cues::ID, &self.cue_points(layout), &mut body);
        put_head(mkv::Void::ID, self.clusters, &mut body);
        let recording = body.len() as u64;
        let found = Layout {
            info,
            tracks,
            cues,
            recording,
        };
        (body, found)
    }

    fn cue_points(&self, layout: Layout) -> Vec<u8> {
        let mut points = Vec::new();
        for cue in self.cues {
            let mut place = Vec::new();
            put_leaf(&mkv::CueTrack(self.track), &mut place);
            let cluster = layout.recording.saturating_add(cue.cluster);
            put_leaf(&mkv::CueClusterPosition(cluster), &mut place);
            if cue.block > 0 {
                put_leaf(&mkv::CueRelativePosition(cue.block), &mut place);
            }
            let mut point = Vec::new();
            put_leaf(&mkv::CueTime(cue.time), &mut point);
            put_master(mkv::CueTrackPositions::ID, &place, &mut point);
            put_master(mkv::CuePoint::ID, &point, &mut points);
        }
        points
    }
}

fn seeks(layout: Layout) -> Vec<u8> {
    let mut seeks = Vec::new();
    for (id, position) in [
        (mkv::Info::ID, layout.info),
        (mkv::Tracks::ID, layout.tracks),
        (mkv::Cues::ID, layout.cues),
    ] {
        put_master(mkv::Seek::ID, &seek(id, position), &mut seeks);
    }
    seeks
}

fn seek(id: VInt64, position: u64) -> Vec<u8> {
    let mut name = Vec::new();
    put_id(id, &mut name);
    let mut seek = Vec::new();
    put_master(mkv::SeekId::ID, &name, &mut seek);
    put_leaf(&mkv::SeekPosition(position), &mut seek);
    seek
}
