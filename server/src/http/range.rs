//! Which bytes a `Range` header asks for: RFC 9110, section 14. Pure.
//!
//! One range at a time. A set of several is answered with the whole, which the RFC allows; so is
//! anything malformed and any unit but bytes.

use std::ops::Range;

/// What to answer with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// 200 and everything.
    Whole,
    /// 206 and these bytes: never none of them.
    Part(Range<u64>),
    /// 416.
    Unsatisfiable,
}

/// Plans the answer to a `Range` header for a representation of `length` bytes.
pub fn plan(header: &str, length: u64) -> Plan {
    match parse(header) {
        None => Plan::Whole,
        Some(Spec::From(first)) if first < length => Plan::Part(first..length),
        Some(Spec::Closed(first, last)) if first < length => {
            Plan::Part(first..last.saturating_add(1).min(length))
        }
        Some(Spec::Last(count)) if count > 0 && length > 0 => {
            Plan::Part(length.saturating_sub(count)..length)
        }
        Some(_) => Plan::Unsatisfiable,
    }
}

/// A single range, before the length is known.
#[derive(Clone, Copy)]
enum Spec {
    /// `first-`
    From(u64),
    /// `first-last`, the last one included
    Closed(u64, u64),
    /// `-count`
    Last(u64),
}

fn parse(header: &str) -> Option<Spec> {
    let (unit, set) = header.trim().split_once('=')?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = set.trim().split_once('-')?;
    match (first, last) {
        ("", count) => Some(Spec::Last(number(count)?)),
        (first, "") => Some(Spec::From(number(first)?)),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some(Spec::Closed(first, last))
        }
    }
}

/// Digits and nothing else: `u64::from_str` would take a plus sign. A number too large for 64 bits lies
/// behind every end, and that is all that matters about it.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::Plan::{Part, Unsatisfiable, Whole};
    use super::*;

    #[test]
    fn headers_ask_for_these_bytes() {
        for (header, length, want) in [
            ("bytes=0-0", 10, Part(0..1)),
            ("bytes=0-1", 10, Part(0..2)), // Safari's probe
            ("bytes=0-", 10, Part(0..10)), // Chrome's opening
            ("bytes=9-", 10, Part(9..10)),
            ("bytes=2-5", 10, Part(2..6)),
            ("bytes=8-99", 10, Part(8..10)), // clipped
            ("bytes=0-99999999999999999999999", 10, Part(0..10)),
            ("bytes=-1", 10, Part(9..10)),
            ("bytes=-10", 10, Part(0..10)),
            ("bytes=-99", 10, Part(0..10)), // a long suffix is all, still 206
            ("BYTES=1-2", 10, Part(1..3)),
            ("bytes= 1-2", 10, Part(1..3)),
            ("bytes=10-", 10, Unsatisfiable),
            ("bytes=10-12", 10, Unsatisfiable),
            ("bytes=99999999999999999999999-", 10, Unsatisfiable),
            ("bytes=-0", 10, Unsatisfiable),
            ("bytes=0-", 0, Unsatisfiable),
            ("bytes=-1", 0, Unsatisfiable),
            ("bytes=5-2", 10, Whole), // malformed
            ("bytes=", 10, Whole),
            ("bytes=-", 10, Whole),
            ("bytes=+1-2", 10, Whole),
            ("bytes=1-+2", 10, Whole),
            ("bytes=--1", 10, Whole),
            ("bytes=1", 10, Whole),
            ("bytes=a-b", 10, Whole),
            ("bytes 0-1", 10, Whole),
            ("", 10, Whole),
            ("seconds=0-1", 10, Whole),   // an unknown unit
            ("bytes=0-1,4-5", 10, Whole), // several
        ] {
            assert_eq!(plan(header, length), want, "{header} of {length}");
        }
    }
}
