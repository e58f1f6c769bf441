//! Tables of requests with conditions, and what they are answered with.

use std::time::{Duration, UNIX_EPOCH};

use axum::http::{HeaderName, HeaderValue};

use super::Precondition::{Answer, Failed, NotModified};
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

fn all_hold(cases: &[(&[(&str, &str)], Precondition)]) {
    for (pairs, want) in cases {
        assert_eq!(check(&headers(pairs), &current()), *want, "{pairs:?}");
    }
}

/// Single conditions: sections 13.1.1 to 13.1.4.
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
        // Lists may span several field lines and hold empty elements; tags may hold commas.
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
        // The two obsolete date formats: section 5.6.7.
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

/// Dates count only without entity tags, and conditions that can fail come first: section 13.2.2.
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

/// The RFC doesn't say how to treat a malformed list; here its malformed parts match nothing.
#[test]
fn malformed_entity_tags_match_nothing() {
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

/// An invalid date must be ignored (sections 13.1.3, 13.1.4).
#[test]
fn malformed_dates_are_ignored() {
    all_hold(&[
        (&[("if-modified-since", "yesterday")], Answer),
        (&[("if-modified-since", "")], Answer),
        (&[("if-modified-since", "2026-11-21T09:00:00Z")], Answer),
        (&[("if-modified-since", "1795251600")], Answer),
        (&[("if-unmodified-since", "yesterday")], Answer),
        (&[("if-unmodified-since", "")], Answer),
    ]);
}

/// `If-Range` applies only to the exact same representation: section 13.1.5.
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
