//! Whether an answer is wanted at all, and as a range: RFC 9110, section 13. Pure.
//!
//! Tags are compared here: `headers` asserts in its debug builds what a stranger's tag may hold.

use std::time::SystemTime;

use axum::http::header::{
    IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE,
};
use axum::http::{HeaderMap, HeaderName, Method};
use httpdate::parse_http_date;

/// What tells one state of a representation from another.
#[derive(Clone, Debug)]
pub struct Validators {
    /// Strong, in its quotes: the same tag means the same bytes.
    pub etag: String,
    /// In whole seconds.
    pub modified: SystemTime,
}

/// What the conditions of a request ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The answer.
    Answer,
    /// 304: the client has it.
    NotModified,
    /// 412: it isn't what the client takes it for.
    Failed,
}

/// Evaluates the conditions of a GET or HEAD in the order of section 13.2.2.
pub fn check(headers: &HeaderMap, current: &Validators) -> Verdict {
    let wanted = named(headers, &IF_MATCH, &current.etag, Comparison::Strong);
    let failed = match wanted {
        Some(wanted) => !wanted,
        None => date(headers, &IF_UNMODIFIED_SINCE).is_some_and(|since| current.modified > since),
    };
    if failed {
        return Verdict::Failed;
    }
    let had = match named(headers, &IF_NONE_MATCH, &current.etag, Comparison::Weak) {
        Some(had) => had,
        None => date(headers, &IF_MODIFIED_SINCE).is_some_and(|since| current.modified <= since),
    };
    match had {
        true => Verdict::NotModified,
        false => Verdict::Answer,
    }
}

/// Whether a `Range` counts: for GET alone (section 14.2), and with `If-Range` only if that names these
/// very bytes, by a strong tag or by the exact date (section 13.1.5).
pub fn range_counts(method: &Method, headers: &HeaderMap, current: &Validators) -> bool {
    if method != Method::GET {
        return false;
    }
    let mut values = headers.get_all(IF_RANGE).iter();
    match (values.next(), values.next()) {
        (None, _) => true,
        (Some(_), Some(_)) => false,
        (Some(value), None) => {
            let by_date = || date(headers, &IF_RANGE) == Some(current.modified);
            value == current.etag.as_str() || by_date()
        }
    }
}

/// How tags are compared: section 8.8.3.2.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// Byte by byte the same.
    Strong,
    /// The same to those who use it.
    Weak,
}

/// Whether a list of tags names this one, or everything. `None`: there is no such list. What can't be read
/// names nothing.
fn named(headers: &HeaderMap, name: &HeaderName, etag: &str, how: Comparison) -> Option<bool> {
    let lines = headers.get_all(name).iter();
    let mut lines = lines
        .map(|line| line.to_str().unwrap_or_default())
        .peekable();
    lines.peek()?;
    Some(lines.any(|line| line.trim() == "*" || tags(line).any(|tag| same(tag, etag, how))))
}

fn same(tag: &str, etag: &str, how: Comparison) -> bool {
    match tag.strip_prefix("W/") {
        Some(weak) => how == Comparison::Weak && weak == etag,
        None => tag == etag,
    }
}

/// The tags of a list, each in its quotes, up to what is none. A tag may hold commas.
fn tags(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let open = if rest.starts_with("W/\"") { 2 } else { 0 };
        let opaque = rest.get(open..)?.strip_prefix('"')?;
        let close = open + 1 + opaque.find('"')?;
        let (tag, behind) = rest.split_at(close + 1);
        rest = behind;
        Some(tag)
    })
}

/// A date in any of the three forms of section 5.6.7. Another value, or several, count as none.
fn date(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    let mut values = headers.get_all(name).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    parse_http_date(value.to_str().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use axum::http::{HeaderName, HeaderValue};

    use super::Verdict::{Answer, Failed, NotModified};
    use super::*;

    const BEFORE: &str = "Sat, 21 Nov 2026 08:59:59 GMT";
    const THEN: &str = "Sat, 21 Nov 2026 09:00:00 GMT";
    const AFTER: &str = "Sat, 21 Nov 2026 09:00:01 GMT";

    fn current() -> Validators {
        Validators {
            etag: "\"v.1\"".to_owned(),
            modified: UNIX_EPOCH + Duration::from_secs(1_795_251_600),
        }
    }

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let header = |(name, value): &(&str, &str)| {
            let name: HeaderName = name.parse().expect("a name");
            (name, HeaderValue::from_str(value).expect("a value"))
        };
        let mut all = HeaderMap::new();
        for (name, value) in pairs.iter().map(header) {
            all.append(name, value);
        }
        all
    }

    fn all_hold(cases: &[(&[(&str, &str)], Verdict)]) {
        for (pairs, want) in cases {
            assert_eq!(check(&headers(pairs), &current()), *want, "{pairs:?}");
        }
    }

    /// Sections 13.1.1 to 13.1.4.
    #[test]
    fn single_conditions_must_be_read_so() {
        all_hold(&[
            (&[], Answer),
            (&[("if-match", "\"v.1\"")], Answer),
            (&[("if-match", "*")], Answer),
            (&[("if-match", "\"other\"")], Failed),
            (&[("if-match", "\"other\", \"v.1\"")], Answer),
            (&[("if-match", "\"a\", \"b\"")], Failed),
            // Strong comparison.
            (&[("if-match", "W/\"v.1\"")], Failed),
            (&[("if-match", "\"v.1 \"")], Failed),
            (&[("if-match", "\"V.1\"")], Failed),
            (&[("if-none-match", "\"v.1\"")], NotModified),
            (&[("if-none-match", "*")], NotModified),
            (&[("if-none-match", "\"other\"")], Answer),
            (&[("if-none-match", "\"a\",\"v.1\",\"b\"")], NotModified),
            (&[("if-none-match", "\"a\", \"b\"")], Answer),
            // Weak comparison.
            (&[("if-none-match", "W/\"v.1\"")], NotModified),
            (&[("if-none-match", "W/\"other\"")], Answer),
            (&[("if-none-match", "W/\"a\", W/\"v.1\"")], NotModified),
            // Lists may go on in another line, hold empty elements, and tags may hold commas.
            (&[("if-match", "\"a\""), ("if-match", "\"v.1\"")], Answer),
            (
                &[("if-none-match", "\"a\""), ("if-none-match", "\"v.1\"")],
                NotModified,
            ),
            (&[("if-match", ",, \"v.1\"")], Answer),
            (&[("if-match", "\"a,\",\"v.1\"")], Answer),
            (&[("if-none-match", "\",v.1,\"")], Answer),
            (&[("if-modified-since", BEFORE)], Answer),
            (&[("if-modified-since", THEN)], NotModified),
            (&[("if-modified-since", AFTER)], NotModified),
            (&[("if-unmodified-since", BEFORE)], Failed),
            (&[("if-unmodified-since", THEN)], Answer),
            (&[("if-unmodified-since", AFTER)], Answer),
            // The two older forms of dates: section 5.6.7.
            (
                &[("if-modified-since", "Saturday, 21-Nov-26 09:00:00 GMT")],
                NotModified,
            ),
            (
                &[("if-modified-since", "Sat Nov 21 09:00:00 2026")],
                NotModified,
            ),
            (&[("if-modified-since", "Sat Nov 21 08:59:59 2026")], Answer),
        ]);
    }

    /// Dates count only where no tag was sent, and what may fail is asked first: section 13.2.2.
    #[test]
    fn several_conditions_must_be_read_in_order() {
        all_hold(&[
            (
                &[("if-match", "\"v.1\""), ("if-unmodified-since", BEFORE)],
                Answer,
            ),
            (
                &[("if-match", "\"other\""), ("if-unmodified-since", AFTER)],
                Failed,
            ),
            (
                &[("if-none-match", "\"other\""), ("if-modified-since", AFTER)],
                Answer,
            ),
            (
                &[("if-none-match", "\"v.1\""), ("if-modified-since", BEFORE)],
                NotModified,
            ),
            (
                &[("if-match", "\"other\""), ("if-none-match", "\"v.1\"")],
                Failed,
            ),
            (
                &[("if-match", "\"v.1\""), ("if-none-match", "\"v.1\"")],
                NotModified,
            ),
            (&[("if-match", "*"), ("if-none-match", "\"other\"")], Answer),
            (
                &[
                    ("if-unmodified-since", BEFORE),
                    ("if-none-match", "\"v.1\""),
                ],
                Failed,
            ),
            (
                &[("if-unmodified-since", AFTER), ("if-modified-since", AFTER)],
                NotModified,
            ),
        ]);
    }

    /// Nothing is said of lists that are none; what can't be read names nothing.
    #[test]
    fn tags_that_are_none_name_nothing_by_choice() {
        all_hold(&[
            (&[("if-match", "v.1")], Failed),
            (&[("if-match", "")], Failed),
            (&[("if-match", "\"v.1")], Failed),
            (&[("if-match", "w/\"v.1\"")], Failed),
            (&[("if-match", "oh, \"v.1\"")], Failed),
            (&[("if-none-match", "v.1")], Answer),
            (&[("if-none-match", "")], Answer),
            (&[("if-none-match", "\"v.1")], Answer),
            (&[("if-none-match", "'v.1'")], Answer),
        ]);
    }

    /// A date that isn't one must be ignored (sections 13.1.3, 13.1.4).
    #[test]
    fn dates_that_are_none_must_be_ignored() {
        all_hold(&[
            (&[("if-modified-since", "yesterday")], Answer),
            (&[("if-modified-since", "")], Answer),
            (&[("if-modified-since", "2026-11-21T09:00:00Z")], Answer),
            (&[("if-modified-since", "1795251600")], Answer),
            (&[("if-unmodified-since", "yesterday")], Answer),
            (&[("if-unmodified-since", "")], Answer),
        ]);
    }

    /// Section 13.1.5.
    #[test]
    fn a_range_must_count_only_for_these_very_bytes() {
        for (pairs, want) in [
            (vec![], true),
            (vec![("if-range", "\"v.1\"")], true),
            (vec![("if-range", "\"other\"")], false),
            (vec![("if-range", "W/\"v.1\"")], false),
            (vec![("if-range", "\"v.1\", \"other\"")], false),
            (vec![("if-range", "*")], false),
            (vec![("if-range", "")], false),
            (vec![("if-range", THEN)], true),
            (vec![("if-range", BEFORE)], false),
            (vec![("if-range", AFTER)], false),
            (
                vec![("if-range", "\"v.1\""), ("if-range", "\"v.1\"")],
                false,
            ),
        ] {
            let counts = range_counts(&Method::GET, &headers(&pairs), &current());
            assert_eq!(counts, want, "{pairs:?}");
            assert!(!range_counts(&Method::HEAD, &headers(&pairs), &current()));
        }
    }
}
