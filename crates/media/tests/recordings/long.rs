//! Recordings of three hours, in bounded memory.

use std::fs::File;
use std::io::Read;
use std::time::Duration;

use media::{Container, Reader};

use test_support::recordings::three_hours::{MP4, THREE_HOURS, WEBM};

/// Maximum memory for the sample table of such a recording, in KiB: less than the recording itself.
const MAX_MEMORY: u64 = 32 << 10;

/// A field of this process's status, in KiB.
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let number = line.expect("a field").trim_start_matches(':').trim();
    number.trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn three_hours_are_read_in_bounded_memory_and_indexed_to_their_end() {
    for (recipe, container) in [(WEBM, Container::WebM), (MP4, Container::Mp4)] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut recording = File::open(recipe.make(folder.path())).expect("made");
        let length = recording.metadata().expect("made").len();
        assert!(length > MAX_MEMORY << 10, "it would fit: {length}");

        let before = memory("VmRSS");
        let (mut reader, mut chunk) = (Reader::new(container), vec![0; 256 << 10]);
        loop {
            match recording.read(&mut chunk).expect("bytes") {
                0 => break,
                count => reader.feed(&chunk[..count]),
            }
        }
        let sealed = reader.finish().expect("sealed");
        let grown = memory("VmHWM") - before;
        assert!(grown < MAX_MEMORY, "{recipe:?}: {grown} KiB");

        let summary = &sealed.summary;
        let difference = summary.duration.abs_diff(THREE_HOURS);
        assert!(
            difference < Duration::from_secs(1),
            "{recipe:?}: {difference:?}"
        );
        assert_eq!(summary.end, length, "{recipe:?}");
        let times: Vec<_> = summary.keyframes.iter().map(|it| it.at).collect();
        // Thinned out to no less than half of the maximum.
        let ends = times.iter().skip(1).chain([&THREE_HOURS]);
        let gaps = times.iter().zip(ends).map(|(at, next)| *next - *at);
        let largest = gaps.max().expect("several");
        assert!(largest <= Duration::from_secs(8), "{recipe:?}: {largest:?}");
        let index = sealed.index.len() as u64;
        assert!((1..length / 16).contains(&index), "{recipe:?}: {index}");
    }
}
