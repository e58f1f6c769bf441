//! Movie fragments (ISO/IEC 14496-12, section 8.8): the samples of a few seconds.

use shiguredo_mp4::SampleFlags;
use shiguredo_mp4::boxes::{TfdtBox, TfhdBox};

use super::boxes::{boxes_of, find_box, u32_at};
use super::movie::{Movie, SampleDefaults, Track};
use super::samples::{Sample, Samples};

/// The value of `sample_depends_on` for a sample that depends on others (section 8.8.3.1).
const DEPENDS_ON_OTHERS: u8 = 1;

/// There are more samples than may be kept.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooManySamples;

/// Adds the samples of a `moof` box with this payload, whose header is at `start`, to their tracks.
///
/// Malformed parts of it are left out, and so are samples for which there is no room.
pub(super) fn collect(
    fragment: &[u8],
    start: u64,
    movie: &mut Movie,
    room: &mut usize,
) -> Result<(), TooManySamples> {
    // Without an explicit base, the data of a track fragment follow those of the one before (section 8.8.7.1).
    let mut previous_end = start;
    let mut result = Ok(());
    for track_fragment in boxes_of(fragment, *b"traf") {
        let payload = track_fragment.payload;
        let header = find_box(payload, *b"tfhd").and_then(|it| it.decode::<TfhdBox>());
        let Some(header) = header else {
            continue;
        };
        let Some(track) = movie.track_mut(header.track_id) else {
            continue;
        };
        let base = match header.base_data_offset {
            Some(base) => base,
            None if header.default_base_is_moof => start,
            None => previous_end,
        };
        let decode_time = find_box(payload, *b"tfdt").and_then(|it| it.decode::<TfdtBox>());
        let mut position = Position {
            base,
            offset: base,
            decode_time: start_time(&track.samples, decode_time),
        };
        let defaults = merge_defaults(&header, track.defaults);
        for run in boxes_of(payload, *b"trun") {
            if let Some(run) = TrackRun::read(run.payload) {
                let collected = run.collect(&mut position, defaults, track, room);
                result = result.and(collected);
            }
        }
        previous_end = position.offset;
    }
    result
}

/// The decode time of a track fragment's first sample.
///
/// A declared time that is more than 32 bits away from the last sample is ignored: no `stts` could express the gap.
fn start_time(samples: &Samples, declared: Option<TfdtBox>) -> u64 {
    let next = samples.next_decode_time();
    declared
        .map(|it| it.base_media_decode_time)
        .filter(|time| samples.is_empty() || time.abs_diff(next) <= u32::MAX.into())
        .unwrap_or(next)
}

fn merge_defaults(header: &TfhdBox, track: SampleDefaults) -> SampleDefaults {
    let description_index = header.sample_description_index;
    SampleDefaults {
        description_index: description_index.unwrap_or(track.description_index),
        duration: header.default_sample_duration.unwrap_or(track.duration),
        size: header.default_sample_size.unwrap_or(track.size),
        flags: header.default_sample_flags.unwrap_or(track.flags),
    }
}

/// Where and when the next sample begins.
struct Position {
    base: u64,
    offset: u64,
    decode_time: u64,
}

impl Position {
    /// Moves on by so many samples of the default size and duration.
    fn skip(&mut self, samples: u64, defaults: SampleDefaults) {
        let advance = |of: u64, by: u32| of.saturating_add(samples.saturating_mul(u64::from(by)));
        self.offset = advance(self.offset, defaults.size);
        self.decode_time = advance(self.decode_time, defaults.duration);
    }
}

/// A track run (section 8.8.8).
///
/// Not `TrunBox`, which makes 40 bytes of each sample, and so 640 MiB of 20 bytes that claim 16 million samples
/// without a field for any of them.
struct TrackRun<'a> {
    flags: u32,
    sample_count: u32,
    data_offset: Option<i32>,
    first_sample_flags: Option<u32>,
    /// The fields of the samples that follow.
    fields: &'a [u8],
}

const DATA_OFFSET: u32 = 0x1;
const FIRST_SAMPLE_FLAGS: u32 = 0x4;
const DURATION: u32 = 0x100;
const SIZE: u32 = 0x200;
const FLAGS: u32 = 0x400;
const COMPOSITION_OFFSET: u32 = 0x800;

/// The fields that a run has for a sample. `None`: the default applies.
struct SampleFields {
    duration: Option<u32>,
    size: Option<u32>,
    flags: Option<u32>,
    composition_offset: Option<u32>,
}

impl<'a> TrackRun<'a> {
    fn read(payload: &'a [u8]) -> Option<Self> {
        let mut run = Self {
            flags: u32_at(payload, 0)? & 0xff_ffff,
            sample_count: u32_at(payload, 4)?,
            data_offset: None,
            first_sample_flags: None,
            fields: payload.get(8..)?,
        };
        run.data_offset = run.read_field(DATA_OFFSET)?.map(u32::cast_signed);
        run.first_sample_flags = run.read_field(FIRST_SAMPLE_FLAGS)?;
        Some(run)
    }

    /// Reads the next field if this run's flags declare it. `None`: they do, but the box ends before it.
    fn read_field(&mut self, flag: u32) -> Option<Option<u32>> {
        if self.flags & flag == 0 {
            return Some(None);
        }
        let (field, rest) = self.fields.split_first_chunk()?;
        self.fields = rest;
        Some(Some(u32::from_be_bytes(*field)))
    }

    fn collect(
        mut self,
        position: &mut Position,
        defaults: SampleDefaults,
        track: &mut Track,
        room: &mut usize,
    ) -> Result<(), TooManySamples> {
        if let Some(offset) = self.data_offset {
            position.offset = position.base.saturating_add_signed(i64::from(offset));
        }
        let mut result = Ok(());
        for index in 0..self.sample_count {
            if !track.may_collect(*room) {
                result = Err(TooManySamples);
            }
            // Those that are left out move the position as well, at once where they take no bytes of the file.
            if result.is_err() && self.fields.is_empty() {
                let left = u64::from(self.sample_count - index);
                position.skip(left, defaults);
                break;
            }
            let Some(fields) = self.read_sample() else {
                break;
            };
            let first_flags = self.first_sample_flags.filter(|_| index == 0);
            let flags = first_flags
                .or(fields.flags)
                .map_or(defaults.flags, SampleFlags::new);
            let sample = Sample {
                offset: position.offset,
                size: fields.size.unwrap_or(defaults.size),
                decode_time: position.decode_time,
                duration: u64::from(fields.duration.unwrap_or(defaults.duration)),
                // Unsigned in version 0 by the standard, but QuickTime writes negative ones in it.
                composition_offset: fields.composition_offset.map_or(0, u32::cast_signed),
                is_sync: !flags.sample_is_non_sync_sample()
                    && flags.sample_depends_on() != DEPENDS_ON_OTHERS,
                description_index: defaults.description_index,
            };
            if result.is_ok() {
                *room -= 1;
                track.samples.push(sample);
            }
            position.offset = sample.end();
            position.decode_time = position.decode_time.saturating_add(sample.duration);
        }
        result
    }

    fn read_sample(&mut self) -> Option<SampleFields> {
        Some(SampleFields {
            duration: self.read_field(DURATION)?,
            size: self.read_field(SIZE)?,
            flags: self.read_field(FLAGS)?,
            composition_offset: self.read_field(COMPOSITION_OFFSET)?,
        })
    }
}

#[cfg(test)]
mod tests {
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
    fn sound_may_take_three_quarters_of_the_room_and_moves_the_rest_by_all_of_its_bytes() {
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
}
