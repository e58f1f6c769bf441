//! A video of which each picture says by its lightness when it is shown.

use std::process::Command;

use stills::{CodedGroup, Group, Still};

use crate::fixtures::{FFMPEG, mean_lightness};

/// Frame rate of [`encode_brightening`].
pub const RATE: f64 = 12.5;

const SOURCE: &str =
    "color=size=320x180:rate=12.5:duration=12,format=yuv420p,geq=16+N:128:128,format=yuv420p";

pub const X265: [&str; 6] = [
    "libx265",
    "-x265-params",
    "scenecut=0:log-level=none:open-gop=1",
    "-pix_fmt",
    "yuv420p",
    "-an",
];

/// The codecs of WebM.
pub const WEBM: [&[&str]; 3] = [
    &[
        "libvpx",
        "-b:v",
        "9M",
        "-qmin",
        "2",
        "-deadline",
        "realtime",
    ],
    &[
        "libvpx-vp9",
        "-b:v",
        "9M",
        "-deadline",
        "realtime",
        "-cpu-used",
        "8",
    ],
    &["libaom-av1", "-cpu-used", "8"],
];

/// Encodes 150 frames in twelve seconds, each a step lighter than the one before, with a keyframe every six seconds, and
/// in the codecs that have them with B-frames. Returns the part from `cut` on, without re-encoding.
pub fn encode_brightening(container: &str, coding: &[&str], cut: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).with_extension(container);
    let (whole, part) = (file("whole"), file("part"));
    let run = |arguments: &mut Command| {
        let result = arguments.output().expect("ffmpeg");
        assert!(result.status.success(), "{result:?}");
    };
    let ffmpeg = || {
        let mut ffmpeg = Command::new(FFMPEG);
        ffmpeg.args(["-v", "error"]);
        ffmpeg
    };
    // Scene changes would add keyframes.
    run(ffmpeg()
        .args(["-f", "lavfi", "-i", SOURCE, "-crf", "4"])
        .args(["-g", "75", "-bf", "3", "-sc_threshold", "0", "-c:v"])
        .args(coding)
        .arg(&whole));
    run(ffmpeg()
        .args(["-ss", cut, "-i"])
        .arg(&whole)
        .args(["-c", "copy"])
        .arg(&part));
    std::fs::read(part).expect("a recording")
}

/// The whole video in VP8, in two passes: only then are there pictures that are decoded and not shown.
pub fn encode_with_hidden_pictures() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    for (pass, output) in [("1", "-f null -"), ("2", "whole.webm")] {
        let coding = "-g 75 -c:v libvpx -b:v 9M -qmin 2 -deadline good -cpu-used 1 -auto-alt-ref 1 -lag-in-frames 25";
        let mut ffmpeg = Command::new(FFMPEG);
        ffmpeg.args(["-v", "error", "-f", "lavfi", "-i", SOURCE]);
        ffmpeg.args(coding.split(' ')).args(["-pass", pass]);
        ffmpeg.args(output.split(' ')).current_dir(folder.path());
        let result = ffmpeg.output().expect("ffmpeg");
        assert!(result.status.success(), "{result:?}");
    }
    std::fs::read(folder.path().join("whole.webm")).expect("a recording")
}

/// Cuts a group out of a recording.
pub fn cut(group: Group, recording: &[u8]) -> CodedGroup {
    let place = |it: u64| usize::try_from(it).expect("small");
    let span = group.span();
    group.cut(&recording[place(span.start)..place(span.end)])
}

/// Asserts that a still is as light as the frame at this second of the whole video.
pub fn assert_shows(still: &Still, second: f64, what: &str) {
    // From the limited range of video to the full range of a JPEG: ITU-T H.273, table 4.
    let want = (second * RATE).round() * 255.0 / 219.0;
    let lightness = mean_lightness(still);
    let is_exact = (lightness - want).abs() < 0.58;
    assert!(is_exact, "{what} at {:?}: {lightness} for {want}", still.at);
}
