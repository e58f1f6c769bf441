//! Tests of the whole reader.

mod duplicated_moof;
mod finish;
mod index;
mod limits;
mod movie;
mod properties;
mod recordings;

use std::ops::Range;

use super::boxes::{u32_at, write_box};
use super::*;
use crate::summary::{CodedPicture, Keyframe};

pub(super) const H264: &[u8] =
    include_bytes!("../../../../test-support/fixtures/chromium_h264_opus.mp4");
pub(super) const VP9: &[u8] =
    include_bytes!("../../../../test-support/fixtures/chromium_vp9_opus.mp4");
pub(super) const AAC: &[u8] =
    include_bytes!("../../../../test-support/fixtures/ffmpeg_fragments_b_frames_aac.mp4");
pub(super) const MOV: &[u8] =
    include_bytes!("../../../../test-support/fixtures/ffmpeg_progressive.mov");
const ALL: [&[u8]; 4] = [H264, VP9, AAC, MOV];

pub(super) fn seal(chunks: &[&[u8]]) -> Result<Sealed, Unplayable> {
    let mut reader = Mp4Reader::new();
    for chunk in chunks {
        reader.feed(chunk);
    }
    reader.finish()
}

/// The video that the server sends: the index and the playable part of the recording.
fn served(sealed: &Sealed, recording: &[u8]) -> Vec<u8> {
    let end = usize::try_from(sealed.summary.end).expect("within the recording");
    [&sealed.index, &recording[..end]].concat()
}

/// The result for the served file: the same, with offsets behind the index.
fn moved(sealed: Sealed) -> Sealed {
    let by = sealed.index.len() as u64;
    let mut summary = sealed.summary;
    summary.end += by;
    for Keyframe { bytes, .. } in &mut summary.keyframes {
        *bytes = bytes.start + by..bytes.end + by;
    }
    for CodedPicture { bytes, .. } in &mut summary.pictures {
        *bytes = bytes.start + by..bytes.end + by;
    }
    // The index declares the actual duration.
    summary.truncation = None;
    Sealed {
        summary,
        index: Vec::new(),
    }
}

/// A box with this payload.
pub(super) fn wrap(box_type: &[u8; 4], payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    write_box(&mut out, *box_type, |out| {
        out.extend_from_slice(payload);
        Some(())
    })
    .expect("small");
    out
}

/// Big-endian numbers of 32 bits.
pub(super) fn be_words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// The ranges of the top-level boxes of a type.
pub(super) fn top_level(file: &[u8], box_type: &[u8; 4]) -> Vec<Range<usize>> {
    let (mut start, mut found) = (0, Vec::new());
    while let Some(size) = u32_at(file, start) {
        let end = start + size as usize;
        if &file[start + 4..start + 8] == box_type {
            found.push(start..end);
        }
        start = end;
    }
    found
}

/// The payload of a file's `moov` box.
pub(super) fn movie_payload(file: &[u8]) -> Vec<u8> {
    let movie = top_level(file, b"moov").remove(0);
    file[movie.start + 8..movie.end].to_vec()
}
