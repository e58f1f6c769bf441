//! Generated recordings with the length and bit rate of a phone's.

use std::path::Path;

use tokio::process::Command;

use test_support::tools::run;

/// A moving test picture and a tone, with a keyframe every three seconds.
const CODING: &str = "-c:v libx264 -preset ultrafast -profile:v baseline -pix_fmt yuv420p -g 90 \
                      -b:v 2400k -maxrate 2400k -bufsize 2400k -c:a aac -b:a 96k -f mp4 \
                      -movflags frag_keyframe+empty_moov+default_base_moof";

/// A fragmented MP4 in 720p, as Safari records it.
pub async fn encode(seconds: u64) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = format!("testsrc2=s=1280x720:r=30:d={seconds},noise=alls=12:allf=t");
    let audio = format!("sine=f=440:r=48000:d={seconds}");
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args(["-nostdin", "-loglevel", "error"]);
    for source in [picture, audio] {
        ffmpeg.args(["-f", "lavfi", "-i", &source]);
    }
    ffmpeg.args(CODING.split_whitespace()).arg("recording.mp4");
    run(&mut ffmpeg, folder.path()).await;
    read(&folder.path().join("recording.mp4"))
}

fn read(file: &Path) -> Vec<u8> {
    std::fs::read(file).expect("a recording")
}
