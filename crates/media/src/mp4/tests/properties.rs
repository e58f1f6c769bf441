//! Properties of all recordings: split, cut off and damaged.

use proptest::prelude::*;

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn it_makes_no_difference_where_a_recording_is_split(
        file in 0..ALL.len(),
        mut cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let file = ALL[file];
        cuts.sort_by_key(|cut| cut.index(file.len()));
        let (mut reader, mut at) = (Mp4Reader::new(), 0);
        for cut in cuts {
            let to = cut.index(file.len());
            reader.feed(&file[at..to]);
            at = to;
        }
        reader.feed(&file[at..]);
        prop_assert_eq!(reader.finish(), seal(&[file]));
    }

    /// What is served of a recording that is cut off is a complete progressive file.
    #[test]
    fn a_recording_may_end_anywhere(file in 0..ALL.len(), length in any::<prop::sample::Index>()) {
        let file = ALL[file];
        let file = &file[..length.index(file.len())];
        if let Ok(sealed) = seal(&[file]) {
            prop_assert!(sealed.summary.end <= file.len() as u64);
            let again = seal(&[&served(&sealed, file)]);
            prop_assert_eq!(again, Ok(moved(sealed)));
        }
    }

    #[test]
    fn damaged_files_never_panic_nor_exceed_their_bounds(
        file in 0..ALL.len(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30),
        everywhere in any::<bool>(),
    ) {
        let mut file = ALL[file].to_vec();
        // Most of what describes the samples is at the beginning.
        let within = if everywhere { file.len() } else { file.len().min(2_000) };
        for (at, byte) in damage {
            let at = at.index(within);
            file[at] = byte;
        }
        if let Ok(sealed) = seal(&[&file]) {
            prop_assert!(sealed.summary.end <= file.len() as u64);
            prop_assert!(sealed.index.len() <= file.len() + (64 << 10));
            for keyframe in sealed.summary.keyframes {
                prop_assert!(keyframe.bytes.start < keyframe.bytes.end);
                prop_assert!(keyframe.bytes.end <= sealed.summary.end);
            }
        }
    }
}
