//! Interprets the `Range` header field (RFC 9110, section 14), without I/O.
//!
//! Ranges that overlap or touch are coalesced into one; any other set of ranges is answered with the whole
//! representation. The RFC allows both, and no video client needs a multipart response.

#[cfg(test)]
mod tests;

use std::ops::Range;

/// The most ranges that a header field may list.
///
/// With more, which no player sends, parsing stops and the field is ignored.
const MAX_RANGES: usize = 32;

/// How to respond to a `Range` header field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// 200 with the whole representation.
    Whole,
    /// 206 with these bytes, at least one.
    Part(Range<u64>),
    /// 416: no requested byte exists.
    Unsatisfiable,
}

/// Plans the response to a `Range` header field for a representation of `length` bytes.
pub fn plan(header: &str, length: u64) -> Plan {
    let Some(specs) = parse(header) else {
        return Plan::Whole;
    };
    let within = specs.iter().filter_map(|spec| spec.within(length));
    let mut ranges: Vec<Range<u64>> = within.collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let Some(mut one) = ranges.first().cloned() else {
        return Plan::Unsatisfiable;
    };
    for next in ranges {
        if next.start > one.end {
            return Plan::Whole;
        }
        one.end = one.end.max(next.end);
    }
    Plan::Part(one)
}

/// A range specifier, before the length of the representation is known.
#[derive(Clone, Copy)]
enum Spec {
    /// `first-`
    From(u64),
    /// `first-last`, the last one included
    Closed(u64, u64),
    /// `-count`
    Last(u64),
}

impl Spec {
    /// Resolves the specifier against a length. `None`: it selects no existing byte (section 14.1.2).
    fn within(self, length: u64) -> Option<Range<u64>> {
        let range = match self {
            Self::From(first) => first..length,
            Self::Closed(first, last) => first..last.saturating_add(1).min(length),
            Self::Last(count) => length.saturating_sub(count)..length,
        };
        (range.start < range.end).then_some(range)
    }
}

/// Parses a header field.
///
/// `None`: another unit, malformed, or too many ranges; the field is then ignored (section 14.2).
fn parse(header: &str) -> Option<Vec<Spec>> {
    let (unit, set) = header.trim().split_once('=')?;
    if !unit.eq_ignore_ascii_case("bytes") {
        return None;
    }
    // Empty list elements are skipped: section 5.6.1.2.
    let specs = set.split(',').map(|spec| spec.trim_matches([' ', '\t']));
    let specs = specs.filter(|spec| !spec.is_empty());
    let specs: Option<Vec<Spec>> = specs.take(MAX_RANGES + 1).map(spec).collect();
    specs.filter(|specs| (1..=MAX_RANGES).contains(&specs.len()))
}

fn spec(text: &str) -> Option<Spec> {
    match text.split_once('-')? {
        ("", count) => Some(Spec::Last(number(count)?)),
        (first, "") => Some(Spec::From(number(first)?)),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some(Spec::Closed(first, last))
        }
    }
}

/// Parses a string of ASCII digits.
///
/// `u64::from_str` alone would accept a plus sign. A number that overflows 64 bits becomes `u64::MAX`, since it
/// lies beyond the end of any representation.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}
