//! The recordings: what browsers and GStreamer wrote is committed, what ffmpeg writes is made here.

use std::time::Duration;

use media::{Container, Reader, Sealed, Sniffed, Unplayable, sniff};

use crate::ffmpeg;

/// A recording as it was written.
pub struct Film {
    pub name: String,
    pub bytes: Vec<u8>,
}

macro_rules! committed {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../../../test-support/fixtures/", $name)) as &[u8])),*]
    };
}

/// By browsers and by GStreamer's muxers: see the README beside them.
const COMMITTED: [(&str, &[u8]); 20] = committed![
    "chromium-vp8-opus.webm",
    "chromium-vp9.webm",
    "chromium-h264-opus.mkv",
    "chromium_h264_opus.mp4",
    "chromium_vp9_opus.mp4",
    "firefox-vp8-opus.webm",
    "webkitgtk_sound.webm",
    "webkitgtk_silent.webm",
    "webkitgtk_pause.webm",
    "webkitgtk_pause_silent.webm",
    "webkitgtk_sound.mp4",
    "webkitgtk_silent.mp4",
    "webkitgtk_pause.mp4",
    "webkitgtk_pause_silent.mp4",
    "gstreamer_vp8_opus.webm",
    "gstreamer_vp9.webm",
    "gstreamer_h264_aac.mkv",
    "gstreamer_h264_aac.mp4",
    "gstreamer_h264_opus.mp4",
    "gstreamer_h264.mov",
];

/// In milliseconds. All others have two seconds.
const TIMED: [(&str, u64); 14] = [
    ("chromium-vp8-opus.webm", 1500),
    ("chromium-vp9.webm", 1450),
    ("chromium-h264-opus.mkv", 1500),
    ("chromium_h264_opus.mp4", 2150),
    ("chromium_vp9_opus.mp4", 2150),
    ("firefox-vp8-opus.webm", 1530),
    ("webkitgtk_sound.webm", 3930),
    ("webkitgtk_silent.webm", 3930),
    ("webkitgtk_pause.webm", 1930),
    ("webkitgtk_pause_silent.webm", 1930),
    ("webkitgtk_sound.mp4", 3930),
    ("webkitgtk_silent.mp4", 3930),
    ("webkitgtk_pause.mp4", 3930),
    ("webkitgtk_pause_silent.mp4", 3930),
];

pub fn committed() -> Vec<Film> {
    let films = COMMITTED.map(|(name, bytes)| Film {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
    });
    films.into()
}

/// All of them: a second of ffmpeg's time.
pub fn all() -> Vec<Film> {
    let mut films = committed();
    films.extend(ffmpeg::films());
    films
}

/// All that are committed, and every so many of ffmpeg's.
pub fn some(step: usize) -> Vec<Film> {
    let mut films = committed();
    films.extend(ffmpeg::films().into_iter().step_by(step));
    films
}

impl Film {
    /// How long was filmed.
    pub fn filmed(&self) -> Duration {
        let timed = TIMED.iter().find(|(name, _)| *name == self.name);
        Duration::from_millis(timed.map_or(2000, |(_, milliseconds)| *milliseconds))
    }

    /// Where it ends for players. Behind a pause, WebKitGTK writes its first buffer twice. In WebM that is the head
    /// of a block, and what follows is lost.
    pub fn end(&self) -> usize {
        match self.name.as_str() {
            "webkitgtk_pause.webm" => 65_407,
            "webkitgtk_pause_silent.webm" => 49_946,
            _ => self.bytes.len(),
        }
    }

    /// The first so many bytes as ffmpeg can read them. In MP4 what WebKitGTK writes twice is a fragment's `moof`:
    /// ffmpeg takes both, and the first one's samples lie in the second.
    pub fn playable(&self, cut: usize) -> Vec<u8> {
        let (mut rest, mut mended) = (&self.bytes[..cut.min(self.end())], Vec::new());
        if !self.name.starts_with("webkitgtk") || !self.name.ends_with(".mp4") {
            return rest.to_vec();
        }
        while let Some((size, _)) = rest.split_first_chunk() {
            let size = u32::from_be_bytes(*size) as usize;
            let (whole, next) = rest.split_at(size.min(rest.len()));
            // Of one that is cut off there's no telling, and no harm: it has no samples yet.
            let again =
                next.starts_with(whole) || whole.get(4..8) == Some(b"moof") && next.is_empty();
            if !again {
                mended.extend_from_slice(whole);
            }
            rest = next;
        }
        mended
    }

    /// As the server does: the first bytes say what it is.
    pub fn container(&self) -> Container {
        match sniff(&self.bytes) {
            Sniffed::Known(container) => container,
            sniffed => panic!("{}: {sniffed:?}", self.name),
        }
    }

    pub fn seal(&self) -> Result<Sealed, String> {
        seal(self.container(), &self.bytes).map_err(|why| why.to_string())
    }
}

pub fn seal(container: Container, bytes: &[u8]) -> Result<Sealed, Unplayable> {
    let mut reader = Reader::new(container);
    reader.feed(bytes);
    reader.finish()
}

/// What a player gets.
pub fn served(sealed: &Sealed, recording: &[u8]) -> Vec<u8> {
    let end = usize::try_from(sealed.facts.end).expect("within the recording");
    [&sealed.index, &recording[..end]].concat()
}
