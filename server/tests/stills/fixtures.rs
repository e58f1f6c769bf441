//! Frames to decode, and readers of the decoded pictures.

use std::path::PathBuf;
use std::time::Duration;

use media::{Codec, Rotation, VideoTrack};
use stills::{CodedGroup, Decoders, Moment, Still};
use tokio::sync::{Mutex, MutexGuard};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

pub const VP8: &[u8] = include_bytes!("../../../crates/test-support/fixtures/frames/vp8.frame");
pub const VP9: &[u8] = include_bytes!("../../../crates/test-support/fixtures/frames/vp9.frame");
pub const H264: &[u8] = include_bytes!("../../../crates/test-support/fixtures/frames/h264.frame");
pub const AVCC: &[u8] = include_bytes!("../../../crates/test-support/fixtures/frames/h264.config");
pub const H265: &[u8] = include_bytes!("../../../crates/test-support/fixtures/frames/hevc.frame");
pub const HVCC: &[u8] = include_bytes!("../../../crates/test-support/fixtures/frames/hevc.config");
pub const AV1: &[u8] = include_bytes!("../../../crates/test-support/fixtures/frames/av1.frame");
pub const AV1C: &[u8] = include_bytes!("../../../crates/test-support/fixtures/frames/av1.config");

pub const FFMPEG: &str = "/usr/bin/ffmpeg";

/// Serializes tests in one process whose children [`child_processes`] would see.
pub async fn exclusive() -> MutexGuard<'static, ()> {
    static EXCLUSIVE: Mutex<()> = Mutex::const_new(());
    EXCLUSIVE.lock().await
}

pub fn decoders(ffmpeg: Option<PathBuf>) -> Decoders {
    Decoders::new(env!("CARGO_BIN_EXE_vidence").into(), ffmpeg)
}

pub fn track(codec: Codec, config: &[u8], rotation: Rotation) -> VideoTrack {
    VideoTrack {
        codec,
        config: config.to_vec(),
        width: 320,
        height: 180,
        rotation,
    }
}

pub fn at_seconds(frames: &[&[u8]]) -> Vec<CodedGroup> {
    let frames = frames.iter().zip(0..);
    let coded = frames.map(|(frame, second)| CodedGroup {
        bytes: frame.to_vec(),
        lengths: vec![frame.len()],
        moments: vec![Moment {
            at: Duration::from_secs(second),
            position: 0,
        }],
    });
    coded.collect()
}

/// RGB pixels, row by row.
fn pixels(still: &Still) -> Vec<u8> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let jpeg = std::io::Cursor::new(&still.jpeg);
    let mut decoder = JpegDecoder::new_with_options(jpeg, options);
    let rgb = decoder.decode().expect("a JPEG");
    let (width, height) = (still.width as usize, still.height as usize);
    assert_eq!(decoder.dimensions(), Some((width, height)));
    assert_eq!(rgb.len(), width * height * 3);
    rgb
}

/// Mean lightness of a grey picture.
pub fn mean_lightness(still: &Still) -> f64 {
    let pixels = pixels(still);
    pixels.iter().map(|it| f64::from(*it)).sum::<f64>() / pixels.len() as f64
}

/// The colour of the pixel in the middle.
pub fn middle(still: &Still) -> [u8; 3] {
    let (width, height) = (still.width as usize, still.height as usize);
    let middle = (height / 2 * width + width / 2) * 3;
    pixels(still)[middle..]
        .first_chunk()
        .copied()
        .expect("a pixel")
}

/// Colours of the four corners, clockwise from the top left.
pub fn corners(still: &Still) -> [&'static str; 4] {
    let rgb = pixels(still);
    let (width, height) = (still.width as usize, still.height as usize);
    let (left, right) = (width / 16, width - width / 16);
    let (top, bottom) = (height / 16, height - height / 16);
    [(left, top), (right, top), (right, bottom), (left, bottom)].map(|(x, y)| {
        let pixel = &rgb[(y * width + x) * 3..][..3];
        match [pixel[0] > 128, pixel[1] > 128, pixel[2] > 128] {
            [true, false, false] => "red",
            [false, true, false] => "lime",
            [false, false, true] => "blue",
            [true, true, true] => "white",
            other => panic!("{pixel:?} at {x}, {y} is none of the four: {other:?}"),
        }
    })
}

/// Child processes of this one.
pub fn child_processes() -> Vec<String> {
    let ours = std::process::id().to_string();
    let children = std::fs::read_dir("/proc").expect("/proc").filter_map(|it| {
        let stat = std::fs::read_to_string(it.ok()?.path().join("stat")).ok()?;
        let behind = stat.rsplit_once(')')?.1.to_owned();
        let parent = behind.split_whitespace().nth(1)?.to_owned();
        (parent == ours).then_some(stat)
    });
    children.collect()
}
