//! What must hold of every recording, and a list of all of which it doesn't.

use std::fmt::Debug;
use std::time::Duration;

use media::Sealed;

use crate::films::{Film, seal, served};

/// `Err`: what is wrong.
pub type Held = Result<(), String>;

/// Checks all of them before it says which ones fail.
pub fn for_each(films: Vec<Film>, hold: impl Fn(&Film) -> Held) {
    let wrong = films.iter().filter_map(|film| {
        let why = hold(film).err()?;
        Some(format!("{}: {why}", film.name))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        films.len(),
        wrong.join("\n")
    );
}

pub fn check(holds: bool, why: impl FnOnce() -> String) -> Held {
    if holds { Ok(()) } else { Err(why()) }
}

pub fn same<T: Debug + PartialEq>(what: &str, got: T, want: T) -> Held {
    check(got == want, || {
        format!("{what}: {got:?} instead of {want:?}")
    })
}

/// What is served of a recording can be sought, says the same, and ends within what was recorded.
pub fn is_sealed(film: &Film, recording: &[u8], sealed: &Sealed) -> Held {
    let (facts, by) = (&sealed.facts, sealed.index.len() as u64);
    check(facts.end <= recording.len() as u64, || {
        "too long".to_owned()
    })?;
    let served = served(sealed, recording);
    let again = seal(film.container(), &served).map_err(|why| format!("sealed, {why}"))?;
    check(again.index.is_empty(), || "can't be sought".to_owned())?;
    same("end, sealed", again.facts.end, facts.end + by)?;
    near("duration, sealed", again.facts.duration, facts.duration)?;
    same(
        "keyframes, sealed",
        again.facts.keyframes.len(),
        facts.keyframes.len(),
    )?;
    for (after, before) in again.facts.keyframes.iter().zip(&facts.keyframes) {
        let moved = before.bytes.start + by..before.bytes.end + by;
        same("a keyframe, sealed", &after.bytes, &moved)?;
        near("a keyframe, sealed", after.at, before.at)?;
        check(before.bytes.end <= facts.end, || {
            "a keyframe behind the end".to_owned()
        })?;
    }
    Ok(())
}

/// An edit list counts in ticks of its own.
fn near(what: &str, got: Duration, want: Duration) -> Held {
    check(got.abs_diff(want) <= Duration::from_millis(1), || {
        format!("{what}: {got:?} instead of {want:?}")
    })
}
