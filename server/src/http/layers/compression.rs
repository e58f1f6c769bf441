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

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::http::content_coding::Coding;

/// Smaller bodies aren't compressed: they fit into one packet together with their headers.
const SMALL: usize = 700;

/// The quality of the compression, of 0 to 9.
/// One of 7 takes half a millisecond longer for a page than one of 5, and saves 160 bytes of it; higher ones save
/// nothing more.
const QUALITY: u32 = 7;

/// The middleware for routes that respond with text.
///
/// What it passes on is complete: a client that reads nothing would keep alive what renders the page, and megabytes of
/// what compresses it.
pub async fn compress(request: Request, next: Next) -> Response {
    let coding = Coding::accepted(request.headers());
    let (mut parts, body) = next.run(request).await.into_parts();
    let whole = match to_bytes(body, usize::MAX).await {
        Ok(whole) => whole,
        // The response breaks off, as it would have.
        Err(error) => {
            let broken = futures_util::stream::once(async { Err::<Bytes, _>(error) });
            return Response::from_parts(parts, Body::from_stream(broken));
        }
    };
    if whole.len() <= SMALL || !is_text(&parts.headers) {
        return Response::from_parts(parts, Body::from(whole));
    }
    let vary = HeaderValue::from_static("accept-encoding");
    parts.headers.append(VARY, vary);
    let Some(coding) = coding else {
        return Response::from_parts(parts, Body::from(whole));
    };
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_ENCODING, coding.value());
    Response::from_parts(parts, Body::from(coding.encode(&whole, QUALITY)))
}

/// Whether a response is text, by its media type.
fn is_text(headers: &HeaderMap) -> bool {
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
    fn text_is_recognized_by_its_media_type() {
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
            assert_eq!(is_text(&headers), want, "{media_type:?}");
        }
    }
}
