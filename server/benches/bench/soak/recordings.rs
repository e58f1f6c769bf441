//! The recordings of the soak test: short ones by real browsers, and generated long ones.

use bytes::Bytes;
use rand::RngExt;
use rand::rngs::StdRng;

use crate::uploads::noise;

const CHROMIUM: &[u8] =
    include_bytes!("../../../../crates/test-support/fixtures/chromium-vp8-opus.webm");
const CHROMIUM_VP9: &[u8] =
    include_bytes!("../../../../crates/test-support/fixtures/chromium-vp9.webm");
const FIREFOX: &[u8] =
    include_bytes!("../../../../crates/test-support/fixtures/firefox-vp8-opus.webm");
const FRAGMENTS: &[u8] =
    include_bytes!("../../../../crates/test-support/fixtures/chromium_h264_opus.mp4");

/// The start of long recordings: an MP4 with an open-ended `mdat`, which can have any length.
const OPEN_ENDED: &[u8] = include_bytes!("../../../../crates/test-support/fixtures/open_ended.mp4");

/// One recording in so many is long.
const LONG_ONE_IN: u32 = 12;

/// Length of the longest recording in bytes.
const MAX_LENGTH: usize = 24_000_000;

/// A recording with its media type.
#[derive(Clone, Debug)]
pub struct Recording {
    pub media_type: &'static str,
    pub bytes: Bytes,
}

/// All recordings.
pub struct Recordings {
    short: [Recording; 4],
    long: Bytes,
}

impl Recordings {
    pub fn new() -> Self {
        let recording = |media_type, bytes: &'static [u8]| Recording {
            media_type,
            bytes: Bytes::from_static(bytes),
        };
        Self {
            short: [
                recording("video/webm", CHROMIUM),
                recording("video/webm", CHROMIUM_VP9),
                recording("video/webm", FIREFOX),
                recording("video/mp4", FRAGMENTS),
            ],
            long: [OPEN_ENDED, &noise(MAX_LENGTH - OPEN_ENDED.len())]
                .concat()
                .into(),
        }
    }

    /// A random recording.
    pub fn any(&self, rng: &mut StdRng) -> Recording {
        match rng.random_ratio(1, LONG_ONE_IN) {
            true => self.long(rng),
            false => self.short(rng),
        }
    }

    /// A short recording: kilobytes.
    pub fn short(&self, rng: &mut StdRng) -> Recording {
        self.short[rng.random_range(0..self.short.len())].clone()
    }

    /// A long recording: megabytes.
    fn long(&self, rng: &mut StdRng) -> Recording {
        let length = rng.random_range(MAX_LENGTH / 24..=MAX_LENGTH);
        Recording {
            media_type: "video/mp4",
            bytes: self.long.slice(..length),
        }
    }
}
