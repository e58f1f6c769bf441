//! Recordings: complete, cut off, and of a recorder that was on before.

use std::time::Duration;

use super::*;
use crate::mp4::boxes::{boxes_of, find_box};
use crate::summary::{Codec, Rotation, Summary, Truncation};

#[test]
fn a_recording_is_summarized() {
    for (file, codec, config, size, rotation, milliseconds, location) in [
        (
            H264,
            Codec::H264,
            32,
            (320, 240),
            Rotation::None,
            2150,
            false,
        ),
        (VP9, Codec::Vp9, 12, (320, 240), Rotation::None, 2150, false),
        (
            AAC,
            Codec::H264,
            45,
            (160, 120),
            Rotation::Quarter,
            1600,
            false,
        ),
        (MOV, Codec::H264, 45, (160, 120), Rotation::None, 1600, true),
    ] {
        let Summary {
            video,
            is_hdr,
            has_audio,
            duration,
            keyframes,
            has_location,
            end,
            truncation,
            pictures,
        } = seal(&[file]).expect("sealed").summary;
        assert_eq!(truncation, None);
        let listed = pictures.iter().filter(|it| it.is_keyframe);
        assert_eq!(listed.count(), keyframes.len());
        assert!(pictures.len() > keyframes.len());
        assert_eq!((video.codec, video.config.len()), (codec, config));
        assert_eq!((video.width, video.height), size);
        assert_eq!((video.rotation, has_location), (rotation, location));
        assert!(has_audio && !is_hdr);
        assert_eq!(duration.as_millis(), milliseconds);
        assert_eq!(keyframes.len(), 3, "{keyframes:?}");
        assert_eq!(keyframes[0].at, Duration::ZERO);
        assert_eq!(end, file.len() as u64);
    }
}

#[test]
fn a_progressive_file_is_not_rewritten() {
    assert_eq!(seal(&[MOV]).map(|sealed| sealed.index.len()), Ok(0));
}

#[test]
fn a_live_recording_becomes_a_progressive_file() {
    for file in [H264, VP9, AAC] {
        let sealed = seal(&[file]).expect("sealed");
        assert!((500..8_000).contains(&sealed.index.len()));
        let again = seal(&[&served(&sealed, file)]).expect("sealed");
        assert_eq!(again, moved(sealed));
    }
}

#[test]
fn keyframes_are_at_their_offsets() {
    // The sample contains a slice of an IDR picture, NAL unit type 5 (ITU-T H.264, table 7-1).
    for file in [H264, AAC, MOV] {
        for Keyframe { bytes, .. } in seal(&[file]).expect("sealed").summary.keyframes {
            let range = usize::try_from(bytes.start).expect("small")
                ..usize::try_from(bytes.end).expect("small");
            let mut sample = &file[range];
            let mut units = Vec::new();
            while let Some((length, rest)) = sample.split_first_chunk() {
                let (unit, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
                units.push(unit[0] & 0x1f);
                sample = rest;
            }
            assert!(units.contains(&5), "{units:?}");
        }
    }
}

#[test]
fn the_error_names_what_is_missing() {
    let movie = top_level(H264, b"moov").remove(0);
    assert_eq!(seal(&[]), Err(Unplayable::Unreadable));
    assert_eq!(seal(&[&H264[..movie.start]]), Err(Unplayable::Unreadable));
    assert_eq!(seal(&[&H264[..movie.end - 1]]), Err(Unplayable::Unreadable));
    assert_eq!(seal(&[&H264[..movie.end]]), Err(Unplayable::NoFrame));
    let mut no_video = H264.to_vec();
    while let Some(at) = no_video.windows(4).position(|four| four == b"vide") {
        no_video[at..at + 4].copy_from_slice(b"text");
    }
    assert_eq!(seal(&[&no_video]), Err(Unplayable::NoVideo));
}

#[test]
fn a_truncated_recording_ends_with_its_last_whole_sample() {
    let media = top_level(MOV, b"mdat").remove(0);
    let cut = &MOV[..media.end - 400];
    let sealed = seal(&[cut]).expect("sealed");
    assert!(!sealed.index.is_empty());
    assert!((media.start as u64..cut.len() as u64).contains(&sealed.summary.end));
    let whole = seal(&[MOV]).expect("sealed");
    assert!(sealed.summary.duration <= whole.summary.duration);
    assert_eq!(whole.summary.truncation, None);
    assert_eq!(
        sealed.summary.truncation,
        Some(Truncation::Unknown),
        "a frame"
    );
    let fragment = top_level(H264, b"moof").pop().expect("several");
    let cut = &H264[..fragment.end - 1];
    let sealed = seal(&[cut]).expect("sealed");
    assert_eq!(sealed.summary.end, fragment.start as u64);
    assert_eq!(sealed.summary.truncation, Some(Truncation::Unknown));
}

#[test]
fn the_missing_duration_is_computed_from_the_declared_one() {
    let media = top_level(MOV, b"mdat").remove(0);
    let whole = seal(&[MOV]).expect("sealed").summary;
    let cut = &MOV[..media.start + media.len() / 4];
    let part = seal(&[cut]).expect("sealed").summary;
    let Some(Truncation::Time(missing)) = part.truncation else {
        panic!("{:?}", part.truncation);
    };
    let all = part.duration + missing;
    assert!(
        all.abs_diff(whole.duration) < Duration::from_millis(100),
        "{all:?}"
    );
}

#[test]
fn the_delay_of_a_recorder_started_earlier_is_removed() {
    let mut late = VP9.to_vec();
    let times = late.windows(4).enumerate();
    let times: Vec<_> = times
        .filter(|(_, four)| four == b"tfdt")
        .map(|(at, _)| at)
        .collect();
    assert!(times.len() > 2);
    let plain = seal(&[VP9]).expect("sealed").summary;
    let timescales = timescales(VP9);
    for (at, timescale) in times.into_iter().zip(timescales.iter().cycle()) {
        let field = match late[at + 4] {
            0 => at + 8..at + 12,
            _ => at + 12..at + 16,
        };
        let time = u32_at(&late, field.start).expect("there") + 100 * timescale;
        late[field].copy_from_slice(&time.to_be_bytes());
    }
    let summary = seal(&[&late]).expect("sealed").summary;
    assert_eq!(summary.duration, plain.duration);
    assert_eq!(summary.keyframes, plain.keyframes);
}

/// The timescales of the tracks, in the order of a fragment.
fn timescales(file: &[u8]) -> Vec<u32> {
    let movie = Movie::read(movie_payload(file)).expect("read");
    let fragment = top_level(file, b"moof").remove(0);
    boxes_of(&file[fragment.start + 8..fragment.end], *b"traf")
        .map(|part| {
            let header = find_box(part.payload, *b"tfhd").expect("there");
            let id = u32_at(header.payload, 4).expect("there");
            let mut tracks = movie.tracks.iter();
            let track = tracks.find(|track| track.header.track_id == id);
            track.expect("there").timescale().get()
        })
        .collect()
}
