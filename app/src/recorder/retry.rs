//! When to try again, and when not to. Pure. How long to wait: `backoff`.

use super::state::Ending;

/// What an answer means for the upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Done.
    Good,
    /// Ask for the offset, then go on from there.
    Resync,
    /// Try again later.
    Later,
    /// Likewise: the server has no room for now.
    Full,
    /// Nothing is wrong, it only isn't ready: ask again in a moment.
    NotYet,
    /// Never.
    Over(Ending),
}

/// Reads a status. A 409 with an offset says where to go on; without one the request has its video.
///
/// `ours`: the answer is in the server's own form. What a proxy in between says while the server restarts
/// is no reason to give a recording up.
pub fn verdict(status: u16, has_offset: bool, ours: bool) -> Verdict {
    match status {
        200..=299 => Verdict::Good,
        409 if has_offset => Verdict::Resync,
        408 | 425 | 429 => Verdict::Later,
        400..=499 if !ours => Verdict::Later,
        409 => Verdict::Over(Ending::AlreadySubmitted),
        404 => Verdict::Over(Ending::Withdrawn),
        410 => Verdict::Over(Ending::Expired),
        413 => Verdict::Over(Ending::TooLarge),
        400..=499 => Verdict::Over(Ending::Refused),
        503 if ours => Verdict::NotYet,
        507 => Verdict::Full,
        _ => Verdict::Later,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_ends_nothing() {
        for status in [400, 401, 403, 404, 409, 410, 413, 502, 503] {
            assert_eq!(verdict(status, false, false), Verdict::Later, "{status}");
        }
    }

    #[test]
    fn answers_mean() {
        for (status, has_offset, want) in [
            (201, true, Verdict::Good),
            (204, true, Verdict::Good),
            (409, true, Verdict::Resync),
            (409, false, Verdict::Over(Ending::AlreadySubmitted)),
            (404, false, Verdict::Over(Ending::Withdrawn)),
            (410, false, Verdict::Over(Ending::Expired)),
            (413, false, Verdict::Over(Ending::TooLarge)),
            (415, false, Verdict::Over(Ending::Refused)),
            (422, false, Verdict::Over(Ending::Refused)),
            (503, false, Verdict::NotYet),
            (408, false, Verdict::Later),
            (429, false, Verdict::Later),
            (500, false, Verdict::Later),
            (502, false, Verdict::Later),
            (507, false, Verdict::Full),
        ] {
            assert_eq!(verdict(status, has_offset, true), want, "{status}");
        }
    }
}
