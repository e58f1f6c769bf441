//! What a movie and its fragments declare.

use super::*;
use crate::mp4::boxes::{boxes, find_box};
use crate::summary::Truncation;

#[test]
fn a_fragment_followed_by_one_without_data_counts() {
    let plain = seal(&[H264]).expect("sealed").summary.keyframes;
    for fragment in top_level(H264, b"moof") {
        let (head, tail) = H264.split_at(fragment.end);
        let summary = seal(&[head, &wrap(b"moof", &[]), tail])
            .expect("sealed")
            .summary;
        assert_eq!(summary.keyframes.len(), plain.len());
    }
}

#[test]
fn listed_samples_count_once_however_many_fragments_follow() {
    let fragment = [wrap(b"moof", &[]), wrap(b"mdat", &[0; 8])].concat();
    let once = seal(&[MOV, &fragment]).expect("sealed");
    let thrice = seal(&[MOV, &fragment.repeat(3)]).expect("sealed");
    assert_eq!(thrice.summary.keyframes, once.summary.keyframes);
    assert_eq!(thrice.summary.duration, once.summary.duration);
}

/// The file up to its `moov` box, with `more` appended to the payload of its `mvex` box.
fn with_extends(file: &[u8], more: &[u8]) -> Vec<u8> {
    let movie = top_level(file, b"moov").remove(0);
    let mut payload = Vec::new();
    for part in boxes(&movie_payload(file)) {
        let more = if part.box_type == *b"mvex" { more } else { &[] };
        payload.extend(wrap(&part.box_type, &[part.payload, more].concat()));
    }
    [&file[..movie.start], &wrap(b"moov", &payload)].concat()
}

#[test]
fn a_live_recording_may_declare_its_duration() {
    let fragments = top_level(VP9, b"moof");
    let movie = top_level(VP9, b"moov").remove(0).end;
    let timescale = Movie::read(movie_payload(VP9))
        .expect("read")
        .header
        .timescale
        .get();
    let header = wrap(b"mehd", &[[0; 4], (10 * timescale).to_be_bytes()].concat());
    let cut = &VP9[movie..fragments.last().expect("several").end - 1];
    let summary = seal(&[&with_extends(VP9, &header), cut])
        .expect("sealed")
        .summary;
    let Some(Truncation::Time(missing)) = summary.truncation else {
        panic!("{:?}", summary.truncation);
    };
    assert_eq!((summary.duration + missing).as_secs(), 10);
}

#[test]
fn each_track_has_its_own_sample_defaults() {
    let mut payload = movie_payload(H264);
    let offsets = payload.windows(4).enumerate();
    let offsets: Vec<_> = offsets
        .filter(|(_, four)| *four == b"trex")
        .map(|(at, _)| at + 8)
        .collect();
    assert_eq!(offsets.len(), 2);
    for (at, values) in offsets
        .into_iter()
        .zip([[1, 3, 7, 9, 0], [2, 0, 8, 4, 1 << 16]])
    {
        let values: Vec<u8> = values.into_iter().flat_map(u32::to_be_bytes).collect();
        payload[at..at + 20].copy_from_slice(&values);
    }
    let movie = Movie::read(payload).expect("read");
    let defaults = movie.tracks.iter().map(|track| {
        let it = track.defaults;
        (it.description_index, it.duration, it.size, it.flags.get())
    });
    // A description index of 0 is a mistake for the first one.
    assert_eq!(
        defaults.collect::<Vec<_>>(),
        [(3, 7, 9, 0), (1, 8, 4, 1 << 16)]
    );
}

/// The payload of a `moov` box in whose first track `replacement` replaces the boxes of this type.
fn with_part(file: &[u8], box_type: &[u8; 4], replacement: &[u8]) -> Vec<u8> {
    let (mut payload, mut is_first) = (Vec::new(), true);
    for part in boxes(&movie_payload(file)) {
        if part.box_type != *b"trak" || !std::mem::take(&mut is_first) {
            part.copy_to(&mut payload).expect("small");
            continue;
        }
        let mut track = replacement.to_vec();
        for part in boxes(part.payload).filter(|it| it.box_type != *box_type) {
            part.copy_to(&mut track).expect("small");
        }
        payload.extend(wrap(b"trak", &track));
    }
    payload
}

#[test]
fn an_edit_list_of_more_than_64_entries_is_ignored() {
    for (count, kept) in [(64_u32, 64), (65, 0)] {
        let entry = [[0, 0, 0, 9], [0; 4], [0, 1, 0, 0]].concat();
        let list = [
            &[0; 4][..],
            &count.to_be_bytes(),
            &entry.repeat(count as usize),
        ];
        let edits = wrap(b"edts", &wrap(b"elst", &list.concat()));
        let movie = Movie::read(with_part(H264, b"edts", &edits)).expect("read");
        assert_eq!(movie.tracks[0].edits.len(), kept);
    }
}

#[test]
fn the_first_enabled_video_track_is_the_video() {
    let payload = movie_payload(AAC);
    let video_id = |movie: &Movie| {
        let index = movie.video_index();
        index.map(|index| movie.tracks[index].header.track_id)
    };
    let whole = Movie::read(payload.clone()).expect("read");
    let id = video_id(&whole).expect("there");
    // The same track once more, with another id.
    let track = boxes(&payload).find(|it| {
        let header = find_box(it.payload, *b"tkhd");
        let track_id = header.and_then(|it| u32_at(it.payload, 12));
        it.box_type == *b"trak" && track_id == Some(id)
    });
    let mut another = Vec::new();
    track.expect("there").copy_to(&mut another).expect("small");
    let header = another.windows(4).position(|four| four == b"tkhd");
    let at = header.expect("there");
    another[at + 16..at + 20].copy_from_slice(&77_u32.to_be_bytes());
    let mut payload = [payload, another].concat();
    let both = Movie::read(payload.clone()).expect("read");
    assert_eq!(video_id(&both), Some(id));
    // The first one without its enabled flag.
    let original = payload.clone();
    let headers = original.windows(4).enumerate();
    for (at, _) in headers.filter(|(_, it)| it == b"tkhd") {
        if u32_at(&payload, at + 16) == Some(id) {
            payload[at + 7] &= !1;
        }
    }
    let disabled = Movie::read(payload).expect("read");
    assert_eq!(video_id(&disabled), Some(77));
}

#[test]
fn a_silent_recording_has_no_audio() {
    let silent = include_bytes!("../../../../test-support/fixtures/webkitgtk_silent.mp4");
    assert!(!seal(&[silent]).expect("sealed").summary.has_audio);
}
