//! Documents that are the same for every client: rendered once, and compressed once per content coding.
//!
//! Both happen at the first request that needs them, to keep startup fast. Assets are compressed by the build
//! instead (`assets`), and dynamic responses by a layer (`compression`).

use std::sync::{LazyLock, OnceLock};

use axum::body::Bytes;
use axum::http::header::{CONTENT_ENCODING, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use super::content_coding::Coding;
use super::sliced_body::sliced;

/// The quality of the compression: it is done once, while a client waits.
const QUALITY: u32 = 9;

type Lazy = LazyLock<Bytes, Box<dyn FnOnce() -> Bytes + Send>>;

/// A document with its headers, and its compressed forms once a client has requested them.
pub struct StaticDocument {
    headers: HeaderMap,
    plain: Lazy,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

impl StaticDocument {
    /// Creates a document from the text that `make` returns; `make` is called at most once.
    pub fn new(headers: HeaderMap, make: impl FnOnce() -> String + Send + 'static) -> Self {
        Self {
            headers,
            plain: LazyLock::new(Box::new(|| make().into())),
            brotli: OnceLock::new(),
            gzip: OnceLock::new(),
        }
    }

    /// Responds to a request with the smallest form that it accepts.
    pub fn respond(&self, request: &HeaderMap) -> Response {
        let coding = Coding::accepted(request);
        let compressed = coding.map(|coding| {
            let compressed = match coding {
                Coding::Brotli => &self.brotli,
                Coding::Gzip => &self.gzip,
            };
            compressed.get_or_init(|| coding.encode(&self.plain, QUALITY))
        });
        let body = compressed.unwrap_or_else(|| &*self.plain);
        let mut response = Response::new(sliced(body.clone()));
        let headers = response.headers_mut();
        headers.extend(self.headers.clone());
        headers.append(VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(coding) = coding {
            headers.insert(CONTENT_ENCODING, coding.value());
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn asking_for(codings: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("accept-encoding", codings.parse().expect("a header"));
        headers
    }

    #[tokio::test]
    async fn a_document_is_made_once_and_compressed_once_a_coding() {
        let text = "the same for every client ".repeat(100);
        let (made, count) = (text.clone(), Arc::new(AtomicU32::new(0)));
        let counted = count.clone();
        let document = StaticDocument::new(HeaderMap::new(), move || {
            counted.fetch_add(1, Ordering::Relaxed);
            made
        });
        let mut seen = Vec::new();
        for codings in ["br, gzip", "gzip", "identity", "br", "gzip", ""] {
            let response = document.respond(&asking_for(codings));
            assert_eq!(response.headers()[VARY], "accept-encoding");
            let coding = response.headers().get(CONTENT_ENCODING).cloned();
            let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
            let body = body.expect("a body");
            let mut decoded = String::new();
            match coding.as_ref().map(HeaderValue::as_bytes) {
                Some(b"br") => brotli::Decompressor::new(&*body, 4096).read_to_string(&mut decoded),
                Some(b"gzip") => flate2::read::GzDecoder::new(&*body).read_to_string(&mut decoded),
                _ => body.as_ref().read_to_string(&mut decoded),
            }
            .expect("what was compressed");
            assert_eq!(decoded, text, "{codings}");
            seen.push(body.as_ptr());
        }
        assert_eq!(count.load(Ordering::Relaxed), 1);
        // The same bytes in memory, so nothing was compressed again.
        assert_eq!(seen[0], seen[3]);
        assert_eq!(seen[1], seen[4]);
        assert_eq!(seen[2], seen[5]);
    }
}
