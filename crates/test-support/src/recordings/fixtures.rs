//! Videos for tests to upload: real recordings, and generated ones of any length.

/// A short MP4 of 3 bytes of content: `ftyp`, a `moov` of one track with one sample of one byte, and an open-ended
/// `mdat`, to which all bytes that follow belong.
pub const CLIP: &[u8] = include_bytes!("../../fixtures/open_ended.mp4");

/// Length of [`CLIP`], and the offset of the next append.
pub const CLIP_LENGTH: u64 = CLIP.len() as u64;

/// What each stored object counts against storage limits beside its bytes.
pub const OBJECT_OVERHEAD: u64 = 4096;

/// [`CLIP`] without its content.
const HEAD: &[u8] = CLIP.split_at(CLIP.len() - 3).0;

/// Just enough of a WebM file for its type to be detected; not sealable.
pub const WEBM_HEADER: &[u8] = b"\x1a\x45\xdf\xa3\x87\x42\x82\x84webmabc";

/// `Content-Digest` of [`WEBM_HEADER`].
pub const WEBM_HEADER_DIGEST: &str = "sha-256=:fBTP0vbRevKjfhmngtv32tr3AvJoXci4pJMhRZvpclg=:";

/// Length of [`WEBM_HEADER`], and the offset of the next append.
pub const WEBM_HEADER_LENGTH: u64 = WEBM_HEADER.len() as u64;

/// A WebM that is seekable as it is: muxed by ffmpeg, with an index.
pub const SEEKABLE_WEBM: &[u8] = include_bytes!("../../fixtures/whole.webm");

/// A live recording by Chromium, VP8, without an index.
pub const LIVE_WEBM: &[u8] = include_bytes!("../../fixtures/chromium-vp8-opus.webm");

/// A live recording by Chromium, H.264 in fragments.
pub const LIVE_MP4: &[u8] = include_bytes!("../../fixtures/chromium_h264_opus.mp4");

/// Half a minute in 1920×1080 with a keyframe a second: five scenes in which nothing moves, the last like the first.
pub const FIVE_SCENES_MP4: &[u8] = include_bytes!("../../fixtures/five_scenes_1080p.mp4");

/// A live recording by Chromium, VP9 without audio.
pub const VP9_WEBM: &[u8] = include_bytes!("../../fixtures/chromium-vp9.webm");

/// A live recording by Firefox, VP8.
pub const FIREFOX_WEBM: &[u8] = include_bytes!("../../fixtures/firefox-vp8-opus.webm");

/// Live recordings by WebKit.
pub const WEBKIT_WEBM: &[u8] = include_bytes!("../../fixtures/webkitgtk_sound.webm");
pub const WEBKIT_MP4: &[u8] = include_bytes!("../../fixtures/webkitgtk_sound.mp4");

/// A finished recording with a geotag.
pub const GEOTAGGED_MOV: &[u8] = include_bytes!("../../fixtures/ffmpeg_progressive.mov");

/// A WebM with audio alone.
pub const AUDIO_ONLY_WEBM: &[u8] = include_bytes!("../../fixtures/sound.webm");

/// A sealable MP4 with this content.
pub fn clip_with(content: &[u8]) -> Vec<u8> {
    [HEAD, content].concat()
}

/// A sealable MP4 of `length` bytes; cut off within its head if it is shorter than that.
pub fn clip(length: usize) -> Vec<u8> {
    let mut clip = clip_with(&noise(length.saturating_sub(HEAD.len())));
    clip.truncate(length);
    clip
}

/// Bytes without repetition, so that a misplaced one shows.
pub fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}
