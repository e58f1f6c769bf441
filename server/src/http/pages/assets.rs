//! `/assets`: the embedded files of the pages; and the video player, at fixed addresses.
//!
//! The files are named by content hash and compressed at build time unless their format is compressed already.

use std::borrow::Cow;
use std::sync::Arc;

use app::pages::AssetUrls;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, IntoResponseParts, Response};
use axum::routing::get;
use rust_embed::{Embed, EmbeddedFile};

use crate::http::content_coding::Coding;
use crate::http::layers::security_headers as policies;
use crate::http::sliced_body::sliced;

/// The output of `cargo xtask build`.
///
/// It holds `name.hash.ext` and the player's two files, each with a `.br` variant except for pictures, and
/// `manifest.json`.
#[derive(Embed)]
#[folder = "../target/site"]
#[allow_missing = true]
struct Site;

/// The embedded files by their roles.
#[derive(Clone, Debug)]
pub struct Assets {
    urls: Arc<AssetUrls>,
}

/// The error for a binary that was built without the pages.
#[derive(Debug, thiserror::Error)]
#[error("this binary was built without its pages: build it with `cargo xtask build`")]
pub struct AssetsMissing(#[source] Option<serde_json::Error>);

impl Assets {
    /// Reads the manifest of the files embedded in this binary.
    pub fn embedded() -> Result<Self, AssetsMissing> {
        let manifest = Site::get("manifest.json").ok_or(AssetsMissing(None))?;
        let urls = serde_json::from_slice(&manifest.data);
        let urls = urls.map_err(|error| AssetsMissing(Some(error)))?;
        Ok(Self {
            urls: Arc::new(urls),
        })
    }

    /// The URLs of the files.
    pub fn urls(&self) -> &Arc<AssetUrls> {
        &self.urls
    }

    /// The URL of the picture of this name.
    pub fn picture(&self, name: &str) -> Option<String> {
        let hashed = self.urls.pictures.get(name)?;
        Some(format!("/assets/{hashed}"))
    }
}

pub fn router() -> Router {
    Router::new()
        .route("/assets/{name}", get(asset))
        .route("/watch/", get(player))
        // The worker's scope is `/watch/`, so that it controls only the player's page.
        .route("/watch.js", get(worker))
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    // `name.hash.ext` changes with its content, so it may be cached forever.
    const PARTS: usize = 3;
    if name.split('.').count() != PARTS {
        return StatusCode::NOT_FOUND.into_response();
    }
    let kept = [(CACHE_CONTROL, "public, max-age=31536000, immutable")];
    serve(&name, &headers, kept)
}

async fn player(headers: HeaderMap) -> Response {
    serve("watch.html", &headers, fixed(policies::PLAYER))
}

async fn worker(headers: HeaderMap) -> Response {
    serve("watch.js", &headers, fixed(policies::WORKER))
}

/// Headers for a file with a fixed address whose content changes.
fn fixed(policy: &'static str) -> [(HeaderName, &'static str); 2] {
    [
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_SECURITY_POLICY, policy),
    ]
}

fn serve(name: &str, headers: &HeaderMap, more: impl IntoResponseParts) -> Response {
    let Some(media_type) = media_type(name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let common = [(CONTENT_TYPE, media_type), (VARY, "Accept-Encoding")];
    let is_br_accepted = Coding::accepted(headers) == Some(Coding::Brotli);
    let compressed = is_br_accepted.then(|| Site::get(&format!("{name}.br")));
    if let Some(Some(file)) = compressed {
        let coding = [(CONTENT_ENCODING, Coding::Brotli.value())];
        return (common, more, coding, body(file)).into_response();
    }
    match Site::get(name) {
        Some(file) => (common, more, body(file)).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn body(file: EmbeddedFile) -> Body {
    sliced(match file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    })
}

/// The media type of a file name. `None`: the file is not served.
fn media_type(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension {
        "css" => Some("text/css; charset=utf-8"),
        "html" => Some("text/html; charset=utf-8"),
        "jpg" => Some("image/jpeg"),
        "js" => Some("text/javascript; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        "wasm" => Some("application/wasm"),
        _ => None,
    }
}
