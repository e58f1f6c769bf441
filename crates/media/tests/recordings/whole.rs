//! Complete recordings.

use std::time::Duration;

use crate::checks::{check, check_eq, check_sealed, for_each};
use crate::ffmpeg::Probe;
use crate::fixtures::{all, served, some};

/// Encoders begin late and end early; without an edit list ffmpeg presents B-frames two frames late.
const SLACK: Duration = Duration::from_millis(210);

#[test]
fn each_is_sealed_from_its_first_byte_to_its_last() {
    for_each(all(), |recording| {
        let sealed = recording.seal()?;
        let end = recording.end() as u64;
        check_eq("the end", sealed.summary.end, end)?;
        let length = sealed.index.len();
        check(length > 0 && length < 10_000, || format!("{length} bytes"))?;
        check_sealed(recording, &recording.bytes, &sealed)
    });
}

/// However long the recorder was on before: times count from the first frame.
#[test]
fn every_recording_starts_at_zero_and_lasts_as_long_as_filmed() {
    for_each(all(), |recording| {
        let summary = recording.seal()?.summary;
        let times: Vec<_> = summary.keyframes.iter().map(|it| it.at).collect();
        let (first, last) = (times[0], times[times.len() - 1]);
        check(first <= SLACK, || format!("begins at {first:?}"))?;
        check(last < summary.duration, || format!("{last:?} is the last"))?;
        let want = recording.duration();
        let difference = summary.duration.abs_diff(want);
        check(difference <= SLACK, || {
            format!("{:?} of {want:?}", summary.duration)
        })
    });
}

/// With all committed recordings, and as many of ffmpeg's as there is time for.
#[test]
fn a_sealed_recording_decodes_seeks_and_has_every_frame() {
    for_each(some(20), |recording| {
        let sealed = recording.seal()?;
        let probe = Probe::new(&served(&sealed, &recording.bytes));
        let (errors, mut after) = probe.decode();
        check(errors.is_empty(), || errors)?;
        let mut before = Probe::new(&recording.playable(usize::MAX)).packets();
        before.sort();
        after.sort();
        check(after == before, || {
            format!("{} frames of {}", after.len(), before.len())
        })?;
        let last = sealed.summary.keyframes.last().expect("a keyframe").at;
        let (all, rest) = (
            probe.pictures_from(Duration::ZERO),
            probe.pictures_from(last),
        );
        let was_sought = rest > 0 && (rest < all || last <= SLACK);
        check(was_sought, || {
            format!("{rest} pictures of {all} from {last:?}")
        })
    });
}
