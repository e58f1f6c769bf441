//! A recording with a padding element within it, which readers skip: it becomes as long as a test wants, and its
//! frames stay what they were.

/// A recording around its padding, which may hold any bytes.
pub struct PaddedRecording {
    /// What stands in front of the padding, with the header that announces it.
    pub head: Vec<u8>,
    /// How many bytes of padding there are.
    pub padding: u64,
    /// What follows it.
    pub tail: Vec<u8>,
}

impl PaddedRecording {
    /// A WebM as browsers write it, with a Void element in front of its second cluster: RFC 8794, section 11.3.2.
    pub fn webm(film: &[u8], padding: u64) -> Self {
        const CLUSTER: &[u8] = &[0x1f, 0x43, 0xb6, 0x75];
        // A size in eight bytes, of which the first says just that.
        let size = padding | 1 << 56;
        let header = [&[0xec][..], &size.to_be_bytes()].concat();
        Self::around(film, find(film, CLUSTER, 2), &header, padding)
    }

    /// A fragmented MP4, with a free space box in front of its second fragment: ISO/IEC 14496-12, section 8.1.2.
    pub fn mp4(film: &[u8], padding: u64) -> Self {
        // Its kind is behind its size.
        let fragment = find(film, b"moof", 2) - 4;
        let size = (padding + 16).to_be_bytes();
        let header = [b"\0\0\0\x01free", &size[..]].concat();
        Self::around(film, fragment, &header, padding)
    }

    fn around(film: &[u8], at: usize, header: &[u8], padding: u64) -> Self {
        let (before, after) = film.split_at(at);
        Self {
            head: [before, header].concat(),
            padding,
            tail: after.to_vec(),
        }
    }

    /// How long all of it is.
    pub fn length(&self) -> u64 {
        self.tail_start() + self.tail.len() as u64
    }

    /// Where the tail begins.
    pub fn tail_start(&self) -> u64 {
        self.head.len() as u64 + self.padding
    }
}

/// Where these bytes stand for the `nth` time.
fn find(film: &[u8], bytes: &[u8], nth: usize) -> usize {
    let windows = film.windows(bytes.len()).enumerate();
    let mut found = windows.filter(|(_, window)| *window == bytes);
    found.nth(nth - 1).expect("that many").0
}
