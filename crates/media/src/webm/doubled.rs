//! What WebKitGTK writes twice: its header, and behind a pause the head of a block.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::sample::{block, ebml, endless, frame, keyframe, live, master, time};
use super::tests::{facts, milliseconds, seal, served};
use crate::facts::Unplayable;

#[test]
fn of_several_headers_in_front_of_a_recording_the_last_one_counts() {
    let cluster = endless(mkv::Cluster::ID, &[time(0), keyframe(0), frame(30)]);
    let once = live(&[cluster]);
    let twice = [&ebml()[..], &once].concat();
    let sealed = seal(&twice).expect("sealed");
    assert_eq!(sealed.facts.end, twice.len() as u64);
    let (header, plain) = (ebml(), seal(&once).expect("sealed"));
    assert_eq!(sealed.index[..header.len()], header);
    assert_eq!(sealed.facts.duration, plain.facts.duration);
    let again = seal(&served(&sealed, &twice)).expect("sealed");
    assert!(again.index.is_empty());
    let headers = ebml().repeat(50_000);
    assert_eq!(seal(&headers), Err(Unplayable::Unreadable));
    assert!(seal(&[headers, once].concat()).is_ok());
}

#[test]
fn a_recording_ends_before_a_block_whose_head_comes_twice() {
    for (length, head) in [(40, 2 + 4), (9000, 3 + 4)] {
        let block = block(1, 60, 0x80, &vec![7; length]);
        let element = master(mkv::SimpleBlock::ID, &[block]);
        let twice = [&element[..head], &element].concat();
        let before = live(&[endless(
            mkv::Cluster::ID,
            &[time(0), keyframe(0), frame(30)],
        )]);
        let recording = [&before[..], &twice, &frame(90)].concat();
        assert_eq!(facts(&recording).end, before.len() as u64);
        assert_eq!(milliseconds(&recording), 60);
        let whole = [&before[..], &element, &frame(90)].concat();
        assert_eq!(facts(&whole).end, whole.len() as u64);
    }
}
