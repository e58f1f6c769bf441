//! Recordings of three hours with all frames and audio: a minute that ffmpeg repeats.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Duration of the recordings.
pub const THREE_HOURS: Duration = Duration::from_secs(3 * 60 * 60);

/// Encoding and muxing of a long recording.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// File name extension.
    pub extension: &'static str,
    coding: &'static str,
    muxing: &'static str,
}

/// Like Chromium's `MediaRecorder`: clusters without a length, and no index.
pub const WEBM: Recipe = Recipe {
    extension: "webm",
    coding: "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 24k -c:a libopus -b:a 16k",
    muxing: "-f webm -live 1",
};

/// Like browsers' `MediaRecorder`: a fragment for each keyframe.
pub const MP4: Recipe = Recipe {
    extension: "mp4",
    coding: "-c:v libx264 -preset veryfast -b:v 24k -pix_fmt yuv420p -bf 0 -c:a aac -b:a 16k",
    muxing: "-f mp4 -movflags frag_keyframe+empty_moov+default_base_moof",
};

impl Recipe {
    /// Encodes one in this folder, with a keyframe every two seconds.
    pub fn make(self, folder: &Path) -> PathBuf {
        let Self {
            extension,
            coding,
            muxing,
        } = self;
        let source = "-f lavfi -i testsrc2=s=96x64:r=10:d=60 -f lavfi -i sine=f=440:r=48000:d=60";
        ffmpeg(
            folder,
            &format!("{source} -g 20 {coding} minute.{extension}"),
        );
        let seconds = THREE_HOURS.as_secs();
        let repeated = format!("-stream_loop -1 -i minute.{extension} -t {seconds} -map 0 -c copy");
        // Without seeking back in the output, as browsers write.
        let recording = format!("recording.{extension}");
        ffmpeg(
            folder,
            &format!("{repeated} {muxing} -seekable 0 file:{recording}"),
        );
        folder.join(recording)
    }
}

/// Runs ffmpeg in a folder and returns its stderr.
pub fn ffmpeg(folder: &Path, arguments: &str) -> String {
    ffmpeg_with(folder, arguments.split_ascii_whitespace())
}

/// Like [`ffmpeg`], with arguments that may contain spaces.
pub fn ffmpeg_with<'a>(folder: &Path, arguments: impl Iterator<Item = &'a str>) -> String {
    let output = Command::new("ffmpeg")
        .current_dir(folder)
        .args("-nostdin -hide_banner -v verbose -y".split(' '))
        .args(arguments)
        .output()
        .expect("ffmpeg");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    stderr
}
