//! Recordings of any length: a padding element, which parsers skip, lies between their frames.

/// A recording split around its padding, which may hold any bytes.
pub struct PaddedRecording {
    /// Everything before the padding, with its element header.
    pub head: Vec<u8>,
    /// Length of the padding in bytes.
    pub padding: u64,
    /// Everything behind the padding.
    pub tail: Vec<u8>,
}

impl PaddedRecording {
    /// A browser's WebM with a Void element in front of its second cluster: RFC 8794, section 11.3.2.
    pub fn webm(recording: &[u8], padding: u64) -> Self {
        const CLUSTER: &[u8] = &[0x1f, 0x43, 0xb6, 0x75];
        // A size of eight bytes, whose first byte is the length marker.
        let size = padding | 1 << 56;
        let header = [&[0xec][..], &size.to_be_bytes()].concat();
        Self::split_at_offset(recording, find(recording, CLUSTER, 2), &header, padding)
    }

    /// A fragmented MP4 with a free space box in front of its second fragment: ISO/IEC 14496-12, section 8.1.2.
    pub fn mp4(recording: &[u8], padding: u64) -> Self {
        // The box type follows its size.
        let fragment = find(recording, b"moof", 2) - 4;
        let size = (padding + 16).to_be_bytes();
        let header = [b"\0\0\0\x01free", &size[..]].concat();
        Self::split_at_offset(recording, fragment, &header, padding)
    }

    fn split_at_offset(recording: &[u8], at: usize, header: &[u8], padding: u64) -> Self {
        let (before, after) = recording.split_at(at);
        Self {
            head: [before, header].concat(),
            padding,
            tail: after.to_vec(),
        }
    }

    /// Length of the whole recording in bytes.
    pub fn length(&self) -> u64 {
        self.tail_start() + self.tail.len() as u64
    }

    /// Offset of the tail.
    pub fn tail_start(&self) -> u64 {
        self.head.len() as u64 + self.padding
    }
}

/// Offset of the `nth` occurrence of `bytes`.
fn find(recording: &[u8], bytes: &[u8], nth: usize) -> usize {
    let windows = recording.windows(bytes.len()).enumerate();
    let mut found = windows.filter(|(_, window)| *window == bytes);
    found.nth(nth - 1).expect("that many").0
}
