//! Checks of the pure parsers, as the bodies of the fuzz targets.
//!
//! The server's parsers are compiled from its files, so that the rest of the server needn't be built.

// For the functions in those files that no target calls.
#![allow(dead_code)]

use axum::http::{HeaderMap, HeaderName, HeaderValue};

#[path = "../../server/src/http/v1/range/mod.rs"]
pub mod range;
#[path = "../../server/src/http/structured.rs"]
mod structured;

#[path = "../../server/src/service/uploads/checksum.rs"]
mod checksum;

#[path = "../../server/src/outbound/transcriber/answer/mod.rs"]
mod answer;

/// The path by which `structured.rs` imports its digests.
pub mod service {
    pub use crate::checksum::{Algorithm, Checksum};
}

/// Checks that more bytes never change what is recognized, and that [`media::SNIFF_BYTES`] suffice.
pub fn sniff(bytes: &[u8]) {
    use media::{SNIFF_BYTES, Sniffed, sniff};

    let sniffed = sniff(bytes);
    if let Some((_, head)) = bytes.split_last()
        && let earlier = sniff(head)
        && earlier != Sniffed::Incomplete
    {
        assert_eq!(earlier, sniffed);
    }
    assert!(bytes.len() < SNIFF_BYTES || sniffed != Sniffed::Incomplete);
}

/// Checks that a range to be served isn't empty and lies within the whole.
pub fn plan((length, header): (u64, &str)) {
    if let range::Plan::Part(part) = range::plan(header, length) {
        assert!(part.start < part.end && part.end <= length);
    }
}

/// Parses bytes as every type of structured field, and checks that no field has two types.
pub fn read_field(bytes: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(bytes) else {
        return;
    };
    let name = HeaderName::from_static("content-digest");
    let headers = HeaderMap::from_iter([(name.clone(), value)]);
    let number = structured::number(&headers, &name);
    let boolean = structured::boolean(&headers, &name);
    assert!(number.is_none() || boolean.is_none());
    let _ = structured::content_digest(&headers);
}

/// Answers a request to the worker, and checks that the server would take whatever that answers.
pub fn serve(request: &[u8]) {
    assert!(stills::fuzzing::serve(request) != Some(false));
}

/// Checks that whatever a worker says of a few pictures, what the server keeps of it is bounded.
pub fn take_answers((count, bytes_each, output): (u8, u16, &[u8])) {
    let _ = stills::fuzzing::take_answers(output, count.into(), bytes_each.into());
}

/// Wraps the pictures of a group for ffmpeg, and checks that an IVF file has each of them once and in order, and that a byte
/// stream doesn't grow beyond what start codes take.
pub fn wrap((codec, config, lengths, bytes): (u8, &[u8], Vec<u16>, &[u8])) {
    use media::Codec::{Av1, H264, H265, Other, Vp8, Vp9};

    let codecs = [Vp8, Vp9, Av1, H264, H265, Other];
    let video = media::VideoTrack {
        codec: codecs[usize::from(codec) % codecs.len()],
        config: config.to_vec(),
        width: 640,
        height: 480,
        rotation: media::Rotation::None,
    };
    let coded = stills::CodedGroup {
        bytes: bytes.to_vec(),
        lengths: lengths.iter().copied().map(usize::from).collect(),
        moments: Vec::new(),
    };
    let Some((format, input)) = stills::fuzzing::ffmpeg_input(&video, &coded) else {
        return;
    };
    if format == "ivf" {
        const HEAD: usize = 32;
        const FRAME_HEAD: usize = 12;
        let (mut rest, mut pictures) = (&input[HEAD..], bytes);
        for (position, length) in (0_u64..).zip(&coded.lengths) {
            let (head, frame) = rest.split_at(FRAME_HEAD);
            let told = u32::from_le_bytes(head[..4].try_into().expect("four bytes"));
            assert_eq!(head[4..], position.to_le_bytes());
            let (frame, next) = frame.split_at(usize::try_from(told).expect("32 bits"));
            let once = if position == 0 { config.len() } else { 0 };
            assert!(frame.len() <= length + once + 2);
            let (picture, others) = pictures.split_at(*length);
            assert!(frame.ends_with(picture));
            (rest, pictures) = (next, others);
        }
        assert!(rest.is_empty(), "a frame too many");
    } else {
        // An empty parameter set has a length of two bytes, and a start code of four.
        assert!(input.len() <= 2 * config.len() + bytes.len() + (1 << 16));
    }
}

/// Reads what a transcriber answers, and checks that times are in order and within the audio, and each text is a line.
pub fn read_transcript((seconds, body): (u8, &[u8])) {
    let duration = std::time::Duration::from_secs(seconds.into());
    let Some(answer) = answer::Answer::read(body, duration) else {
        return;
    };
    assert!(answer.segments.len() <= answer::MAX_SEGMENTS);
    assert!(answer.segments.is_sorted_by_key(|it| it.from));
    for segment in &answer.segments {
        assert!(segment.from <= segment.to && segment.to <= duration);
        assert!(!segment.text.is_empty() && !segment.text.contains(char::is_control));
    }
}

/// Lifts the audio out of a recording that is read in pieces of this size.
fn extract_audio(container: media::Container, bytes: &[u8], size: usize) -> Option<media::RemuxedAudio> {
    use media::{Reader, Remuxer};

    let mut scanner = Reader::for_audio(container);
    bytes.chunks(size).for_each(|piece| scanner.feed(piece));
    let track = scanner.finish_audio().ok()?;
    let range = track.range();
    let within = |offset| usize::try_from(offset).expect("within what was read");
    let part = &bytes[within(range.start)..within(range.end)];
    let mut remuxer = Remuxer::new(track, usize::MAX, std::time::Duration::MAX);
    part.chunks(size).for_each(|piece| remuxer.feed(piece));
    assert!(remuxer.is_done());
    remuxer.finish()
}

/// Checks that the result doesn't depend on how a recording is split, and what must hold of any that is sealed.
pub fn seal(container: media::Container, bytes: &[u8]) {
    let read = |bytes: &[u8], size: usize| {
        let mut reader = media::Reader::new(container);
        for chunk in bytes.chunks(size) {
            reader.feed(chunk);
        }
        reader.finish()
    };
    let extracted = [usize::MAX, 1 + bytes.len() / 7].map(|size| extract_audio(container, bytes, size));
    assert!(
        extracted[0] == extracted[1],
        "the audio depends on where it was split"
    );
    let whole = read(bytes, usize::MAX);
    let split = read(bytes, 1 + bytes.len() / 7);
    assert!(whole == split, "it depends on where it was split");
    let Ok(sealed) = whole else { return };
    let summary = &sealed.summary;
    assert!(summary.end > 0 && summary.end <= bytes.len() as u64);
    assert!(summary.keyframes.len() <= media::MAX_KEYFRAMES);
    assert!(summary.keyframes.is_sorted_by_key(|it| it.at));
    assert!(summary.pictures.len() <= media::MAX_PICTURES);
    for index in [0, summary.pictures.len() / 2, summary.pictures.len()] {
        let pixels = u64::from(summary.video.width) * u64::from(summary.video.height);
        for group in stills::exact(&summary.pictures, &[index], pixels) {
            let span = group.span();
            assert!(span.end <= summary.end);
            let within = |offset| usize::try_from(offset).expect("within what was read");
            let coded = group.cut(&bytes[within(span.start)..within(span.end)]);
            assert!(coded.lengths.iter().sum::<usize>() == coded.bytes.len());
        }
    }
    for keyframe in &summary.keyframes {
        assert!(keyframe.bytes.start < keyframe.bytes.end);
        assert!(keyframe.bytes.end <= summary.end);
    }
    if !sealed.index.is_empty() {
        // It must not panic. That what is served is seekable and has the same summary holds for undamaged recordings
        // only, and is tested with those.
        let end = usize::try_from(summary.end).expect("within what was read");
        let served = [&sealed.index, &bytes[..end]].concat();
        let _ = read(&served, usize::MAX);
    }
}
