//! Recorded bytes, held by the browser and not by the WASM: a handle costs nothing to copy.

use std::ops::Range;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, HtmlElement, HtmlInputElement};

/// A piece of a recording: a range of its bytes, not a clip.
#[derive(Clone, Debug)]
pub struct Piece(Blob);

impl Piece {
    pub(super) fn new(blob: Blob) -> Self {
        Self(blob)
    }

    /// Of bytes that were kept.
    pub(super) fn of_bytes(bytes: &Uint8Array, media_type: &str) -> Option<Self> {
        let options = BlobPropertyBag::new();
        options.set_type(media_type);
        let parts = Array::of1(bytes);
        let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options);
        blob.ok().map(Self)
    }

    /// Its bytes, as IndexedDB takes them. `None`: the browser is out of memory, or the file that this is a
    /// piece of was changed.
    pub async fn bytes(&self) -> Option<JsValue> {
        JsFuture::from(self.0.array_buffer()).await.ok()
    }

    /// Pieces of so many bytes each.
    pub fn split(&self, size: u64) -> Vec<Self> {
        let starts = (0..self.length().div_ceil(size)).map(|at| at * size);
        starts
            .filter_map(|from| self.part(from..from + size))
            .collect()
    }

    /// Its first bytes, and the rest.
    pub(super) fn split_at(&self, at: u64) -> Option<(Self, Self)> {
        Some((self.part(0..at)?, self.part(at..self.length().max(at))?))
    }

    fn part(&self, range: Range<u64>) -> Option<Self> {
        // Exact up to 2⁵³ bytes. An end that lies far behind makes a blob that WebKit can't read.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let (from, to) = (range.start as f64, range.end as f64);
        let media_type = self.0.type_();
        self.0
            .slice_with_f64_and_f64_and_content_type(from, to, &media_type)
            .ok()
            .map(Self)
    }

    /// The file that the person chose, and lets them choose the same again.
    pub fn chosen(input: &HtmlElement) -> Option<Self> {
        let input: &HtmlInputElement = input.dyn_ref()?;
        let file = input.files()?.get(0)?;
        input.set_value("");
        Some(Self(file.into()))
    }

    /// How many bytes it has.
    pub fn length(&self) -> u64 {
        // `Blob.size` is a whole number that happens to travel as a float.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let length = self.0.size() as u64;
        length
    }

    /// These ranges of these pieces, one after the other, as the body of a request. `None`: the browser
    /// is out of memory.
    pub fn join(slices: &[(Self, Range<u64>)]) -> Option<JsValue> {
        let parts = Array::new();
        for (piece, range) in slices {
            // Exact up to 2⁵³ bytes.
            #[expect(clippy::cast_precision_loss, reason = "see above")]
            let (from, to) = (range.start as f64, range.end as f64);
            parts.push(&piece.0.slice_with_f64_and_f64(from, to).ok()?.into());
        }
        Blob::new_with_blob_sequence(&parts).ok().map(JsValue::from)
    }

    /// What it is a piece of. Most browsers record WebM, so that is what one that doesn't say is taken
    /// to record.
    pub fn media_type(&self) -> String {
        let told = self.0.type_();
        if told.is_empty() {
            return "video/webm".to_owned();
        }
        told
    }

    /// All of these, as one file.
    pub(super) fn file(pieces: &[Self]) -> Option<Blob> {
        let options = BlobPropertyBag::new();
        options.set_type(&pieces.first()?.media_type());
        let parts: Array = pieces.iter().map(|piece| &piece.0).collect();
        Blob::new_with_blob_sequence_and_options(&parts, &options).ok()
    }
}
