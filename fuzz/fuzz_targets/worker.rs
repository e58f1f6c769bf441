#![no_main]

libfuzzer_sys::fuzz_target!(|request: &[u8]| fuzz::serve(request));
