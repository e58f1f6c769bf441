use super::super::samples::MAX_SAMPLES;
use super::super::tests::{H264, be_words, movie_payload, wrap};
use super::*;

const BASE_IS_MOOF: u32 = 0x2_0000;

fn track_fragment(flags: u32, track: u32, runs: &[&[u32]]) -> Vec<u8> {
    let mut parts = wrap(b"tfhd", &be_words(&[flags, track]));
    for run in runs {
        parts.extend(wrap(b"trun", &be_words(run)));
    }
    wrap(b"traf", &parts)
}

/// The samples that a fragment at offset 1000 adds to the two tracks of a recording.
fn collected(fragment: &[Vec<u8>]) -> [Vec<Sample>; 2] {
    let mut movie = Movie::read(movie_payload(H264)).expect("read");
    let result = collect(&fragment.concat(), 1000, &mut movie, &mut { MAX_SAMPLES });
    assert_eq!(result, Ok(()));
    [1, 2].map(|id| {
        let track = movie.track_mut(id).expect("there");
        track.samples.iter().collect()
    })
}

#[test]
fn data_of_a_track_follow_those_of_the_one_before_unless_the_base_is_the_moof() {
    for (flags, second) in [(0, 1150), (BASE_IS_MOOF, 1000)] {
        let [one, two] = collected(&[
            track_fragment(flags, 1, &[&[SIZE | DATA_OFFSET, 2, 100, 20, 30]]),
            track_fragment(flags, 2, &[&[SIZE, 1, 7]]),
        ]);
        let positions = |samples: &[Sample]| -> Vec<_> {
            samples.iter().map(|it| (it.offset, it.size)).collect()
        };
        assert_eq!(positions(&one), [(1100, 20), (1120, 30)]);
        assert_eq!(positions(&two), [(second, 7)]);
    }
}

/// Of sound and of pictures behind it, four bytes each, whose offset isn't given.
#[test]
fn audio_takes_at_most_three_quarters_of_the_samples() {
    const DEFAULT_SIZE: u32 = 0x10;
    for (sound, kept) in [(1_200_000, 1_200_000), (1_600_000, 1_500_000)] {
        let fragment = [(1, sound), (2, 400_000)].map(|(track, count)| {
            let header = wrap(b"tfhd", &be_words(&[DEFAULT_SIZE, track, 4]));
            let run = wrap(b"trun", &be_words(&[0, count]));
            wrap(b"traf", &[header, run].concat())
        });
        let mut movie = Movie::read(movie_payload(H264)).expect("read");
        let result = collect(&fragment.concat(), 0, &mut movie, &mut { MAX_SAMPLES });
        assert_eq!(result.is_ok(), kept == sound);
        assert_eq!(
            movie.track_mut(1).expect("sound").samples.len(),
            kept as usize
        );
        let pictures = &movie.track_mut(2).expect("pictures").samples;
        assert_eq!(pictures.len(), 400_000);
        let first = pictures.iter().next().expect("one");
        assert_eq!(first.offset, 4 * u64::from(sound));
    }
}

#[test]
fn a_sample_that_depends_on_others_is_no_sync_sample() {
    const NON_SYNC: u32 = 1 << 16;
    const DEPENDS: u32 = 1 << 24;
    const ALONE: u32 = 2 << 24;
    let run = [FLAGS, 4, 0, NON_SYNC, DEPENDS, ALONE];
    let [samples, _] = collected(&[track_fragment(0, 1, &[&run])]);
    let sync: Vec<_> = samples.iter().map(|it| it.is_sync).collect();
    assert_eq!(sync, [true, false, false, true]);
}

#[test]
fn first_sample_flags_replace_the_flags_of_the_first_sample() {
    const NON_SYNC: u32 = 1 << 16;
    let run = [FIRST_SAMPLE_FLAGS | FLAGS, 2, NON_SYNC, 0, 0];
    let [samples, _] = collected(&[track_fragment(0, 1, &[&run])]);
    let sync: Vec<_> = samples.iter().map(|it| it.is_sync).collect();
    assert_eq!(sync, [false, true]);
}

#[test]
fn a_composition_offset_may_be_negative_in_either_version() {
    for version in [0, 1 << 24] {
        let run = [version | COMPOSITION_OFFSET, 2, 5, u32::MAX - 2];
        let [samples, _] = collected(&[track_fragment(0, 1, &[&run])]);
        let offsets: Vec<_> = samples.iter().map(|it| it.composition_offset).collect();
        assert_eq!(offsets, [5, -3]);
    }
}

/// The first decode time of a recorder may be any; later gaps must fit into `stts`.
#[test]
fn a_gap_that_no_table_can_express_is_ignored() {
    const FAR: u64 = 1 << 40;
    let tfdt = |time| TfdtBox {
        version: 1,
        base_media_decode_time: time,
    };
    let mut samples = Samples::default();
    assert_eq!(start_time(&samples, None), 0);
    assert_eq!(start_time(&samples, Some(tfdt(FAR))), FAR);
    samples.push(Sample {
        offset: 0,
        size: 1,
        decode_time: FAR,
        duration: 10,
        composition_offset: 0,
        is_sync: true,
        description_index: 1,
    });
    let (next, max) = (FAR + 10, u64::from(u32::MAX));
    for (declared, want) in [
        (next + max, next + max),
        (next + max + 1, next),
        (next - max, next - max),
        (next - max - 1, next),
    ] {
        assert_eq!(
            start_time(&samples, Some(tfdt(declared))),
            want,
            "{declared}"
        );
    }
    assert_eq!(start_time(&samples, None), next);
}
