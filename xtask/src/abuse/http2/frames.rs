//! Frames of HTTP/2 (RFC 9113, section 6), with HPACK literals (RFC 7541) and no dynamic table.

pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const GOAWAY: u8 = 7;
pub const WINDOW_UPDATE: u8 = 8;
pub const CONTINUATION: u8 = 9;

pub const END_STREAM: u8 = 1;
pub const END_HEADERS: u8 = 4;

/// The identifier of `SETTINGS_INITIAL_WINDOW_SIZE`.
pub const INITIAL_WINDOW_SIZE: u16 = 4;

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

/// A frame with a payload of at most 16 KiB.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    // The length has three bytes.
    let length = u32::try_from(payload.len())
        .unwrap_or_default()
        .to_be_bytes();
    let mut frame = vec![length[1], length[2], length[3], kind, flags];
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// The header block of a request. An empty `media_type` is left out.
pub fn header_block(method: &str, path: &str, media_type: &str) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in [
        (":method", method),
        (":scheme", "http"),
        (":authority", "127.0.0.1"),
        (":path", path),
    ] {
        block.extend(literal(name, value));
    }
    if !media_type.is_empty() {
        block.extend(literal("content-type", media_type));
    }
    block
}

/// A literal header field without indexing (RFC 7541, section 6.2.2).
pub fn literal(name: &str, value: &str) -> Vec<u8> {
    let mut field = vec![0];
    for text in [name, value] {
        write_integer(&mut field, text.len());
        field.extend(text.bytes());
    }
    field
}

/// Writes an integer with a prefix of seven bits (RFC 7541, section 5.1).
fn write_integer(out: &mut Vec<u8>, value: usize) {
    const PREFIX: usize = 127;
    let Some(mut rest) = value.checked_sub(PREFIX) else {
        out.push(u8::try_from(value).unwrap_or_default());
        return;
    };
    out.push(127);
    while rest >= 128 {
        out.push(u8::try_from(rest % 128).unwrap_or_default() | 128);
        rest /= 128;
    }
    out.push(u8::try_from(rest).unwrap_or_default());
}
