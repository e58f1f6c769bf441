//! Recorded bytes, held by the browser and not by the WASM: a handle costs nothing to copy.

use std::ops::Range;

use js_sys::Array;
use wasm_bindgen::JsValue;
use web_sys::{Blob, BlobPropertyBag};

/// A piece of a recording: a range of its bytes, not a clip.
#[derive(Clone, Debug)]
pub struct Piece(Blob);

impl Piece {
    pub(super) fn new(blob: Blob) -> Self {
        Self(blob)
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
        let parts: Array = pieces.iter().map(|piece| piece.0.clone()).collect();
        let options = BlobPropertyBag::new();
        if let Some(first) = pieces.first() {
            options.set_type(&first.media_type());
        }
        Blob::new_with_blob_sequence_and_options(&parts, &options).ok()
    }
}
