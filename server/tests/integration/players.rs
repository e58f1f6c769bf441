//! What a player makes of a video: ffmpeg, which looks for nothing that it doesn't need.

use std::fs;
use std::path::Path;

use test_support::three_hours::ffmpeg_with;

/// A picture that was sought.
pub struct Sought {
    /// Of its pixels.
    pub digest: String,
    /// How much of the video was read to get there, in bytes.
    pub read: u64,
}

/// Seeks in what these arguments name, a file of the folder or a URL, and shows one picture.
pub fn seek(folder: &Path, input: &[&str], at: &str) -> Sought {
    let show = "-map 0:v -frames:v 1 -f framecrc picture".split(' ');
    let arguments = ["-ss", at].into_iter().chain(input.iter().copied());
    let said = ffmpeg_with(folder, arguments.chain(show));
    let picture = fs::read_to_string(folder.join("picture")).expect("a list");
    let picture = picture.lines().last().expect("a picture");
    let digest = picture.rsplit(',').next().expect("a digest").trim();
    let read = said.lines().filter_map(|line| {
        let (before, _) = line.split_once(" bytes read")?;
        before.rsplit(' ').next()?.parse::<u64>().ok()
    });
    Sought {
        digest: digest.to_owned(),
        read: read.sum(),
    }
}
