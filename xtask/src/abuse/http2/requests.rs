//! Requests of the attacks: their header blocks, in one frame or in several.

use http2_frames::{CONTINUATION, END_HEADERS, END_STREAM, HEADERS, frame, header_block};

/// The header block of a request with these further fields.
pub fn request_block(method: &str, path: &str, fields: &[(&str, &str)]) -> Vec<u8> {
    let pseudo_headers = [
        (":method", method),
        (":scheme", "http"),
        (":authority", "127.0.0.1"),
        (":path", path),
    ];
    header_block(&[&pseudo_headers[..], fields].concat())
}

/// A request without a body whose header block is split into CONTINUATION frames.
pub fn request_in_frames(stream: u32, block: &[u8]) -> Vec<u8> {
    let fragments = block.chunks(16 << 10);
    let last = fragments.len() - 1;
    let mut frames = Vec::new();
    for (number, fragment) in fragments.enumerate() {
        let (kind, mut flags) = match number {
            0 => (HEADERS, END_STREAM),
            _ => (CONTINUATION, 0),
        };
        if number == last {
            flags |= END_HEADERS;
        }
        frames.extend(frame(kind, flags, stream, fragment));
    }
    frames
}
