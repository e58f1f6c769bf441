//! What people send: short recordings of real browsers, and now and then a long one.

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

/// A film of one picture, in an `mdat` without an end: it may go on for as long as one likes.
const OPEN_ENDED: &[u8] = include_bytes!("../../../../crates/test-support/fixtures/open_ended.mp4");

/// One of so many films is a long one.
const LONG_ONE_OF: u32 = 12;

/// Bytes of the longest one.
const LONGEST: usize = 24_000_000;

/// A recording.
#[derive(Clone, Debug)]
pub struct Film {
    pub media_type: &'static str,
    pub bytes: Bytes,
}

/// All of them.
pub struct Films {
    short: [Film; 4],
    long: Bytes,
}

impl Films {
    pub fn new() -> Self {
        let film = |media_type, bytes: &'static [u8]| Film {
            media_type,
            bytes: Bytes::from_static(bytes),
        };
        Self {
            short: [
                film("video/webm", CHROMIUM),
                film("video/webm", CHROMIUM_VP9),
                film("video/webm", FIREFOX),
                film("video/mp4", FRAGMENTS),
            ],
            long: [OPEN_ENDED, &noise(LONGEST - OPEN_ENDED.len())]
                .concat()
                .into(),
        }
    }

    /// What somebody records.
    pub fn any(&self, dice: &mut StdRng) -> Film {
        match dice.random_ratio(1, LONG_ONE_OF) {
            true => self.long(dice),
            false => self.short(dice),
        }
    }

    /// A short one: kilobytes.
    pub fn short(&self, dice: &mut StdRng) -> Film {
        self.short[dice.random_range(0..self.short.len())].clone()
    }

    /// A long one: megabytes.
    fn long(&self, dice: &mut StdRng) -> Film {
        let length = dice.random_range(LONGEST / 24..=LONGEST);
        Film {
            media_type: "video/mp4",
            bytes: self.long.slice(..length),
        }
    }
}
