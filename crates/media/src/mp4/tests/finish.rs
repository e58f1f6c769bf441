//! Tests of the summary and the layout with recordings that are constructed sample by sample.

use std::time::Duration;

use super::{H264, MOV, be_words, movie_payload, seal, top_level, wrap};
use crate::mp4::boxes::{boxes, find_box, find_path, u32_at};
use crate::mp4::movie::Movie;
use crate::summary::{MAX_PICTURES, Truncation, Unplayable};

const SYNC: u32 = 0;
const NON_SYNC: u32 = 1 << 16;

/// A recording without audio, of samples with these sizes, flags and composition offsets.
fn recording(samples: &[[u32; 3]]) -> Vec<u8> {
    const VIDEO: u32 = 2;
    let count = u32::try_from(samples.len()).expect("few");
    let fragment = |data: u32| {
        // default-base-is-moof, default-sample-duration-present.
        let header = wrap(b"tfhd", &be_words(&[0x2_0008, VIDEO, 1000]));
        let run = [
            be_words(&[0xe01, count, data]),
            be_words(samples.as_flattened()),
        ];
        let part = [header, wrap(b"trun", &run.concat())].concat();
        wrap(b"moof", &wrap(b"traf", &part))
    };
    let length = u32::try_from(fragment(0).len()).expect("small");
    let bytes: u32 = samples.iter().map(|[size, ..]| *size).sum();
    let data = wrap(b"mdat", &vec![0; bytes as usize]);
    let movie = top_level(H264, b"moov").remove(0).end;
    [&H264[..movie], &fragment(length + 8), &data].concat()
}

#[test]
fn a_recording_without_a_sync_sample_has_no_frame() {
    assert!(seal(&[&recording(&[[9, SYNC, 0], [9, NON_SYNC, 0]])]).is_ok());
    let none = seal(&[&recording(&[[9, NON_SYNC, 0]; 2])]);
    assert_eq!(none, Err(Unplayable::NoFrame));
    let empty = seal(&[&recording(&[[0, SYNC, 0], [9, NON_SYNC, 0]])]);
    assert_eq!(empty, Err(Unplayable::NoFrame));
}

#[test]
fn a_picture_without_a_duration_is_a_video() {
    let mut only = recording(&[[9, SYNC, 0]]);
    let header = only.windows(4).position(|four| four == b"tfhd");
    let duration = header.expect("a header") + 12;
    assert_eq!(u32_at(&only, duration), Some(1000));
    only[duration..duration + 4].fill(0);
    let summary = seal(&[&only]).expect("sealed").summary;
    assert_eq!(summary.keyframes.len(), 1);
    assert!(summary.duration > Duration::ZERO);
}

/// As by an editor that trims without encoding again: decoding begins with a picture that isn't shown.
#[test]
fn a_keyframe_that_is_cut_off_is_no_keyframe_to_show() {
    let mut trimmed = MOV.to_vec();
    let whole = seal(&[&trimmed]).expect("sealed").summary;
    let list = trimmed.windows(4).position(|four| four == b"elst");
    let media_time = list.expect("an edit list") + 16;
    let begin = u32_at(&trimmed, media_time).expect("a time");
    // By three pictures.
    let begin = begin + 3 * 1024;
    trimmed[media_time..media_time + 4].copy_from_slice(&begin.to_be_bytes());
    let summary = seal(&[&trimmed]).expect("sealed").summary;
    assert_eq!(summary.pictures[0].at, None);
    let kept = whole.keyframes[1..].iter().map(|it| &it.bytes);
    let found = summary.keyframes.iter().map(|it| &it.bytes);
    assert!(found.eq(kept), "{:?}", summary.keyframes);
    // Nothing else than that keyframe: its pictures are shown, and it isn't.
    let cut = summary.pictures.iter().filter(|it| it.at.is_none()).count();
    assert_eq!(cut, 3);
}

/// As of a slide that stands before the cut, and behind it.
#[test]
fn a_picture_that_lasts_into_what_is_kept_is_shown_there() {
    let mut trimmed = MOV.to_vec();
    let list = trimmed.windows(4).position(|four| four == b"elst");
    let media_time = list.expect("an edit list") + 16;
    let begin = u32_at(&trimmed, media_time).expect("a time") + 512;
    trimmed[media_time..media_time + 4].copy_from_slice(&begin.to_be_bytes());
    let summary = seal(&[&trimmed]).expect("sealed").summary;
    assert_eq!(summary.pictures[0].at, Some(Duration::ZERO));
    assert_eq!(summary.keyframes[0].bytes, summary.pictures[0].bytes);
}

#[test]
fn keyframes_are_in_presentation_order() {
    let late_first = recording(&[[9, SYNC, 5000], [9, SYNC, 0], [9, SYNC, 0]]);
    let keyframes = seal(&[&late_first]).expect("sealed").summary.keyframes;
    assert_eq!(keyframes.len(), 3);
    assert!(keyframes.is_sorted_by_key(|keyframe| keyframe.at));
    assert!(keyframes[0].at < keyframes[2].at);
}

#[test]
fn pictures_are_listed_unless_there_are_too_many() {
    let pictures = |count: usize| {
        let mut samples = vec![[9, NON_SYNC, 0]; count];
        samples[0] = [9, SYNC, 0];
        let summary = seal(&[&recording(&samples)]).expect("sealed").summary;
        summary.pictures.len()
    };
    assert_eq!(pictures(MAX_PICTURES), MAX_PICTURES);
    assert_eq!(pictures(MAX_PICTURES + 1), 0);
}

#[test]
fn an_empty_sample_is_no_picture() {
    let samples = [[9, SYNC, 0], [0, NON_SYNC, 0], [9, NON_SYNC, 0]];
    let summary = seal(&[&recording(&samples)]).expect("sealed").summary;
    assert_eq!(summary.pictures.len(), 2);
}

#[test]
fn a_recording_that_ends_with_a_moof_is_truncated() {
    let fragment = top_level(H264, b"moof").pop().expect("several");
    let summary = seal(&[&H264[..fragment.end]]).expect("sealed").summary;
    assert_eq!(summary.truncation, Some(Truncation::Unknown));
    let summary = seal(&[&H264[..fragment.start]]).expect("sealed").summary;
    assert_eq!(summary.truncation, None);
}

/// An `mdat` box that extends to the end of the file is never incomplete.
#[test]
fn a_file_with_an_open_ended_mdat_is_truncated_if_listed_samples_are_missing() {
    let media = top_level(MOV, b"mdat").remove(0);
    let mut open = MOV.to_vec();
    open[media.start..media.start + 4].fill(0);
    assert_eq!(seal(&[&open]).expect("sealed").summary.truncation, None);
    let cut = seal(&[&open[..media.end - 400]]).expect("sealed");
    assert!(cut.summary.truncation.is_some());
}

/// A progressive file whose tracks all begin with an empty edit of half a second.
fn delayed() -> Vec<u8> {
    let movie = top_level(MOV, b"moov").remove(0);
    let payload = movie_payload(MOV);
    let mut delayed = Vec::new();
    for part in boxes(&payload).filter(|part| part.box_type != *b"udta") {
        if part.box_type != *b"trak" {
            part.copy_to(&mut delayed).expect("small");
            continue;
        }
        let mut track = Vec::new();
        for part in boxes(part.payload) {
            if part.box_type != *b"edts" {
                part.copy_to(&mut track).expect("small");
                continue;
            }
            let list = find_box(part.payload, *b"elst").expect("there").payload;
            let empty_edit = be_words(&[0, 2, 500, u32::MAX, 1 << 16]);
            let list = [&empty_edit[..], &list[8..]].concat();
            track.extend(wrap(b"edts", &wrap(b"elst", &list)));
        }
        delayed.extend(wrap(b"trak", &track));
    }
    // All samples keep their offsets.
    let left = payload.len() - delayed.len();
    delayed.extend(wrap(b"free", &vec![0; left - 8]));
    [
        &MOV[..movie.start],
        &wrap(b"moov", &delayed),
        &MOV[movie.end..],
    ]
    .concat()
}

#[test]
fn a_progressive_file_keeps_its_delay() {
    let (delayed, plain) = (delayed(), seal(&[MOV]).expect("sealed").summary);
    let summary = seal(&[&delayed]).expect("sealed").summary;
    let delay = Duration::from_millis(500);
    assert_eq!(summary.duration, plain.duration + delay);
    assert_eq!(summary.keyframes[0].at, delay);
}

#[test]
fn a_removed_delay_is_not_missing() {
    let (delayed, plain) = (delayed(), seal(&[MOV]).expect("sealed").summary);
    let media = top_level(MOV, b"mdat").remove(0);
    let cut = &delayed[..media.start + media.len() / 4];
    let part = seal(&[cut]).expect("sealed").summary;
    let Some(Truncation::Time(missing)) = part.truncation else {
        panic!("{:?}", part.truncation);
    };
    let all = part.duration + missing;
    assert!(all.abs_diff(plain.duration) < Duration::from_millis(100));
}

#[test]
fn an_audio_track_without_samples_is_no_audio() {
    let mut file = MOV.to_vec();
    let after = |at: usize, code: &[u8; 4]| {
        let found = MOV[at..].windows(4).position(|four| four == code);
        at + found.expect("there")
    };
    let sizes = after(after(0, b"soun"), b"stsz");
    file[sizes + 12..sizes + 16].fill(0);
    assert!(!seal(&[&file]).expect("sealed").summary.has_audio);
}

/// Firefox takes the duration of an empty edit for ticks of its track.
#[test]
fn the_timescale_of_a_movie_is_that_of_its_delayed_track_if_it_is_fine() {
    for (ticks, want) in [(1000, 1000), (999, 999 * 20_000)] {
        let mut file = H264.to_vec();
        // The timescale of the audio; its fragments begin a quarter of a second later than those of the video.
        let header = file.windows(4).position(|four| four == b"mdhd");
        let timescale = header.expect("there") + 4 + 20;
        file[timescale..timescale + 4].copy_from_slice(&u32::to_be_bytes(ticks));
        for fragment in top_level(H264, b"moof") {
            let parts = boxes(&H264[fragment.start + 8..fragment.end]);
            let mut at = fragment.start + 8;
            for part in parts {
                let end = at + part.payload.len() + 8;
                let header = find_box(part.payload, *b"tfhd");
                let id = header.and_then(|it| u32_at(it.payload, 4));
                if part.box_type == *b"traf" && id == Some(1) {
                    let time = file[at..end].windows(4).position(|four| four == b"tfdt");
                    let time = at + time.expect("there") + 4;
                    let low = if file[time] == 0 { time + 4 } else { time + 8 };
                    let later = u32_at(&file, low).expect("there") + ticks / 4;
                    file[low..low + 4].copy_from_slice(&later.to_be_bytes());
                }
                at = end;
            }
        }
        let index = seal(&[&file]).expect("sealed").index;
        let movie = find_path(&index, &[*b"moov"]).expect("there");
        let movie = Movie::read(movie.to_vec()).expect("read");
        assert_eq!(movie.header.timescale.get(), want);
    }
}
