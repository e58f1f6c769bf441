//! WebKitGTK writes its EBML header twice, and the headers of the first block behind a pause.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::fixtures::{block, ebml, frame, keyframe, live, master, timestamp, unsized_master};
use super::{milliseconds, seal, served, summary};
use crate::summary::Unplayable;

#[test]
fn the_last_of_several_ebml_headers_is_used() {
    let cluster = unsized_master(mkv::Cluster::ID, &[timestamp(0), keyframe(0), frame(30)]);
    let once = live(&[cluster]);
    let twice = [&ebml()[..], &once].concat();
    let sealed = seal(&twice).expect("sealed");
    assert_eq!(sealed.summary.end, twice.len() as u64);
    let (header, plain) = (ebml(), seal(&once).expect("sealed"));
    assert_eq!(sealed.index[..header.len()], header);
    assert_eq!(sealed.summary.duration, plain.summary.duration);
    let again = seal(&served(&sealed, &twice)).expect("sealed");
    assert!(again.index.is_empty());
    let headers = ebml().repeat(50_000);
    assert_eq!(seal(&headers), Err(Unplayable::Unreadable));
    assert!(seal(&[headers, once].concat()).is_ok());
}

#[test]
fn a_recording_ends_before_a_block_whose_headers_repeat() {
    for (length, width) in [(40, 2 + 4), (9000, 3 + 4)] {
        let block = block(1, 60, 0x80, &vec![7; length]);
        let element = master(mkv::SimpleBlock::ID, &[block]);
        let twice = [&element[..width], &element].concat();
        let before = live(&[unsized_master(
            mkv::Cluster::ID,
            &[timestamp(0), keyframe(0), frame(30)],
        )]);
        let recording = [&before[..], &twice, &frame(90)].concat();
        assert_eq!(summary(&recording).end, before.len() as u64);
        assert_eq!(milliseconds(&recording), 60);
        let whole = [&before[..], &element, &frame(90)].concat();
        assert_eq!(summary(&whole).end, whole.len() as u64);
    }
}
