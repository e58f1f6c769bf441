#![no_main]

use fuzz::media::{SNIFF_BYTES, Sniffed, sniff};
use libfuzzer_sys::fuzz_target;

// What first bytes have said they go on to say, however many more come.
fuzz_target!(|bytes: &[u8]| {
    let last = sniff(bytes);
    if let Some((_, head)) = bytes.split_last()
        && let early = sniff(head)
        && early != Sniffed::Unsure
    {
        assert_eq!(early, last);
    }
    assert!(bytes.len() < SNIFF_BYTES || last != Sniffed::Unsure);
});
