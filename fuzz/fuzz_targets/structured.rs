#![no_main]

use axum::http::HeaderValue;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(value) = HeaderValue::from_bytes(bytes) {
        fuzz::read_field(value);
    }
});
