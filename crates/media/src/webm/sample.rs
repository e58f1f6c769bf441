//! Recordings for tests: real ones, and made ones.

use mkv_element::prelude as mkv;
use mkv_element::prelude::{Element, VInt64};

use super::element::{put_endless_head, put_leaf, put_master};

/// What browsers record: see the README beside them.
pub(super) const REAL: [&[u8]; 4] = [
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

pub(super) fn master(id: VInt64, children: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_master(id, &children.concat(), &mut bytes);
    bytes
}

/// An element of unknown size.
pub(super) fn endless(id: VInt64, children: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_endless_head(id, &mut bytes);
    bytes.extend(children.concat());
    bytes
}

pub(super) fn leaf<T: Element>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_leaf(value, &mut bytes);
    bytes
}

pub(super) fn ebml() -> Vec<u8> {
    let mut doc_type = Vec::new();
    put_master(mkv::DocType::ID, b"webm", &mut doc_type);
    master(mkv::Ebml::ID, &[doc_type])
}

/// Track 1 has pictures, track 2 sounds in Opus.
pub(super) fn tracks() -> Vec<u8> {
    let text = |id, text: &[u8]| master(id, &[text.to_vec()]);
    let picture = [leaf(&mkv::PixelWidth(320)), leaf(&mkv::PixelHeight(240))];
    let video = master(
        mkv::TrackEntry::ID,
        &[
            leaf(&mkv::TrackNumber(1)),
            leaf(&mkv::TrackType(1)),
            text(mkv::CodecId::ID, b"V_VP8"),
            master(mkv::Video::ID, &picture),
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

/// A file as browsers write it: with an endless Segment.
pub(super) fn live(rest: &[Vec<u8>]) -> Vec<u8> {
    [
        ebml(),
        endless(mkv::Segment::ID, &[tracks(), rest.concat()]),
    ]
    .concat()
}

pub(super) fn time(ticks: u64) -> Vec<u8> {
    leaf(&mkv::Timestamp(ticks))
}

pub(super) fn block(track: u8, time: i16, flags: u8, data: &[u8]) -> Vec<u8> {
    let [high, low] = time.to_be_bytes();
    [&[0x80 | track, high, low, flags][..], data].concat()
}

pub(super) fn keyframe(time: i16) -> Vec<u8> {
    let block = block(1, time, 0x80, b"key");
    master(mkv::SimpleBlock::ID, &[block])
}

pub(super) fn frame(time: i16) -> Vec<u8> {
    let block = block(1, time, 0, b"frame");
    master(mkv::SimpleBlock::ID, &[block])
}

pub(super) fn group(block: Vec<u8>, rest: &[Vec<u8>]) -> Vec<u8> {
    let block = master(mkv::Block::ID, &[block]);
    master(mkv::BlockGroup::ID, &[block, rest.concat()])
}
