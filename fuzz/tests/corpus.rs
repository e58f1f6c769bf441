//! Replays the corpora through their targets.

use std::fs;
use std::path::Path;

use libfuzzer_sys::arbitrary::{Arbitrary, Unstructured};
use media::Container;

/// Runs a target with every input of its corpus.
fn replay(target: &str, run: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target);
    let inputs = fs::read_dir(folder).expect("a corpus");
    let inputs = inputs.map(|it| fs::read(it.expect("an input").path()).expect("its bytes"));
    assert!(inputs.inspect(|it| run(it)).count() > 0, "{target}");
}

#[test]
fn every_target_takes_its_corpus() {
    replay("sniff", fuzz::sniff);
    replay("structured", fuzz::read_field);
    replay("webm", |bytes| fuzz::seal(Container::WebM, bytes));
    replay("mp4", |bytes| fuzz::seal(Container::Mp4, bytes));
    replay("worker", fuzz::serve);
    replay("answers", |bytes| {
        if let Ok(given) = <(u8, u16, &[u8])>::arbitrary_take_rest(Unstructured::new(bytes)) {
            fuzz::take_answers(given);
        }
    });
    replay("ffmpeg", |bytes| {
        type Given<'a> = (u8, &'a [u8], Vec<u16>, &'a [u8]);
        if let Ok(given) = Given::arbitrary_take_rest(Unstructured::new(bytes)) {
            fuzz::wrap(given);
        }
    });
    replay("transcript", |bytes| {
        if let Ok(given) = <(u8, &[u8])>::arbitrary_take_rest(Unstructured::new(bytes)) {
            fuzz::read_transcript(given);
        }
    });
    replay("range", |bytes| {
        // libFuzzer makes the arguments of the bytes in this way.
        if let Ok(asked) = <(u64, &str)>::arbitrary_take_rest(Unstructured::new(bytes)) {
            fuzz::plan(asked);
        }
    });
}
