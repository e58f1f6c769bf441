//! Hand-written HTTP/2 frames, for sequences that no client sends (RFC 9113, section 6).
//!
//! Header blocks are literals without compression and without the dynamic table (RFC 7541, section 6.2.2). Bytes only:
//! sending and receiving them is the caller's.

/// Connection preface: RFC 9113, section 3.4.
pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Frame type, as are the following ones: RFC 9113, section 6.
pub const DATA: u8 = 0;
/// Frame type.
pub const HEADERS: u8 = 1;
/// Frame type.
pub const PRIORITY: u8 = 2;
/// Frame type.
pub const RST_STREAM: u8 = 3;
/// Frame type.
pub const SETTINGS: u8 = 4;
/// Frame type.
pub const PING: u8 = 6;
/// Frame type.
pub const GOAWAY: u8 = 7;
/// Frame type.
pub const WINDOW_UPDATE: u8 = 8;
/// Frame type.
pub const CONTINUATION: u8 = 9;

/// Flag of DATA and HEADERS.
pub const END_STREAM: u8 = 1;
/// Flag of SETTINGS and PING.
pub const ACK: u8 = 1;
/// Flag of HEADERS and CONTINUATION.
pub const END_HEADERS: u8 = 4;

/// Setting: RFC 9113, section 6.5.2.
pub const INITIAL_WINDOW_SIZE: u16 = 4;

/// Error code, as are the following ones: RFC 9113, section 7.
pub const FLOW_CONTROL_ERROR: u32 = 3;
/// Error code.
pub const CANCEL: u32 = 8;
/// Error code.
pub const ENHANCE_YOUR_CALM: u32 = 11;

/// The largest flow-control window: RFC 9113, section 6.9.1.
pub const MAX_WINDOW_SIZE: u32 = (1 << 31) - 1;

/// A received frame.
#[derive(Debug)]
pub struct Frame {
    /// The frame type.
    pub kind: u8,
    /// The flags.
    pub flags: u8,
    /// The stream, or 0 for the connection.
    pub stream: u32,
    /// The bytes after the head of the frame.
    pub payload: Vec<u8>,
}

impl Frame {
    /// The error code of a RST_STREAM or GOAWAY frame.
    pub fn error_code(&self) -> Option<u32> {
        let at = match self.kind {
            RST_STREAM => 0,
            GOAWAY => 4,
            _ => return None,
        };
        let code = self.payload.get(at..at + 4)?;
        Some(u32::from_be_bytes(code.try_into().expect("four bytes")))
    }

    /// Whether this is RST_STREAM of `stream`.
    pub fn resets(&self, stream: u32) -> bool {
        self.kind == RST_STREAM && self.stream == stream
    }
}

/// A frame. Its length isn't checked against the receiver's SETTINGS_MAX_FRAME_SIZE.
pub fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a frame");
    let mut bytes = length.to_be_bytes()[1..].to_vec();
    bytes.extend([kind, flags]);
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// A SETTINGS frame with these names and values.
pub fn settings(settings: &[(u16, u32)]) -> Vec<u8> {
    let one = |(name, value): &(u16, u32)| [&name.to_be_bytes()[..], &value.to_be_bytes()].concat();
    let payload: Vec<_> = settings.iter().flat_map(one).collect();
    frame(SETTINGS, 0, 0, &payload)
}

/// A WINDOW_UPDATE frame of a stream, or of the connection if it is 0.
pub fn window_update(stream: u32, by: u32) -> Vec<u8> {
    frame(WINDOW_UPDATE, 0, stream, &by.to_be_bytes())
}

/// A RST_STREAM frame with the code of a client that has lost interest.
pub fn reset(stream: u32) -> Vec<u8> {
    frame(RST_STREAM, 0, stream, &CANCEL.to_be_bytes())
}

/// A request in one HEADERS frame.
pub fn request(stream: u32, flags: u8, fields: &[(&str, &str)]) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | flags, stream, &header_block(fields))
}

/// A GET over HTTP/2 without TLS. An empty token sends no `Authorization`.
pub fn get(stream: u32, path: &str, token: &str) -> Vec<u8> {
    let bearer = format!("Bearer {token}");
    let mut fields = pseudo_headers("GET", path).to_vec();
    if !token.is_empty() {
        fields.push(("authorization", &bearer));
    }
    request(stream, END_STREAM, &fields)
}

/// The pseudo-header fields of a request to `localhost` without TLS: RFC 9113, section 8.3.1.
pub fn pseudo_headers<'a>(method: &'a str, path: &'a str) -> [(&'a str, &'a str); 4] {
    [
        (":method", method),
        (":scheme", "http"),
        (":authority", "localhost"),
        (":path", path),
    ]
}

/// A header block without compression: RFC 7541, section 6.2.2.
pub fn header_block(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            string_length(&mut block, text.len());
            block.extend(text.as_bytes());
        }
    }
    block
}

/// Appends a string length: RFC 7541, section 5.1, with a prefix of seven bits.
fn string_length(block: &mut Vec<u8>, length: usize) {
    let Some(mut rest) = length.checked_sub(0x7f) else {
        block.push(length.to_le_bytes()[0]);
        return;
    };
    block.push(0x7f);
    while rest >= 0x80 {
        block.push((rest & 0x7f).to_le_bytes()[0] | 0x80);
        rest >>= 7;
    }
    block.push(rest.to_le_bytes()[0]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_integers_with_a_prefix_of_seven_bits() {
        for (length, want) in [
            (0, vec![0]),
            (126, vec![0x7e]),
            (127, vec![0x7f, 0]),
            (300, vec![0x7f, 0xad, 1]),
        ] {
            let mut block = Vec::new();
            string_length(&mut block, length);
            assert_eq!(block, want, "{length}");
        }
    }
}
