//! What a fuzzer has kept, taken once more by its target.

use std::fs;
use std::path::Path;

use libfuzzer_sys::arbitrary::{Arbitrary, Unstructured};
use media::Container;

/// Has a target take every input of its corpus.
fn replay(target: &str, take: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target);
    let inputs = fs::read_dir(folder).expect("a corpus");
    let inputs = inputs.map(|it| fs::read(it.expect("an input").path()).expect("its bytes"));
    assert!(inputs.inspect(|it| take(it)).count() > 0, "{target}");
}

#[test]
fn every_target_takes_its_corpus() {
    replay("sniff", fuzz::sniff);
    replay("structured", fuzz::read_field);
    replay("webm", |bytes| fuzz::seal(Container::WebM, bytes));
    replay("mp4", |bytes| fuzz::seal(Container::Mp4, bytes));
    replay("range", |bytes| {
        // As libFuzzer makes arguments of bytes.
        if let Ok(asked) = <(u64, &str)>::arbitrary_take_rest(Unstructured::new(bytes)) {
            fuzz::plan(asked);
        }
    });
}
