//! What journeys upload: whole videos, by their structure, of any length.

/// A short take: `ftyp`, a `moov` of one track with one sample of one byte, an `mdat` without a declared
/// end, so that whatever follows belongs to it, and three bytes.
pub const CLIP: &[u8] = include_bytes!("../fixtures/open_ended.mp4");

/// Where the next byte after it goes.
pub const CLIP_LENGTH: u64 = CLIP.len() as u64;

/// What each stored object costs beside its bytes, against limits of storage.
pub const OBJECT_COST: u64 = 4096;

/// All that stands in front of the content.
const HEAD: &[u8] = CLIP.split_at(CLIP.len() - 3).0;

/// So much of a take that one can tell what it is, and no more: for uploads that nobody submits.
pub const BEGINNING: &[u8] = b"\x1a\x45\xdf\xa3\x87\x42\x82\x84webmabc";

/// Where the next byte after that goes.
pub const BEGINNING_LENGTH: u64 = BEGINNING.len() as u64;

/// A take of another container, made by ffmpeg in one go: it can be sought as it is.
pub const WEBM: &[u8] = include_bytes!("../fixtures/whole.webm");

/// Recorded live by Chromium, VP8: nobody can seek in it as it is.
pub const LIVE_WEBM: &[u8] = include_bytes!("../fixtures/chromium-vp8-opus.webm");

/// Likewise, H.264 in fragments.
pub const LIVE_MP4: &[u8] = include_bytes!("../fixtures/chromium_h264_opus.mp4");

/// Recorded live by Chromium, VP9 without sound.
pub const VP9_WEBM: &[u8] = include_bytes!("../fixtures/chromium-vp9.webm");

/// Not live, and it says where it was filmed.
pub const LOCATED: &[u8] = include_bytes!("../fixtures/ffmpeg_progressive.mov");

/// A WebM without pictures.
pub const SOUND: &[u8] = include_bytes!("../fixtures/sound.webm");

/// A take with these bytes behind its head.
pub fn clip_of(content: &[u8]) -> Vec<u8> {
    [HEAD, content].concat()
}

/// A take of so many bytes, its head included. One that is too short for the head is cut off within it.
pub fn clip(length: usize) -> Vec<u8> {
    let mut clip = clip_of(&noise(length.saturating_sub(HEAD.len())));
    clip.truncate(length);
    clip
}

/// Bytes that differ everywhere, so that a misplaced one shows.
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
