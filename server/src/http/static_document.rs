//! Documents that are the same for every client: rendered once, and compressed once per content coding.
//!
//! Both happen at the first request that needs them, to keep startup fast. Assets are compressed by the build
//! instead (`assets`), and dynamic responses by a layer (`compression`).

use std::io::Write;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Brotli's quality, of 0 to 11: a document is compressed once, while a client waits.
const BROTLI_QUALITY: u32 = 9;

/// Brotli's window as a power of two: 4 MiB, far more than a document has.
const BROTLI_WINDOW: u32 = 22;

type Lazy = LazyLock<Bytes, Box<dyn FnOnce() -> Bytes + Send>>;

/// A document with its headers, and its compressed forms once a client has requested them.
pub struct StaticDocument {
    headers: HeaderMap,
    plain: Lazy,
    brotli: std::sync::OnceLock<Bytes>,
    gzip: std::sync::OnceLock<Bytes>,
}

impl StaticDocument {
    /// Creates a document from the text that `make` returns; `make` is called at most once.
    pub fn new(headers: HeaderMap, make: impl FnOnce() -> String + Send + 'static) -> Self {
        Self {
            headers,
            plain: LazyLock::new(Box::new(|| make().into())),
            brotli: std::sync::OnceLock::new(),
            gzip: std::sync::OnceLock::new(),
        }
    }

    /// Responds to a request with the smallest form that it accepts.
    pub fn respond(&self, request: &HeaderMap) -> Response {
        let (coding, body) = if accepts(request, "br") {
            (Some("br"), self.brotli.get_or_init(|| brotli(&self.plain)))
        } else if accepts(request, "gzip") {
            (Some("gzip"), self.gzip.get_or_init(|| gzip(&self.plain)))
        } else {
            (None, &*self.plain)
        };
        let mut response = body.clone().into_response();
        let headers = response.headers_mut();
        headers.extend(self.headers.clone());
        headers.append(VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(coding) = coding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        response
    }
}

/// Whether a request accepts a content coding by its name: RFC 9110, section 12.5.3.
pub fn accepts(request: &HeaderMap, coding: &str) -> bool {
    let lists = request.get_all(ACCEPT_ENCODING).iter();
    let mut accepted = lists
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','));
    accepted.any(|it| {
        let (name, weight) = it.split_once(';').unwrap_or((it, "q=1"));
        let weight = weight
            .trim()
            .strip_prefix("q=")
            .and_then(|q| q.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(coding) && weight.is_some_and(|q| q > 0.0)
    })
}

fn brotli(plain: &[u8]) -> Bytes {
    let compressed = Vec::new();
    let mut encoder =
        brotli::CompressorWriter::new(compressed, 4096, BROTLI_QUALITY, BROTLI_WINDOW);
    expect_infallible(encoder.write_all(plain));
    encoder.into_inner().into()
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    expect_infallible(encoder.write_all(plain));
    encoder.finish().expect("a Vec takes any bytes").into()
}

fn expect_infallible(outcome: std::io::Result<()>) {
    outcome.expect("a Vec takes any bytes");
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn asking_for(codings: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, codings.parse().expect("a header"));
        headers
    }

    #[test]
    fn a_coding_is_used_only_for_clients_that_accept_it() {
        for (header, want) in [
            ("gzip, deflate, br, zstd", true),
            ("br;q=0.5", true),
            ("br;q=0", false),
            ("gzip", false),
            ("brotli", false),
            ("", false),
        ] {
            assert_eq!(accepts(&asking_for(header), "br"), want, "{header}");
        }
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
