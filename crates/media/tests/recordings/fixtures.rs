//! The recordings: those of browsers and GStreamer are committed, those of ffmpeg are made by the tests.

use std::time::Duration;

use media::{Container, Reader, Sealed, Sniffed, Unplayable, sniff};

use crate::ffmpeg;

/// A recording as its muxer wrote it.
pub struct Recording {
    pub name: String,
    pub bytes: Vec<u8>,
}

macro_rules! committed {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../../../test-support/fixtures/", $name)) as &[u8])),*]
    };
}

/// Recordings of browsers and of GStreamer's muxers; the README beside them says how they were made.
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

/// Durations in milliseconds. All others last two seconds.
const DURATIONS: [(&str, u64); 14] = [
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

pub fn committed() -> Vec<Recording> {
    let recordings = COMMITTED.map(|(name, bytes)| Recording {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
    });
    recordings.into()
}

/// All recordings. ffmpeg takes a second to make its own.
pub fn all() -> Vec<Recording> {
    let mut recordings = committed();
    recordings.extend(ffmpeg::recordings());
    recordings
}

/// All that are committed, and every `step`-th of ffmpeg's.
pub fn some(step: usize) -> Vec<Recording> {
    let mut recordings = committed();
    recordings.extend(ffmpeg::recordings().into_iter().step_by(step));
    recordings
}

impl Recording {
    /// The duration of what was recorded.
    pub fn duration(&self) -> Duration {
        let listed = DURATIONS.iter().find(|(name, _)| *name == self.name);
        Duration::from_millis(listed.map_or(2000, |(_, milliseconds)| *milliseconds))
    }

    /// Where it ends for players.
    ///
    /// WebKitGTK writes its first buffer behind a pause twice. In WebM that buffer is the headers of a block, and what
    /// follows is lost.
    pub fn end(&self) -> usize {
        match self.name.as_str() {
            "webkitgtk_pause.webm" => 65_407,
            "webkitgtk_pause_silent.webm" => 49_946,
            _ => self.bytes.len(),
        }
    }

    /// The first `cut` bytes, repaired so that ffmpeg can read them.
    ///
    /// In MP4 the buffer that WebKitGTK writes twice is a `moof` box. ffmpeg reads both, and looks for the samples of the
    /// first one in the second one.
    pub fn playable(&self, cut: usize) -> Vec<u8> {
        let (mut rest, mut repaired) = (&self.bytes[..cut.min(self.end())], Vec::new());
        if !self.name.starts_with("webkitgtk") || !self.name.ends_with(".mp4") {
            return rest.to_vec();
        }
        while let Some((size, _)) = rest.split_first_chunk() {
            let size = u32::from_be_bytes(*size) as usize;
            let (whole, next) = rest.split_at(size.min(rest.len()));
            // A `moof` at the end may be the first of two, and has no samples in either case.
            let is_duplicate =
                next.starts_with(whole) || whole.get(4..8) == Some(b"moof") && next.is_empty();
            if !is_duplicate {
                repaired.extend_from_slice(whole);
            }
            rest = next;
        }
        repaired
    }

    /// The container, recognized by the first bytes as the server does it.
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

/// The video that the server sends: the index and the playable part of the recording.
pub fn served(sealed: &Sealed, recording: &[u8]) -> Vec<u8> {
    let end = usize::try_from(sealed.summary.end).expect("within the recording");
    [&sealed.index, &recording[..end]].concat()
}
