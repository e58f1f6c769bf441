//! Writes the index of a recording: what is served in front of it so that players can seek.
//!
//! EBML header, an unknown-sized Segment, SeekHead, Info with a duration, Tracks, Cues; then the header of a Void
//! element whose body is the beginning of the recording. So players skip the recorded EBML header, Info and Tracks,
//! and go on with the recorded Clusters, byte by byte as they are. The size of the Segment stays unknown because
//! ffmpeg warns of unknown-sized Clusters in a Segment of known size.

use mkv_element::prelude as mkv;
use mkv_element::prelude::{Element, VInt64};

use super::element::{
    write_element, write_header, write_id, write_leaf, write_unknown_sized_header,
};
use super::summary::Cue;

/// What an index is made of: bodies of elements, and positions in the recording.
pub(super) struct Index<'a> {
    pub ebml: &'a [u8],
    pub info: &'a [u8],
    pub tracks: &'a [u8],
    /// The number of the track that the cues are for.
    pub track: u64,
    pub cues: &'a [Cue],
    /// Offset of the first Cluster in the recording.
    pub clusters: u64,
}

/// Positions in the served Segment, from the beginning of its body, as SeekHead and Cues have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Layout {
    info: u64,
    tracks: u64,
    cues: u64,
    recording: u64,
}

impl Index<'_> {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut index = Vec::new();
        write_element(mkv::Ebml::ID, self.ebml, &mut index);
        write_unknown_sized_header(mkv::Segment::ID, &mut index);
        // Positions are written in as few bytes as they need, so they move what they point to. From one attempt to
        // the next they only grow, to eight bytes at most, so this terminates.
        let mut layout = Layout::default();
        loop {
            let (body, actual) = self.segment_body(layout);
            if actual == layout {
                index.extend_from_slice(&body);
                return index;
            }
            layout = actual;
        }
    }

    /// The Segment's body with the positions of `layout`, and the positions that its elements actually have.
    fn segment_body(&self, layout: Layout) -> (Vec<u8>, Layout) {
        let mut body = Vec::new();
        write_element(mkv::SeekHead::ID, &seek_head(layout), &mut body);
        let info = body.len() as u64;
        write_element(mkv::Info::ID, self.info, &mut body);
        let tracks = body.len() as u64;
        write_element(mkv::Tracks::ID, self.tracks, &mut body);
        let cues = body.len() as u64;
        write_element(mkv::Cues::ID, &self.cue_points(layout), &mut body);
        write_header(mkv::Void::ID, self.clusters, &mut body);
        let recording = body.len() as u64;
        let actual = Layout {
            info,
            tracks,
            cues,
            recording,
        };
        (body, actual)
    }

    fn cue_points(&self, layout: Layout) -> Vec<u8> {
        let mut points = Vec::new();
        for cue in self.cues {
            let mut positions = Vec::new();
            write_leaf(&mkv::CueTrack(self.track), &mut positions);
            let cluster = layout.recording.saturating_add(cue.cluster);
            write_leaf(&mkv::CueClusterPosition(cluster), &mut positions);
            if cue.block > 0 {
                write_leaf(&mkv::CueRelativePosition(cue.block), &mut positions);
            }
            let mut point = Vec::new();
            write_leaf(&mkv::CueTime(cue.time), &mut point);
            write_element(mkv::CueTrackPositions::ID, &positions, &mut point);
            write_element(mkv::CuePoint::ID, &point, &mut points);
        }
        points
    }
}

fn seek_head(layout: Layout) -> Vec<u8> {
    let mut seeks = Vec::new();
    for (id, position) in [
        (mkv::Info::ID, layout.info),
        (mkv::Tracks::ID, layout.tracks),
        (mkv::Cues::ID, layout.cues),
    ] {
        write_element(mkv::Seek::ID, &seek(id, position), &mut seeks);
    }
    seeks
}

fn seek(id: VInt64, position: u64) -> Vec<u8> {
    let mut seek_id = Vec::new();
    write_id(id, &mut seek_id);
    let mut seek = Vec::new();
    write_element(mkv::SeekId::ID, &seek_id, &mut seek);
    write_leaf(&mkv::SeekPosition(position), &mut seek);
    seek
}
