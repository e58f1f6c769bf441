//! What an index lists is what the fragments say, sample by sample.

use super::boxes::{enclose, node, nodes, within};
use super::fragment;
use super::samples::Sample;
use super::tests::{AAC, H264, VP9, outermost, seal, wrap};
use super::*;

/// The movie of a recording, with the samples of all its fragments.
fn recorded(file: &[u8]) -> Movie {
    let movie = outermost(file, b"moov").remove(0);
    let mut movie = Movie::read(file[movie.start + 8..movie.end].to_vec()).expect("read");
    for part in outermost(file, b"moof") {
        let content = &file[part.start + 8..part.end];
        let start = part.start as u64;
        let gathered = fragment::gather(content, start, &mut movie, &mut { MOST_SAMPLES });
        assert_eq!(gathered, Ok(()));
    }
    movie
}

/// The movie of an index, with the samples that its tables list.
fn indexed(index: &[u8]) -> Movie {
    let content = within(index, &[*b"moov"]).expect("there");
    let mut movie = Movie::read(content.to_vec()).expect("read");
    for track in &mut movie.tracks {
        assert!(track.gather(&mut { MOST_SAMPLES }));
    }
    movie
}

/// By the index's tables. Those begin at 0, and lie behind the index.
fn listed(samples: &[Sample], by: u64) -> Vec<Sample> {
    let first = samples.first().map_or(0, |sample| sample.decoded);
    let moved = samples.iter().map(|sample| Sample {
        at: sample.at + by,
        decoded: sample.decoded - first,
        description: sample.description.max(1),
        ..*sample
    });
    moved.collect()
}

/// All fragments of the tracks begin so much later.
fn later(file: &[u8], by: u32) -> Vec<u8> {
    let mut late = file.to_vec();
    let times = file.windows(4).enumerate();
    for (at, _) in times.filter(|(_, four)| *four == b"tfdt") {
        let field = match file[at + 4] {
            0 => at + 8..at + 12,
            _ => at + 12..at + 16,
        };
        let time = boxes::u32_at(file, field.start).expect("there") + by;
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
            let together: u64 = got.iter().map(|sample| sample.duration).sum();
            let shown = got.iter().map(|it| it.shown() + it.duration.cast_signed());
            let shown = shown.max().expect("samples").unsigned_abs();
            assert_eq!(is.media.duration, together.max(shown));
        }
    }
}

#[test]
fn tables_are_left_out_where_they_would_say_nothing() {
    for (file, sync, shifts) in [(H264, true, false), (AAC, true, true)] {
        let index = seal(&[file]).expect("sealed").index;
        for track in &indexed(&index).tracks {
            let table = track.table().expect("there");
            let has = |kind| node(table, kind).is_some();
            assert_eq!(has(*b"stss"), sync && !track.is_audio());
            assert_eq!(has(*b"ctts"), shifts && !track.is_audio());
        }
    }
}

#[test]
fn an_index_ends_with_the_head_of_a_box_around_all_that_was_recorded() {
    let index = seal(&[H264]).expect("sealed").index;
    let size = H264.len() as u64 + 16;
    let head = [b"\0\0\0\x01mdat", &size.to_be_bytes()[..]].concat();
    assert!(index.ends_with(&head));
}

#[test]
fn headers_say_how_long_everything_is_shown() {
    for file in [H264, VP9, AAC] {
        let sealed = seal(&[file]).expect("sealed");
        let movie = indexed(&sealed.index);
        let scale = movie.header.timescale;
        let told = timeline::duration(movie.header.duration, scale);
        assert_eq!(told, sealed.facts.duration);
        let lengths = movie.tracks.iter().map(|track| track.header.duration);
        assert_eq!(lengths.max(), Some(movie.header.duration));
        for track in &movie.tracks {
            let edits: u64 = track.edits.iter().map(|edit| edit.edit_duration).sum();
            if !track.edits.is_empty() {
                assert_eq!(track.header.duration, edits);
            }
        }
    }
}

/// Pictures of these sizes, none of which needs others, in a fragment and by this sample entry.
fn fragment_of(sizes: [u32; 2], entry: u8) -> Vec<u8> {
    let fields = [[0, 0, 6, 1], [0, 0, 0, 2], [0, 0, 1, 0]].concat();
    let samples = sizes.map(|size| [size.to_be_bytes(), [0; 4]].concat());
    let run = wrap(b"trun", &[fields, samples.concat()].concat());
    let header = [[0, 2, 0, 0xa], [0, 0, 0, 1], [0, 0, 0, entry], [0, 0, 4, 0]];
    let part = [wrap(b"tfhd", &header.concat()), run].concat();
    // The data lie behind a gap.
    [
        wrap(b"moof", &wrap(b"traf", &part)),
        wrap(b"mdat", &[0; 400]),
    ]
    .concat()
}

/// The content of a table of the index of such fragments, if there is that table.
fn table(fragments: &[Vec<u8>], kind: &[u8; 4]) -> Option<Vec<u8>> {
    let movie = outermost(VP9, b"moov").remove(0).end;
    let recording = [&VP9[..movie], &fragments.concat()].concat();
    let movie = indexed(&seal(&[&recording]).expect("sealed").index);
    let table = movie.tracks.first()?.table()?;
    Some(node(table, *kind)?.content.to_vec())
}

/// One size for all is said once, and a run of chunks that are alike as well.
#[test]
fn what_is_alike_is_said_once() {
    let alike = [(); 3].map(|()| fragment_of([20, 20], 1));
    let [one, two, _] = alike.clone();
    let length = |fragments: &[Vec<u8>], kind| table(fragments, kind).map(|table| table.len());
    // Version and flags, the size, how many; and each.
    assert_eq!(length(&alike, b"stsz"), Some(12));
    let other_size = [one.clone(), two.clone(), fragment_of([20, 30], 1)];
    assert_eq!(length(&other_size, b"stsz"), Some(12 + 6 * 4));
    // Version and flags, how many; and each run of chunks.
    assert_eq!(length(&alike, b"stsc"), Some(8 + 12));
    let other_entry = [one, two, fragment_of([20, 20], 2)];
    assert_eq!(length(&other_entry, b"stsc"), Some(8 + 2 * 12));
    assert_eq!(length(&alike, b"stss"), None, "all need no other");
}

#[test]
fn a_fragment_that_another_one_follows_at_once_counts() {
    let plain = seal(&[H264]).expect("sealed").facts.keyframes;
    for fragment in outermost(H264, b"moof") {
        let (head, tail) = H264.split_at(fragment.end);
        let facts = seal(&[head, &wrap(b"moof", &[]), tail])
            .expect("sealed")
            .facts;
        assert_eq!(facts.keyframes.len(), plain.len());
    }
}

#[test]
fn what_a_movie_has_of_its_own_counts_once_however_many_fragments_follow() {
    let fragment = [wrap(b"moof", &[]), wrap(b"mdat", &[0; 8])].concat();
    let once = seal(&[tests::MOV, &fragment]).expect("sealed");
    let thrice = seal(&[tests::MOV, &fragment.repeat(3)]).expect("sealed");
    assert_eq!(thrice.facts.keyframes, once.facts.keyframes);
    assert_eq!(thrice.facts.duration, once.facts.duration);
}

/// The movie box with its `mvex` box made longer by this.
fn with_extends(file: &[u8], more: &[u8]) -> Vec<u8> {
    let movie = outermost(file, b"moov").remove(0);
    let mut content = Vec::new();
    for part in nodes(&file[movie.start + 8..movie.end]) {
        enclose(&mut content, part.kind, |out| {
            out.extend_from_slice(part.content);
            if part.kind == *b"mvex" {
                out.extend_from_slice(more);
            }
            Some(())
        })
        .expect("small");
    }
    [&file[..movie.start], &wrap(b"moov", &content)].concat()
}

#[test]
fn a_live_recording_may_say_how_long_it_would_have_been() {
    let fragments = outermost(VP9, b"moof");
    let movie = outermost(VP9, b"moov").remove(0).end;
    let scale = recorded(VP9).header.timescale.get();
    let told = wrap(b"mehd", &[[0; 4], (10 * scale).to_be_bytes()].concat());
    let cut = &VP9[movie..fragments.last().expect("several").end - 1];
    let facts = seal(&[&with_extends(VP9, &told), cut])
        .expect("sealed")
        .facts;
    let Some(crate::facts::Missing::Time(missing)) = facts.missing else {
        panic!("{:?}", facts.missing);
    };
    assert_eq!((facts.duration + missing).as_secs(), 10);
}

#[test]
fn a_track_s_samples_are_as_its_own_defaults_say() {
    let movie = outermost(H264, b"moov").remove(0);
    let mut content = H264[movie.start + 8..movie.end].to_vec();
    let places = content.windows(4).enumerate();
    let places: Vec<_> = places
        .filter(|(_, four)| *four == b"trex")
        .map(|(at, _)| at + 8)
        .collect();
    assert_eq!(places.len(), 2);
    for (at, values) in places
        .into_iter()
        .zip([[1, 3, 7, 9, 0], [2, 0, 8, 4, 1 << 16]])
    {
        let values: Vec<u8> = values.into_iter().flat_map(u32::to_be_bytes).collect();
        content[at..at + 20].copy_from_slice(&values);
    }
    let movie = Movie::read(content).expect("read");
    let defaults = movie.tracks.iter().map(|track| {
        let it = track.defaults;
        (it.description, it.duration, it.size, it.flags.get())
    });
    // A description of 0 is a mistake; the first one is meant.
    assert_eq!(
        defaults.collect::<Vec<_>>(),
        [(3, 7, 9, 0), (1, 8, 4, 1 << 16)]
    );
}

/// A movie box's content with this instead of what its first track has of that kind.
fn with_part(file: &[u8], kind: &[u8; 4], instead: &[u8]) -> Vec<u8> {
    let movie = outermost(file, b"moov").remove(0);
    let (mut content, mut first) = (Vec::new(), true);
    for part in nodes(&file[movie.start + 8..movie.end]) {
        if part.kind != *b"trak" || !std::mem::take(&mut first) {
            part.copy_to(&mut content).expect("small");
            continue;
        }
        let mut track = instead.to_vec();
        for part in nodes(part.content).filter(|it| it.kind != *kind) {
            part.copy_to(&mut track).expect("small");
        }
        content.extend(wrap(b"trak", &track));
    }
    content
}

#[test]
fn a_list_of_more_than_64_edits_is_left_out() {
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
fn the_video_is_the_first_that_is_meant_to_be_seen() {
    let movie = outermost(AAC, b"moov").remove(0);
    let content = &AAC[movie.start + 8..movie.end];
    let is_video = |movie: &Movie| movie.video().map(|at| movie.tracks[at].header.track_id);
    let whole = Movie::read(content.to_vec()).expect("read");
    let number = is_video(&whole).expect("there");
    // Once more, with another number: the first one is switched off.
    let track = nodes(content).find(|it| {
        let header = node(it.content, *b"tkhd");
        let id = header.and_then(|it| boxes::u32_at(it.content, 12));
        it.kind == *b"trak" && id == Some(number)
    });
    let mut another = Vec::new();
    track.expect("there").copy_to(&mut another).expect("small");
    let at = another
        .windows(4)
        .position(|four| four == b"tkhd")
        .expect("there");
    another[at + 16..at + 20].copy_from_slice(&77_u32.to_be_bytes());
    let mut content = [content, &another].concat();
    let both = Movie::read(content.clone()).expect("read");
    assert_eq!(is_video(&both), Some(number));
    for (at, _) in content
        .clone()
        .windows(4)
        .enumerate()
        .filter(|(_, it)| it == b"tkhd")
    {
        if boxes::u32_at(&content, at + 16) == Some(number) {
            content[at + 7] &= !1;
        }
    }
    let switched_off = Movie::read(content).expect("read");
    assert_eq!(is_video(&switched_off), Some(77));
}

#[test]
fn a_silent_recording_has_no_sound() {
    let silent = include_bytes!("../../../test-support/fixtures/webkitgtk_silent.mp4");
    assert!(!seal(&[silent]).expect("sealed").facts.audio);
}
