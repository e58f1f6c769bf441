//! Recordings of more than 4 GiB: what lies beyond is found, and said to lie where it does.

use std::ops::Range;

use media::{Container, Reader, Sealed};

use crate::films::{Film, committed};
use test_support::padding::PaddedRecording;

const FOUR_GIB: u64 = 1 << 32;

/// Fed again and again.
const PIECE: usize = 8 << 20;

/// Reads a recording with so much padding, behind `index`.
fn seal(container: Container, index: &[u8], recording: &PaddedRecording) -> Sealed {
    let mut reader = Reader::new(container);
    reader.feed(index);
    reader.feed(&recording.head);
    let piece = vec![0; PIECE];
    let pieces = recording.padding / PIECE as u64;
    assert_eq!(pieces * PIECE as u64, recording.padding);
    (0..pieces).for_each(|_| reader.feed(&piece));
    reader.feed(&recording.tail);
    reader.finish().expect("sealed")
}

fn film(name: &str) -> Film {
    let mut films = committed().into_iter();
    films.find(|film| film.name == name).expect("committed")
}

/// Where the coded bytes of keyframes and pictures lie.
fn frames(sealed: &Sealed) -> Vec<Range<u64>> {
    let facts = &sealed.facts;
    let keyframes = facts.keyframes.iter().map(|it| it.bytes.clone());
    let pictures = facts.pictures.iter().map(|it| it.bytes.clone());
    keyframes.chain(pictures).collect()
}

/// Those that begin at `from` or behind it, so many bytes further back.
fn moved(frames: Vec<Range<u64>>, from: u64, by: u64) -> Vec<Range<u64>> {
    let move_on = |it: Range<u64>| match it.start >= from {
        true => it.start + by..it.end + by,
        false => it,
    };
    frames.into_iter().map(move_on).collect()
}

#[test]
fn what_was_recorded_beyond_4_gib_is_found_there_and_indexed() {
    for (name, pad) in [
        (
            "chromium-vp8-opus.webm",
            PaddedRecording::webm as fn(&[u8], u64) -> PaddedRecording,
        ),
        ("chromium_h264_opus.mp4", PaddedRecording::mp4),
    ] {
        let film = film(name);
        let small = film.seal().expect("sealed");
        let padded = pad(&film.bytes, FOUR_GIB);
        let large = seal(film.container(), &[], &padded);

        let growth = padded.length() - film.bytes.len() as u64;
        let seam = film.bytes.len() as u64 - padded.tail.len() as u64;
        let want = moved(frames(&small), seam, growth);
        assert!(want.iter().any(|frame| frame.start > FOUR_GIB), "{name}");
        assert_eq!(frames(&large), want, "{name}");
        assert_eq!(large.facts.duration, small.facts.duration, "{name}");
        assert_eq!(large.facts.end, padded.length(), "{name}");
        assert_eq!(large.facts.missing, None, "{name}");

        // Whoever reads the index finds the same, further back by its own length.
        let index = large.index.len() as u64;
        assert!(index > 0, "{name}");
        let served = seal(film.container(), &large.index, &padded);
        assert!(served.index.is_empty(), "{name}: it can be sought already");
        assert_eq!(frames(&served), moved(want, 0, index), "{name}");
        assert_eq!(served.facts.duration, small.facts.duration, "{name}");
        assert_eq!(served.facts.end, index + padded.length(), "{name}");
    }
}

/// As phones write it: the movie box comes last, and its offsets take 64 bits.
#[test]
fn a_file_in_one_piece_of_more_than_4_gib_is_left_as_it_is() {
    let film: &[u8] = include_bytes!("../../../test-support/fixtures/ffmpeg_progressive.mov");
    let [file_type, movie, media] = [b"ftyp", b"moov", b"mdat"].map(|kind| outermost(film, *kind));
    let small = {
        let mut reader = Reader::new(Container::QuickTime);
        reader.feed(film);
        reader.finish().expect("sealed")
    };
    // The samples lie at the end of a media data box whose size takes 64 bits.
    let samples = &film[media.start + 8..media.end];
    let size = 16 + FOUR_GIB + samples.len() as u64;
    let header = [b"\0\0\0\x01mdat", &size.to_be_bytes()[..]].concat();
    let head = [&film[file_type], &header].concat();
    let growth = head.len() as u64 + FOUR_GIB - (media.start + 8) as u64;
    let movie = with_far_chunks(&film[movie], growth);
    let padded = PaddedRecording {
        head,
        padding: FOUR_GIB,
        tail: [samples, &movie].concat(),
    };
    let large = seal(Container::QuickTime, &[], &padded);
    assert!(large.index.is_empty(), "it can be sought already");
    assert_eq!(frames(&large), moved(frames(&small), 0, growth));
    assert_eq!(large.facts.duration, small.facts.duration);
    assert_eq!(large.facts.end, padded.length());
    assert_eq!(large.facts.missing, None);
}

/// Where the first box of this kind lies in a file.
fn outermost(file: &[u8], kind: [u8; 4]) -> Range<usize> {
    let mut boxes = boxes(file);
    boxes
        .find(|it| file[it.start + 4..][..4] == kind)
        .expect("there")
}

/// Where boxes lie that follow each other.
fn boxes(file: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let size = file.get(at..at + 4)?.try_into().expect("four bytes");
        let start = at;
        at += u32::from_be_bytes(size) as usize;
        Some(start..at)
    })
}

/// A box whose chunk offsets, of 32 bits each, become offsets of 64 bits, so many bytes further back.
fn with_far_chunks(file: &[u8], by: u64) -> Vec<u8> {
    let (kind, content) = file[4..].split_first_chunk::<4>().expect("a kind");
    let (kind, content) = match kind {
        b"moov" | b"trak" | b"mdia" | b"minf" | b"stbl" => {
            let parts = boxes(content).map(|part| with_far_chunks(&content[part], by));
            (kind, parts.collect::<Vec<_>>().concat())
        }
        b"stco" => {
            // Version, flags and count stay.
            let (head, offsets) = content.split_at(8);
            let far = offsets.chunks(4).map(|offset| {
                let offset = u32::from_be_bytes(offset.try_into().expect("four bytes"));
                (u64::from(offset) + by).to_be_bytes()
            });
            (b"co64", [head, &far.collect::<Vec<_>>().concat()].concat())
        }
        kind => (kind, content.to_vec()),
    };
    let size = u32::try_from(content.len() + 8).expect("small");
    [&size.to_be_bytes()[..], kind, &content].concat()
}
