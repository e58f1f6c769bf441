//! What is said of recordings that are put together for it, sample by sample.

use std::time::Duration;

use super::boxes::{node, nodes, within};
use super::tests::{H264, MOV, outermost, seal, wrap};
use super::*;
use crate::facts::{ENOUGH_KEYFRAMES, MOST_PICTURES, Missing};

const SYNC: u32 = 0;
const NON_SYNC: u32 = 1 << 16;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A recording of pictures alone, each with its size, flags, and how much later than decoded it is shown.
fn recording(samples: &[[u32; 3]]) -> Vec<u8> {
    const VIDEO: u32 = 2;
    let count = u32::try_from(samples.len()).expect("few");
    let fragment = |data: u32| {
        // The base is the fragment, and each lasts for 1000 ticks.
        let header = wrap(b"tfhd", &words(&[0x2_0008, VIDEO, 1000]));
        let run = [words(&[0xe01, count, data]), words(samples.as_flattened())];
        let part = [header, wrap(b"trun", &run.concat())].concat();
        wrap(b"moof", &wrap(b"traf", &part))
    };
    let length = u32::try_from(fragment(0).len()).expect("small");
    let bytes: u32 = samples.iter().map(|[size, ..]| *size).sum();
    let data = wrap(b"mdat", &vec![0; bytes as usize]);
    let movie = outermost(H264, b"moov").remove(0).end;
    [&H264[..movie], &fragment(length + 8), &data].concat()
}

#[test]
fn a_recording_without_a_picture_that_needs_no_other_has_none_to_begin_with() {
    assert!(seal(&[&recording(&[[9, SYNC, 0], [9, NON_SYNC, 0]])]).is_ok());
    let none = seal(&[&recording(&[[9, NON_SYNC, 0]; 2])]);
    assert_eq!(none, Err(Unplayable::NoFrame));
    let empty = seal(&[&recording(&[[0, SYNC, 0], [9, NON_SYNC, 0]])]);
    assert_eq!(empty, Err(Unplayable::NoFrame));
}

#[test]
fn keyframes_come_in_the_order_in_which_they_are_shown() {
    let late_first = recording(&[[9, SYNC, 5000], [9, SYNC, 0], [9, SYNC, 0]]);
    let keyframes = seal(&[&late_first]).expect("sealed").facts.keyframes;
    assert_eq!(keyframes.len(), 3);
    assert!(keyframes.is_sorted_by_key(|keyframe| keyframe.at));
    assert!(keyframes[0].at < keyframes[2].at);
}

#[test]
fn pictures_are_listed_where_there_are_few_keyframes_and_not_too_many_of_them() {
    let pictures = |keyframes: usize, count: usize| {
        let mut samples = vec![[9, NON_SYNC, 0]; count];
        samples[..keyframes].fill([9, SYNC, 0]);
        let facts = seal(&[&recording(&samples)]).expect("sealed").facts;
        facts.pictures.len()
    };
    assert_eq!(pictures(ENOUGH_KEYFRAMES - 1, 20), 20);
    assert_eq!(pictures(ENOUGH_KEYFRAMES, 20), 0);
    assert_eq!(pictures(1, MOST_PICTURES), MOST_PICTURES);
    assert_eq!(pictures(1, MOST_PICTURES + 1), 0);
}

#[test]
fn a_picture_of_no_bytes_is_none() {
    let samples = [[9, SYNC, 0], [0, NON_SYNC, 0], [9, NON_SYNC, 0]];
    let facts = seal(&[&recording(&samples)]).expect("sealed").facts;
    assert_eq!(facts.pictures.len(), 2);
}

#[test]
fn a_recording_that_ends_behind_what_announces_samples_lacks_them() {
    let fragment = outermost(H264, b"moof").pop().expect("several");
    let facts = seal(&[&H264[..fragment.end]]).expect("sealed").facts;
    assert_eq!(facts.missing, Some(Missing::Unknown));
    let facts = seal(&[&H264[..fragment.start]]).expect("sealed").facts;
    assert_eq!(facts.missing, None);
}

/// One that leaves the size of its data open is never cut within a box.
#[test]
fn a_file_that_leaves_its_size_open_lacks_what_its_tables_name() {
    let media = outermost(MOV, b"mdat").remove(0);
    let mut open = MOV.to_vec();
    open[media.start..media.start + 4].fill(0);
    assert_eq!(seal(&[&open]).expect("sealed").facts.missing, None);
    let cut = seal(&[&open[..media.end - 400]]).expect("sealed");
    assert!(cut.facts.missing.is_some());
}

/// All tracks of a file in one piece are shown after half a second of nothing.
fn waiting() -> Vec<u8> {
    let movie = outermost(MOV, b"moov").remove(0);
    let content = &MOV[movie.start + 8..movie.end];
    let mut waiting = Vec::new();
    for part in nodes(content).filter(|part| part.kind != *b"udta") {
        if part.kind != *b"trak" {
            part.copy_to(&mut waiting).expect("small");
            continue;
        }
        let mut track = Vec::new();
        for part in nodes(part.content) {
            if part.kind != *b"edts" {
                part.copy_to(&mut track).expect("small");
                continue;
            }
            let list = node(part.content, *b"elst").expect("there").content;
            let wait = words(&[0, 2, 500, u32::MAX, 1 << 16]);
            let list = [&wait[..], &list[8..]].concat();
            track.extend(wrap(b"edts", &wrap(b"elst", &list)));
        }
        waiting.extend(wrap(b"trak", &track));
    }
    // All samples stay where they are.
    let left = content.len() - waiting.len();
    waiting.extend(wrap(b"free", &vec![0; left - 8]));
    [
        &MOV[..movie.start],
        &wrap(b"moov", &waiting),
        &MOV[movie.end..],
    ]
    .concat()
}

#[test]
fn a_file_in_one_piece_is_shown_when_it_says() {
    let (waiting, plain) = (waiting(), seal(&[MOV]).expect("sealed").facts);
    let facts = seal(&[&waiting]).expect("sealed").facts;
    let wait = Duration::from_millis(500);
    assert_eq!(facts.duration, plain.duration + wait);
    assert_eq!(facts.keyframes[0].at, wait);
}

#[test]
fn nothing_is_missing_of_a_wait_at_the_beginning() {
    let (waiting, plain) = (waiting(), seal(&[MOV]).expect("sealed").facts);
    let media = outermost(MOV, b"mdat").remove(0);
    let cut = &waiting[..media.start + media.len() / 4];
    let part = seal(&[cut]).expect("sealed").facts;
    let Some(Missing::Time(missing)) = part.missing else {
        panic!("{:?}", part.missing);
    };
    let all = part.duration + missing;
    assert!(all.abs_diff(plain.duration) < Duration::from_millis(100));
}

#[test]
fn a_sound_track_without_samples_is_no_sound() {
    let mut file = MOV.to_vec();
    let after = |at: usize, kind: &[u8; 4]| {
        let found = MOV[at..].windows(4).position(|four| four == kind);
        at + found.expect("there")
    };
    let sizes = after(after(0, b"soun"), b"stsz");
    file[sizes + 12..sizes + 16].fill(0);
    assert!(!seal(&[&file]).expect("sealed").facts.audio);
}

/// Firefox takes the length of a wait for ticks of the track that waits.
#[test]
fn a_movie_s_clock_is_that_of_the_track_that_waits_if_its_ticks_are_short() {
    for (ticks, want) in [(1000, 1000), (999, 999 * 20_000)] {
        let mut file = H264.to_vec();
        // The sound's clock, and when its fragments begin: a quarter of a second later than the pictures'.
        let clock = file.windows(4).position(|four| four == b"mdhd");
        let clock = clock.expect("there") + 4 + 20;
        file[clock..clock + 4].copy_from_slice(&u32::to_be_bytes(ticks));
        for fragment in outermost(H264, b"moof") {
            let parts = nodes(&H264[fragment.start + 8..fragment.end]);
            let mut at = fragment.start + 8;
            for part in parts {
                let end = at + part.content.len() + 8;
                let header = node(part.content, *b"tfhd");
                let id = header.and_then(|it| boxes::u32_at(it.content, 4));
                if part.kind == *b"traf" && id == Some(1) {
                    let time = file[at..end].windows(4).position(|four| four == b"tfdt");
                    let time = at + time.expect("there") + 4;
                    let low = if file[time] == 0 { time + 4 } else { time + 8 };
                    let later = boxes::u32_at(&file, low).expect("there") + ticks / 4;
                    file[low..low + 4].copy_from_slice(&later.to_be_bytes());
                }
                at = end;
            }
        }
        let index = seal(&[&file]).expect("sealed").index;
        let movie = within(&index, &[*b"moov"]).expect("there");
        let movie = Movie::read(movie.to_vec()).expect("read");
        assert_eq!(movie.header.timescale.get(), want);
    }
}
