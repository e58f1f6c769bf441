//! What holds for every recording, real or hostile.

use mkv_element::prelude as mkv;
use mkv_element::prelude::Element;
use proptest::prelude::*;

use super::element::{Begun, Head, child, children, put_head};
use super::sample::{
    REAL, block, ebml, endless, frame, group, keyframe, leaf, live, master, time, tracks,
};
use super::*;
use crate::facts::{Codec, MOST_KEYFRAMES, Missing};

pub(super) fn seal(bytes: &[u8]) -> Result<Sealed, Unplayable> {
    let mut reader = Reader::new();
    reader.feed(bytes);
    reader.finish()
}

pub(super) fn facts(bytes: &[u8]) -> Facts {
    seal(bytes).expect("a sealed recording").facts
}

pub(super) fn milliseconds(bytes: &[u8]) -> u128 {
    facts(bytes).duration.as_millis()
}

pub(super) fn served(sealed: &Sealed, recording: &[u8]) -> Vec<u8> {
    let end = usize::try_from(sealed.facts.end).expect("small");
    [&sealed.index, &recording[..end]].concat()
}

fn at(position: u64, bytes: &[u8]) -> &[u8] {
    &bytes[usize::try_from(position).expect("small")..]
}

fn head(bytes: &[u8]) -> Head {
    match Head::read(bytes) {
        Begun::Head(head) => head,
        begun => panic!("{begun:?}"),
    }
}

#[test]
fn what_browsers_record_is_known() {
    let found = REAL.map(facts);
    let codecs = found.each_ref().map(|facts| facts.video.codec);
    assert_eq!(codecs, [Codec::Vp8, Codec::Vp9, Codec::H264, Codec::Vp8]);
    let milliseconds = found.each_ref().map(|facts| facts.duration.as_millis());
    assert_eq!(milliseconds, [1500, 1451, 1508, 1531]);
    assert_eq!(
        found.each_ref().map(|facts| facts.keyframes.len()),
        [3, 3, 3, 1]
    );
    assert_eq!(
        found.each_ref().map(|facts| facts.audio),
        [true, false, true, true]
    );
    for (facts, bytes) in found.iter().zip(REAL) {
        assert_eq!(facts.end, bytes.len() as u64);
        assert!(!facts.located);
        for keyframe in &facts.keyframes {
            let picture = at(keyframe.bytes.start, bytes);
            let starts: &[u8] = match facts.video.codec {
                // RFC 6386, section 9.1.
                Codec::Vp8 => {
                    assert_eq!(picture[0] & 1, 0);
                    assert_eq!(picture[3..6], [0x9d, 0x01, 0x2a]);
                    continue;
                }
                Codec::Vp9 => &[0x82, 0x49, 0x83, 0x42],
                // Annex B: a sequence parameter set.
                _ => &[0, 0, 0, 1, 0x67],
            };
            assert!(picture.starts_with(starts));
        }
    }
}

#[test]
fn a_sealed_recording_is_seekable_and_says_the_same() {
    for recording in REAL {
        let sealed = seal(recording).expect("a sealed recording");
        let again = seal(&served(&sealed, recording)).expect("a sealed recording");
        assert!(again.index.is_empty());
        let moved = sealed.index.len() as u64;
        let mut expected = sealed.facts.clone();
        expected.end += moved;
        for keyframe in &mut expected.keyframes {
            keyframe.bytes.start += moved;
            keyframe.bytes.end += moved;
        }
        assert_eq!(again.facts, expected);
    }
}

#[test]
fn every_cue_points_to_the_block_of_a_keyframe() {
    for recording in REAL {
        let sealed = seal(recording).expect("a sealed recording");
        let video = served(&sealed, recording);
        let ebml = head(&video);
        let segment = ebml.width as u64 + ebml.size.expect("known") + 12;
        let body = &sealed.index[usize::try_from(segment).expect("small")..];
        let (_, cues) = children(body)
            .find(|(id, _)| *id == mkv::Cues::ID)
            .expect("cues");
        assert!(children(cues).count() > 0);
        for (_, point) in children(cues) {
            let mkv::CueTime(shown) = child(point).expect("a time");
            let (_, place) = children(point).nth(1).expect("a place");
            let mkv::CueClusterPosition(cluster) = child(place).expect("a position");
            let within = child(place).map_or(0, |mkv::CueRelativePosition(within)| within);
            let cluster = at(segment + cluster, &video);
            assert_eq!(head(cluster).id, mkv::Cluster::ID);
            let body = at(head(cluster).width as u64, cluster);
            let mkv::Timestamp(begin) = child(body).expect("a timestamp");
            let element = at(within, body);
            assert_eq!(head(element).id, mkv::SimpleBlock::ID);
            let block = at(head(element).width as u64, element);
            let after = u64::from(u16::from_be_bytes([block[1], block[2]]));
            assert_eq!((block[3] & 0x80, begin + after), (0x80, shown));
        }
    }
}

#[test]
fn an_index_names_its_parts_where_they_are_and_its_cues_the_pictures() {
    for recording in REAL {
        let sealed = seal(recording).expect("a sealed recording");
        let video = served(&sealed, recording);
        let ebml = head(&video);
        let segment = ebml.width as u64 + ebml.size.expect("known") + 12;
        let body = at(segment, &sealed.index);
        let (_, seeks) = children(body).next().expect("a seek head");
        let named = children(seeks).map(|(_, seek)| {
            let mkv::SeekId(id) = child(seek).expect("an id");
            let mkv::SeekPosition(position) = child(seek).expect("a position");
            let there = head(at(segment + position, &video)).id;
            assert!(!id.is_empty());
            assert_eq!(*id, there.as_encoded().to_be_bytes()[8 - id.len()..]);
            there
        });
        let named: Vec<_> = named.collect();
        assert_eq!(named, [mkv::Info::ID, mkv::Tracks::ID, mkv::Cues::ID]);
        let (_, cues) = children(body)
            .find(|(id, _)| *id == mkv::Cues::ID)
            .expect("cues");
        for (_, point) in children(cues) {
            let (_, place) = children(point).nth(1).expect("a place");
            let mkv::CueTrack(track) = child(place).expect("a track");
            let mkv::CueClusterPosition(cluster) = child(place).expect("a position");
            let within = child(place).map_or(0, |mkv::CueRelativePosition(within)| within);
            let cluster = at(segment + cluster, &video);
            let element = at(head(cluster).width as u64 + within, cluster);
            let block = at(head(element).width as u64, element);
            assert_eq!(u64::from(block[0]), 0x80 | track);
        }
    }
}

#[test]
fn what_can_be_sought_already_gets_no_index() {
    let info = |rest: &[Vec<u8>]| master(mkv::Info::ID, rest);
    let duration = leaf(&mkv::Duration(40.0));
    let cues = master(mkv::Cues::ID, &[]);
    let cluster = master(mkv::Cluster::ID, &[time(0), keyframe(0), frame(20)]);
    let file = |parts: &[Vec<u8>]| [ebml(), master(mkv::Segment::ID, parts)].concat();
    let info_with = info(std::slice::from_ref(&duration));
    let whole = file(&[info_with.clone(), tracks(), cues.clone(), cluster.clone()]);
    assert!(seal(&whole).expect("sealed").index.is_empty());
    let cut = &whole[..whole.len() - 1];
    assert!(!seal(cut).expect("sealed").index.is_empty());
    let untold = file(&[info(&[]), tracks(), cues.clone(), cluster.clone()]);
    assert!(!seal(&untold).expect("sealed").index.is_empty());

    // At the end only a SeekHead finds them.
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
fn what_is_missing_at_the_end_is_told() {
    let info = master(mkv::Info::ID, &[leaf(&mkv::Duration(9000.0))]);
    let cluster = |at| master(mkv::Cluster::ID, &[time(at), keyframe(0), frame(30)]);
    let parts = [info, tracks(), cluster(0), cluster(8940)].concat();
    let whole = [ebml(), master(mkv::Segment::ID, &[parts])].concat();
    let missing = |bytes: &[u8]| seal(bytes).expect("sealed").facts.missing;
    assert_eq!(missing(&whole), None);
    let cut = &whole[..whole.len() - cluster(8940).len() + 1];
    let lost = Duration::from_millis(9000 - 60);
    assert_eq!(missing(cut), Some(Missing::Time(lost)));
    // No end of anything.
    assert_eq!(missing(&[&whole[..], &[0; 100]].concat()), None);

    // Browsers don't know beforehand how long it will be.
    let endless = live(&[endless(
        mkv::Cluster::ID,
        &[time(0), keyframe(0), frame(30)],
    )]);
    assert_eq!(missing(&endless), None);
    let cut = &endless[..endless.len() - 1];
    assert_eq!(missing(cut), Some(Missing::Unknown));
}

#[test]
fn the_last_frame_of_all_tracks_ends_the_recording() {
    let opus =
        |time, flags, data: &[u8]| master(mkv::SimpleBlock::ID, &[block(2, time, flags, data)]);
    let cluster =
        |blocks: &[Vec<u8>]| live(&[endless(mkv::Cluster::ID, &[time(1000), blocks.concat()])]);
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
        // Nobody knows this track.
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
fn in_a_group_what_refers_to_nothing_is_a_keyframe() {
    let refers = leaf(&mkv::ReferenceBlock(-5));
    let cluster = [
        time(0),
        group(block(1, 0, 0, b"first"), &[]),
        group(block(1, 5, 0x80, b"second"), &[refers]),
    ];
    let recording = live(&[endless(mkv::Cluster::ID, &cluster)]);
    let keyframes = facts(&recording).keyframes;
    assert_eq!(keyframes.len(), 1);
    assert!(at(keyframes[0].bytes.start, &recording).starts_with(b"first"));
}

#[test]
fn a_cut_recording_ends_with_its_last_whole_block() {
    let sized = master(mkv::Cluster::ID, &[time(0), keyframe(0), frame(30)]);
    let open = endless(mkv::Cluster::ID, &[time(60), keyframe(0), frame(30)]);
    let recording = live(&[sized, open]);
    let ends = |cut: usize| seal(&recording[..cut]).map(|sealed| sealed.facts.end);
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
    let clusters = endless(mkv::Cluster::ID, &[time(0), keyframe(0), frame(30)]);
    let recording = live(&[clusters]);
    for noise in [
        &[0; 100][..],
        b"\xa3",
        b"GET / HTTP/1.1\r\n\r\n",
        &[0xff; 9],
    ] {
        let facts = facts(&[&recording, noise].concat());
        assert_eq!(facts.end, recording.len() as u64);
    }
}

#[test]
fn of_chained_files_the_first_is_shown_and_all_are_served() {
    let one = live(&[endless(
        mkv::Cluster::ID,
        &[time(0), keyframe(0), frame(30)],
    )]);
    let two = [&one[..], REAL[0]].concat();
    let facts = facts(&two);
    assert_eq!(facts.end, two.len() as u64);
    assert_eq!((facts.keyframes.len(), facts.duration.as_millis()), (1, 60));
}

#[test]
fn what_is_no_video_is_refused() {
    let cluster = |blocks: &[Vec<u8>]| endless(mkv::Cluster::ID, &[time(0), blocks.concat()]);
    let silent = [
        ebml(),
        endless(
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
                endless(mkv::Segment::ID, &[cluster(&[keyframe(0)])]),
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
fn a_place_is_found_however_deep_its_tag_lies() {
    let cluster = endless(mkv::Cluster::ID, &[time(0), keyframe(0)]);
    let tags = |name: &[u8], depth| {
        let mut tag = master(mkv::TagName::ID, &[name.to_vec()]);
        for _ in 0..depth {
            tag = master(mkv::SimpleTag::ID, &[tag]);
        }
        master(mkv::Tags::ID, &[master(mkv::Tag::ID, &[tag])])
    };
    for (name, depth, located) in [
        (&b"ENCODER"[..], 1, false),
        (b"LOCATION", 1, true),
        (b"RECORDING_LOCATION", 1, true),
        (b"COM.APPLE.QUICKTIME.LOCATION.ISO6709", 1, true),
        (b"GPSLatitude", 2, true),
        (b"location-eng", 2000, true),
    ] {
        let bytes = live(&[cluster.clone(), tags(name, depth)]);
        assert_eq!(facts(&bytes).located, located, "{name:?}");
    }
}

#[test]
fn absurd_numbers_are_borne() {
    let cluster = |ticks| endless(mkv::Cluster::ID, &[time(ticks), keyframe(i16::MAX)]);
    let info = |tick| master(mkv::Info::ID, &[leaf(&mkv::TimestampScale(tick))]);
    let far = live(&[info(u64::MAX), cluster(u64::MAX)]);
    assert_eq!(facts(&far).duration, Duration::ZERO);
    let early = endless(mkv::Cluster::ID, &[time(0), keyframe(-5)]);
    assert_eq!(facts(&live(&[early])).keyframes[0].at, Duration::ZERO);
    // No clock has a tick of nought.
    let frames = [time(0), keyframe(0), frame(500)];
    let recording = live(&[info(0), endless(mkv::Cluster::ID, &frames)]);
    assert_eq!(milliseconds(&recording), 1000);

    // An element larger than what it lies in, or than any disk.
    let recording = live(&[endless(mkv::Cluster::ID, &[time(0), keyframe(0)])]);
    let mut wide = recording.clone();
    put_head(mkv::SimpleBlock::ID, (1 << 56) - 2, &mut wide);
    assert_eq!(facts(&wide).end, recording.len() as u64);
    let mut nested = recording.clone();
    put_head(mkv::BlockGroup::ID, 10, &mut nested);
    put_head(mkv::Block::ID, 1000, &mut nested);
    nested.extend([0; 2000]);
    assert_eq!(facts(&nested).end, recording.len() as u64);
}

#[test]
fn a_long_recording_keeps_an_even_choice_of_keyframes() {
    let clusters: Vec<_> = (0..10_000)
        .map(|second| endless(mkv::Cluster::ID, &[time(second * 1000), keyframe(0)]))
        .collect();
    let sealed = seal(&live(&clusters)).expect("sealed");
    let kept = &sealed.facts.keyframes;
    assert!(kept.len() <= MOST_KEYFRAMES && kept.len() > MOST_KEYFRAMES / 2);
    let step = kept[1].at - kept[0].at;
    assert!(kept.windows(2).all(|two| two[1].at - two[0].at == step));
    assert!(sealed.index.len() < 100_000);
}

#[test]
fn millions_of_tiny_elements_need_no_memory() {
    let mut reader = Reader::new();
    reader.feed(&live(&[endless(mkv::Cluster::ID, &[time(0), keyframe(0)])]));
    let void = [0xec, 0x80].repeat(1 << 16);
    for _ in 0..16 {
        reader.feed(&void);
    }
    assert!(reader.finish().is_ok());
}

/// A real recording, damaged: bytes overwritten, then cut.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let spots = proptest::collection::vec((0.0..1.0_f64, any::<u8>(), any::<bool>()), 0..6);
    (0..REAL.len(), spots, 0.0..1.2_f64).prop_map(|(which, spots, cut)| {
        let mut bytes = REAL[which].to_vec();
        let place = |share: f64, length: usize| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                clippy::cast_sign_loss,
                reason = "shares of small numbers"
            )]
            let place = (share * length as f64) as usize;
            place
        };
        for (share, byte, early) in spots {
            let length = if early { 400 } else { bytes.len() };
            bytes[place(share, length)] = byte;
        }
        let length = place(cut, bytes.len());
        bytes.truncate(length);
        bytes
    })
}

proptest! {
    #[test]
    fn it_does_not_matter_where_a_recording_is_cut_between_feeds(
        bytes in damaged(),
        piece in 1_usize..40,
    ) {
        let mut reader = Reader::new();
        bytes.chunks(piece).for_each(|piece| reader.feed(piece));
        prop_assert_eq!(reader.finish(), seal(&bytes));
    }

    #[test]
    fn whatever_is_sealed_can_be_sought(bytes in damaged()) {
        let Ok(sealed) = seal(&bytes) else { return Ok(()) };
        prop_assert!(sealed.facts.end <= bytes.len() as u64);
        for keyframe in &sealed.facts.keyframes {
            prop_assert!(keyframe.bytes.start < keyframe.bytes.end);
            prop_assert!(keyframe.bytes.end <= sealed.facts.end);
        }
        let again = seal(&served(&sealed, &bytes)).expect("sealed again");
        prop_assert!(again.index.is_empty());
        prop_assert_eq!(again.facts.duration, sealed.facts.duration);
        prop_assert_eq!(again.facts.keyframes.len(), sealed.facts.keyframes.len());
    }

    #[test]
    fn noise_is_refused_without_harm(
        noise in proptest::collection::vec(any::<u8>(), 0..2000),
        begun: bool,
    ) {
        let bytes = if begun { live(&[noise]) } else { noise };
        prop_assert!(seal(&bytes).is_err());
    }
}
