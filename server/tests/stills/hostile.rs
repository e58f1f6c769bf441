//! Frames that are not what they say.

use media::{Codec, Rotation, VideoTrack};
use stills::{MOST_FRAME_BYTES, NoStills, make};

use crate::fixtures::*;

fn everything() -> [(VideoTrack, &'static [u8]); 5] {
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
async fn garbage_is_no_picture() {
    let _alone = alone().await;
    for (track, _) in everything() {
        let made = make(
            &decoders(Some(FFMPEG.into())),
            &track,
            timed(&[&garbage(5000)]),
        )
        .await;
        let error = made.expect_err("no picture");
        assert!(
            matches!(
                error,
                NoStills::Unreadable | NoStills::Died | NoStills::NoDecoder(_)
            ),
            "{:?}: {error:?}",
            track.codec
        );
    }
    assert_eq!(running(), [""; 0]);
}

#[tokio::test]
async fn a_frame_that_is_cut_off_or_damaged_harms_nothing() {
    let _alone = alone().await;
    for (track, frame) in everything() {
        let mut damaged = frame.to_vec();
        for byte in damaged.iter_mut().skip(60).step_by(7) {
            *byte = byte.wrapping_mul(31).wrapping_add(7);
        }
        let frames = timed(&[&frame[..20], &frame[..frame.len() / 2], &damaged, frame]);
        let stills = make(&decoders(Some(FFMPEG.into())), &track, frames).await;
        let stills = stills.unwrap_or_else(|error| panic!("{:?}: {error}", track.codec));
        let last = stills.last().expect("a picture");
        assert_eq!(
            last.at.as_secs(),
            3,
            "{:?}: the good one is there",
            track.codec
        );
        assert_eq!(corners(last)[0], "red", "{:?}", track.codec);
    }
    assert_eq!(running(), [""; 0]);
}

#[tokio::test]
async fn a_frame_that_claims_to_be_huge_is_not_decoded() {
    let _alone = alone().await;
    let mut vp8 = VP8.to_vec();
    vp8[6..10].copy_from_slice(&[0xff, 0x3f, 0xff, 0x3f]);
    let track = track(Codec::Vp8, &[], Rotation::None);
    let made = make(&decoders(None), &track, timed(&[&vp8])).await;
    assert!(matches!(made, Err(NoStills::TooLarge)), "{made:?}");
    let stills = make(&decoders(None), &track, timed(&[&vp8, VP8])).await;
    assert_eq!(stills.expect("the other one").len(), 1);
}

#[tokio::test]
async fn frames_that_are_empty_or_too_long_are_not_even_sent() {
    let _alone = alone().await;
    let track = track(Codec::Vp8, &[], Rotation::None);
    let long = vec![0; MOST_FRAME_BYTES + 1];
    let made = make(&decoders(None), &track, timed(&[&[], &long])).await;
    assert!(matches!(made, Err(NoStills::NoFrame)), "{made:?}");
    let made = make(&decoders(None), &track, Vec::new()).await;
    assert!(matches!(made, Err(NoStills::NoFrame)), "{made:?}");
}
