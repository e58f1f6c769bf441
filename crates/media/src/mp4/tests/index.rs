//! The boxes of an index, and the samples that they list.

use super::*;
use crate::mp4::boxes::{boxes, boxes_of, find_box, find_path};
use crate::mp4::fragment;
use crate::mp4::samples::{MAX_SAMPLES, Sample};
use crate::mp4::timescale::to_duration;

/// The movie of a recording, with the samples of all its fragments.
fn recorded(file: &[u8]) -> Movie {
    let mut movie = Movie::read(movie_payload(file)).expect("read");
    for part in top_level(file, b"moof") {
        let payload = &file[part.start + 8..part.end];
        let start = part.start as u64;
        let collected = fragment::collect(payload, start, &mut movie, &mut { MAX_SAMPLES });
        assert_eq!(collected, Ok(()));
    }
    movie
}

/// The movie of an index, with the samples that it lists.
fn indexed(index: &[u8]) -> Movie {
    let payload = find_path(index, &[*b"moov"]).expect("there");
    let mut movie = Movie::read(payload.to_vec()).expect("read");
    for track in &mut movie.tracks {
        assert!(track.collect_listed(&mut { MAX_SAMPLES }));
    }
    movie
}

/// Recorded samples as an index lists them: with decode times from 0, and behind the index.
fn listed(samples: &[Sample], by: u64) -> Vec<Sample> {
    let first = samples.first().map_or(0, |sample| sample.decode_time);
    let moved = samples.iter().map(|sample| Sample {
        offset: sample.offset + by,
        decode_time: sample.decode_time - first,
        description_index: sample.description_index.max(1),
        ..*sample
    });
    moved.collect()
}

/// The recording with all decode times increased.
fn later(file: &[u8], by: u32) -> Vec<u8> {
    let mut late = file.to_vec();
    let times = file.windows(4).enumerate();
    for (at, _) in times.filter(|(_, four)| *four == b"tfdt") {
        let field = match file[at + 4] {
            0 => at + 8..at + 12,
            _ => at + 12..at + 16,
        };
        let time = u32_at(file, field.start).expect("there") + by;
        late[field].copy_from_slice(&time.to_be_bytes());
    }
    late
}

#[test]
fn an_index_lists_the_samples_of_the_fragments() {
    for file in [H264, VP9, AAC, &later(H264, 5_000_000), &later(AAC, 70_000)] {
        let index = seal(&[file]).expect("sealed").index;
        let by = index.len() as u64;
        let (recorded, indexed) = (recorded(file), indexed(&index));
        assert_eq!(recorded.tracks.len(), indexed.tracks.len());
        for (was, is) in recorded.tracks.iter().zip(&indexed.tracks) {
            let samples: Vec<_> = was.samples.iter().collect();
            let got: Vec<_> = is.samples.iter().collect();
            assert_eq!(got, listed(&samples, by));
            let decoded: u64 = got.iter().map(|sample| sample.duration).sum();
            let composed = got
                .iter()
                .map(|it| it.composition_time() + it.duration.cast_signed());
            let composed = composed.max().expect("samples").unsigned_abs();
            assert_eq!(is.media_header.duration, decoded.max(composed));
        }
    }
}

#[test]
fn optional_tables_are_left_out_if_they_are_redundant() {
    for (file, has_stss, has_ctts) in [(H264, true, false), (AAC, true, true)] {
        let index = seal(&[file]).expect("sealed").index;
        for track in &indexed(&index).tracks {
            let table = track.sample_table().expect("there");
            let has = |box_type| find_box(table, box_type).is_some();
            assert_eq!(has(*b"stss"), has_stss && !track.is_audio());
            assert_eq!(has(*b"ctts"), has_ctts && !track.is_audio());
        }
    }
}

#[test]
fn an_index_ends_with_the_header_of_an_mdat_around_the_recording() {
    let index = seal(&[H264]).expect("sealed").index;
    let size = H264.len() as u64 + 16;
    let header = [b"\0\0\0\x01mdat", &size.to_be_bytes()[..]].concat();
    assert!(index.ends_with(&header));
}

#[test]
fn headers_state_the_presentation_duration() {
    for file in [H264, VP9, AAC] {
        let sealed = seal(&[file]).expect("sealed");
        let movie = indexed(&sealed.index);
        let declared = to_duration(movie.header.duration, movie.header.timescale);
        assert_eq!(declared, sealed.summary.duration);
        let durations = movie.tracks.iter().map(|track| track.header.duration);
        assert_eq!(durations.max(), Some(movie.header.duration));
        for track in &movie.tracks {
            let edits: u64 = track.edits.iter().map(|edit| edit.edit_duration).sum();
            if !track.edits.is_empty() {
                assert_eq!(track.header.duration, edits);
            }
        }
    }
}

/// A fragment of two sync samples of these sizes, with this sample description index.
fn fragment_of(sizes: [u32; 2], description_index: u8) -> Vec<u8> {
    let fields = [[0, 0, 6, 1], [0, 0, 0, 2], [0, 0, 1, 0]].concat();
    let samples = sizes.map(|size| [size.to_be_bytes(), [0; 4]].concat());
    let run = wrap(b"trun", &[fields, samples.concat()].concat());
    let header = [
        [0, 2, 0, 0xa],
        [0, 0, 0, 1],
        [0, 0, 0, description_index],
        [0, 0, 4, 0],
    ];
    let part = [wrap(b"tfhd", &header.concat()), run].concat();
    // The data offset leaves a gap.
    [
        wrap(b"moof", &wrap(b"traf", &part)),
        wrap(b"mdat", &[0; 400]),
    ]
    .concat()
}

/// The payload of a box of the sample table that indexes these fragments. `None`: there is no such box.
fn table_box(fragments: &[Vec<u8>], box_type: &[u8; 4]) -> Option<Vec<u8>> {
    let movie = top_level(VP9, b"moov").remove(0).end;
    let recording = [&VP9[..movie], &fragments.concat()].concat();
    let movie = indexed(&seal(&[&recording]).expect("sealed").index);
    let table = movie.tracks.first()?.sample_table()?;
    Some(find_box(table, *box_type)?.payload.to_vec())
}

/// A size that all samples have is stated once, and so is a run of chunks of one kind.
#[test]
fn equal_entries_are_stated_once() {
    let alike = [(); 3].map(|()| fragment_of([20, 20], 1));
    let [one, two, _] = alike.clone();
    let length = |fragments: &[Vec<u8>], box_type| {
        table_box(fragments, box_type).map(|payload| payload.len())
    };
    // Version and flags, size, count; then an entry for each sample.
    assert_eq!(length(&alike, b"stsz"), Some(12));
    let other_size = [one.clone(), two.clone(), fragment_of([20, 30], 1)];
    assert_eq!(length(&other_size, b"stsz"), Some(12 + 6 * 4));
    // Version and flags, count; then an entry for each run of chunks.
    assert_eq!(length(&alike, b"stsc"), Some(8 + 12));
    let other_entry = [one, two, fragment_of([20, 20], 2)];
    assert_eq!(length(&other_entry, b"stsc"), Some(8 + 2 * 12));
    assert_eq!(length(&alike, b"stss"), None, "all are sync samples");
}

#[test]
fn the_index_begins_with_the_first_file_type_box() {
    let file_type = top_level(H264, b"ftyp").remove(0);
    let second = wrap(b"ftyp", b"othr\0\0\0\0othr");
    let sealed = seal(&[&H264[..file_type.end], &second, &H264[file_type.end..]]);
    let index = sealed.expect("sealed").index;
    assert_eq!(index[..file_type.len()], H264[file_type]);
}

#[test]
fn an_index_has_each_box_once() {
    fn types(payload: &[u8]) -> Vec<BoxType> {
        boxes(payload)
            .filter(|it| it.box_type != *b"trak")
            .map(|it| it.box_type)
            .collect()
    }
    fn is_once(payload: &[u8]) -> bool {
        let mut types = types(payload);
        types.sort_unstable();
        types.windows(2).all(|two| two[0] != two[1])
    }
    for file in [H264, VP9, AAC] {
        let index = seal(&[file]).expect("sealed").index;
        let movie = find_path(&index, &[*b"moov"]).expect("there");
        assert!(is_once(movie), "{:?}", types(movie));
        assert!(!types(movie).contains(b"mvex"));
        for track in boxes_of(movie, *b"trak") {
            assert!(is_once(track.payload), "{:?}", types(track.payload));
            let paths: [&[BoxType]; 3] = [
                &[*b"mdia"],
                &[*b"mdia", *b"minf"],
                &[*b"mdia", *b"minf", *b"stbl"],
            ];
            for path in paths {
                let payload = find_path(track.payload, path).expect("there");
                assert!(is_once(payload), "{:?}", types(payload));
            }
        }
    }
}
