//! Bytes of a recording. The browser holds them, not the WASM: to copy a handle copies no bytes.

use std::ops::Range;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use crate::browser::js::object;

/// A range of a recording's bytes. It can't be played alone.
#[derive(Clone, Debug)]
pub struct Piece(Blob);

impl Piece {
    pub(in crate::browser) fn new(blob: Blob) -> Self {
        Self(blob)
    }

    pub(in crate::browser) fn from_bytes(bytes: &Uint8Array, media_type: &str) -> Option<Self> {
        let options = object(&[("type", media_type.into())]);
        let parts = Array::of1(bytes);
        let blob = Blob::new_with_u8_array_sequence_and_options(&parts, options.unchecked_ref());
        blob.ok().map(Self)
    }

    /// Reads the bytes into an `ArrayBuffer`.
    /// `None`: the browser is out of memory, or the file behind the piece was changed.
    pub async fn read(&self) -> Option<JsValue> {
        JsFuture::from(self.0.array_buffer()).await.ok()
    }

    /// Reads the first bytes. `None`: there are none, or they can't be read.
    pub async fn read_head(&self, length: u64) -> Option<Vec<u8>> {
        let head = self.slice(0..length.min(self.length()))?.read().await?;
        Some(Uint8Array::new(&head).to_vec()).filter(|it| !it.is_empty())
    }

    /// Splits it into pieces of `size` bytes; the last one may be shorter.
    pub fn split(&self, size: u64) -> Vec<Self> {
        let starts = (0..self.length().div_ceil(size)).map(|at| at * size);
        starts
            .filter_map(|from| self.slice(from..from + size))
            .collect()
    }

    /// Splits it into the first `at` bytes and the rest.
    pub(super) fn split_at(&self, at: u64) -> Option<(Self, Self)> {
        Some((self.slice(0..at)?, self.slice(at..self.length().max(at))?))
    }

    fn slice(&self, range: Range<u64>) -> Option<Self> {
        // Exact up to 2⁵³ bytes. WebKit can't read a blob whose end was given far behind the end of its source.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let (from, to) = (range.start as f64, range.end as f64);
        let media_type = self.0.type_();
        self.0
            .slice_with_f64_and_f64_and_content_type(from, to, &media_type)
            .ok()
            .map(Self)
    }

    /// Its length in bytes.
    pub fn length(&self) -> u64 {
        // `Blob.size` is an integer in a float.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let length = self.0.size() as u64;
        length
    }

    /// Joins ranges of pieces to the body of a request.
    /// `None`: the browser is out of memory, or has lost pieces.
    ///
    /// WebKit leaves out pieces without a word once the process that held them has ended. What follows them would be
    /// stored in their place.
    pub fn concat_slices(slices: &[(Self, Range<u64>)]) -> Option<JsValue> {
        let parts = Array::new();
        let mut length = 0;
        for (piece, range) in slices {
            length += range.end - range.start;
            // Exact up to 2⁵³ bytes.
            #[expect(clippy::cast_precision_loss, reason = "see above")]
            let (from, to) = (range.start as f64, range.end as f64);
            parts.push(&piece.0.slice_with_f64_and_f64(from, to).ok()?.into());
        }
        let body = Self(Blob::new_with_blob_sequence(&parts).ok()?);
        (body.length() == length).then(|| body.0.into())
    }

    /// The media type of the recording.
    /// Where the browser names none it is `video/webm`, which most browsers record.
    pub fn media_type(&self) -> String {
        let media_type = self.0.type_();
        if media_type.is_empty() {
            return "video/webm".to_owned();
        }
        media_type
    }

    /// Joins pieces to one blob with the media type of the first.
    pub(super) fn concat(pieces: &[Self]) -> Option<Blob> {
        let options = object(&[("type", pieces.first()?.media_type().into())]);
        let parts: Array = pieces.iter().map(|piece| &piece.0).collect();
        Blob::new_with_blob_sequence_and_options(&parts, options.unchecked_ref()).ok()
    }
}
