//! Finds the audio packets of a recording, as its bytes are read for the first time.

use super::{AudioTrack, NoAudio};
use crate::container::Container;
use crate::{mp4, webm};

/// Finds the packets of the first audio track whose codec is supported.
#[derive(Debug)]
pub struct AudioScanner(Scanner);

#[derive(Debug)]
enum Scanner {
    WebM(Box<webm::WebMReader>),
    Mp4(Box<mp4::Mp4Reader>),
}

impl AudioScanner {
    /// A scanner at the beginning of a recording.
    pub fn new(container: Container) -> Self {
        Self(match container {
            Container::WebM | Container::Matroska => {
                Scanner::WebM(Box::new(webm::WebMReader::for_audio()))
            }
            Container::Mp4 | Container::QuickTime => Scanner::Mp4(Box::default()),
        })
    }

    /// Reads the next bytes, in order, split anywhere. Uses bounded memory, whatever they are.
    pub fn feed(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            Scanner::WebM(reader) => reader.feed(bytes),
            Scanner::Mp4(reader) => reader.feed(bytes),
        }
    }

    /// Ends the recording.
    pub fn finish(self) -> Result<AudioTrack, NoAudio> {
        match self.0 {
            Scanner::WebM(reader) => reader.finish_audio(),
            Scanner::Mp4(reader) => reader.finish_audio(),
        }
    }
}
