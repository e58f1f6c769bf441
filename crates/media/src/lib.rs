//! Bytes in, facts out. No I/O.

mod container;
mod facts;
mod mp4;
mod sniff;
mod webm;

pub use container::Container;
pub use facts::{
    Codec, CodedPicture, Facts, Keyframe, MOST_KEYFRAMES, Missing, Rotation, Sealed, Unplayable,
    VideoTrack,
};
pub use sniff::{SNIFF_BYTES, Sniffed, sniff};

/// Reads a recording and makes its index, whatever its container is.
pub enum Reader {
    /// WebM and Matroska.
    WebM(Box<webm::Reader>),
    /// MP4 and QuickTime.
    Mp4(Box<mp4::Reader>),
}

impl Reader {
    /// Of a recording whose first bytes said that it is this.
    pub fn new(container: Container) -> Self {
        match container {
            Container::WebM | Container::Matroska => Self::WebM(Box::default()),
            Container::Mp4 | Container::QuickTime => Self::Mp4(Box::default()),
        }
    }

    /// The next bytes, in order, cut anywhere. Takes bounded memory, whatever they are.
    pub fn feed(&mut self, bytes: &[u8]) {
        match self {
            Self::WebM(reader) => reader.feed(bytes),
            Self::Mp4(reader) => reader.feed(bytes),
        }
    }

    /// What all of them say, and the index that makes them seekable.
    pub fn finish(self) -> Result<Sealed, Unplayable> {
        match self {
            Self::WebM(reader) => reader.finish(),
            Self::Mp4(reader) => reader.finish(),
        }
    }
}
