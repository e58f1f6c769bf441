//! What a walk makes of recordings that are put together for it, element by element.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;

use super::element::{Begun, Head, child, children, put_head};
use super::recording::Recording;
use super::sample::{
    block, ebml, endless, frame, group, keyframe, leaf, live, master, time, tracks,
};
use super::tests::{facts, milliseconds, seal};
use super::*;

fn cluster(ticks: u64, blocks: &[Vec<u8>]) -> Vec<u8> {
    endless(mkv::Cluster::ID, &[time(ticks), blocks.concat()])
}

/// A recording with a keyframe, and this behind it.
fn recorded(rest: &[Vec<u8>]) -> Vec<u8> {
    live(&[cluster(0, &[keyframe(0), frame(20)]), rest.concat()])
}

fn sound(time: i16, flags: u8, data: &[u8]) -> Vec<u8> {
    master(mkv::SimpleBlock::ID, &[block(2, time, flags, data)])
}

/// How many of the bytes behind a keyframe belong to the recording.
fn kept(rest: &[Vec<u8>]) -> u64 {
    facts(&recorded(rest)).end - recorded(&[]).len() as u64
}

fn length(rest: &[Vec<u8>]) -> u64 {
    rest.concat().len() as u64
}

#[test]
fn what_ends_whole_belongs_to_a_recording() {
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
        vec![master(mkv::Cluster::ID, &[time(50)])],
        vec![master(mkv::Cluster::ID, &[]), cluster(50, &[frame(0)])],
        // What stands in the wrong place of a Cluster that says its size doesn't end it.
        vec![master(
            mkv::Cluster::ID,
            &[time(50), frame(0), master(mkv::Cues::ID, &[]), frame(20)],
        )],
    ] {
        assert_eq!(kept(&rest), length(&rest), "{rest:?}");
    }
}

#[test]
fn what_never_ends_or_makes_no_sense_does_not() {
    let empty = endless(mkv::Cluster::ID, &[time(50)]);
    let padded = endless(mkv::Cluster::ID, &[time(50), master(mkv::Void::ID, &[])]);
    let cues = endless(mkv::Cues::ID, &[cluster(50, &[frame(0)])]);
    for rest in [empty, padded, cues] {
        assert_eq!(kept(&[rest]), 0);
    }
    // A block that is longer than its Cluster.
    let mut long = Vec::new();
    put_head(mkv::Cluster::ID, 20, &mut long);
    let block = master(mkv::SimpleBlock::ID, &[block(1, 0, 0, &[0; 100])]);
    assert_eq!(kept(&[long, time(50), block]), 0);
    // A block that is longer than its group, and what could be read behind its head.
    let mut wide = Vec::new();
    put_head(mkv::BlockGroup::ID, 10, &mut wide);
    put_head(mkv::Block::ID, 1000, &mut wide);
    wide.extend(master(mkv::Void::ID, &[vec![0; 5]]));
    assert_eq!(kept(&[wide, frame(40)]), 0);
}

#[test]
fn another_file_behind_a_recording_is_served_with_it_from_its_head_on() {
    let blocks = [time(0), keyframe(0), frame(20)];
    let cluster = master(mkv::Cluster::ID, &blocks);
    let file = [ebml(), master(mkv::Segment::ID, &[tracks(), cluster])].concat();
    let another = [&file[..], &ebml()[..5]].concat();
    assert_eq!(facts(&another).end, another.len() as u64);
    for rest in [ebml(), endless(mkv::Segment::ID, &[tracks()])] {
        assert_eq!(kept(std::slice::from_ref(&rest)), rest.len() as u64);
    }
}

#[test]
fn it_makes_no_difference_how_tags_are_cut() {
    let mut tag = master(mkv::TagName::ID, &[b"LOCATION".to_vec()]);
    for _ in 0..3 {
        tag = master(mkv::SimpleTag::ID, &[tag]);
    }
    let tags = master(mkv::Tags::ID, &[master(mkv::Tag::ID, &[tag])]);
    let bytes = recorded(&[tags]);
    let mut reader = Reader::new();
    for byte in bytes.chunks(1) {
        reader.feed(byte);
    }
    assert_eq!(reader.finish(), seal(&bytes));
    assert!(facts(&bytes).located);
}

#[test]
fn frames_of_a_lace_are_counted() {
    // Three packets of 20 ms each.
    let lace = [&[2][..], &[0xfc; 30]].concat();
    let sounds = cluster(0, &[keyframe(0), sound(10, 0x84, &lace)]);
    assert_eq!(milliseconds(&live(&[sounds])), 70);
}

#[test]
fn a_duration_of_nought_is_none() {
    let packet = sound(20, 0x80, &[0xfb, 0]);
    let sounds = [keyframe(0), sound(0, 0x80, &[0xfb, 0]), packet];
    assert_eq!(milliseconds(&live(&[cluster(0, &sounds)])), 40);
    let untold = |at| group(block(1, at, 0, b"key"), &[leaf(&mkv::BlockDuration(0))]);
    assert_eq!(
        milliseconds(&live(&[cluster(0, &[untold(0), untold(30)])])),
        60
    );
}

#[test]
fn each_group_says_its_own() {
    let refers = leaf(&mkv::ReferenceBlock(-1));
    let groups = [
        group(block(1, 0, 0, b"key"), &[]),
        group(
            block(1, 20, 0, b"frame"),
            &[refers, leaf(&mkv::BlockDuration(500))],
        ),
        group(block(1, 40, 0, b"key"), &[]),
    ];
    let facts = facts(&live(&[cluster(0, &groups)]));
    let shown: Vec<_> = facts.keyframes.iter().map(|it| it.at.as_millis()).collect();
    assert_eq!((shown, facts.duration.as_millis()), (vec![0, 40], 520));
}

#[test]
fn a_keyframe_without_bytes_is_no_picture() {
    let empty = master(mkv::SimpleBlock::ID, &[block(1, 0, 0x80, b"")]);
    let facts = facts(&live(&[cluster(0, &[empty, keyframe(20)])]));
    assert_eq!(facts.keyframes.len(), 1);
}

#[test]
fn of_two_blocks_in_a_group_the_first_counts() {
    let [one, two] = [0, 500].map(|at| master(mkv::Block::ID, &[block(1, at, 0, b"key")]));
    let twice = master(mkv::BlockGroup::ID, &[one, two]);
    let facts = facts(&live(&[cluster(0, &[twice, frame(20)])]));
    assert_eq!(facts.keyframes[0].at, Duration::ZERO);
    assert_eq!(facts.duration.as_millis(), 40);
}

#[test]
fn times_count_from_the_first_frame_and_keyframes_come_in_their_order() {
    let late = cluster(5000, &[keyframe(40), keyframe(0), frame(80)]);
    let facts = facts(&live(&[late]));
    let shown: Vec<_> = facts.keyframes.iter().map(|it| it.at.as_millis()).collect();
    assert_eq!(shown, [0, 40]);
}

#[test]
fn a_cluster_is_cued_once_and_at_the_group_of_its_first_keyframe() {
    let refers = leaf(&mkv::ReferenceBlock(-1));
    let groups = [
        group(block(1, 0, 0, b"frame"), &[refers]),
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
    let (_, place) = children(points[0].1).nth(1).expect("a place");
    let mkv::CueClusterPosition(cluster) = child(place).expect("a position");
    let mkv::CueRelativePosition(within) = child(place).expect("not the first");
    let head = |at: u64| {
        let at = usize::try_from(at).expect("small");
        match Head::read(&video[at..]) {
            Begun::Head(head) => head,
            begun => panic!("{begun:?}"),
        }
    };
    let cluster = segment as u64 + cluster;
    let group = cluster + head(cluster).width as u64 + within;
    assert_eq!(head(group).id, mkv::BlockGroup::ID);
}

#[test]
fn cues_are_found_where_a_seek_head_names_them() {
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
        let mut recording = Recording::new();
        recording.segment = 40;
        recording.clusters = Some(100);
        recording.seek_head(&seek_head(&id, 960));
        recording.cues(1000);
        assert_eq!(recording.has_cues(), found);
    }
    // Eight of each are looked at.
    for (before, found) in [(7, true), (8, false)] {
        let id = [0x1c, 0x53, 0xbb, 0x6b];
        let mut recording = Recording::new();
        recording.clusters = Some(100);
        (0..before).for_each(|_| recording.seek_head(&seek_head(&id, 500)));
        recording.seek_head(&seek_head(&id, 1000));
        recording.cues(1000);
        assert_eq!(recording.has_cues(), found);
        let mut recording = Recording::new();
        recording.clusters = Some(100);
        recording.seek_head(&seek_head(&id, 1000));
        (0..before).for_each(|_| recording.cues(500));
        recording.cues(1000);
        assert_eq!(recording.has_cues(), found);
    }
}

#[test]
fn a_tag_tells_a_place_by_its_name() {
    for (name, located) in [
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
        let mut recording = Recording::new();
        recording.tag(name);
        assert_eq!(recording.located, located, "{}", name.escape_ascii());
    }
}
