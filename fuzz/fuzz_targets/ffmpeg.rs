#![no_main]

libfuzzer_sys::fuzz_target!(|given: (u8, &[u8], Vec<u16>, &[u8])| fuzz::wrap(given));
