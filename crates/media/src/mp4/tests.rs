//! Real recordings, whole, cut off and damaged.

use std::ops::Range;
use std::time::Duration;

use proptest::prelude::*;

use super::boxes::enclose;
use super::*;
use crate::facts::{Codec, CodedPicture, Facts, Keyframe, Missing, Rotation};

pub(super) const H264: &[u8] =
    include_bytes!("../../../test-support/fixtures/chromium_h264_opus.mp4");
pub(super) const VP9: &[u8] =
    include_bytes!("../../../test-support/fixtures/chromium_vp9_opus.mp4");
pub(super) const AAC: &[u8] =
    include_bytes!("../../../test-support/fixtures/ffmpeg_fragments_b_frames_aac.mp4");
pub(super) const MOV: &[u8] =
    include_bytes!("../../../test-support/fixtures/ffmpeg_progressive.mov");
const ALL: [&[u8]; 4] = [H264, VP9, AAC, MOV];

pub(super) fn seal(pieces: &[&[u8]]) -> Result<Sealed, Unplayable> {
    let mut reader = Reader::new();
    for piece in pieces {
        reader.feed(piece);
    }
    reader.finish()
}

/// What is sent to who plays it.
fn served(sealed: &Sealed, recording: &[u8]) -> Vec<u8> {
    let end = usize::try_from(sealed.facts.end).expect("within the recording");
    [&sealed.index, &recording[..end]].concat()
}

pub(super) fn wrap(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    enclose(&mut out, *kind, |out| {
        out.extend_from_slice(content);
        Some(())
    })
    .expect("small");
    out
}

/// Where the outermost boxes of this kind lie.
pub(super) fn outermost(file: &[u8], kind: &[u8; 4]) -> Vec<Range<usize>> {
    let (mut at, mut found) = (0, Vec::new());
    while let Some(size) = boxes::u32_at(file, at) {
        let end = at + size as usize;
        if &file[at + 4..at + 8] == kind {
            found.push(at..end);
        }
        at = end;
    }
    found
}

#[test]
fn a_recording_says_what_it_is() {
    for (file, codec, config, size, rotation, milliseconds, located) in [
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
        let Facts {
            video,
            audio,
            duration,
            keyframes: found,
            located: told,
            end,
            missing,
            pictures,
        } = seal(&[file]).expect("sealed").facts;
        assert_eq!(missing, None);
        // VP9's can't be cut out one by one.
        assert_eq!(pictures.is_empty(), codec == Codec::Vp9);
        assert_eq!((video.codec, video.config.len()), (codec, config));
        assert_eq!((video.width, video.height), size);
        assert_eq!((video.rotation, told), (rotation, located));
        assert!(audio);
        assert_eq!(duration.as_millis(), milliseconds);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0].at, Duration::ZERO);
        assert_eq!(end, file.len() as u64);
    }
}

#[test]
fn a_file_in_one_piece_is_left_as_it_is() {
    assert_eq!(seal(&[MOV]).map(|sealed| sealed.index.len()), Ok(0));
}

#[test]
fn a_live_recording_becomes_a_file_in_one_piece() {
    for file in [H264, VP9, AAC] {
        let sealed = seal(&[file]).expect("sealed");
        assert!((500..8_000).contains(&sealed.index.len()));
        let again = seal(&[&served(&sealed, file)]).expect("sealed");
        assert_eq!(again, moved(sealed));
    }
}

/// What must be said of the sealed file: the same, further back.
fn moved(sealed: Sealed) -> Sealed {
    let by = sealed.index.len() as u64;
    let mut facts = sealed.facts;
    facts.end += by;
    for Keyframe { bytes, .. } in &mut facts.keyframes {
        *bytes = bytes.start + by..bytes.end + by;
    }
    for CodedPicture { bytes, .. } in &mut facts.pictures {
        *bytes = bytes.start + by..bytes.end + by;
    }
    // It says no more than what is there.
    facts.missing = None;
    Sealed {
        facts,
        index: Vec::new(),
    }
}

#[test]
fn keyframes_are_where_they_are_said_to_be() {
    // An IDR picture's NAL unit (5), behind its length, parameter sets and other announcements aside.
    for file in [H264, AAC, MOV] {
        for Keyframe { bytes, .. } in seal(&[file]).expect("sealed").facts.keyframes {
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
fn what_is_missing_is_named() {
    let movie = outermost(H264, b"moov").remove(0);
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
fn a_recording_that_is_cut_off_ends_with_its_last_whole_sample() {
    let media = outermost(MOV, b"mdat").remove(0);
    let cut = &MOV[..media.end - 400];
    let sealed = seal(&[cut]).expect("sealed");
    assert!(!sealed.index.is_empty());
    assert!((media.start as u64..cut.len() as u64).contains(&sealed.facts.end));
    let whole = seal(&[MOV]).expect("sealed");
    assert!(sealed.facts.duration <= whole.facts.duration);
    assert_eq!(whole.facts.missing, None);
    assert_eq!(sealed.facts.missing, Some(Missing::Unknown), "a frame");
    let fragment = outermost(H264, b"moof").pop().expect("several");
    let cut = &H264[..fragment.end - 1];
    let sealed = seal(&[cut]).expect("sealed");
    assert_eq!(sealed.facts.end, fragment.start as u64);
    assert_eq!(sealed.facts.missing, Some(Missing::Unknown));
}

#[test]
fn a_file_that_says_how_long_it_is_says_how_much_of_it_is_missing() {
    let media = outermost(MOV, b"mdat").remove(0);
    let whole = seal(&[MOV]).expect("sealed").facts;
    let cut = &MOV[..media.start + media.len() / 4];
    let part = seal(&[cut]).expect("sealed").facts;
    let Some(Missing::Time(missing)) = part.missing else {
        panic!("{:?}", part.missing);
    };
    let all = part.duration + missing;
    assert!(
        all.abs_diff(whole.duration) < Duration::from_millis(100),
        "{all:?}"
    );
}

#[test]
fn a_few_bytes_that_claim_millions_of_samples_get_no_index() {
    let movie = outermost(H264, b"moov").remove(0).end;
    let header = wrap(b"tfhd", &[0, 0, 0, 0, 0, 0, 0, 1]);
    let run = wrap(b"trun", &[0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    let part = wrap(b"traf", &[header, run].concat());
    let fragment = wrap(b"moof", &part);
    // Before all others it leaves them no room.
    let sealed = seal(&[&H264[..movie], &fragment, &H264[movie..]]);
    assert_eq!(sealed.expect_err("no room"), Unplayable::NoFrame);
    // Behind them they are known, and all is served without an index.
    let honest = seal(&[H264]).expect("sealed");
    assert!(!honest.index.is_empty());
    let sealed = seal(&[H264, &fragment, &wrap(b"mdat", &[0; 8])]).expect("sealed");
    assert!(sealed.index.is_empty());
    assert_eq!(sealed.facts.keyframes, honest.facts.keyframes);
}

#[test]
fn the_index_begins_with_the_type_that_the_file_names_first() {
    let file_type = outermost(H264, b"ftyp").remove(0);
    let second = wrap(b"ftyp", b"othr\0\0\0\0othr");
    let sealed = seal(&[&H264[..file_type.end], &second, &H264[file_type.end..]]);
    let index = sealed.expect("sealed").index;
    assert_eq!(index[..file_type.len()], H264[file_type]);
}

/// One that left some out would say that the recording ends there.
#[test]
fn a_recording_of_more_samples_than_there_is_room_for_gets_no_index() {
    let count = u32::try_from(MOST_SAMPLES).expect("fewer") + 1;
    let fragment = |data: u32| {
        // All of them have four bytes, from here on.
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
    assert!(sealed.facts.end > data.len() as u64 / 2);
}

/// What the movie has of its own counts as well.
#[test]
fn a_movie_with_more_samples_of_its_own_than_there_is_room_for_gets_no_index() {
    let movie = outermost(MOV, b"moov").remove(0);
    let movie = Movie::read(MOV[movie.start + 8..movie.end].to_vec()).expect("read");
    let counts = movie.tracks.iter().filter_map(|track| track.tables());
    let all: u32 = counts.map(|tables| tables.count()).sum();
    let fragment = [wrap(b"moof", &[]), wrap(b"mdat", &[0; 8])].concat();
    for (room, has_index) in [(all, true), (all - 1, false)] {
        for file in [&[MOV, &fragment].concat(), &MOV[..MOV.len() - 1]] {
            let mut reader = Reader::new();
            reader.gathered.room = room as usize;
            reader.feed(file);
            let sealed = reader.finish().expect("sealed");
            assert_eq!(!sealed.index.is_empty(), has_index, "{room}");
        }
    }
}

/// Tables take more room than a run of samples that says nothing but when they are shown.
#[test]
fn an_index_is_longer_than_its_recording_by_no_more_than_64_kib() {
    let movie = outermost(VP9, b"moov").remove(0).end;
    let count = 40_000_u32;
    let header = [[0, 2, 0, 0x10], 1_u32.to_be_bytes(), 1_u32.to_be_bytes()].concat();
    // The first one needs no other.
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

#[test]
fn an_index_has_each_box_once() {
    fn kinds(content: &[u8]) -> Vec<Kind> {
        boxes::nodes(content)
            .filter(|node| node.kind != *b"trak")
            .map(|node| node.kind)
            .collect()
    }
    fn is_once(content: &[u8]) -> bool {
        let mut kinds = kinds(content);
        kinds.sort_unstable();
        kinds.windows(2).all(|two| two[0] != two[1])
    }
    for file in [H264, VP9, AAC] {
        let index = seal(&[file]).expect("sealed").index;
        let movie = boxes::within(&index, &[*b"moov"]).expect("there");
        assert!(is_once(movie), "{:?}", kinds(movie));
        assert!(!kinds(movie).contains(b"mvex"));
        let tracks = boxes::nodes(movie).filter(|node| node.kind == *b"trak");
        for track in tracks {
            assert!(is_once(track.content), "{:?}", kinds(track.content));
            let paths: [&[Kind]; 3] = [
                &[*b"mdia"],
                &[*b"mdia", *b"minf"],
                &[*b"mdia", *b"minf", *b"stbl"],
            ];
            for path in paths {
                let content = boxes::within(track.content, path).expect("there");
                assert!(is_once(content), "{:?}", kinds(content));
            }
        }
    }
}

#[test]
fn a_recorder_that_counts_from_long_ago_keeps_nobody_waiting() {
    let mut late = VP9.to_vec();
    let times = late.windows(4).enumerate();
    let times: Vec<_> = times
        .filter(|(_, four)| four == b"tfdt")
        .map(|(at, _)| at)
        .collect();
    assert!(times.len() > 2);
    let honest = seal(&[VP9]).expect("sealed").facts;
    let scale = timescales(VP9);
    for (at, scale) in times.into_iter().zip(scale.iter().cycle()) {
        let field = match late[at + 4] {
            0 => at + 8..at + 12,
            _ => at + 12..at + 16,
        };
        let time = boxes::u32_at(&late, field.start).expect("there") + 100 * scale;
        late[field].copy_from_slice(&time.to_be_bytes());
    }
    let facts = seal(&[&late]).expect("sealed").facts;
    assert_eq!(facts.duration, honest.duration);
    assert_eq!(facts.keyframes, honest.keyframes);
}

/// Of the tracks, in the order in which a fragment has them.
fn timescales(file: &[u8]) -> Vec<u32> {
    let movie = outermost(file, b"moov").remove(0);
    let movie = Movie::read(file[movie.start + 8..movie.end].to_vec()).expect("read");
    let fragment = outermost(file, b"moof").remove(0);
    boxes::nodes(&file[fragment.start + 8..fragment.end])
        .filter(|node| node.kind == *b"traf")
        .map(|part| {
            let header = boxes::node(part.content, *b"tfhd").expect("there");
            let id = boxes::u32_at(header.content, 4).expect("there");
            let mut tracks = movie.tracks.iter();
            let track = tracks.find(|track| track.header.track_id == id);
            track.expect("there").timescale().get()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn it_makes_no_difference_how_a_recording_is_cut(
        file in 0..ALL.len(),
        mut cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let file = ALL[file];
        cuts.sort_by_key(|cut| cut.index(file.len()));
        let (mut reader, mut at) = (Reader::new(), 0);
        for cut in cuts {
            let to = cut.index(file.len());
            reader.feed(&file[at..to]);
            at = to;
        }
        reader.feed(&file[at..]);
        prop_assert_eq!(reader.finish(), seal(&[file]));
    }

    /// What is served of a recording that is cut off is a file in one piece.
    #[test]
    fn a_recording_may_end_anywhere(file in 0..ALL.len(), length in any::<prop::sample::Index>()) {
        let file = ALL[file];
        let file = &file[..length.index(file.len())];
        if let Ok(sealed) = seal(&[file]) {
            prop_assert!(sealed.facts.end <= file.len() as u64);
            let again = seal(&[&served(&sealed, file)]);
            prop_assert_eq!(again, Ok(moved(sealed)));
        }
    }

    #[test]
    fn damage_does_no_harm(
        file in 0..ALL.len(),
        // Where what describes the samples is.
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30),
        everywhere in any::<bool>(),
    ) {
        let mut file = ALL[file].to_vec();
        let within = if everywhere { file.len() } else { file.len().min(2_000) };
        for (at, byte) in damage {
            let at = at.index(within);
            file[at] = byte;
        }
        if let Ok(sealed) = seal(&[&file]) {
            prop_assert!(sealed.facts.end <= file.len() as u64);
            prop_assert!(sealed.index.len() <= file.len() + (64 << 10));
            for keyframe in sealed.facts.keyframes {
                prop_assert!(keyframe.bytes.start < keyframe.bytes.end);
                prop_assert!(keyframe.bytes.end <= sealed.facts.end);
            }
        }
    }
}
