#![no_main]

libfuzzer_sys::fuzz_target!(|asked: (u64, &str)| fuzz::plan(asked));
