//! Checks of recordings that report all failures at once.

use std::fmt::Debug;
use std::time::Duration;

use media::Sealed;

use crate::fixtures::{Recording, seal, served};

/// `Err`: what is wrong.
pub type CheckResult = Result<(), String>;

/// Checks all recordings, and panics with a list of those that fail.
pub fn for_each(recordings: Vec<Recording>, check: impl Fn(&Recording) -> CheckResult) {
    let failures = recordings.iter().filter_map(|recording| {
        let why = check(recording).err()?;
        Some(format!("{}: {why}", recording.name))
    });
    let failures: Vec<_> = failures.collect();
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        recordings.len(),
        failures.join("\n")
    );
}

pub fn check(holds: bool, why: impl FnOnce() -> String) -> CheckResult {
    if holds { Ok(()) } else { Err(why()) }
}

pub fn check_eq<T: Debug + PartialEq>(what: &str, got: T, want: T) -> CheckResult {
    check(got == want, || {
        format!("{what}: {got:?} instead of {want:?}")
    })
}

/// Checks that what is served is seekable, has the same summary, and ends within `bytes`.
pub fn check_sealed(recording: &Recording, bytes: &[u8], sealed: &Sealed) -> CheckResult {
    let (summary, by) = (&sealed.summary, sealed.index.len() as u64);
    check(summary.end <= bytes.len() as u64, || "too long".to_owned())?;
    let served = served(sealed, bytes);
    let again = seal(recording.container(), &served).map_err(|why| format!("sealed, {why}"))?;
    check(again.index.is_empty(), || "not seekable".to_owned())?;
    let again = again.summary;
    check_eq("end, sealed", again.end, summary.end + by)?;
    check_near("duration, sealed", again.duration, summary.duration)?;
    let counts = [&again, summary].map(|it| it.keyframes.len());
    check_eq("keyframes, sealed", counts[0], counts[1])?;
    for (after, before) in again.keyframes.iter().zip(&summary.keyframes) {
        let moved = before.bytes.start + by..before.bytes.end + by;
        check_eq("a keyframe, sealed", &after.bytes, &moved)?;
        check_near("a keyframe, sealed", after.at, before.at)?;
        check(before.bytes.end <= summary.end, || {
            "a keyframe behind the end".to_owned()
        })?;
    }
    Ok(())
}

/// Allows for rounding: edit lists are in ticks of the movie.
fn check_near(what: &str, got: Duration, want: Duration) -> CheckResult {
    check(got.abs_diff(want) <= Duration::from_millis(1), || {
        format!("{what}: {got:?} instead of {want:?}")
    })
}
