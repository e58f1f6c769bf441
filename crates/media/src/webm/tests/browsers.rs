//! Recordings of browsers, and the indexes that they get.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::fixtures::BROWSERS;
use super::{at, header, seal, served, summary};
use crate::summary::Codec;
use crate::webm::element::{children, decode_child};

#[test]
fn recordings_of_browsers_are_summarized() {
    let found = BROWSERS.map(summary);
    let codecs = found.each_ref().map(|it| it.video.codec);
    assert_eq!(codecs, [Codec::Vp8, Codec::Vp9, Codec::H264, Codec::Vp8]);
    let milliseconds = found.each_ref().map(|it| it.duration.as_millis());
    assert_eq!(milliseconds, [1500, 1451, 1508, 1531]);
    let keyframes = found.each_ref().map(|it| it.keyframes.len());
    assert_eq!(keyframes, [3, 3, 3, 1]);
    let audio = found.each_ref().map(|it| it.has_audio);
    assert_eq!(audio, [true, false, true, true]);
    for (summary, bytes) in found.iter().zip(BROWSERS) {
        assert_eq!(summary.end, bytes.len() as u64);
        assert!(!summary.has_location);
        for keyframe in &summary.keyframes {
            let picture = at(keyframe.bytes.start, bytes);
            let starts: &[u8] = match summary.video.codec {
                // RFC 6386, section 9.1.
                Codec::Vp8 => {
                    assert_eq!(picture[0] & 1, 0);
                    assert_eq!(picture[3..6], [0x9d, 0x01, 0x2a]);
                    continue;
                }
                Codec::Vp9 => &[0x82, 0x49, 0x83, 0x42],
                // Annex B: a sequence parameter set.
                _ => &[0, 0, 0, 1, 0x67],
            };
            assert!(picture.starts_with(starts));
        }
    }
}

#[test]
fn a_sealed_recording_is_seekable_and_has_the_same_summary() {
    for recording in BROWSERS {
        let sealed = seal(recording).expect("a sealed recording");
        let again = seal(&served(&sealed, recording)).expect("a sealed recording");
        assert!(again.index.is_empty());
        let moved = sealed.index.len() as u64;
        let mut expected = sealed.summary.clone();
        expected.end += moved;
        let keyframes = expected.keyframes.iter_mut().map(|it| &mut it.bytes);
        let pictures = expected.pictures.iter_mut().map(|it| &mut it.bytes);
        for bytes in keyframes.chain(pictures) {
            *bytes = bytes.start + moved..bytes.end + moved;
        }
        assert_eq!(again.summary, expected);
    }
}

/// An index, and where its Segment's body begins.
struct ParsedIndex {
    index: Vec<u8>,
    segment: u64,
    /// The index with the recording behind it.
    video: Vec<u8>,
}

impl ParsedIndex {
    fn new(recording: &[u8]) -> Self {
        let sealed = seal(recording).expect("a sealed recording");
        let video = served(&sealed, recording);
        let ebml = header(&video);
        // An unknown-sized header has 12 bytes.
        let segment = ebml.width as u64 + ebml.size.expect("known") + 12;
        let index = sealed.index;
        Self {
            index,
            segment,
            video,
        }
    }

    fn children(&self) -> impl Iterator<Item = (mkv::VInt64, &[u8])> {
        children(at(self.segment, &self.index))
    }

    /// What lies at a position from the beginning of the Segment's body.
    fn at(&self, position: u64) -> &[u8] {
        at(self.segment + position, &self.video)
    }

    fn cues(&self) -> Vec<ParsedCue<'_>> {
        let cues = self.children().find(|(id, _)| *id == mkv::Cues::ID);
        let (_, cues) = cues.expect("cues");
        let cues = children(cues).map(|(_, point)| {
            let mkv::CueTime(time) = decode_child(point).expect("a time");
            let (_, positions) = children(point).nth(1).expect("positions");
            let mkv::CueTrack(track) = decode_child(positions).expect("a track");
            let mkv::CueClusterPosition(cluster) = decode_child(positions).expect("a position");
            let within =
                decode_child(positions).map_or(0, |mkv::CueRelativePosition(within)| within);
            let cluster = self.at(cluster);
            let element = at(header(cluster).width as u64 + within, cluster);
            ParsedCue {
                time,
                track,
                cluster,
                element,
            }
        });
        cues.collect()
    }
}

/// An entry of the Cues, and what lies at its positions.
struct ParsedCue<'a> {
    time: u64,
    track: u64,
    cluster: &'a [u8],
    /// The element of the block.
    element: &'a [u8],
}

#[test]
fn every_cue_points_to_the_block_of_a_keyframe() {
    for recording in BROWSERS {
        let index = ParsedIndex::new(recording);
        let cues = index.cues();
        assert!(!cues.is_empty());
        for cue in cues {
            assert_eq!(header(cue.cluster).id, mkv::Cluster::ID);
            let cluster = at(header(cue.cluster).width as u64, cue.cluster);
            let mkv::Timestamp(begin) = decode_child(cluster).expect("a timestamp");
            assert_eq!(header(cue.element).id, mkv::SimpleBlock::ID);
            let block = at(header(cue.element).width as u64, cue.element);
            let relative = u64::from(u16::from_be_bytes([block[1], block[2]]));
            assert_eq!((block[3] & 0x80, begin + relative), (0x80, cue.time));
            assert_eq!(u64::from(block[0]), 0x80 | cue.track);
        }
    }
}

#[test]
fn the_seek_head_of_an_index_has_the_right_positions() {
    for recording in BROWSERS {
        let index = ParsedIndex::new(recording);
        let (_, seeks) = index.children().next().expect("a seek head");
        let named = children(seeks).map(|(_, seek)| {
            let mkv::SeekId(id) = decode_child(seek).expect("an id");
            let mkv::SeekPosition(position) = decode_child(seek).expect("a position");
            let there = header(index.at(position)).id;
            assert!(!id.is_empty());
            assert_eq!(*id, there.as_encoded().to_be_bytes()[8 - id.len()..]);
            there
        });
        let named: Vec<_> = named.collect();
        assert_eq!(named, [mkv::Info::ID, mkv::Tracks::ID, mkv::Cues::ID]);
    }
}
