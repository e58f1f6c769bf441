#![no_main]

libfuzzer_sys::fuzz_target!(|given: (u8, &[u8])| fuzz::read_transcript(given));
