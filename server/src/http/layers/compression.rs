//! Compression of dynamic text responses: pages, the page's JSON and the description of the API.
//!
//! Assets are compressed at build time; videos and stills don't compress further.
//!
//! Why the compressed length leaks nothing (BREACH, CVE-2013-3587): that attack needs a response with a secret
//! beside text that the attacker chooses, which the attacker can make the victim request repeatedly. Here
//! browsers add no credentials to a request, since there are no cookies: a client that can request a page
//! knows its link, and can read all of it. No response repeats parts of its request, and the nonces in a page
//! are used once. The only response with a secret, the one that creates a request, is under `/v1`, where
//! nothing is compressed except for the API's description.

use axum::http::header::CONTENT_TYPE;
use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

/// Smaller bodies aren't compressed: they fit into one packet together with their headers.
const SMALL: u16 = 700;

/// The compression level, on brotli's scale of 0 to 11 and gzip's of 1 to 9.
const LEVEL: CompressionLevel = CompressionLevel::Precise(5);

type IsText = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// The compression layer for routes that respond with text.
pub fn compressed() -> CompressionLayer<And<SizeAbove, IsText>> {
    let is_text: IsText = is_text;
    let layer = CompressionLayer::new().quality(LEVEL);
    layer.compress_when(SizeAbove::new(SMALL).and(is_text))
}

/// Whether a response is text, by its media type.
fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let media_type = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = media_type.and_then(|it| it.split(';').next());
    matches!(
        essence,
        Some("application/json" | "image/svg+xml" | "text/html" | "text/markdown")
    )
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn text_is_told_from_other_content_by_its_media_type() {
        for (media_type, want) in [
            (Some("text/html; charset=utf-8"), true),
            (Some("text/markdown; charset=utf-8"), true),
            (Some("application/json"), true),
            (Some("image/svg+xml"), true),
            (Some("image/jpeg"), false),
            (Some("video/webm"), false),
            (Some("application/jsonl"), false),
            (None, false),
        ] {
            let value = media_type.map(HeaderValue::from_static);
            let headers = value.map(|it| (CONTENT_TYPE, it)).into_iter().collect();
            let (status, version) = (StatusCode::OK, Version::HTTP_11);
            let got = is_text(status, version, &headers, &Extensions::new());
            assert_eq!(got, want, "{media_type:?}");
        }
    }
}
