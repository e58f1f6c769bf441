//! Recordings of three hours.

use std::fs::File;
use std::io::Read;
use std::time::Duration;

use media::{Container, Reader};

use test_support::three_hours::{MP4, THREE_HOURS, WEBM};

/// What the tables of such a film may take, in KiB: less than the film.
const MOST_MEMORY: u64 = 32 << 10;

/// Of this process, in KiB, as the kernel has counted it.
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
        let mut film = File::open(recipe.make(folder.path())).expect("made");
        let length = film.metadata().expect("made").len();
        assert!(length > MOST_MEMORY << 10, "it would fit: {length}");

        let before = memory("VmRSS");
        let (mut reader, mut piece) = (Reader::new(container), vec![0; 256 << 10]);
        loop {
            match film.read(&mut piece).expect("bytes") {
                0 => break,
                count => reader.feed(&piece[..count]),
            }
        }
        let sealed = reader.finish().expect("sealed");
        let grown = memory("VmHWM") - before;
        assert!(grown < MOST_MEMORY, "{recipe:?}: {grown} KiB");

        let facts = &sealed.facts;
        let off = facts.duration.abs_diff(THREE_HOURS);
        assert!(off < Duration::from_secs(1), "{recipe:?}: {off:?}");
        assert_eq!(facts.end, length, "{recipe:?}");
        let times: Vec<_> = facts.keyframes.iter().map(|it| it.at).collect();
        // Thinned out, and no further than to half of as many as are kept.
        let ends = times.iter().skip(1).chain([&THREE_HOURS]);
        let gaps = times.iter().zip(ends).map(|(at, next)| *next - *at);
        let largest = gaps.max().expect("several");
        assert!(largest <= Duration::from_secs(8), "{recipe:?}: {largest:?}");
        let index = sealed.index.len() as u64;
        assert!((1..length / 16).contains(&index), "{recipe:?}: {index}");
    }
}
