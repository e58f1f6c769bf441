//! Hostile and damaged recordings, and those of extreme length.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;
use proptest::prelude::*;

use super::fixtures::{BROWSERS, frame, keyframe, leaf, live, master, timestamp, unsized_master};
use super::*;
use crate::summary::MAX_KEYFRAMES;
use crate::webm::element::write_header;

#[test]
fn extreme_numbers_are_tolerated() {
    let cluster = |ticks| unsized_master(mkv::Cluster::ID, &[timestamp(ticks), keyframe(i16::MAX)]);
    let info = |scale| master(mkv::Info::ID, &[leaf(&mkv::TimestampScale(scale))]);
    let far = live(&[info(u64::MAX), cluster(u64::MAX)]);
    assert_eq!(summary(&far).duration, Duration::ZERO);
    let early = unsized_master(mkv::Cluster::ID, &[timestamp(0), keyframe(-5)]);
    assert_eq!(summary(&live(&[early])).keyframes[0].at, Duration::ZERO);
    // A TimestampScale of 0 is invalid.
    let frames = [timestamp(0), keyframe(0), frame(500)];
    let recording = live(&[info(0), unsized_master(mkv::Cluster::ID, &frames)]);
    assert_eq!(milliseconds(&recording), 1000);

    // An element that exceeds its parent, or any disk.
    let recording = live(&[unsized_master(
        mkv::Cluster::ID,
        &[timestamp(0), keyframe(0)],
    )]);
    let mut wide = recording.clone();
    write_header(mkv::SimpleBlock::ID, (1 << 56) - 2, &mut wide);
    assert_eq!(summary(&wide).end, recording.len() as u64);
    let mut nested = recording.clone();
    write_header(mkv::BlockGroup::ID, 10, &mut nested);
    write_header(mkv::Block::ID, 1000, &mut nested);
    nested.extend([0; 2000]);
    assert_eq!(summary(&nested).end, recording.len() as u64);
}

#[test]
fn a_long_recording_keeps_an_even_selection_of_keyframes() {
    let clusters: Vec<_> = (0..10_000)
        .map(|second| unsized_master(mkv::Cluster::ID, &[timestamp(second * 1000), keyframe(0)]))
        .collect();
    let sealed = seal(&live(&clusters)).expect("sealed");
    let kept = &sealed.summary.keyframes;
    assert!(kept.len() <= MAX_KEYFRAMES && kept.len() > MAX_KEYFRAMES / 2);
    let step = kept[1].at - kept[0].at;
    assert!(kept.windows(2).all(|two| two[1].at - two[0].at == step));
    assert!(sealed.index.len() < 100_000);
}

#[test]
fn millions_of_tiny_elements_need_no_memory() {
    let mut reader = WebMReader::new();
    reader.feed(&live(&[unsized_master(
        mkv::Cluster::ID,
        &[timestamp(0), keyframe(0)],
    )]));
    let void = [0xec, 0x80].repeat(1 << 16);
    for _ in 0..16 {
        reader.feed(&void);
    }
    assert!(reader.finish().is_ok());
}

/// A recording of a browser with overwritten bytes, then cut off.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let damages = proptest::collection::vec((0.0..1.0_f64, any::<u8>(), any::<bool>()), 0..6);
    (0..BROWSERS.len(), damages, 0.0..1.2_f64).prop_map(|(which, damages, cut)| {
        let mut bytes = BROWSERS[which].to_vec();
        let offset = |share: f64, length: usize| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                clippy::cast_sign_loss,
                reason = "shares of small numbers"
            )]
            let offset = (share * length as f64) as usize;
            offset
        };
        for (share, byte, early) in damages {
            let length = if early { 400 } else { bytes.len() };
            bytes[offset(share, length)] = byte;
        }
        let length = offset(cut, bytes.len());
        bytes.truncate(length);
        bytes
    })
}

proptest! {
    #[test]
    fn it_makes_no_difference_where_a_recording_is_split(
        bytes in damaged(),
        size in 1_usize..40,
    ) {
        let mut reader = WebMReader::new();
        bytes.chunks(size).for_each(|chunk| reader.feed(chunk));
        prop_assert_eq!(reader.finish(), seal(&bytes));
    }

    #[test]
    fn every_sealed_recording_is_seekable(bytes in damaged()) {
        let Ok(sealed) = seal(&bytes) else { return Ok(()) };
        prop_assert!(sealed.summary.end <= bytes.len() as u64);
        for keyframe in &sealed.summary.keyframes {
            prop_assert!(keyframe.bytes.start < keyframe.bytes.end);
            prop_assert!(keyframe.bytes.end <= sealed.summary.end);
        }
        let again = seal(&served(&sealed, &bytes)).expect("sealed again");
        prop_assert!(again.index.is_empty());
        prop_assert_eq!(again.summary.duration, sealed.summary.duration);
        prop_assert_eq!(again.summary.keyframes.len(), sealed.summary.keyframes.len());
    }

    #[test]
    fn random_bytes_are_refused(
        noise in proptest::collection::vec(any::<u8>(), 0..2000),
        begun: bool,
    ) {
        let bytes = if begun { live(&[noise]) } else { noise };
        prop_assert!(seal(&bytes).is_err());
    }
}
