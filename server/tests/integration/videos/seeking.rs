//! Seeking as a player does: ffmpeg, which reads no more than it needs.

use std::fs;
use std::path::Path;

use test_support::recordings::three_hours::ffmpeg_with;

/// A decoded frame.
pub struct SeekResult {
    /// Digest of its pixels.
    pub digest: String,
    /// Bytes read to get there.
    pub bytes_read: u64,
}

/// Seeks in an input, a file of the folder or a URL, and decodes one frame.
pub fn seek(folder: &Path, input: &[&str], at: &str) -> SeekResult {
    let show_info = "-map 0:v -frames:v 1 -f framecrc picture".split(' ');
    let arguments = ["-ss", at].into_iter().chain(input.iter().copied());
    let log = ffmpeg_with(folder, arguments.chain(show_info));
    let picture = fs::read_to_string(folder.join("picture")).expect("a list");
    let picture = picture.lines().last().expect("a picture");
    let digest = picture.rsplit(',').next().expect("a digest").trim();
    let bytes_read = log.lines().filter_map(|line| {
        let (before, _) = line.split_once(" bytes read")?;
        before.rsplit(' ').next()?.parse::<u64>().ok()
    });
    SeekResult {
        digest: digest.to_owned(),
        bytes_read: bytes_read.sum(),
    }
}
