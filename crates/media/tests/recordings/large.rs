//! Recordings of more than 4 GiB: offsets of more than 32 bits.

use std::ops::Range;

use media::{Container, Reader, Sealed};

use crate::fixtures::{Recording, committed};
use test_support::recordings::padding::PaddedRecording;

const FOUR_GIB: u64 = 1 << 32;

/// Size of the chunks in which padding is fed.
const CHUNK: usize = 8 << 20;

/// Reads a padded recording behind `index`.
fn seal(container: Container, index: &[u8], recording: &PaddedRecording) -> Sealed {
    let mut reader = Reader::new(container);
    reader.feed(index);
    reader.feed(&recording.head);
    let chunk = vec![0; CHUNK];
    let chunks = recording.padding / CHUNK as u64;
    assert_eq!(chunks * CHUNK as u64, recording.padding);
    (0..chunks).for_each(|_| reader.feed(&chunk));
    reader.feed(&recording.tail);
    reader.finish().expect("sealed")
}

fn recording(name: &str) -> Recording {
    let mut recordings = committed().into_iter();
    recordings.find(|it| it.name == name).expect("committed")
}

/// The ranges of the keyframes and pictures.
fn frames(sealed: &Sealed) -> Vec<Range<u64>> {
    let summary = &sealed.summary;
    let keyframes = summary.keyframes.iter().map(|it| it.bytes.clone());
    let pictures = summary.pictures.iter().map(|it| it.bytes.clone());
    keyframes.chain(pictures).collect()
}

/// The ranges, those that begin at `from` or behind it moved by `by` bytes.
fn moved(frames: Vec<Range<u64>>, from: u64, by: u64) -> Vec<Range<u64>> {
    let move_one = |it: Range<u64>| match it.start >= from {
        true => it.start + by..it.end + by,
        false => it,
    };
    frames.into_iter().map(move_one).collect()
}

#[test]
fn frames_beyond_4_gib_are_found_and_indexed() {
    for (name, pad) in [
        (
            "chromium-vp8-opus.webm",
            PaddedRecording::webm as fn(&[u8], u64) -> PaddedRecording,
        ),
        ("chromium_h264_opus.mp4", PaddedRecording::mp4),
    ] {
        let recording = recording(name);
        let small = recording.seal().expect("sealed");
        let padded = pad(&recording.bytes, FOUR_GIB);
        let large = seal(recording.container(), &[], &padded);

        let growth = padded.length() - recording.bytes.len() as u64;
        let seam = recording.bytes.len() as u64 - padded.tail.len() as u64;
        let want = moved(frames(&small), seam, growth);
        assert!(want.iter().any(|frame| frame.start > FOUR_GIB), "{name}");
        assert_eq!(frames(&large), want, "{name}");
        assert_eq!(large.summary.duration, small.summary.duration, "{name}");
        assert_eq!(large.summary.end, padded.length(), "{name}");
        assert_eq!(large.summary.truncation, None, "{name}");

        // Behind the index the frames have the same offsets plus its length.
        let index = large.index.len() as u64;
        assert!(index > 0, "{name}");
        let served = seal(recording.container(), &large.index, &padded);
        assert!(served.index.is_empty(), "{name}: it is seekable already");
        assert_eq!(frames(&served), moved(want, 0, index), "{name}");
        assert_eq!(served.summary.duration, small.summary.duration, "{name}");
        assert_eq!(served.summary.end, index + padded.length(), "{name}");
    }
}

/// As phones write it: the `moov` box comes last, and its chunk offsets are in `co64`.
#[test]
fn a_progressive_file_over_4_gib_is_not_rewritten() {
    let file: &[u8] = include_bytes!("../../../test-support/fixtures/ffmpeg_progressive.mov");
    let [file_type, movie, media] = [b"ftyp", b"moov", b"mdat"].map(|it| top_level(file, *it));
    let small = {
        let mut reader = Reader::new(Container::QuickTime);
        reader.feed(file);
        reader.finish().expect("sealed")
    };
    // The samples are at the end of an `mdat` box with a 64-bit size.
    let samples = &file[media.start + 8..media.end];
    let size = 16 + FOUR_GIB + samples.len() as u64;
    let header = [b"\0\0\0\x01mdat", &size.to_be_bytes()[..]].concat();
    let head = [&file[file_type], &header].concat();
    let growth = head.len() as u64 + FOUR_GIB - (media.start + 8) as u64;
    let movie = with_64_bit_offsets(&file[movie], growth);
    let padded = PaddedRecording {
        head,
        padding: FOUR_GIB,
        tail: [samples, &movie].concat(),
    };
    let large = seal(Container::QuickTime, &[], &padded);
    assert!(large.index.is_empty(), "it is seekable already");
    assert_eq!(frames(&large), moved(frames(&small), 0, growth));
    assert_eq!(large.summary.duration, small.summary.duration);
    assert_eq!(large.summary.end, padded.length());
    assert_eq!(large.summary.truncation, None);
}

/// The range of the first top-level box of a type.
fn top_level(file: &[u8], box_type: [u8; 4]) -> Range<usize> {
    let mut boxes = boxes(file);
    boxes
        .find(|it| file[it.start + 4..][..4] == box_type)
        .expect("there")
}

/// The ranges of consecutive boxes.
fn boxes(file: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let size = file.get(at..at + 4)?.try_into().expect("four bytes");
        let start = at;
        at += u32::from_be_bytes(size) as usize;
        Some(start..at)
    })
}

/// A copy of a box in which `co64` replaces `stco`, with offsets increased by `by`.
fn with_64_bit_offsets(file: &[u8], by: u64) -> Vec<u8> {
    let (box_type, payload) = file[4..].split_first_chunk::<4>().expect("a type");
    let (box_type, payload) = match box_type {
        b"moov" | b"trak" | b"mdia" | b"minf" | b"stbl" => {
            let parts = boxes(payload).map(|part| with_64_bit_offsets(&payload[part], by));
            (box_type, parts.collect::<Vec<_>>().concat())
        }
        b"stco" => {
            // Version, flags and count.
            let (head, offsets) = payload.split_at(8);
            let offsets = offsets.chunks(4).map(|offset| {
                let offset = u32::from_be_bytes(offset.try_into().expect("four bytes"));
                (u64::from(offset) + by).to_be_bytes()
            });
            (
                b"co64",
                [head, &offsets.collect::<Vec<_>>().concat()].concat(),
            )
        }
        box_type => (box_type, payload.to_vec()),
    };
    let size = u32::try_from(payload.len() + 8).expect("small");
    [&size.to_be_bytes()[..], box_type, &payload].concat()
}
