//! Malformed and malicious frames.

use media::{Codec, Rotation, VideoTrack};
use stills::{MAX_FRAME_BYTES, NoStills, make};

use crate::fixtures::*;

fn every_codec() -> [(VideoTrack, &'static [u8]); 5] {
    let track = |codec, config| track(codec, config, Rotation::None);
    [
        (track(Codec::Vp8, &[]), VP8),
        (track(Codec::H264, AVCC), H264),
        (track(Codec::Vp9, &[]), VP9),
        (track(Codec::Av1, AV1C), AV1),
        (track(Codec::H265, HVCC), H265),
    ]
}

fn garbage(length: usize) -> Vec<u8> {
    let numbers = (0_u32..)
        .take(length)
        .map(|index| index.wrapping_mul(2_654_435_761));
    numbers.map(|number| number.to_be_bytes()[1]).collect()
}

#[tokio::test]
async fn garbage_is_an_error_in_every_decoder() {
    let _exclusive = exclusive().await;
    for (track, _) in every_codec() {
        let result = make(
            &decoders(Some(FFMPEG.into())),
            &track,
            at_seconds(&[&garbage(5000)]),
        )
        .await;
        let error = result.expect_err("no picture");
        assert!(
            matches!(
                error,
                NoStills::Undecodable | NoStills::Crashed | NoStills::NoDecoder(_)
            ),
            "{:?}: {error:?}",
            track.codec
        );
    }
    assert_eq!(child_processes(), [""; 0]);
}

#[tokio::test]
async fn truncated_and_damaged_frames_do_not_affect_others() {
    let _exclusive = exclusive().await;
    for (track, frame) in every_codec() {
        let mut damaged = frame.to_vec();
        for byte in damaged.iter_mut().skip(60).step_by(7) {
            *byte = byte.wrapping_mul(31).wrapping_add(7);
        }
        let frames = at_seconds(&[&frame[..20], &frame[..frame.len() / 2], &damaged, frame]);
        let stills = make(&decoders(Some(FFMPEG.into())), &track, frames).await;
        let stills = stills.unwrap_or_else(|error| panic!("{:?}: {error}", track.codec));
        let last = stills.last().expect("a picture");
        assert_eq!(
            last.at.as_secs(),
            3,
            "{:?}: the undamaged frame",
            track.codec
        );
        assert_eq!(corners(last)[0], "red", "{:?}", track.codec);
    }
    assert_eq!(child_processes(), [""; 0]);
}

#[tokio::test]
async fn a_frame_with_huge_dimensions_is_not_decoded() {
    let _exclusive = exclusive().await;
    let mut vp8 = VP8.to_vec();
    vp8[6..10].copy_from_slice(&[0xff, 0x3f, 0xff, 0x3f]);
    let track = track(Codec::Vp8, &[], Rotation::None);
    let result = make(&decoders(None), &track, at_seconds(&[&vp8])).await;
    assert!(matches!(result, Err(NoStills::TooLarge)), "{result:?}");
    let stills = make(&decoders(None), &track, at_seconds(&[&vp8, VP8])).await;
    assert_eq!(stills.expect("the other one").len(), 1);
}

#[tokio::test]
async fn empty_and_oversized_frames_are_not_sent_to_the_decoder() {
    let _exclusive = exclusive().await;
    let track = track(Codec::Vp8, &[], Rotation::None);
    let long = vec![0; MAX_FRAME_BYTES + 1];
    let result = make(&decoders(None), &track, at_seconds(&[&[], &long])).await;
    assert!(matches!(result, Err(NoStills::NoFrame)), "{result:?}");
    let result = make(&decoders(None), &track, Vec::new()).await;
    assert!(matches!(result, Err(NoStills::NoFrame)), "{result:?}");
}
