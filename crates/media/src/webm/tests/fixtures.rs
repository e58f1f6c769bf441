//! Recordings for tests: by browsers, and constructed element by element.

use mkv_element::prelude as mkv;
use mkv_element::prelude::{Element, VInt64};

use crate::webm::element::{write_element, write_leaf, write_unknown_sized_header};

/// Recordings of browsers; the README beside them says how they were made.
pub(in crate::webm) const BROWSERS: [&[u8]; 4] = [
    include_bytes!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../test-support/fixtures/chromium-vp8-opus.webm"
    )),
    include_bytes!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../test-support/fixtures/chromium-vp9.webm"
    )),
    include_bytes!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../test-support/fixtures/chromium-h264-opus.mkv"
    )),
    include_bytes!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../test-support/fixtures/firefox-vp8-opus.webm"
    )),
];

pub(in crate::webm) fn master(id: VInt64, children: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_element(id, &children.concat(), &mut bytes);
    bytes
}

/// An unknown-sized element.
pub(in crate::webm) fn unsized_master(id: VInt64, children: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_unknown_sized_header(id, &mut bytes);
    bytes.extend(children.concat());
    bytes
}

pub(in crate::webm) fn leaf<T: Element>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_leaf(value, &mut bytes);
    bytes
}

pub(in crate::webm) fn ebml() -> Vec<u8> {
    let mut doc_type = Vec::new();
    write_element(mkv::DocType::ID, b"webm", &mut doc_type);
    master(mkv::Ebml::ID, &[doc_type])
}

/// Track 1 is video, track 2 audio in Opus.
pub(in crate::webm) fn tracks() -> Vec<u8> {
    let text = |id, text: &[u8]| master(id, &[text.to_vec()]);
    let size = [leaf(&mkv::PixelWidth(320)), leaf(&mkv::PixelHeight(240))];
    let video = master(
        mkv::TrackEntry::ID,
        &[
            leaf(&mkv::TrackNumber(1)),
            leaf(&mkv::TrackType(1)),
            text(mkv::CodecId::ID, b"V_VP8"),
            master(mkv::Video::ID, &size),
        ],
    );
    let audio = master(
        mkv::TrackEntry::ID,
        &[
            leaf(&mkv::TrackNumber(2)),
            leaf(&mkv::TrackType(2)),
            text(mkv::CodecId::ID, b"A_OPUS"),
        ],
    );
    master(mkv::Tracks::ID, &[video, audio])
}

/// A file as browsers write it: with an unknown-sized Segment.
pub(in crate::webm) fn live(rest: &[Vec<u8>]) -> Vec<u8> {
    [
        ebml(),
        unsized_master(mkv::Segment::ID, &[tracks(), rest.concat()]),
    ]
    .concat()
}

pub(in crate::webm) fn timestamp(ticks: u64) -> Vec<u8> {
    leaf(&mkv::Timestamp(ticks))
}

pub(in crate::webm) fn block(track: u8, timestamp: i16, flags: u8, data: &[u8]) -> Vec<u8> {
    let [high, low] = timestamp.to_be_bytes();
    [&[0x80 | track, high, low, flags][..], data].concat()
}

pub(in crate::webm) fn keyframe(timestamp: i16) -> Vec<u8> {
    // VP8's flag for a frame that is shown is set in its first byte.
    let block = block(1, timestamp, 0x80, b"pic");
    master(mkv::SimpleBlock::ID, &[block])
}

pub(in crate::webm) fn frame(timestamp: i16) -> Vec<u8> {
    let block = block(1, timestamp, 0, b"shown");
    master(mkv::SimpleBlock::ID, &[block])
}

pub(in crate::webm) fn group(block: Vec<u8>, rest: &[Vec<u8>]) -> Vec<u8> {
    let block = master(mkv::Block::ID, &[block]);
    master(mkv::BlockGroup::ID, &[block, rest.concat()])
}
