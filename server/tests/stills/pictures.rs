//! What comes out of frames that are as they should be.

use std::process::Command;
use std::time::{Duration, Instant};

use server::media::{Codec, Container, Reader, Rotation};
use server::stills::{Coded, MOST_STILLS, MOST_STILLS_BYTES, NoStills, STILL_SIDE, choose, make};

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

/// Six seconds, 75 pictures: each two steps lighter than the one before. With one keyframe, and B-frames.
fn ever_lighter(coder: &str, format: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("film.mp4");
    let source =
        "color=size=320x180:rate=12.5:duration=6,format=yuv420p,geq=16+2*N:128:128,format=yuv420p";
    let mut ffmpeg = Command::new(FFMPEG);
    ffmpeg.args(["-v", "error", "-f", "lavfi", "-i", source]);
    // Changes of the scene would be keyframes.
    ffmpeg.args(["-c:v", coder, "-g", "250", "-bf", "3", "-sc_threshold", "0"]);
    ffmpeg.args(["-x265-params", "scenecut=0:log-level=none"]);
    let made = ffmpeg.args(["-pix_fmt", format]).arg(&file).output();
    let made = made.expect("ffmpeg");
    assert!(made.status.success(), "{made:?}");
    std::fs::read(file).expect("a film")
}

#[tokio::test]
async fn between_rare_keyframes_the_pictures_are_those_of_their_moments() {
    let _alone = alone().await;
    for (coder, format, ffmpeg) in [
        ("libx264", "yuv420p", None),
        // Ten bits are nothing for the decoder that is built in.
        ("libx264", "yuv420p10le", Some(FFMPEG)),
        ("libx265", "yuv420p", Some(FFMPEG)),
    ] {
        let film = ever_lighter(coder, format);
        let mut reader = Reader::new(Container::Mp4);
        reader.feed(&film);
        let facts = reader.finish().expect("a film").facts;
        assert_eq!(facts.keyframes.len(), 1, "{coder}");
        let groups = choose(&facts.keyframes, &facts.pictures, 320 * 180);
        let coded = groups.into_iter().map(|group| {
            let place = |it: u64| usize::try_from(it).expect("small");
            let parts = group.bytes.iter();
            let parts = parts.map(|it| &film[place(it.start)..place(it.end)]);
            Coded {
                bytes: parts.collect::<Vec<_>>().concat(),
                moments: group.moments,
            }
        });
        let decoders = decoders(ffmpeg.map(Into::into));
        let stills = make(&decoders, &facts.video, coded.collect()).await;
        let stills = stills.expect("pictures");
        assert!(stills.len() >= 5, "{coder}: {}", stills.len());
        for still in &stills {
            // From video's range of light to a picture's: ITU-T H.273, table 4.
            let shown = still.at.as_secs_f64() * 12.5;
            let want = 2.0 * shown * 255.0 / 219.0;
            let got = light(still);
            assert!(
                (got - want).abs() < 1.5,
                "{coder} at {:?}: {got} for {want}",
                still.at
            );
        }
    }
    assert_eq!(running(), [""; 0]);
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
