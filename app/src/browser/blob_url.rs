//! Bytes that were fetched, under an address that only this page knows.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Response, Url};

/// Such an address. Freed when dropped.
#[derive(Debug)]
pub struct BlobUrl(String);

impl BlobUrl {
    /// Of an answer's whole body. `None`: it broke off, or the browser is out of memory.
    pub async fn of_body(answer: Response) -> Option<Self> {
        let blob = JsFuture::from(answer.blob().ok()?).await.ok()?;
        let blob: Blob = blob.dyn_into().ok()?;
        Url::create_object_url_with_blob(&blob).ok().map(Self)
    }

    /// For `src`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for BlobUrl {
    fn drop(&mut self) {
        // Fails for addresses that aren't ours only.
        let _ = Url::revoke_object_url(&self.0);
    }
}
