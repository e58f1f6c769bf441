//! Decoding of well-formed frames.

use std::process::Command;
use std::time::{Duration, Instant};

use media::{Codec, Container, Reader, Rotation};
use stills::{MAX_STILLS, MAX_STILLS_BYTES, NoStills, STILL_SIDE, Still, beginning, choose, make};

use crate::brightening::*;
use crate::fixtures::*;

const ROTATIONS: [(Rotation, [&str; 4]); 4] = [
    (Rotation::None, ["red", "lime", "blue", "white"]),
    (Rotation::Quarter, ["white", "red", "lime", "blue"]),
    (Rotation::Half, ["blue", "white", "red", "lime"]),
    (Rotation::ThreeQuarters, ["lime", "blue", "white", "red"]),
];

/// Encodes a keyframe of an ffmpeg source.
fn frame(source: &str, codec: &[&str]) -> Vec<u8> {
    let result = Command::new(FFMPEG)
        .args(["-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1"])
        .args(["-pix_fmt", "yuv420p", "-c:v"])
        .args(codec)
        .arg("-")
        .output()
        .expect("ffmpeg");
    assert!(result.status.success(), "{result:?}");
    result.stdout
}

fn vp8(source: &str) -> Vec<u8> {
    frame(source, &["libvpx", "-b:v", "60M", "-f", "ivf"])[44..].to_vec()
}

/// In Annex B format, which the decoder takes unchanged.
fn h264(source: &str) -> Vec<u8> {
    frame(source, &["libx264", "-crf", "18", "-f", "h264"])
}

/// Else the green of a phone's video is another one.
#[tokio::test]
async fn h264_is_shown_in_the_colours_that_it_declares() {
    let _exclusive = exclusive().await;
    const GREEN: [u8; 3] = [0, 188, 0];
    for (matrix, range) in [
        ("bt709", "tv"),
        ("bt709", "pc"),
        ("smpte170m", "pc"),
        ("smpte170m", "tv"),
        ("bt2020nc", "tv"),
    ] {
        let source = format!(
            "color=0x00bc00:s=320x180,format=rgb24,\
             scale=out_color_matrix={matrix}:out_range={range},format=yuv420p"
        );
        let codec = ["libx264", "-crf", "10", "-f", "h264"];
        let declares = ["-colorspace", matrix, "-color_range", range];
        let coded = frame(&source, &[&codec[..], &declares].concat());
        let track = track(Codec::H264, AVCC, Rotation::None);
        let stills = make(&decoders(None), &track, at_seconds(&[&coded])).await;
        let shown = middle(&stills.expect("stills")[0]);
        let is_near = shown
            .iter()
            .zip(GREEN)
            .all(|(got, want)| got.abs_diff(want) <= 6);
        assert!(is_near, "{matrix} {range}: {shown:?}");
    }
}

#[tokio::test]
async fn stills_are_upright_for_every_codec_and_rotation() {
    let _exclusive = exclusive().await;
    let every_codec = [
        (Codec::Vp8, &[][..], VP8, None),
        (Codec::H264, AVCC, H264, None),
        (Codec::Vp9, &[], VP9, Some(FFMPEG)),
        (Codec::Av1, AV1C, AV1, Some(FFMPEG)),
        (Codec::H265, HVCC, H265, Some(FFMPEG)),
    ];
    for (codec, config, frame, ffmpeg) in every_codec {
        let decoders = decoders(ffmpeg.map(Into::into));
        for (rotation, want) in ROTATIONS {
            let track = track(codec, config, rotation);
            let stills = make(&decoders, &track, at_seconds(&[frame, frame])).await;
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
    assert_eq!(child_processes(), [""; 0]);
}

#[tokio::test]
async fn a_large_frame_is_scaled_down() {
    let _exclusive = exclusive().await;
    let source = "testsrc2=size=3840x2160:rate=1";
    for (codec, frame) in [(Codec::Vp8, vp8(source)), (Codec::H264, h264(source))] {
        let track = track(codec, &[], Rotation::Quarter);
        let stills = make(&decoders(None), &track, at_seconds(&[&frame])).await;
        let stills = stills.expect("a picture");
        assert_eq!((stills[0].width, stills[0].height), (432, STILL_SIDE));
    }
}

#[tokio::test]
async fn twelve_stills_of_noise_stay_within_the_byte_limit() {
    let _exclusive = exclusive().await;
    let noise = vp8("nullsrc=size=480x270:rate=1,geq=random(1)*255:128:128");
    let track = track(Codec::Vp8, &[], Rotation::None);
    let start = Instant::now();
    let stills = make(&decoders(None), &track, at_seconds(&[noise.as_slice(); 14])).await;
    let stills = stills.expect("pictures");
    let bytes: usize = stills.iter().map(|still| still.jpeg.len()).sum();
    println!(
        "{bytes} bytes of {}x{} in {:?}",
        stills[0].width,
        stills[0].height,
        start.elapsed()
    );
    assert_eq!(stills.len(), MAX_STILLS);
    assert!(bytes <= MAX_STILLS_BYTES, "{bytes}");
    assert!(stills[0].width >= 320, "{}", stills[0].width);
}

#[tokio::test]
async fn a_hidden_vp8_frame_becomes_a_still() {
    let _exclusive = exclusive().await;
    let mut hidden = VP8.to_vec();
    hidden[0] &= !0x10;
    let track = track(Codec::Vp8, &[], Rotation::None);
    let stills = make(&decoders(None), &track, at_seconds(&[&hidden])).await;
    assert_eq!(corners(&stills.expect("a picture")[0]), ROTATIONS[0].1);
}

#[tokio::test]
async fn h264_parameter_sets_may_be_in_band() {
    let _exclusive = exclusive().await;
    let frame = h264("testsrc2=size=322x178:rate=1");
    let track = track(Codec::H264, &[], Rotation::None);
    let stills = make(&decoders(None), &track, at_seconds(&[&frame])).await;
    let stills = stills.expect("a picture");
    assert_eq!((stills[0].width, stills[0].height), (322, 178));
}

/// The stills of a recording.
async fn stills_of(container: Container, recording: &[u8], ffmpeg: Option<&str>) -> Vec<Still> {
    let mut reader = Reader::new(container);
    reader.feed(recording);
    let summary = reader.finish().expect("a recording").summary;
    const PIXELS: u64 = 320 * 180;
    let (keyframes, pictures) = (&summary.keyframes, &summary.pictures);
    let begin = beginning(keyframes, pictures, PIXELS);
    let left = MAX_STILLS - begin.iter().map(|it| it.moments.len()).sum::<usize>();
    let rest = choose(keyframes, pictures, PIXELS, left);
    let groups = begin.into_iter().chain(rest);
    // As the server stores them.
    let has_runs = matches!(summary.video.codec, Codec::H264 | Codec::H265);
    let groups = groups.map(|it| match has_runs {
        true => it.into_runs(),
        false => it,
    });
    let coded = groups.map(|it| cut(it, recording));
    let decoders = decoders(ffmpeg.map(Into::into));
    let stills = make(&decoders, &summary.video, coded.collect()).await;
    stills.unwrap_or_else(|why| panic!("{:?}, {:?}: {why}", summary.video, summary.keyframes))
}

#[tokio::test]
async fn stills_between_rare_keyframes_show_their_exact_time() {
    let _exclusive = exclusive().await;
    let x264 = ["libx264", "-pix_fmt", "yuv420p"];
    let slices = ["libx264", "-pix_fmt", "yuv420p", "-slices", "4"];
    let open = [
        "libx264",
        "-pix_fmt",
        "yuv420p",
        "-x264-params",
        "open-gop=1:keyint=75",
    ];
    // The built-in decoder supports neither open GOPs nor ten bits.
    let ten_bits = ["libx264", "-pix_fmt", "yuv420p10le"];
    for (coding, ffmpeg) in [
        (&x264[..], None),
        (&slices, None),
        (&open, Some(FFMPEG)),
        (&ten_bits, Some(FFMPEG)),
        (&X265, Some(FFMPEG)),
    ] {
        // The second cut is behind the second keyframe, where frames of an open GOP are shown before it.
        for cut in ["0", "6.5"] {
            let recording = encode_brightening("mp4", coding, cut);
            let stills = stills_of(Container::Mp4, &recording, ffmpeg).await;
            assert!(stills.len() >= 5, "{coding:?} {cut}: {}", stills.len());
            let begin: f64 = cut.parse().expect("a number");
            for still in &stills {
                // The first one as well, though decoding begins with a keyframe that is cut off.
                let shown = begin + still.at.as_secs_f64();
                assert_shows(still, shown, &format!("{coding:?} {cut}"));
            }
            assert!(stills[0].at.is_zero(), "{coding:?} {cut}");
        }
    }
    assert_eq!(child_processes(), [""; 0]);
}

/// Firefox writes a keyframe every seven seconds or so.
#[tokio::test]
async fn stills_between_rare_keyframes_of_webm_show_their_exact_time() {
    let _exclusive = exclusive().await;
    let hidden = ("with hidden pictures", encode_with_hidden_pictures());
    let codings = WEBM.map(|coding| (coding[0], encode_brightening("webm", coding, "0")));
    for (name, recording) in codings.into_iter().chain([hidden]) {
        let stills = stills_of(Container::WebM, &recording, Some(FFMPEG)).await;
        assert!(stills.len() >= 8, "{name}: {}", stills.len());
        let last = stills.last().expect("several").at;
        assert!(last > Duration::from_secs(11), "{name}: {last:?}");
        for still in &stills {
            assert_shows(still, still.at.as_secs_f64(), name);
        }
    }
    let vp8 = encode_brightening("webm", WEBM[0], "0");
    let keyframes = stills_of(Container::WebM, &vp8, None).await;
    assert_eq!(keyframes.len(), 2, "the built-in decoder reads no others");
    assert_eq!(child_processes(), [""; 0]);
}

#[tokio::test]
async fn damaged_frames_between_keyframes_fall_back_to_keyframes() {
    let _exclusive = exclusive().await;
    for (coding, ffmpeg) in [
        (&["libx264", "-pix_fmt", "yuv420p"][..], None),
        (&["libx264", "-pix_fmt", "yuv420p10le"], Some(FFMPEG)),
        (&X265, Some(FFMPEG)),
    ] {
        let mut recording = encode_brightening("mp4", coding, "0");
        let facts = |recording: &[u8]| {
            let mut reader = Reader::new(Container::Mp4);
            reader.feed(recording);
            reader.finish().expect("a recording").summary
        };
        let early_frame = facts(&recording).pictures[4].bytes.clone();
        // Behind the NAL unit's length and header.
        let early_frame = usize::try_from(early_frame.start + 8).expect("small")
            ..usize::try_from(early_frame.end).expect("small");
        recording[early_frame].fill(0xff);
        let stills = stills_of(Container::Mp4, &recording, ffmpeg).await;
        let at: Vec<_> = stills.iter().map(|it| it.at.as_millis()).collect();
        assert!(at.contains(&0) && at.contains(&6000), "{coding:?}: {at:?}");
        for still in stills {
            assert_shows(&still, still.at.as_secs_f64(), &format!("{coding:?}"));
        }
    }
}

#[tokio::test]
async fn ffmpeg_decodes_what_the_built_in_decoder_cannot() {
    let _exclusive = exclusive().await;
    let source = "testsrc2=size=320x180:rate=1";
    // The last pixel format counts.
    let ten_bits = frame(
        source,
        &["libx264", "-pix_fmt", "yuv420p10le", "-f", "h264"],
    );
    let track = track(Codec::H264, &[], Rotation::None);
    let none = make(&decoders(None), &track, at_seconds(&[&ten_bits])).await;
    none.expect_err("not read here");
    let frames = at_seconds(&[&h264(source), &ten_bits]);
    let stills = make(&decoders(Some(FFMPEG.into())), &track, frames).await;
    assert_eq!(stills.expect("pictures").len(), 2);
}

#[tokio::test]
async fn a_missing_decoder_error_names_the_codec() {
    let _exclusive = exclusive().await;
    let track = track(Codec::Vp9, &[], Rotation::None);
    let none = make(&decoders(None), &track, at_seconds(&[VP9])).await;
    let error = none.expect_err("no decoder");
    assert!(matches!(error, NoStills::NoDecoder(Codec::Vp9)));
    assert_eq!(error.to_string(), "there is no decoder for VP9 here");
}
