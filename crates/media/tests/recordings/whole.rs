//! Recordings that were ended as their writers wanted.

use std::time::Duration;

use crate::ffmpeg::Probe;
use crate::films::{all, served, some};
use crate::laws::{check, for_each, is_sealed, same};

/// Encoders begin late and end early; without an edit list ffmpeg shows B-frames two frames late.
const SLACK: Duration = Duration::from_millis(210);

#[test]
fn each_is_sealed_from_its_first_byte_to_its_last() {
    for_each(all(), |film| {
        let sealed = film.seal()?;
        let end = film.end() as u64;
        same("the end", sealed.facts.end, end)?;
        let length = sealed.index.len();
        check(length > 0 && length < 10_000, || format!("{length} bytes"))?;
        is_sealed(film, &film.bytes, &sealed)
    });
}

/// However old the camera is: what is told is how long was filmed, from the first frame on.
#[test]
fn each_begins_at_nought_and_is_as_long_as_what_was_filmed() {
    for_each(all(), |film| {
        let facts = film.seal()?.facts;
        let times: Vec<_> = facts.keyframes.iter().map(|keyframe| keyframe.at).collect();
        let (first, last) = (times[0], times[times.len() - 1]);
        check(first <= SLACK, || format!("begins at {first:?}"))?;
        check(last < facts.duration, || format!("{last:?} is the last"))?;
        let filmed = film.filmed();
        let off = facts.duration.abs_diff(filmed);
        check(off <= SLACK, || {
            format!("{:?} of {filmed:?}", facts.duration)
        })
    });
}

/// All of the committed ones, and of ffmpeg's as many as there is time for.
#[test]
fn what_is_sealed_decodes_can_be_sought_and_has_every_frame() {
    for_each(some(20), |film| {
        let sealed = film.seal()?;
        let probe = Probe::new(&served(&sealed, &film.bytes));
        let (said, mut after) = probe.decode();
        check(said.is_empty(), || said)?;
        let mut before = Probe::new(&film.playable(usize::MAX)).packets();
        before.sort();
        after.sort();
        check(after == before, || {
            format!("{} frames of {}", after.len(), before.len())
        })?;
        let last = sealed.facts.keyframes.last().expect("a keyframe").at;
        let (all, left) = (
            probe.pictures_from(Duration::ZERO),
            probe.pictures_from(last),
        );
        let few = left > 0 && (left < all || last <= SLACK);
        check(few, || format!("{left} pictures of {all} from {last:?}"))
    });
}
