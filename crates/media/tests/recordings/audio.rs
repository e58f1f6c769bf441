//! The audio that is extracted of recordings, as ffmpeg hears it.

use std::time::Duration;

use media::{NoAudio, Reader, RemuxedAudio, Remuxer};

use crate::checks::{check, check_eq, for_each};
use crate::ffmpeg::{self, Probe};
use crate::fixtures::{Recording, served, some};

/// Decoders drop some of what encoders add at the beginning and at the end.
const SLACK: Duration = Duration::from_millis(50);

fn extract_audio(recording: &Recording) -> Result<RemuxedAudio, NoAudio> {
    let mut scanner = Reader::for_audio(recording.container());
    scanner.feed(&recording.bytes);
    let track = scanner.finish_audio()?;
    let range = track.range();
    let within = |offset| usize::try_from(offset).expect("within the recording");
    let mut remuxer = Remuxer::new(track, usize::MAX, Duration::MAX);
    remuxer.feed(&recording.bytes[within(range.start)..within(range.end)]);
    remuxer.finish().ok_or(NoAudio::Missing)
}

#[test]
fn extracted_audio_decodes_as_in_the_whole_recording() {
    for_each(some(7), |recording| {
        let sealed = recording.seal()?;
        let extracted = match extract_audio(recording) {
            Err(NoAudio::Missing) => return check_eq("audio", sealed.summary.has_audio, false),
            extracted => extracted.map_err(|why| why.to_string())?,
        };
        check(!extracted.is_cut, || "it is cut".to_owned())?;
        let heard = Probe::new(&extracted.bytes).audio_duration()?;
        let whole = Probe::new(&served(&sealed, &recording.bytes)).audio_duration()?;
        for (what, other) in [
            ("the recording", whole),
            ("the clock", extracted.clock.duration()),
        ] {
            check(heard.abs_diff(other) <= SLACK, || {
                format!("{heard:?} instead of {other:?} by {what}")
            })?;
        }
        let end = extracted.clock.end(extracted.clock.duration());
        check(end <= sealed.summary.duration + SLACK, || {
            format!("ends at {end:?} of {:?}", sealed.summary.duration)
        })
    });
}

/// The tone begins at 0.7 s of each, and of its packets those from 0.4 to 0.6 s behind that are missing.
#[test]
fn a_late_start_and_a_gap_are_noted() {
    // A packet of Opus has 20 ms, one of AAC 21.3 ms.
    let (opus, aac) = ("between(n,20,29)", "between(n,19,28)");
    let x264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p";
    let recipes = [
        format!("-c:v libvpx -c:a libopus -bsf:a noise=drop='{opus}' -f webm -live 1"),
        format!("{x264} -c:a aac -bsf:a noise=drop='{aac}' -f matroska -live 1"),
        format!("{x264} -c:a aac -bsf:a noise=drop='{aac}' -f mp4"),
        format!("{x264} -c:a aac -bsf:a noise=drop='{aac}' -f mov"),
        format!(
            "{x264} -c:a aac -bsf:a noise=drop='{aac}' -f mp4 -movflags frag_keyframe+delay_moov"
        ),
        format!("{x264} -c:a libopus -bsf:a noise=drop='{opus}' -f mp4"),
    ];
    let made = recipes.map(|coding| Recording {
        bytes: ffmpeg::with_audio(&coding),
        name: coding,
    });
    for_each(made.into(), |recording| {
        let extracted = extract_audio(recording).map_err(|why| why.to_string())?;
        let heard = Probe::new(&extracted.bytes).audio_duration()?;
        let near = |what: &str, got: Duration, want: u64| {
            check(got.abs_diff(Duration::from_millis(want)) <= SLACK, || {
                format!("{what}: {got:?} instead of {want} ms")
            })
        };
        near("the audio", heard, 1100)?;
        let clock = extracted.clock;
        near("the start", clock.begin(Duration::ZERO), 700)?;
        near(
            "before the gap",
            clock.begin(Duration::from_millis(300)),
            1000,
        )?;
        near(
            "behind the gap",
            clock.begin(Duration::from_millis(500)),
            1400,
        )?;
        near("the end", clock.end(heard), 2000)
    });
}
