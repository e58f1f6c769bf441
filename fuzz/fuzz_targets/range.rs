#![no_main]

use fuzz::range::{Plan, plan};
use libfuzzer_sys::fuzz_target;

// A part is never empty, and lies within the whole.
fuzz_target!(|asked: (u64, &str)| {
    let (length, header) = asked;
    if let Plan::Part(part) = plan(header, length) {
        assert!(part.start < part.end && part.end <= length);
    }
});
