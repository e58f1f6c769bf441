#![no_main]

use fuzz::media::Container;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| fuzz::seal(Container::Mp4, bytes));
