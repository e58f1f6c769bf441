#![no_main]

use libfuzzer_sys::fuzz_target;
use media::Container;

fuzz_target!(|bytes: &[u8]| fuzz::seal(Container::WebM, bytes));
