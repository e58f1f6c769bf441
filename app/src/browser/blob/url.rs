//! `blob:` URLs of fetched bytes.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Response, Url};

/// A `blob:` URL, revoked when dropped.
#[derive(Debug)]
pub struct BlobUrl(String);

impl BlobUrl {
    /// Reads the whole body of a response. `None`: it broke off, or the browser is out of memory.
    pub async fn from_response(response: Response) -> Option<Self> {
        let blob = JsFuture::from(response.blob().ok()?).await.ok()?;
        let blob: Blob = blob.dyn_into().ok()?;
        Url::create_object_url_with_blob(&blob).ok().map(Self)
    }

    /// The URL, for a `src` attribute.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for BlobUrl {
    fn drop(&mut self) {
        // Fails only for a URL that this page didn't create.
        let _ = Url::revoke_object_url(&self.0);
    }
}
