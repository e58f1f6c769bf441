use proptest::prelude::*;

use super::Plan::{Part, Unsatisfiable, Whole};
use super::*;

fn all_hold(cases: &[(&str, u64, Plan)]) {
    for (header, length, want) in cases {
        assert_eq!(plan(header, *length), *want, "{header:?} of {length}");
    }
}

/// Cases that RFC 9110 fixes: sections 14.1.1 (syntax), 14.1.2 (bytes), 14.2, 15.3.7, 15.5.17.
#[test]
fn single_ranges_must_be_read_so() {
    all_hold(&[
        ("bytes=0-0", 10, Part(0..1)),
        ("bytes=0-1", 10, Part(0..2)), // Safari's probe
        ("bytes=0-", 10, Part(0..10)), // Chrome's opening
        ("bytes=0-9", 10, Part(0..10)),
        ("bytes=1-", 10, Part(1..10)),
        ("bytes=9-", 10, Part(9..10)),
        ("bytes=9-9", 10, Part(9..10)),
        ("bytes=2-5", 10, Part(2..6)),
        ("bytes=5-5", 10, Part(5..6)),
        ("bytes=00-01", 10, Part(0..2)),
        ("bytes=0000000000000000000000002-3", 10, Part(2..4)),
        // A last position beyond the end means the end.
        ("bytes=8-99", 10, Part(8..10)),
        ("bytes=9-10", 10, Part(9..10)),
        ("bytes=0-10", 10, Part(0..10)),
        ("bytes=0-18446744073709551614", 10, Part(0..10)),
        ("bytes=0-18446744073709551615", 10, Part(0..10)),
        ("bytes=0-18446744073709551616", 10, Part(0..10)),
        ("bytes=0-99999999999999999999999", 10, Part(0..10)),
        // A suffix counts from the end; a longer one than the representation selects all of it.
        ("bytes=-1", 10, Part(9..10)),
        ("bytes=-5", 10, Part(5..10)),
        ("bytes=-9", 10, Part(1..10)),
        ("bytes=-10", 10, Part(0..10)),
        ("bytes=-11", 10, Part(0..10)),
        ("bytes=-99", 10, Part(0..10)),
        ("bytes=-99999999999999999999999", 10, Part(0..10)),
        ("bytes=-01", 10, Part(9..10)),
        // Lengths of one byte and beyond 32 bits.
        ("bytes=0-", 1, Part(0..1)),
        ("bytes=0-0", 1, Part(0..1)),
        ("bytes=-1", 1, Part(0..1)),
        (
            "bytes=4294967295-4294967296",
            5_000_000_000,
            Part(4_294_967_295..4_294_967_297),
        ),
        (
            "bytes=4999999999-",
            5_000_000_000,
            Part(4_999_999_999..5_000_000_000),
        ),
        ("bytes=0-", u64::MAX, Part(0..u64::MAX)),
        ("bytes=-1", u64::MAX, Part(u64::MAX - 1..u64::MAX)),
        // Range units are case-insensitive: section 14.1.
        ("BYTES=1-2", 10, Part(1..3)),
        ("Bytes=1-2", 10, Part(1..3)),
    ]);
}

#[test]
fn ranges_without_a_byte_must_be_refused() {
    all_hold(&[
        ("bytes=10-", 10, Unsatisfiable),
        ("bytes=10-10", 10, Unsatisfiable),
        ("bytes=10-12", 10, Unsatisfiable),
        ("bytes=11-", 10, Unsatisfiable),
        ("bytes=1-", 1, Unsatisfiable),
        ("bytes=18446744073709551615-", 10, Unsatisfiable),
        ("bytes=99999999999999999999999-", 10, Unsatisfiable),
        (
            "bytes=99999999999999999999999-99999999999999999999999",
            10,
            Unsatisfiable,
        ),
        ("bytes=-0", 10, Unsatisfiable),
        ("bytes=-00", 10, Unsatisfiable),
        ("bytes=0-", 0, Unsatisfiable),
        ("bytes=0-0", 0, Unsatisfiable),
        ("bytes=-1", 0, Unsatisfiable),
        ("bytes=-0", 0, Unsatisfiable),
        // Sets in which every range is unsatisfiable.
        ("bytes=10-11,12-13", 10, Unsatisfiable),
        ("bytes=-0,10-", 10, Unsatisfiable),
        ("bytes=20-,30-40,-0", 10, Unsatisfiable),
    ]);
}

/// An invalid header field or an unknown range unit must be ignored: section 14.2.
#[test]
fn malformed_ranges_are_ignored() {
    all_hold(&[
        ("", 10, Whole),
        ("bytes", 10, Whole),
        ("bytes=", 10, Whole),
        ("bytes= ", 10, Whole),
        ("bytes=-", 10, Whole),
        ("bytes=--", 10, Whole),
        ("bytes=--1", 10, Whole),
        ("bytes=1--2", 10, Whole),
        ("bytes=1-2-3", 10, Whole),
        ("bytes=1", 10, Whole),
        ("bytes=a-b", 10, Whole),
        ("bytes=0x1-2", 10, Whole),
        ("bytes=1.0-2", 10, Whole),
        ("bytes=1e1-", 10, Whole),
        ("bytes=+1-2", 10, Whole),
        ("bytes=1-+2", 10, Whole),
        ("bytes=-+2", 10, Whole),
        ("bytes=1 -2", 10, Whole),
        ("bytes=1- 2", 10, Whole),
        ("bytes=- 2", 10, Whole),
        ("bytes=1_0-", 10, Whole),
        ("bytes=\u{661}-\u{662}", 10, Whole), // digits, but not ASCII's
        ("bytes=*", 10, Whole),
        ("bytes=0-*", 10, Whole),
        ("bytes=0-0/10", 10, Whole),
        ("bytes 0-1", 10, Whole),
        ("bytes:0-1", 10, Whole),
        ("bytes =0-1", 10, Whole),
        ("=0-1", 10, Whole),
        ("0-1", 10, Whole),
        ("byte=0-1", 10, Whole),
        ("bytess=0-1", 10, Whole),
        ("seconds=0-1", 10, Whole),
        ("none=0-1", 10, Whole),
        ("items=0-0", 10, Whole),
        // A last position before the first makes the whole set invalid.
        ("bytes=5-2", 10, Whole),
        ("bytes=1-0", 10, Whole),
        ("bytes=12-11", 10, Whole),
        ("bytes=0-1,5-2", 10, Whole),
        ("bytes=5-2,0-1", 10, Whole),
        ("bytes=0-1,x", 10, Whole),
        ("bytes=0-1;2-3", 10, Whole),
        ("bytes=0-1 2-3", 10, Whole),
        ("bytes=0-1,bytes=2-3", 10, Whole),
        // A set that is invalid and unsatisfiable counts as invalid.
        ("bytes=10-,5-2", 10, Whole),
        ("bytes=,", 10, Whole),
        ("bytes=,,,", 10, Whole),
    ]);
}

/// Unsatisfiable ranges are dropped from a set that has satisfiable ones: section 14.1.2.
#[test]
fn satisfiable_ranges_count_among_several() {
    all_hold(&[
        ("bytes=0-1,20-30", 10, Part(0..2)),
        ("bytes=20-30,0-1", 10, Part(0..2)),
        ("bytes=-0,3-4", 10, Part(3..5)),
        ("bytes=3-4,10-", 10, Part(3..5)),
        ("bytes=10-,-2", 10, Part(8..10)),
    ]);
}

/// Section 15.3.7.2 lets a server coalesce ranges that overlap or touch.
///
/// Section 14.2 lets it ignore other sets.
#[test]
fn adjacent_ranges_are_merged_and_disjoint_ones_become_the_whole() {
    all_hold(&[
        ("bytes=0-1,2-3", 10, Part(0..4)),
        ("bytes=2-3,0-1", 10, Part(0..4)),
        ("bytes=0-5,3-8", 10, Part(0..9)),
        ("bytes=3-8,0-5", 10, Part(0..9)),
        ("bytes=0-9,2-3", 10, Part(0..10)),
        ("bytes=2-3,0-9", 10, Part(0..10)),
        ("bytes=1-2,1-2", 10, Part(1..3)),
        ("bytes=1-2,1-2,1-2,1-2", 10, Part(1..3)),
        ("bytes=0-0,1-1,2-2,3-3", 10, Part(0..4)),
        ("bytes=3-3,1-1,0-0,2-2", 10, Part(0..4)),
        ("bytes=5-,-5", 10, Part(5..10)),
        ("bytes=6-,-5", 10, Part(5..10)),
        ("bytes=0-4,-5", 10, Part(0..10)),
        ("bytes=0-4,5-", 10, Part(0..10)),
        ("bytes=0-,-1", 10, Part(0..10)),
        ("bytes=0-4,20-,5-9", 10, Part(0..10)),
        ("bytes=0-1,3-4", 10, Whole),
        ("bytes=3-4,0-1", 10, Whole),
        ("bytes=0-0,-1", 10, Whole),
        ("bytes=0-0,2-2,4-4", 10, Whole),
        ("bytes=0-3,5-", 10, Whole),
        ("bytes=0-1,2-3,9-9", 10, Whole),
    ]);
}

/// Lists may hold whitespace and empty elements, which a recipient must accept: section 5.6.1.2.
#[test]
fn lists_are_parsed_leniently() {
    all_hold(&[
        ("bytes=0-1, 2-3", 10, Part(0..4)),
        ("bytes=0-1 ,2-3", 10, Part(0..4)),
        ("bytes=0-1\t,\t2-3", 10, Part(0..4)),
        ("bytes=,0-1", 10, Part(0..2)),
        ("bytes=0-1,", 10, Part(0..2)),
        ("bytes=0-1,,2-3", 10, Part(0..4)),
        ("bytes= , ,0-1, ,", 10, Part(0..2)),
        (" bytes=0-1 ", 10, Part(0..2)),
        ("bytes= 1-2", 10, Part(1..3)),
    ]);
}

/// Section 14.2 warns of many small ranges; the limit is this server's choice.
#[test]
fn too_many_ranges_get_the_whole_video() {
    let touching = |count: usize| {
        let each: Vec<String> = (0..count).map(|at| format!("{at}-{at}")).collect();
        format!("bytes={}", each.join(","))
    };
    assert_eq!(
        plan(&touching(MAX_RANGES), 1000),
        Part(0..MAX_RANGES as u64)
    );
    assert_eq!(plan(&touching(MAX_RANGES + 1), 1000), Whole);
    let empty = format!("bytes={}0-1", ",".repeat(8000));
    assert_eq!(plan(&empty, 1000), Part(0..2));
}

/// A reference implementation of `plan` that examines each byte.
fn naive(asked: &[(Option<u64>, Option<u64>)], length: u64) -> Plan {
    let invalid = |&(first, last): &(Option<u64>, Option<u64>)| match (first, last) {
        (Some(first), Some(last)) => first > last,
        (None, None) => true,
        _ => false,
    };
    if asked.is_empty() || asked.iter().any(invalid) {
        return Whole;
    }
    let wanted: Vec<u64> = (0..length)
        .filter(|&at| {
            asked.iter().any(|&(first, last)| match (first, last) {
                (Some(first), Some(last)) => first <= at && at <= last,
                (Some(first), None) => first <= at,
                (None, Some(count)) => length - at <= count,
                (None, None) => false,
            })
        })
        .collect();
    match (wanted.first(), wanted.last()) {
        (Some(first), Some(last)) if last - first + 1 == wanted.len() as u64 => {
            Part(*first..last + 1)
        }
        (Some(_), _) => Whole,
        _ => Unsatisfiable,
    }
}

fn side() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![4 => (0..24_u64).prop_map(Some), 1 => Just(None)]
}

proptest! {
    #[test]
    fn any_header_is_answered_as_a_naive_reader_would(
        asked in proptest::collection::vec((side(), side()), 0..6),
        length in 0..20_u64,
    ) {
        let text = |side: Option<u64>| side.map(|it| it.to_string()).unwrap_or_default();
        let specs = asked.iter().map(|(first, last)| format!("{}-{}", text(*first), text(*last)));
        let header = format!("bytes={}", specs.collect::<Vec<_>>().join(","));
        prop_assert_eq!(plan(&header, length), naive(&asked, length), "{}", header);
    }

    #[test]
    fn a_planned_part_is_never_empty_nor_out_of_bounds(header in ".{0,60}", length: u64) {
        if let Part(part) = plan(&header, length) {
            prop_assert!(part.start < part.end && part.end <= length);
        }
    }
}
