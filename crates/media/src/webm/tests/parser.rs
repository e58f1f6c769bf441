//! Tests of the parser with recordings that are constructed element by element.
//!
//! More than 300 lines: a case for each rule of the format.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::fixtures::{
    block, ebml, frame, group, keyframe, leaf, live, master, timestamp, tracks, unsized_master,
};
use super::*;
use crate::summary::{CodedPicture, MAX_PICTURES};
use crate::webm::element::{children, decode_child, write_header};
use crate::webm::summary::SummaryBuilder;

fn cluster(ticks: u64, blocks: &[Vec<u8>]) -> Vec<u8> {
    unsized_master(mkv::Cluster::ID, &[timestamp(ticks), blocks.concat()])
}

/// A recording with a keyframe, and `rest` behind it.
fn recorded(rest: &[Vec<u8>]) -> Vec<u8> {
    live(&[cluster(0, &[keyframe(0), frame(20)]), rest.concat()])
}

fn audio(timestamp: i16, flags: u8, data: &[u8]) -> Vec<u8> {
    master(mkv::SimpleBlock::ID, &[block(2, timestamp, flags, data)])
}

/// The number of bytes of `rest` that belong to the recording.
fn kept(rest: &[Vec<u8>]) -> u64 {
    summary(&recorded(rest)).end - recorded(&[]).len() as u64
}

fn length(rest: &[Vec<u8>]) -> u64 {
    rest.concat().len() as u64
}

#[test]
fn complete_elements_belong_to_a_recording() {
    let tags = |name: &[u8]| {
        let tag = master(mkv::TagName::ID, &[name.to_vec()]);
        master(mkv::Tags::ID, &[master(mkv::Tag::ID, &[tag])])
    };
    for rest in [
        vec![master(mkv::Void::ID, &[vec![0; 9]])],
        vec![tags(b"ENCODER")],
        vec![tags(b"")],
        vec![tags(b""), master(mkv::Void::ID, &[vec![0; 9]])],
        vec![master(mkv::Tags::ID, &[]), cluster(50, &[frame(0)])],
        vec![
            master(mkv::Tags::ID, &[master(mkv::Tag::ID, &[])]),
            cluster(50, &[frame(0)]),
        ],
        vec![master(mkv::Cluster::ID, &[timestamp(50)])],
        vec![master(mkv::Cluster::ID, &[]), cluster(50, &[frame(0)])],
        // A misplaced element doesn't end a Cluster of known size.
        vec![master(
            mkv::Cluster::ID,
            &[
                timestamp(50),
                frame(0),
                master(mkv::Cues::ID, &[]),
                frame(20),
            ],
        )],
    ] {
        assert_eq!(kept(&rest), length(&rest), "{rest:?}");
    }
}

#[test]
fn incomplete_and_malformed_elements_do_not() {
    let empty = unsized_master(mkv::Cluster::ID, &[timestamp(50)]);
    let padded = unsized_master(
        mkv::Cluster::ID,
        &[timestamp(50), master(mkv::Void::ID, &[])],
    );
    let cues = unsized_master(mkv::Cues::ID, &[cluster(50, &[frame(0)])]);
    for rest in [empty, padded, cues] {
        assert_eq!(kept(&[rest]), 0);
    }
    // A block that exceeds its Cluster.
    let mut long = Vec::new();
    write_header(mkv::Cluster::ID, 20, &mut long);
    let block = master(mkv::SimpleBlock::ID, &[block(1, 0, 0, &[0; 100])]);
    assert_eq!(kept(&[long, timestamp(50), block]), 0);
    // A block that exceeds its BlockGroup, with an element behind its header.
    let mut wide = Vec::new();
    write_header(mkv::BlockGroup::ID, 10, &mut wide);
    write_header(mkv::Block::ID, 1000, &mut wide);
    wide.extend(master(mkv::Void::ID, &[vec![0; 5]]));
    assert_eq!(kept(&[wide, frame(40)]), 0);
}

#[test]
fn a_second_document_after_a_recording_is_preserved() {
    let blocks = [timestamp(0), keyframe(0), frame(20)];
    let cluster = master(mkv::Cluster::ID, &blocks);
    let file = [ebml(), master(mkv::Segment::ID, &[tracks(), cluster])].concat();
    let another = [&file[..], &ebml()[..5]].concat();
    assert_eq!(summary(&another).end, another.len() as u64);
    for rest in [ebml(), unsized_master(mkv::Segment::ID, &[tracks()])] {
        assert_eq!(kept(std::slice::from_ref(&rest)), rest.len() as u64);
    }
}

#[test]
fn it_makes_no_difference_where_tags_are_split() {
    let mut tag = master(mkv::TagName::ID, &[b"LOCATION".to_vec()]);
    for _ in 0..3 {
        tag = master(mkv::SimpleTag::ID, &[tag]);
    }
    let tags = master(mkv::Tags::ID, &[master(mkv::Tag::ID, &[tag])]);
    let bytes = recorded(&[tags]);
    let mut reader = WebMReader::new();
    for byte in bytes.chunks(1) {
        reader.feed(byte);
    }
    assert_eq!(reader.finish(), seal(&bytes));
    assert!(summary(&bytes).has_location);
}

#[test]
fn all_frames_of_a_lace_count() {
    // Three packets of 20 ms each.
    let lace = [&[2][..], &[0xfc; 30]].concat();
    let laced = cluster(0, &[keyframe(0), audio(10, 0x84, &lace)]);
    assert_eq!(milliseconds(&live(&[laced])), 70);
}

#[test]
fn a_duration_of_zero_counts_as_unknown() {
    let packet = audio(20, 0x80, &[0xfb, 0]);
    let blocks = [keyframe(0), audio(0, 0x80, &[0xfb, 0]), packet];
    assert_eq!(milliseconds(&live(&[cluster(0, &blocks)])), 40);
    let zero = |at| group(block(1, at, 0, b"key"), &[leaf(&mkv::BlockDuration(0))]);
    assert_eq!(milliseconds(&live(&[cluster(0, &[zero(0), zero(30)])])), 60);
}

#[test]
fn a_reference_or_a_duration_counts_for_its_own_group() {
    let reference = leaf(&mkv::ReferenceBlock(-1));
    let groups = [
        group(block(1, 0, 0, b"key"), &[]),
        group(
            block(1, 20, 0, b"frame"),
            &[reference, leaf(&mkv::BlockDuration(500))],
        ),
        group(block(1, 40, 0, b"key"), &[]),
    ];
    let summary = summary(&live(&[cluster(0, &groups)]));
    let times: Vec<_> = summary
        .keyframes
        .iter()
        .map(|it| it.at.as_millis())
        .collect();
    assert_eq!((times, summary.duration.as_millis()), (vec![0, 40], 520));
}

#[test]
fn an_empty_keyframe_is_left_out() {
    let empty = master(mkv::SimpleBlock::ID, &[block(1, 0, 0x80, b"")]);
    let summary = summary(&live(&[cluster(0, &[empty, keyframe(20)])]));
    assert_eq!(summary.keyframes.len(), 1);
}

#[test]
fn the_first_of_two_blocks_in_a_group_is_used() {
    let [one, two] = [0, 500].map(|at| master(mkv::Block::ID, &[block(1, at, 0, b"key")]));
    let twice = master(mkv::BlockGroup::ID, &[one, two]);
    let summary = summary(&live(&[cluster(0, &[twice, frame(20)])]));
    assert_eq!(summary.keyframes[0].at, Duration::ZERO);
    assert_eq!(summary.duration.as_millis(), 40);
    // A picture between two of the list would be decoded without the one before it.
    assert_eq!(summary.pictures, []);
}

#[test]
fn times_count_from_the_first_frame_and_keyframes_are_sorted() {
    let late = cluster(5000, &[keyframe(40), keyframe(0), frame(80)]);
    let summary = summary(&live(&[late]));
    let times: Vec<_> = summary
        .keyframes
        .iter()
        .map(|it| it.at.as_millis())
        .collect();
    assert_eq!(times, [0, 40]);
}

#[test]
fn all_pictures_are_listed_and_one_that_is_not_shown_has_no_time() {
    let simple = |flags, data| master(mkv::SimpleBlock::ID, &[block(1, 20, flags, data)]);
    let flagged = simple(0x08, b"unseen");
    // By VP8's own flag alone, as the writers of films have it.
    let hidden = simple(0, b"hidden");
    let sound = audio(15, 0, b"sound");
    let blocks = [keyframe(10), flagged, hidden, sound, frame(40)];
    let bytes = live(&[cluster(100, &blocks)]);
    let pictures = summary(&bytes).pictures;
    let times = pictures.iter().map(|it| it.at.map(|at| at.as_millis()));
    assert_eq!(times.collect::<Vec<_>>(), [Some(0), None, None, Some(30)]);
    let coded = pictures.iter().map(|CodedPicture { bytes: it, .. }| {
        &at(it.start, &bytes)[..usize::try_from(it.end - it.start).expect("small")]
    });
    assert_eq!(
        coded.collect::<Vec<_>>(),
        [&b"pic"[..], b"unseen", b"hidden", b"shown"]
    );
    let keys = pictures.iter().map(|it| it.is_keyframe);
    assert_eq!(keys.collect::<Vec<_>>(), [true, false, false, false]);
}

#[test]
fn blocks_of_subtitles_leave_the_pictures_listed() {
    let subtitle = master(mkv::SimpleBlock::ID, &[block(7, 20, 0, b"Hello")]);
    let bytes = live(&[cluster(100, &[keyframe(10), subtitle, frame(40)])]);
    assert_eq!(summary(&bytes).pictures.len(), 2);
}

#[test]
fn pictures_that_are_laced_or_too_many_are_not_listed() {
    // Two frames of fixed size.
    let laced = master(mkv::SimpleBlock::ID, &[block(1, 20, 0x04, b"\x01abcd")]);
    let bytes = live(&[cluster(0, &[keyframe(0), laced])]);
    assert_eq!(summary(&bytes).pictures, []);
    let listed = |count: usize| {
        let blocks = vec![keyframe(0); count];
        summary(&live(&[cluster(0, &blocks)])).pictures.len()
    };
    assert_eq!(listed(MAX_PICTURES), MAX_PICTURES);
    assert_eq!(listed(MAX_PICTURES + 1), 0);
}

#[test]
fn a_cluster_has_one_cue_at_the_group_of_its_first_keyframe() {
    let reference = leaf(&mkv::ReferenceBlock(-1));
    let groups = [
        group(block(1, 0, 0, b"frame"), &[reference]),
        group(block(1, 20, 0, b"key"), &[]),
        group(block(1, 40, 0, b"key"), &[]),
    ];
    let recording = live(&[cluster(0, &groups)]);
    let sealed = seal(&recording).expect("sealed");
    let video = [&sealed.index[..], &recording].concat();
    let segment = ebml().len() + 12;
    let (_, cues) = children(&sealed.index[segment..])
        .find(|(id, _)| *id == mkv::Cues::ID)
        .expect("cues");
    let points: Vec<_> = children(cues).collect();
    assert_eq!(points.len(), 1);
    let (_, positions) = children(points[0].1).nth(1).expect("positions");
    let mkv::CueClusterPosition(cluster) = decode_child(positions).expect("a position");
    let mkv::CueRelativePosition(within) = decode_child(positions).expect("not the first block");
    let header_at = |offset: u64| header(at(offset, &video));
    let cluster = segment as u64 + cluster;
    let group = cluster + header_at(cluster).width as u64 + within;
    assert_eq!(header_at(group).id, mkv::BlockGroup::ID);
}

#[test]
fn cues_behind_the_clusters_are_findable_if_a_seek_head_names_them() {
    let seek_head = |id: &[u8], position| {
        let seek = [
            master(mkv::SeekId::ID, &[id.to_vec()]),
            leaf(&mkv::SeekPosition(position)),
        ];
        master(mkv::Seek::ID, &seek)
    };
    for (id, found) in [
        ([0x1c, 0x53, 0xbb, 0x6b], true),
        ([0x16, 0x54, 0xae, 0x6b], false),
    ] {
        let mut builder = SummaryBuilder::new();
        builder.segment = 40;
        builder.clusters = Some(100);
        builder.read_seek_head(&seek_head(&id, 960));
        builder.add_cues(1000);
        assert_eq!(builder.has_findable_cues(), found);
    }
    // At most eight of each are remembered.
    for (before, found) in [(7, true), (8, false)] {
        let id = [0x1c, 0x53, 0xbb, 0x6b];
        let mut builder = SummaryBuilder::new();
        builder.clusters = Some(100);
        (0..before).for_each(|_| builder.read_seek_head(&seek_head(&id, 500)));
        builder.read_seek_head(&seek_head(&id, 1000));
        builder.add_cues(1000);
        assert_eq!(builder.has_findable_cues(), found);
        let mut builder = SummaryBuilder::new();
        builder.clusters = Some(100);
        builder.read_seek_head(&seek_head(&id, 1000));
        (0..before).for_each(|_| builder.add_cues(500));
        builder.add_cues(1000);
        assert_eq!(builder.has_findable_cues(), found);
    }
}

#[test]
fn a_tag_with_a_location_is_known_by_its_name() {
    for (name, has_location) in [
        (&b"location"[..], true),
        (b"x-Latitude", true),
        (b"LONGITUDE", true),
        (b"GPSInfo", true),
        (b"geo:uri", true),
        (b"TITLE", false),
        (b"WRITING_APPLICATION", false),
        (b"a gps", false),
        (b"a geo", false),
    ] {
        let mut builder = SummaryBuilder::new();
        builder.read_tag_name(name);
        assert_eq!(
            builder.has_location,
            has_location,
            "{}",
            name.escape_ascii()
        );
    }
}
