//! Parses recordings as they arrive and writes the index that makes them seekable. No I/O.

mod audio;
mod container;
mod mp4;
mod sniff;
mod summary;
mod webm;

use std::time::Duration;

pub use audio::{AudioClock, AudioFormat, AudioTrack, NoAudio, RemuxedAudio, Remuxer};
pub use container::Container;
pub use sniff::{SNIFF_BYTES, Sniffed, sniff};
pub use summary::{
    Codec, CodedPicture, Keyframe, MAX_KEYFRAMES, MAX_PICTURES, Rotation, Sealed, Summary,
    Truncation, Unplayable, VideoTrack,
};

/// Parses a recording, and makes its index or lists its audio.
#[derive(Debug)]
pub enum Reader {
    /// WebM and Matroska.
    WebM(Box<webm::WebMReader>),
    /// MP4 and QuickTime.
    Mp4(Box<mp4::Mp4Reader>),
}

impl Reader {
    /// A reader for the container that [`sniff`] has recognized.
    pub fn new(container: Container) -> Self {
        match container {
            Container::WebM | Container::Matroska => Self::WebM(Box::default()),
            Container::Mp4 | Container::QuickTime => Self::Mp4(Box::default()),
        }
    }

    /// A reader for [`Reader::finish_audio`].
    pub fn for_audio(container: Container) -> Self {
        match container {
            Container::WebM | Container::Matroska => {
                Self::WebM(Box::new(webm::WebMReader::for_audio()))
            }
            Container::Mp4 | Container::QuickTime => Self::Mp4(Box::default()),
        }
    }

    /// Reads the next bytes, in order, split anywhere. Uses bounded memory, whatever they are.
    pub fn feed(&mut self, bytes: &[u8]) {
        match self {
            Self::WebM(reader) => reader.feed(bytes),
            Self::Mp4(reader) => reader.feed(bytes),
        }
    }

    /// How far into the recording's time the bytes so far reach, from its first frame on: to the latest frame, or fragment.
    /// Zero where only the end of the file tells, as in an MP4 without fragments.
    pub fn reached(&self) -> Duration {
        match self {
            Self::WebM(reader) => reader.reached(),
            Self::Mp4(reader) => reader.reached(),
        }
    }

    /// Ends the recording, and returns its summary and its index.
    pub fn finish(self) -> Result<Sealed, Unplayable> {
        match self {
            Self::WebM(reader) => reader.finish(),
            Self::Mp4(reader) => reader.finish(),
        }
    }

    /// Ends the recording, and returns the first audio track whose codec is supported.
    pub fn finish_audio(self) -> Result<AudioTrack, NoAudio> {
        match self {
            Self::WebM(reader) => reader.finish_audio(),
            Self::Mp4(reader) => reader.finish_audio(),
        }
    }
}
