//! Replays the corpora through their targets.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use libfuzzer_sys::arbitrary::{Arbitrary, Unstructured};
use media::Container;

/// The files and folders in a folder of this crate.
fn entries(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|it| it.expect("an entry").path()).collect()
}

/// Runs a target with every input of its corpus, and returns the target.
fn replay(target: &'static str, run: impl Fn(&[u8])) -> &'static str {
    let inputs = entries(&format!("corpus/{target}"));
    assert!(!inputs.is_empty(), "{target}");
    for input in inputs {
        run(&fs::read(input).expect("an input"));
    }
    target
}

#[test]
fn every_target_takes_its_corpus() {
    let replayed = [
        replay("sniff", fuzz::sniff),
        replay("structured", fuzz::read_field),
        replay("webm", |bytes| fuzz::seal(Container::WebM, bytes)),
        replay("mp4", |bytes| fuzz::seal(Container::Mp4, bytes)),
        replay("worker", fuzz::serve),
        replay("answers", |bytes| {
            if let Ok(given) = <(u8, u16, &[u8])>::arbitrary_take_rest(Unstructured::new(bytes)) {
                fuzz::take_answers(given);
            }
        }),
        replay("ffmpeg", |bytes| {
            type Given<'a> = (u8, &'a [u8], Vec<u16>, &'a [u8]);
            if let Ok(given) = Given::arbitrary_take_rest(Unstructured::new(bytes)) {
                fuzz::wrap(given);
            }
        }),
        replay("transcript", |bytes| {
            if let Ok(given) = <(u8, &[u8])>::arbitrary_take_rest(Unstructured::new(bytes)) {
                fuzz::read_transcript(given);
            }
        }),
        replay("range", |bytes| {
            // libFuzzer makes the arguments of the bytes in this way.
            if let Ok(asked) = <(u64, &str)>::arbitrary_take_rest(Unstructured::new(bytes)) {
                fuzz::plan(asked);
            }
        }),
    ];
    let targets = entries("fuzz_targets").into_iter();
    let targets = targets.map(|it| it.file_stem().expect("a name").to_owned());
    let replayed = replayed.map(OsString::from);
    assert_eq!(targets.collect::<BTreeSet<_>>(), replayed.into());
}
