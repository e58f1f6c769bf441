//! Generated recordings with the length and bit rate of a phone's.

use std::path::Path;

use tokio::process::Command;

use test_support::tools::run;

/// A moving test picture, with a keyframe every three seconds.
const CODING: &str = "-c:v libx264 -preset ultrafast -profile:v baseline -pix_fmt yuv420p -g 90 \
                      -b:v 2400k -maxrate 2400k -bufsize 2400k -f mp4 \
                      -movflags frag_keyframe+empty_moov+default_base_moof";

/// A fragmented MP4 in 720p, as Safari records it.
/// It is silent: in a tone a transcriber now and then hears "Beep beep".
pub async fn encode(seconds: u64) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = format!("testsrc2=s=1280x720:r=30:d={seconds},noise=alls=12:allf=t");
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args(["-nostdin", "-loglevel", "error"]);
    ffmpeg.args(["-f", "lavfi", "-i", &picture]);
    ffmpeg.args(CODING.split_whitespace()).arg("recording.mp4");
    run(&mut ffmpeg, folder.path()).await;
    read(&folder.path().join("recording.mp4"))
}

fn read(file: &Path) -> Vec<u8> {
    std::fs::read(file).expect("a recording")
}
