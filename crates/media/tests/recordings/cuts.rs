//! Recordings that end anywhere: a phone's battery did, or its network.

use media::Unplayable;

use crate::ffmpeg::{Packet, Probe};
use crate::films::{Film, all, committed, seal, served, some};
use crate::laws::{Held, check, for_each, is_sealed};

/// Lengths of prefixes, evenly, at most so many.
fn cuts(film: &Film, most: usize) -> impl Iterator<Item = usize> {
    let length = film.bytes.len();
    (0..length).step_by(length.div_ceil(most).max(1))
}

/// How long a prefix must be to have a picture in it.
fn needed(film: &Film) -> Result<usize, String> {
    let keyframes = film.seal()?.facts.keyframes;
    let ends = keyframes.iter().map(|keyframe| keyframe.bytes.end);
    let first = ends.min().expect("a keyframe");
    usize::try_from(first).map_err(|_| "far away".to_owned())
}

/// What holds of every prefix, and costs no more than reading it twice.
fn holds(film: &Film, cut: usize, needed: usize) -> Held {
    let prefix = &film.bytes[..cut];
    let held = match seal(film.container(), prefix) {
        Ok(sealed) => is_sealed(film, prefix, &sealed),
        Err(Unplayable::NoVideo) => Err("no video".to_owned()),
        Err(why) => check(cut < needed, || why.to_string()),
    };
    held.map_err(|why| format!("at {cut}: {why}"))
}

#[test]
fn every_prefix_with_a_keyframe_is_sealed_and_every_other_refused() {
    let each = |films, most| {
        for_each(films, |film| {
            let needed = needed(film)?;
            cuts(film, most).try_for_each(|cut| holds(film, cut, needed))
        });
    };
    each(committed(), 250);
    each(all(), 30);
}

/// What ffmpeg finds in the cut recording it finds in what is sealed of it, the last frame of each track aside:
/// that one may be cut.
#[test]
fn a_sealed_prefix_has_every_whole_frame() {
    for_each(some(40), |film| {
        for cut in cuts(film, 5).skip(1) {
            let prefix = &film.bytes[..cut];
            let Ok(sealed) = seal(film.container(), prefix) else {
                continue;
            };
            let probe = Probe::new(&served(&sealed, prefix));
            let raw = Probe::new(&film.playable(cut));
            decodes(&probe, &raw.packets()).map_err(|why| format!("at {cut}: {why}"))?;
        }
        Ok(())
    });
}

fn decodes(probe: &Probe, raw: &[Packet]) -> Held {
    let (said, after) = probe.decode();
    check(said.is_empty(), || said)?;
    for stream in 0..2 {
        let of = |packets: &[Packet]| -> Vec<Packet> {
            let of = packets.iter().filter(|packet| packet.0 == stream);
            of.cloned().collect()
        };
        let (raw, ours) = (of(raw), of(&after));
        // Of some beginnings of MP4 ffmpeg reads nothing, and of what is sealed of them all that is there.
        check(
            raw.is_empty() || raw.starts_with(&ours) && ours.len() + 1 >= raw.len(),
            || format!("{} frames of {} of track {stream}", ours.len(), raw.len()),
        )?;
    }
    Ok(())
}
