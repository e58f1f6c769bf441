//! What WebKitGTK writes twice: behind a pause, and at the end, a fragment's box.

use std::ops::Range;

use super::tests::{H264, outermost, seal};
use crate::facts::Sealed;

#[test]
fn a_fragment_that_comes_twice_is_read_once() {
    let plain = seal(&[H264]).expect("sealed");
    let fragments = outermost(H264, b"moof");
    for Range { start, end } in fragments {
        let fragment = &H264[start..end];
        let twice = [&H264[..end], fragment, &H264[end..]].concat();
        let sealed = seal(&[&twice]).expect("sealed");
        assert_eq!(sealed.facts.duration, plain.facts.duration);
        assert_eq!(sealed.index.len(), plain.index.len());
        let pictures = |file: &[u8], sealed: &Sealed| -> Vec<Vec<u8>> {
            let keyframes = sealed.facts.keyframes.iter();
            let bytes = keyframes.map(|it| {
                let at = usize::try_from(it.bytes.start).expect("small");
                file[at..at + 20].to_vec()
            });
            bytes.collect()
        };
        assert_eq!(pictures(&twice, &sealed), pictures(H264, &plain));
        // Cut off within the second one or right behind it: none of its samples is there.
        for cut in [end + 1, end + fragment.len() - 1, end + fragment.len()] {
            let before = seal(&[&H264[..start]]).map(|sealed| sealed.facts.duration);
            let after = seal(&[&twice[..cut]]).map(|sealed| sealed.facts.duration);
            assert_eq!(after, before, "{cut}");
        }
    }
}
