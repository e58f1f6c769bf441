//! What comes out of frames that are as they should be.

use std::process::Command;
use std::time::{Duration, Instant};

use server::media::{Codec, Rotation};
use server::stills::{MOST_STILLS, MOST_STILLS_BYTES, NoStills, STILL_SIDE, make};

use crate::fixtures::*;

const ROTATIONS: [(Rotation, [&str; 4]); 4] = [
    (Rotation::None, ["red", "lime", "blue", "white"]),
    (Rotation::Quarter, ["white", "red", "lime", "blue"]),
    (Rotation::Half, ["blue", "white", "red", "lime"]),
    (Rotation::ThreeQuarters, ["lime", "blue", "white", "red"]),
];

/// A key frame that ffmpeg makes of one of its sources.
fn frame(source: &str, codec: &[&str]) -> Vec<u8> {
    let made = Command::new(FFMPEG)
        .args(["-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1"])
        .args(["-pix_fmt", "yuv420p", "-c:v"])
        .args(codec)
        .arg("-")
        .output()
        .expect("ffmpeg");
    assert!(made.status.success(), "{made:?}");
    made.stdout
}

fn vp8(source: &str) -> Vec<u8> {
    frame(source, &["libvpx", "-b:v", "60M", "-f", "ivf"])[44..].to_vec()
}

/// As Annex B, which is taken as it is.
fn h264(source: &str) -> Vec<u8> {
    frame(source, &["libx264", "-crf", "18", "-f", "h264"])
}

#[tokio::test]
async fn a_picture_stands_upright_whatever_the_codec_and_the_rotation() {
    let _alone = alone().await;
    let everything = [
        (Codec::Vp8, &[][..], VP8, None),
        (Codec::H264, AVCC, H264, None),
        (Codec::Vp9, &[], VP9, Some(FFMPEG)),
        (Codec::Av1, AV1C, AV1, Some(FFMPEG)),
        (Codec::H265, HVCC, H265, Some(FFMPEG)),
    ];
    for (codec, config, frame, ffmpeg) in everything {
        let decoders = decoders(ffmpeg.map(Into::into));
        for (rotation, want) in ROTATIONS {
            let track = track(codec, config, rotation);
            let stills = make(&decoders, &track, timed(&[frame, frame])).await;
            let stills = stills.unwrap_or_else(|error| panic!("{codec:?}: {error}"));
            assert_eq!(stills.len(), 2, "{codec:?}");
            let size = match rotation {
                Rotation::None | Rotation::Half => (320, 180),
                Rotation::Quarter | Rotation::ThreeQuarters => (180, 320),
            };
            assert_eq!((stills[1].width, stills[1].height), size, "{codec:?}");
            assert_eq!(stills[1].at, Duration::from_secs(1));
            assert_eq!(corners(&stills[1]), want, "{codec:?} {rotation:?}");
        }
    }
    assert_eq!(running(), [""; 0]);
}

#[tokio::test]
async fn a_large_frame_is_scaled_down() {
    let _alone = alone().await;
    let source = "testsrc2=size=3840x2160:rate=1";
    for (codec, frame) in [(Codec::Vp8, vp8(source)), (Codec::H264, h264(source))] {
        let track = track(codec, &[], Rotation::Quarter);
        let stills = make(&decoders(None), &track, timed(&[&frame])).await;
        let stills = stills.expect("a picture");
        assert_eq!((stills[0].width, stills[0].height), (432, STILL_SIDE));
    }
}

#[tokio::test]
async fn twelve_pictures_of_noise_fit() {
    let _alone = alone().await;
    let noise = vp8("nullsrc=size=480x270:rate=1,geq=random(1)*255:128:128");
    let track = track(Codec::Vp8, &[], Rotation::None);
    let began = Instant::now();
    let stills = make(&decoders(None), &track, timed(&[noise.as_slice(); 14])).await;
    let stills = stills.expect("pictures");
    let bytes: usize = stills.iter().map(|still| still.jpeg.len()).sum();
    println!(
        "{bytes} bytes of {}x{} in {:?}",
        stills[0].width,
        stills[0].height,
        began.elapsed()
    );
    assert_eq!(stills.len(), MOST_STILLS);
    assert!(bytes <= MOST_STILLS_BYTES, "{bytes}");
    assert!(stills[0].width >= 320, "{}", stills[0].width);
}

#[tokio::test]
async fn a_frame_that_is_not_shown_is_a_picture_all_the_same() {
    let _alone = alone().await;
    let mut hidden = VP8.to_vec();
    hidden[0] &= !0x10;
    let track = track(Codec::Vp8, &[], Rotation::None);
    let stills = make(&decoders(None), &track, timed(&[&hidden])).await;
    assert_eq!(corners(&stills.expect("a picture")[0]), ROTATIONS[0].1);
}

#[tokio::test]
async fn parameter_sets_may_lie_in_the_frame_alone() {
    let _alone = alone().await;
    let frame = h264("testsrc2=size=322x178:rate=1");
    let track = track(Codec::H264, &[], Rotation::None);
    let stills = make(&decoders(None), &track, timed(&[&frame])).await;
    let stills = stills.expect("a picture");
    assert_eq!((stills[0].width, stills[0].height), (322, 178));
}

#[tokio::test]
async fn what_the_built_in_decoder_cannot_read_ffmpeg_does() {
    let _alone = alone().await;
    let source = "testsrc2=size=320x180:rate=1";
    // The later pixel format counts.
    let ten_bits = frame(
        source,
        &["libx264", "-pix_fmt", "yuv420p10le", "-f", "h264"],
    );
    let track = track(Codec::H264, &[], Rotation::None);
    let none = make(&decoders(None), &track, timed(&[&ten_bits])).await;
    none.expect_err("not read here");
    let frames = timed(&[&h264(source), &ten_bits]);
    let stills = make(&decoders(Some(FFMPEG.into())), &track, frames).await;
    assert_eq!(stills.expect("pictures").len(), 2);
}

#[tokio::test]
async fn without_a_decoder_the_codec_is_named() {
    let _alone = alone().await;
    let track = track(Codec::Vp9, &[], Rotation::None);
    let none = make(&decoders(None), &track, timed(&[VP9])).await;
    let error = none.expect_err("no decoder");
    assert!(matches!(error, NoStills::NoDecoder(Codec::Vp9)));
    assert_eq!(error.to_string(), "no decoder for VP9 is installed here");
}
