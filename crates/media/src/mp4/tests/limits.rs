//! Limits of samples and of the index.

use super::*;

#[test]
fn a_few_bytes_that_claim_millions_of_samples_get_no_index() {
    let movie = top_level(H264, b"moov").remove(0).end;
    let header = wrap(b"tfhd", &[0, 0, 0, 0, 0, 0, 0, 2]);
    let run = wrap(b"trun", &[0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    let part = wrap(b"traf", &[header, run].concat());
    let fragment = wrap(b"moof", &part);
    // In front of all other fragments it leaves no room for their samples.
    let sealed = seal(&[&H264[..movie], &fragment, &H264[movie..]]);
    assert_eq!(sealed.expect_err("no room"), Unplayable::NoFrame);
    // Behind them their samples are collected, and the file is served without an index.
    let plain = seal(&[H264]).expect("sealed");
    assert!(!plain.index.is_empty());
    let sealed = seal(&[H264, &fragment, &wrap(b"mdat", &[0; 8])]).expect("sealed");
    assert!(sealed.index.is_empty());
    assert_eq!(sealed.summary.keyframes, plain.summary.keyframes);
}

/// A fragmented QuickTime file may list each of the 48,000 samples that a second of sound has.
#[test]
fn sound_leaves_room_for_pictures() {
    let movie = top_level(H264, b"moov").remove(0).end;
    let header = wrap(b"tfhd", &[0, 0, 0, 0, 0, 0, 0, 1]);
    let run = wrap(b"trun", &[0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    let fragment = wrap(b"moof", &wrap(b"traf", &[header, run].concat()));
    let sealed = seal(&[&H264[..movie], &fragment, &H264[movie..]]).expect("sealed");
    assert!(sealed.index.is_empty());
    let plain = seal(&[H264]).expect("sealed").summary;
    assert_eq!(sealed.summary.keyframes.len(), plain.keyframes.len());
}

/// An incomplete index would claim that the recording ends with its last sample.
#[test]
fn a_recording_of_more_samples_than_there_is_room_for_gets_no_index() {
    let count = u32::try_from(MAX_SAMPLES).expect("fewer") + 1;
    let fragment = |data: u32| {
        // The default size is four bytes.
        let header = [[0, 2, 0, 0x10], 1_u32.to_be_bytes(), 4_u32.to_be_bytes()].concat();
        let run = [[0, 0, 0, 1], count.to_be_bytes(), data.to_be_bytes()].concat();
        let part = [wrap(b"tfhd", &header), wrap(b"trun", &run)].concat();
        wrap(b"moof", &wrap(b"traf", &part))
    };
    let length = u32::try_from(fragment(0).len()).expect("small");
    let data = vec![0; 4 * count as usize];
    let sealed = seal(&[H264, &fragment(length + 8), &wrap(b"mdat", &data)]);
    let sealed = sealed.expect("sealed");
    assert!(sealed.index.is_empty());
    assert!(sealed.summary.end > data.len() as u64 / 2);
}

/// The limit holds for the samples of the sample tables, too.
#[test]
fn a_movie_that_lists_more_samples_than_there_is_room_for_gets_no_index() {
    let movie = Movie::read(movie_payload(MOV)).expect("read");
    let tables = movie
        .tracks
        .iter()
        .filter_map(|track| track.read_sample_table());
    let all: u32 = tables.map(|table| table.count()).sum();
    let fragment = [wrap(b"moof", &[]), wrap(b"mdat", &[0; 8])].concat();
    for (room, has_index) in [(all, true), (all - 1, false)] {
        for file in [&[MOV, &fragment].concat(), &MOV[..MOV.len() - 1]] {
            let mut reader = Mp4Reader::new();
            reader.collector.room = room as usize;
            reader.feed(file);
            let sealed = reader.finish().expect("sealed");
            assert_eq!(!sealed.index.is_empty(), has_index, "{room}");
        }
    }
}

/// The sample table takes more bytes than a `trun` with nothing but composition offsets.
#[test]
fn an_index_is_longer_than_its_recording_by_no_more_than_64_kib() {
    let movie = top_level(VP9, b"moov").remove(0).end;
    let count = 40_000_u32;
    let header = [[0, 2, 0, 0x10], 1_u32.to_be_bytes(), 1_u32.to_be_bytes()].concat();
    // The first one is a sync sample.
    let mut run = [[0, 0, 8, 4], count.to_be_bytes(), [0; 4]].concat();
    (0..count).for_each(|index| run.extend((index % 2).to_be_bytes()));
    let part = [wrap(b"tfhd", &header), wrap(b"trun", &run)].concat();
    let fragment = wrap(b"moof", &wrap(b"traf", &part));
    let data = wrap(b"mdat", &vec![0; count as usize]);
    let recording = [&VP9[..movie], &fragment, &data].concat();
    let index = |padding: usize| {
        let padding = wrap(b"free", &vec![0; padding - 8]);
        seal(&[&recording, &padding]).expect("sealed").index.len()
    };
    let length = index(1 << 20);
    let padding = length - (64 << 10) - recording.len();
    assert_eq!((index(padding), index(padding - 1)), (length, 0));
}
