//! What journeys upload: bytes that begin like a video.

/// A short take: the head of a WebM and three bytes.
pub const CLIP: &[u8] = b"\x1a\x45\xdf\xa3\x87\x42\x82\x84webmabc";

/// Where the next byte after it goes.
pub const CLIP_LENGTH: u64 = CLIP.len() as u64;

/// An EBML header with a `DocType` and nothing else.
const WEBM_HEAD: &[u8] = CLIP.split_at(12).0;

/// The head of an MP4: one `ftyp` box.
pub const MP4: &[u8] = b"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp42";

/// A take with these bytes behind its head.
pub fn clip_of(content: &[u8]) -> Vec<u8> {
    [WEBM_HEAD, content].concat()
}

/// A take of so many bytes, its head included.
pub fn clip(length: usize) -> Vec<u8> {
    let content = length.checked_sub(WEBM_HEAD.len());
    clip_of(&noise(content.expect("room for the head")))
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
