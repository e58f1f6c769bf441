//! Recordings that are cut off anywhere, as by a phone's battery or its network.

use media::Unplayable;

use crate::checks::{CheckResult, check, check_sealed, for_each};
use crate::ffmpeg::{Packet, Probe};
use crate::fixtures::{Recording, all, committed, seal, served, some};

/// Evenly spaced lengths of prefixes, `max` at most.
fn cuts(recording: &Recording, max: usize) -> impl Iterator<Item = usize> {
    let length = recording.bytes.len();
    (0..length).step_by(length.div_ceil(max).max(1))
}

/// The length that a prefix needs to contain a keyframe.
fn needed(recording: &Recording) -> Result<usize, String> {
    let keyframes = recording.seal()?.summary.keyframes;
    let ends = keyframes.iter().map(|keyframe| keyframe.bytes.end);
    let first = ends.min().expect("a keyframe");
    usize::try_from(first).map_err(|_| "far away".to_owned())
}

/// Checks a prefix without ffmpeg.
fn check_prefix(recording: &Recording, cut: usize, needed: usize) -> CheckResult {
    let prefix = &recording.bytes[..cut];
    let result = match seal(recording.container(), prefix) {
        Ok(sealed) => check_sealed(recording, prefix, &sealed),
        Err(Unplayable::NoVideo) => Err("no video".to_owned()),
        Err(why) => check(cut < needed, || why.to_string()),
    };
    result.map_err(|why| format!("at {cut}: {why}"))
}

#[test]
fn every_prefix_with_a_keyframe_is_sealed_and_every_other_refused() {
    let each = |recordings, max| {
        for_each(recordings, |recording| {
            let needed = needed(recording)?;
            cuts(recording, max).try_for_each(|cut| check_prefix(recording, cut, needed))
        });
    };
    each(committed(), 250);
    each(all(), 30);
}

/// ffmpeg finds the same frames in a prefix and in what is sealed of it, except for the last one of each track, which
/// may be cut.
#[test]
fn a_sealed_prefix_has_every_whole_frame() {
    for_each(some(40), |recording| {
        for cut in cuts(recording, 5).skip(1) {
            let prefix = &recording.bytes[..cut];
            let Ok(sealed) = seal(recording.container(), prefix) else {
                continue;
            };
            let probe = Probe::new(&served(&sealed, prefix));
            let raw = Probe::new(&recording.playable(cut));
            check_packets(&probe, &raw.packets()).map_err(|why| format!("at {cut}: {why}"))?;
        }
        Ok(())
    });
}

fn check_packets(probe: &Probe, raw: &[Packet]) -> CheckResult {
    let (errors, sealed) = probe.decode();
    check(errors.is_empty(), || errors)?;
    for stream in 0..2 {
        let of_stream = |packets: &[Packet]| -> Vec<Packet> {
            let packets = packets.iter().filter(|packet| packet.0 == stream);
            packets.cloned().collect()
        };
        let (raw, sealed) = (of_stream(raw), of_stream(&sealed));
        // ffmpeg reads nothing of some prefixes of MP4, and all complete frames of what is sealed of them.
        check(
            raw.is_empty() || raw.starts_with(&sealed) && sealed.len() + 1 >= raw.len(),
            || {
                let (got, want) = (sealed.len(), raw.len());
                format!("{got} frames of {want} of track {stream}")
            },
        )?;
    }
    Ok(())
}
