//! WebKitGTK writes a `moof` box twice, behind a pause and at the end.

use std::ops::Range;

use super::{H264, seal, top_level};
use crate::summary::Sealed;

#[test]
fn a_repeated_fragment_is_read_once() {
    let plain = seal(&[H264]).expect("sealed");
    let fragments = top_level(H264, b"moof");
    for Range { start, end } in fragments {
        let fragment = &H264[start..end];
        let twice = [&H264[..end], fragment, &H264[end..]].concat();
        let sealed = seal(&[&twice]).expect("sealed");
        assert_eq!(sealed.summary.duration, plain.summary.duration);
        assert_eq!(sealed.index.len(), plain.index.len());
        let pictures = |file: &[u8], sealed: &Sealed| -> Vec<Vec<u8>> {
            let keyframes = sealed.summary.keyframes.iter();
            let bytes = keyframes.map(|it| {
                let at = usize::try_from(it.bytes.start).expect("small");
                file[at..at + 20].to_vec()
            });
            bytes.collect()
        };
        assert_eq!(pictures(&twice, &sealed), pictures(H264, &plain));
        // Cut off within the second one or right behind it, the fragment has no samples.
        for cut in [end + 1, end + fragment.len() - 1, end + fragment.len()] {
            let before = seal(&[&H264[..start]]).map(|sealed| sealed.summary.duration);
            let after = seal(&[&twice[..cut]]).map(|sealed| sealed.summary.duration);
            assert_eq!(after, before, "{cut}");
        }
    }
}
