//! Evaluates conditional requests and `If-Range` (RFC 9110, section 13), without I/O.
//!
//! Entity tags are compared here, not by the crate `headers`: its debug builds assert which characters a
//! client's tag may hold.

use std::time::SystemTime;

use axum::http::header::{
    IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE,
};
use axum::http::{HeaderMap, HeaderName, Method};
use httpdate::parse_http_date;

/// The validators of a representation: they tell one state of it from another.
#[derive(Clone, Debug)]
pub struct Validators {
    /// A strong entity tag with its quotes: equal tags mean equal bytes.
    pub etag: String,
    /// The last modification, in whole seconds.
    pub modified: SystemTime,
}

/// The result of evaluating a request's preconditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precondition {
    /// Respond as if the request had no preconditions.
    Answer,
    /// 304: the client has the current representation.
    NotModified,
    /// 412: the representation is not the one that the client expects.
    Failed,
}

/// Evaluates the preconditions of a GET or HEAD in the order of section 13.2.2.
pub fn check(headers: &HeaderMap, current: &Validators) -> Precondition {
    let wanted = named(headers, &IF_MATCH, &current.etag, Comparison::Strong);
    let failed = match wanted {
        Some(wanted) => !wanted,
        None => date(headers, &IF_UNMODIFIED_SINCE).is_some_and(|since| current.modified > since),
    };
    if failed {
        return Precondition::Failed;
    }
    let had = match named(headers, &IF_NONE_MATCH, &current.etag, Comparison::Weak) {
        Some(had) => had,
        None => date(headers, &IF_MODIFIED_SINCE).is_some_and(|since| current.modified <= since),
    };
    match had {
        true => Precondition::NotModified,
        false => Precondition::Answer,
    }
}

/// Whether a request's `Range` applies.
///
/// It applies to GET only (section 14.2), and with `If-Range` only if that field holds the current strong entity
/// tag or the exact modification date (section 13.1.5).
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

/// The comparison functions for entity tags: section 8.8.3.2.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// Both tags are strong and equal byte by byte.
    Strong,
    /// The opaque tags are equal; either tag may be weak.
    Weak,
}

/// Whether a list of entity tags holds this one, or is `*`.
///
/// `None`: the header field is absent. Malformed content matches nothing.
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

/// The entity tags of a list with their quotes, up to the first malformed one. A tag may hold commas.
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

/// Parses a date in any of the three forms of section 5.6.7. `None`: absent, malformed or repeated.
fn date(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    let mut values = headers.get_all(name).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    parse_http_date(value.to_str().ok()?).ok()
}

#[cfg(test)]
mod tests;
