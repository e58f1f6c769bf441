//! Constructed recordings: complete, cut off, chained, and without video.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::fixtures::{
    BROWSERS, block, ebml, frame, group, keyframe, leaf, live, master, timestamp, tracks,
    unsized_master,
};
use super::*;

#[test]
fn a_seekable_file_gets_no_index() {
    let info = |rest: &[Vec<u8>]| master(mkv::Info::ID, rest);
    let duration = leaf(&mkv::Duration(40.0));
    let cues = master(mkv::Cues::ID, &[]);
    let cluster = master(mkv::Cluster::ID, &[timestamp(0), keyframe(0), frame(20)]);
    let file = |parts: &[Vec<u8>]| [ebml(), master(mkv::Segment::ID, parts)].concat();
    let info_with = info(std::slice::from_ref(&duration));
    let whole = file(&[info_with.clone(), tracks(), cues.clone(), cluster.clone()]);
    assert!(seal(&whole).expect("sealed").index.is_empty());
    let cut = &whole[..whole.len() - 1];
    assert!(!seal(cut).expect("sealed").index.is_empty());
    let without_duration = file(&[info(&[]), tracks(), cues.clone(), cluster.clone()]);
    assert!(!seal(&without_duration).expect("sealed").index.is_empty());

    // Behind the Clusters only a SeekHead makes Cues findable.
    let late = |position: u64| {
        let seek = [
            master(mkv::SeekId::ID, &[vec![0x1c, 0x53, 0xbb, 0x6b]]),
            master(
                mkv::SeekPosition::ID,
                &[vec![0, u8::try_from(position).expect("small")]],
            ),
        ];
        let seek_head = master(mkv::SeekHead::ID, &[master(mkv::Seek::ID, &seek)]);
        let front = [seek_head, info_with.clone(), tracks(), cluster.clone()].concat();
        (front.len() as u64, file(&[front, cues.clone()]))
    };
    let (position, lost) = late(0);
    assert!(!seal(&lost).expect("sealed").index.is_empty());
    let (_, found) = late(position);
    assert!(seal(&found).expect("sealed").index.is_empty());
}

#[test]
fn truncation_is_detected() {
    let info = master(mkv::Info::ID, &[leaf(&mkv::Duration(9000.0))]);
    let cluster = |at| master(mkv::Cluster::ID, &[timestamp(at), keyframe(0), frame(30)]);
    let parts = [info, tracks(), cluster(0), cluster(8940)].concat();
    let whole = [ebml(), master(mkv::Segment::ID, &[parts])].concat();
    let truncation = |bytes: &[u8]| seal(bytes).expect("sealed").summary.truncation;
    assert_eq!(truncation(&whole), None);
    let cut = &whole[..whole.len() - cluster(8940).len() + 1];
    let lost = Duration::from_millis(9000 - 60);
    assert_eq!(truncation(cut), Some(Truncation::Time(lost)));
    // Garbage behind the end is no incomplete element.
    assert_eq!(truncation(&[&whole[..], &[0; 100]].concat()), None);

    // A live recording declares no duration.
    let undeclared = live(&[unsized_master(
        mkv::Cluster::ID,
        &[timestamp(0), keyframe(0), frame(30)],
    )]);
    assert_eq!(truncation(&undeclared), None);
    let cut = &undeclared[..undeclared.len() - 1];
    assert_eq!(truncation(cut), Some(Truncation::Unknown));
    // Garbage in front of a further Cluster is damage.
    let garbage = [0; 100];
    let damaged = [&undeclared[..], &garbage, &cluster(60)].concat();
    assert_eq!(truncation(&damaged), Some(Truncation::Unknown));
    for split in 1..4 {
        let (one, other) = damaged.split_at(undeclared.len() + garbage.len() + split);
        let mut reader = WebMReader::new();
        reader.feed(one);
        reader.feed(other);
        let sealed = reader.finish().expect("sealed");
        assert_eq!(
            sealed.summary.truncation,
            Some(Truncation::Unknown),
            "{split}"
        );
    }
}

#[test]
fn the_last_frame_of_all_tracks_ends_the_recording() {
    let opus = |at, flags, data: &[u8]| master(mkv::SimpleBlock::ID, &[block(2, at, flags, data)]);
    let cluster = |blocks: &[Vec<u8>]| {
        live(&[unsized_master(
            mkv::Cluster::ID,
            &[timestamp(1000), blocks.concat()],
        )])
    };
    for (blocks, want) in [
        (vec![keyframe(0)], 33),
        (vec![keyframe(0), frame(50)], 100),
        (vec![keyframe(0), frame(50), opus(90, 0, &[0xfc, 1])], 110),
        // Three packets of 20 ms in one lace.
        (vec![keyframe(0), opus(90, 4, &[2, 0xfc, 0xfc, 0xfc])], 150),
        (
            vec![
                keyframe(0),
                group(block(1, 5, 0, b"x"), &[leaf(&mkv::BlockDuration(70))]),
            ],
            75,
        ),
        // A block of an unknown track.
        (
            vec![
                keyframe(0),
                master(mkv::SimpleBlock::ID, &[block(9, 999, 0, b"x")]),
            ],
            33,
        ),
    ] {
        assert_eq!(milliseconds(&cluster(&blocks)), want);
    }
}

#[test]
fn a_group_without_a_reference_is_a_keyframe() {
    let reference = leaf(&mkv::ReferenceBlock(-5));
    let cluster = [
        timestamp(0),
        group(block(1, 0, 0, b"first"), &[]),
        group(block(1, 5, 0x80, b"second"), &[reference]),
    ];
    let recording = live(&[unsized_master(mkv::Cluster::ID, &cluster)]);
    let keyframes = summary(&recording).keyframes;
    assert_eq!(keyframes.len(), 1);
    assert!(at(keyframes[0].bytes.start, &recording).starts_with(b"first"));
}

#[test]
fn a_cut_recording_ends_with_its_last_whole_block() {
    let sized = master(mkv::Cluster::ID, &[timestamp(0), keyframe(0), frame(30)]);
    let open = unsized_master(mkv::Cluster::ID, &[timestamp(60), keyframe(0), frame(30)]);
    let recording = live(&[sized, open]);
    let ends = |cut: usize| seal(&recording[..cut]).map(|sealed| sealed.summary.end);
    let last = frame(30).len();
    let size = recording.len();
    assert_eq!(ends(size), Ok(size as u64));
    for cut in size - last..size {
        assert_eq!(ends(cut), Ok((size - last) as u64));
    }
    let mut previous = 0;
    for cut in 0..size {
        match ends(cut) {
            Ok(end) => {
                assert!(end <= cut as u64 && end >= previous);
                previous = end;
            }
            Err(error) => assert!(previous == 0, "{error}"),
        }
    }
}

#[test]
fn noise_behind_a_recording_is_not_served() {
    let clusters = unsized_master(mkv::Cluster::ID, &[timestamp(0), keyframe(0), frame(30)]);
    let recording = live(&[clusters]);
    for noise in [
        &[0; 100][..],
        b"\xa3",
        b"GET / HTTP/1.1\r\n\r\n",
        &[0xff; 9],
    ] {
        let summary = summary(&[&recording, noise].concat());
        assert_eq!(summary.end, recording.len() as u64);
    }
}

#[test]
fn only_the_first_of_chained_documents_is_indexed_and_all_are_served() {
    let one = live(&[unsized_master(
        mkv::Cluster::ID,
        &[timestamp(0), keyframe(0), frame(30)],
    )]);
    let two = [&one[..], BROWSERS[0]].concat();
    let summary = summary(&two);
    assert_eq!(summary.end, two.len() as u64);
    assert_eq!(
        (summary.keyframes.len(), summary.duration.as_millis()),
        (1, 60)
    );
}

#[test]
fn files_without_video_are_refused() {
    let cluster =
        |blocks: &[Vec<u8>]| unsized_master(mkv::Cluster::ID, &[timestamp(0), blocks.concat()]);
    let silent = [
        ebml(),
        unsized_master(
            mkv::Segment::ID,
            &[master(mkv::Tracks::ID, &[]), cluster(&[keyframe(0)])],
        ),
    ];
    for (bytes, why) in [
        (Vec::new(), Unplayable::Unreadable),
        (b"\x1a\x45\xdf\xa3".to_vec(), Unplayable::Unreadable),
        (b"<!doctype html>".to_vec(), Unplayable::Unreadable),
        (ebml(), Unplayable::Unreadable),
        (
            [
                ebml(),
                unsized_master(mkv::Segment::ID, &[cluster(&[keyframe(0)])]),
            ]
            .concat(),
            Unplayable::Unreadable,
        ),
        (silent.concat(), Unplayable::NoVideo),
        (live(&[]), Unplayable::NoFrame),
        (live(&[cluster(&[frame(0)])]), Unplayable::NoFrame),
    ] {
        assert_eq!(seal(&bytes), Err(why));
    }
}

#[test]
fn a_location_is_found_however_deep_its_tag_is_nested() {
    let cluster = unsized_master(mkv::Cluster::ID, &[timestamp(0), keyframe(0)]);
    let tags = |name: &[u8], depth| {
        let mut tag = master(mkv::TagName::ID, &[name.to_vec()]);
        for _ in 0..depth {
            tag = master(mkv::SimpleTag::ID, &[tag]);
        }
        master(mkv::Tags::ID, &[master(mkv::Tag::ID, &[tag])])
    };
    for (name, depth, has_location) in [
        (&b"ENCODER"[..], 1, false),
        (b"LOCATION", 1, true),
        (b"RECORDING_LOCATION", 1, true),
        (b"COM.APPLE.QUICKTIME.LOCATION.ISO6709", 1, true),
        (b"GPSLatitude", 2, true),
        (b"location-eng", 2000, true),
    ] {
        let bytes = live(&[cluster.clone(), tags(name, depth)]);
        assert_eq!(summary(&bytes).has_location, has_location, "{name:?}");
    }
}
