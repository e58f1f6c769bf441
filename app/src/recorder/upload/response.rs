//! What the status of a response means for the upload. Pure.

use crate::recorder::state::Ending;

/// What a response means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseClass {
    /// The request succeeded.
    Success,
    /// The `Upload-Offset` didn't match: ask for the offset and continue there.
    OffsetMismatch,
    /// Retry later.
    Retry,
    /// Retry later: the server has no room for now.
    ServerFull,
    /// The server isn't ready yet: ask again soon.
    NotReady,
    /// Don't retry.
    Ended(Ending),
}

/// Classifies a response.
/// A 409 with an offset says where to continue; without one the request has its video.
///
/// `is_ours`: the body has a media type of the server's own answers. That of a proxy, an error while the server restarts
/// or a page to sign in, never ends an upload.
pub fn classify_response(status: u16, has_offset: bool, is_ours: bool) -> ResponseClass {
    match status {
        204 => ResponseClass::Success,
        200..=299 if has_offset || is_ours => ResponseClass::Success,
        409 if has_offset => ResponseClass::OffsetMismatch,
        408 | 425 | 429 => ResponseClass::Retry,
        400..=499 if !is_ours => ResponseClass::Retry,
        409 => ResponseClass::Ended(Ending::AlreadySubmitted),
        404 => ResponseClass::Ended(Ending::Withdrawn),
        410 => ResponseClass::Ended(Ending::Expired),
        413 => ResponseClass::Ended(Ending::TooLarge),
        400..=499 => ResponseClass::Ended(Ending::Refused),
        503 if is_ours => ResponseClass::NotReady,
        507 => ResponseClass::ServerFull,
        _ => ResponseClass::Retry,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_a_proxy_is_not_a_success() {
        let class = |status, has_offset, is_ours| classify_response(status, has_offset, is_ours);
        assert_eq!(class(200, false, false), ResponseClass::Retry);
        assert_eq!(class(200, false, true), ResponseClass::Success);
        assert_eq!(class(201, true, false), ResponseClass::Success);
        assert_eq!(class(204, false, false), ResponseClass::Success);
    }

    #[test]
    fn errors_of_a_proxy_are_retried() {
        for status in [400, 401, 403, 404, 409, 410, 413, 502, 503] {
            let class = classify_response(status, false, false);
            assert_eq!(class, ResponseClass::Retry, "{status}");
        }
    }

    #[test]
    fn responses_are_classified() {
        use ResponseClass::{Ended, NotReady, OffsetMismatch, Retry, ServerFull, Success};
        for (status, has_offset, want) in [
            (201, true, Success),
            (204, true, Success),
            (409, true, OffsetMismatch),
            (409, false, Ended(Ending::AlreadySubmitted)),
            (404, false, Ended(Ending::Withdrawn)),
            (410, false, Ended(Ending::Expired)),
            (413, false, Ended(Ending::TooLarge)),
            (415, false, Ended(Ending::Refused)),
            (422, false, Ended(Ending::Refused)),
            (503, false, NotReady),
            (408, false, Retry),
            (429, false, Retry),
            (500, false, Retry),
            (502, false, Retry),
            (507, false, ServerFull),
        ] {
            assert_eq!(
                classify_response(status, has_offset, true),
                want,
                "{status}"
            );
        }
    }
}
