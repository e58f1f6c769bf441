//! Recordings of three hours, with as many frames and as much sound as that has: a minute that ffmpeg repeats.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long they are.
pub const THREE_HOURS: Duration = Duration::from_secs(3 * 60 * 60);

/// How a recording of three hours is written.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Of the file.
    pub extension: &'static str,
    coding: &'static str,
    muxing: &'static str,
}

/// As Chromium writes it: clusters without a length, and no index.
pub const WEBM: Recipe = Recipe {
    extension: "webm",
    coding: "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 24k -c:a libopus -b:a 16k",
    muxing: "-f webm -live 1",
};

/// As browsers write it: a fragment for each keyframe.
pub const MP4: Recipe = Recipe {
    extension: "mp4",
    coding: "-c:v libx264 -preset veryfast -b:v 24k -pix_fmt yuv420p -bf 0 -c:a aac -b:a 16k",
    muxing: "-f mp4 -movflags frag_keyframe+empty_moov+default_base_moof",
};

impl Recipe {
    /// Makes one in this folder, with a keyframe every two seconds.
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
        // To where it can't go back, as a browser writes.
        let film = format!("film.{extension}");
        ffmpeg(
            folder,
            &format!("{repeated} {muxing} -seekable 0 file:{film}"),
        );
        folder.join(film)
    }
}

/// Runs ffmpeg in a folder; what it says.
pub fn ffmpeg(folder: &Path, line: &str) -> String {
    ffmpeg_with(folder, line.split_ascii_whitespace())
}

/// Likewise, with arguments that may hold spaces.
pub fn ffmpeg_with<'a>(folder: &Path, arguments: impl Iterator<Item = &'a str>) -> String {
    let done = Command::new("ffmpeg")
        .current_dir(folder)
        .args("-nostdin -hide_banner -v verbose -y".split(' '))
        .args(arguments)
        .output()
        .expect("ffmpeg");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    said
}
