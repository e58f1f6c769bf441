#![no_main]

libfuzzer_sys::fuzz_target!(|given: (u8, u16, &[u8])| fuzz::take_answers(given));
