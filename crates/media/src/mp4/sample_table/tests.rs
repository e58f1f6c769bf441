use std::num::NonZeroU32;

use super::super::tests::{be_words, wrap};
use super::*;

/// Five samples in chunks of three; the third chunk has none left.
fn table(sizes: &[u32]) -> SampleTable {
    table_with(&wrap(b"stsz", &be_words(sizes))).expect("read")
}

fn table_with(sizes: &[u8]) -> Option<SampleTable> {
    let leaf = |box_type, words: &[u32]| wrap(box_type, &be_words(words));
    let boxes = [
        leaf(b"stts", &[0, 2, 2, 10, 3, 20]),
        leaf(b"stsc", &[0, 1, 1, 3, 1]),
        sizes.to_vec(),
        leaf(b"stco", &[0, 3, 100, 200, 9_999]),
    ];
    SampleTable::read(&boxes.concat())
}

/// A description is its size, its format, and the rest of it.
#[test]
fn samples_of_one_byte_are_packed_by_the_formats_that_pack_them() {
    for (format, size, is_packed) in [
        (b"ima4", 1, true),
        (b"ima4", 34, false),
        (b"ulaw", 1, false),
    ] {
        let description = wrap(format, &[0; 28]);
        let stsd = wrap(b"stsd", &[be_words(&[0, 1]), description].concat());
        let sizes = wrap(b"stsz", &be_words(&[0, size, 5]));
        let table = table_with(&[sizes, stsd].concat()).expect("read");
        assert_eq!(
            table.counts_packed_samples(),
            is_packed,
            "{format:?} {size}"
        );
    }
}

#[test]
fn sizes_may_have_4_8_or_16_bits() {
    let compact = |bits: u32, sizes: &[u8]| {
        let header = be_words(&[0, bits, 5]);
        table_with(&wrap(b"stz2", &[&header, sizes].concat()))
    };
    for (bits, sizes) in [
        (4, &[0x12, 0x34, 0x50][..]),
        (8, &[1, 2, 3, 4, 5]),
        (16, &[0, 1, 0, 2, 0, 3, 0, 4, 0, 5]),
    ] {
        let table = compact(bits, sizes).expect("read");
        let sizes_read: Vec<_> = table.samples().map(|it| it.size).collect();
        assert_eq!(sizes_read, [1, 2, 3, 4, 5], "{bits}");
        assert!(compact(bits, &sizes[1..]).is_none(), "one too short");
    }
    assert!(compact(32, &[0; 20]).is_none());
}

#[test]
fn a_list_of_sync_samples_without_entries_begins_with_one() {
    let sync = |entries: &[u32]| {
        let mut table = table(&[0, 10, 5]);
        let sample_numbers = entries.iter().copied().filter_map(NonZeroU32::new);
        let sample_numbers = sample_numbers.collect();
        table.stss = Some(StssBox { sample_numbers });
        let samples = table.samples().map(|it| it.is_sync);
        samples.collect::<Vec<_>>()
    };
    assert_eq!(sync(&[]), [true, false, false, false, false]);
    assert_eq!(sync(&[2, 4]), [false, true, false, true, false]);
}

#[test]
fn chunks_have_the_samples_that_are_left_for_them() {
    for (sizes, offsets, end) in [
        (&[0, 10, 5][..], [100, 110, 120, 200, 210], 220),
        (&[0, 0, 5, 1, 2, 3, 4, 5], [100, 101, 103, 200, 204], 209),
    ] {
        let table = table(sizes);
        let samples: Vec<_> = table.samples().collect();
        let found: Vec<_> = samples.iter().map(|sample| sample.offset).collect();
        assert_eq!(found, offsets);
        assert_eq!((table.count(), table.end()), (5, end));
        let times: Vec<_> = samples.iter().map(|sample| sample.decode_time).collect();
        assert_eq!(times, [0, 10, 20, 40, 60]);
        assert_eq!(table.duration(), 80);
    }
}
