//! Compressing what is made anew for each answer and is text: pages, the page's JSON, the description of the
//! interface. Assets are compressed when they are built; videos and stills are as small as they get.
//!
//! Why a length betrays nothing (BREACH, CVE-2013-3587): that attack needs a secret in an answer, beside text
//! that the attacker chooses, in answers that the attacker can have the victim ask for again and again. Here
//! no browser adds to a request what the attacker lacks, since there are no cookies: whoever can ask for a
//! page has its link, and reads all of it. Nothing of a request is repeated in its answer, and the nonces in
//! a page serve once. The one answer with a secret, a creation, is under `/v1` and stays as it is, like all of
//! `/v1` but its description.

use axum::http::header::CONTENT_TYPE;
use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

/// What fits into one packet with its headers gets no faster.
const SMALL: u16 = 700;

/// Of brotli's 0 to 11 and gzip's 1 to 9.
const LEVEL: CompressionLevel = CompressionLevel::Precise(5);

type IsText = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// For routes whose answers are text, or some of them.
pub(super) fn compressed() -> CompressionLayer<And<SizeAbove, IsText>> {
    let is_text: IsText = is_text;
    let layer = CompressionLayer::new().quality(LEVEL);
    layer.compress_when(SizeAbove::new(SMALL).and(is_text))
}

/// By its media type, of which there are few.
fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let media_type = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = media_type.and_then(|it| it.split(';').next());
    matches!(
        essence,
        Some("application/json" | "image/svg+xml" | "text/html" | "text/markdown")
    )
}
