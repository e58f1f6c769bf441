//! The form that a transcriber takes: `multipart/form-data` (RFC 7578).

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::{Stream, stream};

use super::Audio;

/// A form with audio.
pub(super) struct Form {
    boundary: String,
    head: Vec<u8>,
    audio: Vec<u8>,
    tail: Vec<u8>,
}

impl Form {
    pub(super) fn new(model: &str, audio: Audio) -> Self {
        // Nothing that is sent contains 128 bits that are drawn now.
        let boundary = format!("vidence-{:032x}", rand::random::<u128>());
        let mut head = String::new();
        for (name, value) in [
            ("model", model),
            ("response_format", "verbose_json"),
            ("timestamp_granularities[]", "segment"),
        ] {
            head += &format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
        }
        let Audio {
            name, media_type, ..
        } = audio;
        head += &format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: {media_type}\r\n\r\n"
        );
        Self {
            head: head.into_bytes(),
            audio: audio.bytes,
            tail: format!("\r\n--{boundary}--\r\n").into_bytes(),
            boundary,
        }
    }

    pub(super) fn content_type(&self) -> String {
        format!("multipart/form-data; boundary={}", self.boundary)
    }

    /// The number of its bytes.
    pub(super) fn len(&self) -> usize {
        self.head.len() + self.audio.len() + self.tail.len()
    }

    /// Its bytes. The audio isn't copied.
    pub(super) fn into_stream(
        self,
    ) -> impl Stream<Item = Result<Bytes, Infallible>> + Send + 'static {
        let parts = [self.head, self.audio, self.tail].map(|part| Ok(Bytes::from(part)));
        stream::iter(parts)
    }
}
