//! The audio of recordings by browsers, split anywhere, cut and damaged.

use std::time::Duration;

use proptest::prelude::*;

use super::track::MAX_PACKET_BYTES;
use super::*;
use crate::{Container, Reader};

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!("../../../test-support/fixtures/", $name)) as &[u8]
    };
}

/// Recordings with audio that can be extracted.
const ALL: [(Container, &[u8]); 6] = [
    (Container::WebM, fixture!("chromium-vp8-opus.webm")),
    (Container::WebM, fixture!("firefox-vp8-opus.webm")),
    (Container::Matroska, fixture!("gstreamer_h264_aac.mkv")),
    (Container::Mp4, fixture!("chromium_h264_opus.mp4")),
    (
        Container::Mp4,
        fixture!("ffmpeg_fragments_b_frames_aac.mp4"),
    ),
    (Container::QuickTime, fixture!("ffmpeg_progressive.mov")),
];

fn scan(container: Container, pieces: &[&[u8]]) -> Result<AudioTrack, NoAudio> {
    let mut scanner = Reader::for_audio(container);
    pieces.iter().for_each(|piece| scanner.feed(piece));
    scanner.finish_audio()
}

/// Lifts out the audio in at most `max_bytes`, by pieces of `size` bytes.
fn extract_audio(
    (container, file): (Container, &[u8]),
    size: usize,
    max_bytes: usize,
) -> Result<RemuxedAudio, NoAudio> {
    let track = scan(container, &file.chunks(size).collect::<Vec<_>>())?;
    let range = track.range();
    let within = |offset| usize::try_from(offset).expect("within the file");
    let part = &file[within(range.start)..within(range.end).min(file.len())];
    let mut remuxer = Remuxer::new(track, max_bytes, Duration::MAX);
    for piece in part.chunks(size) {
        remuxer.feed(piece);
    }
    assert!(remuxer.is_done());
    remuxer.finish().ok_or(NoAudio::Missing)
}

#[test]
fn it_makes_no_difference_where_a_recording_is_split() {
    for file in ALL {
        let whole = extract_audio(file, usize::MAX, usize::MAX).expect("audio");
        assert!(!whole.is_cut);
        for size in [1, 7, 1000] {
            assert_eq!(extract_audio(file, size, usize::MAX).expect("audio"), whole);
        }
    }
}

#[test]
fn audio_that_is_too_long_is_cut_behind_a_packet() {
    for file in ALL {
        let whole = extract_audio(file, usize::MAX, usize::MAX).expect("audio");
        let half = extract_audio(file, usize::MAX, whole.bytes.len() / 2).expect("audio");
        assert!(half.is_cut && half.bytes.len() <= whole.bytes.len() / 2);
        assert!(half.clock.duration() < whole.clock.duration());
    }
}

#[test]
fn audio_is_cut_at_the_maximum_duration() {
    const MAX: Duration = Duration::from_millis(500);
    let (container, file) = ALL[0];
    let mut remuxer = Remuxer::new(scan(container, &[file]).expect("audio"), usize::MAX, MAX);
    let range = scan(container, &[file]).expect("audio").range();
    remuxer.feed(&file[usize::try_from(range.start).expect("small")..]);
    assert!(remuxer.is_done());
    let extracted = remuxer.finish().expect("audio");
    let longest = MAX + Duration::from_millis(120);
    assert!(extracted.is_cut && (MAX..longest).contains(&extracted.clock.duration()));
}

#[test]
fn missing_audio_and_unsupported_codecs_are_reported() {
    let silent = scan(Container::WebM, &[fixture!("chromium-vp9.webm")]);
    assert_eq!(silent, Err(NoAudio::Missing));
    assert_eq!(scan(Container::Mp4, &[]), Err(NoAudio::Missing));
    let (_, opus) = ALL[0];
    let at = opus
        .windows(6)
        .position(|it| it == b"A_OPUS")
        .expect("its codec");
    let mut pcm = opus.to_vec();
    pcm[at..at + 6].copy_from_slice(b"A_PCM2");
    let pcm = scan(Container::WebM, &[&pcm]);
    assert_eq!(pcm, Err(NoAudio::UnsupportedCodec));
}

#[test]
fn packets_that_overlap_or_lie_the_other_way_round_are_refused() {
    let config = AacConfig::read(&[0x12, 0x10]).expect("a config");
    let packet = |offset, size| Packet {
        at: None,
        offset,
        size,
    };
    let track = |packets: &[Packet]| {
        let track = AudioTrack::new(AudioCodec::Aac(config), packets.to_vec(), false);
        track.map(|track| track.range())
    };
    assert_eq!(track(&[packet(5, 5), packet(10, 1)]), Ok(5..11));
    assert_eq!(
        track(&[packet(5, 5), packet(9, 1)]),
        Err(NoAudio::Disordered)
    );
    assert_eq!(
        track(&[packet(9, 1), packet(5, 1)]),
        Err(NoAudio::Disordered)
    );
    let left_out = [packet(9, 0), packet(5, MAX_PACKET_BYTES + 1)];
    assert_eq!(track(&left_out), Err(NoAudio::Missing));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_never_panic_nor_exceed_their_bounds(
        file in 0..ALL.len(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30),
        everywhere in any::<bool>(),
        max_bytes in 0..30_000_usize,
    ) {
        let (container, file) = ALL[file];
        let mut file = file.to_vec();
        let within = if everywhere { file.len() } else { file.len().min(2_000) };
        for (at, byte) in damage {
            let at = at.index(within);
            file[at] = byte;
        }
        let Ok(track) = scan(container, &[&file]) else { return Ok(()) };
        let range = track.range();
        prop_assert!(range.end <= file.len() as u64);
        let part = usize::try_from(range.start).expect("small")
            ..usize::try_from(range.end).expect("small");
        let mut remuxer = Remuxer::new(track, max_bytes, Duration::MAX);
        remuxer.feed(&file[part]);
        prop_assert!(remuxer.is_done());
        if let Some(extracted) = remuxer.finish() {
            // The first packet is always written.
            let most = max_bytes.max(MAX_PACKET_BYTES as usize + 1000);
            prop_assert!(extracted.bytes.len() <= most);
        }
    }
}
