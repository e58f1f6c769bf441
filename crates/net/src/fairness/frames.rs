//! Parses the frame headers in the bytes that an HTTP/2 connection reads.
//!
//! By hand, because h2 tells neither how many bytes of other frames than DATA arrive (`overhead`), nor that a header
//! block is unfinished (`idle_policy`).

/// Length of the connection preface in bytes (RFC 9113, section 3.4).
const PREFACE: usize = 24;

/// Length of a frame header in bytes (RFC 9113, section 4.1).
const FRAME_HEADER: usize = 9;

/// Frame types and flags (RFC 9113, section 6).
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
const END_HEADERS: u8 = 4;

/// Position in the frames of one connection.
pub(crate) struct FrameCounter {
    header: [u8; FRAME_HEADER],
    header_read: usize,
    /// Bytes left of the current payload.
    payload: usize,
    is_data: bool,
    /// Whether the header block isn't complete.
    /// Only a CONTINUATION frame may follow (RFC 9113, section 6.10).
    is_in_header_block: bool,
}

impl Default for FrameCounter {
    fn default() -> Self {
        Self {
            header: [0; FRAME_HEADER],
            header_read: 0,
            payload: PREFACE,
            is_data: false,
            is_in_header_block: false,
        }
    }
}

impl FrameCounter {
    /// Counts those of the connection's next bytes that aren't payload of DATA frames.
    pub(crate) fn overhead(&mut self, mut bytes: &[u8]) -> usize {
        let mut overhead = 0;
        while !bytes.is_empty() {
            let length = if self.payload > 0 {
                self.skip(bytes.len(), &mut overhead)
            } else {
                let length = self.read_header(bytes);
                overhead += length;
                length
            };
            bytes = &bytes[length..];
        }
        overhead
    }

    /// Whether a header block, a frame other than DATA or the preface is unfinished.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.is_in_header_block || self.header_read > 0 || (self.payload > 0 && !self.is_data)
    }

    fn skip(&mut self, available: usize, overhead: &mut usize) -> usize {
        let length = self.payload.min(available);
        self.payload -= length;
        if !self.is_data {
            *overhead += length;
        }
        length
    }

    fn read_header(&mut self, bytes: &[u8]) -> usize {
        let length = (FRAME_HEADER - self.header_read).min(bytes.len());
        let until = self.header_read + length;
        self.header[self.header_read..until].copy_from_slice(&bytes[..length]);
        self.header_read = until;
        if until == FRAME_HEADER {
            let [a, b, c, kind, flags, ..] = self.header;
            self.payload = u32::from_be_bytes([0, a, b, c]) as usize;
            self.is_data = kind == DATA;
            self.is_in_header_block =
                matches!(kind, HEADERS | CONTINUATION) && flags & END_HEADERS == 0;
            self.header_read = 0;
        }
        length
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn frame(kind: u8, payload: usize) -> Vec<u8> {
        let length = u32::try_from(payload).expect("24 bits").to_be_bytes();
        let header = [length[1], length[2], length[3], kind, 0, 0, 0, 0, 1];
        [&header[..], &vec![kind; payload]].concat()
    }

    proptest! {
        #[test]
        fn only_payload_of_data_frames_is_free(
            frames in vec((0..10_u8, 0..700_usize), 0..20),
            piece in 1..50_usize,
        ) {
            let mut sent = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
            let mut overhead = sent.len();
            for (kind, payload) in frames {
                sent.extend(frame(kind, payload));
                overhead += FRAME_HEADER + if kind == DATA { 0 } else { payload };
            }
            let mut counter = FrameCounter::default();
            let counted: usize = sent.chunks(piece).map(|it| counter.overhead(it)).sum();
            prop_assert_eq!(counted, overhead);
        }
    }

    #[test]
    fn a_head_is_unfinished_until_the_frame_that_ends_it_has_ended() {
        let mut counter = FrameCounter::default();
        let mut after = |bytes: &[u8]| {
            counter.overhead(bytes);
            counter.is_unfinished()
        };
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        assert!(after(&preface[..20]));
        assert!(!after(&preface[20..]));
        let mut last = frame(CONTINUATION, 3);
        last[4] = END_HEADERS;
        assert!(after(&frame(HEADERS, 5)));
        assert!(after(&frame(CONTINUATION, 0)));
        assert!(after(&last[..FRAME_HEADER + 2]));
        assert!(!after(&last[FRAME_HEADER + 2..]));
        // The payload of a DATA frame is subject to the timeouts of bodies instead.
        assert!(after(&frame(DATA, 9)[..FRAME_HEADER - 1]));
        assert!(!after(&frame(DATA, 9)[FRAME_HEADER - 1..FRAME_HEADER + 3]));
    }
}
