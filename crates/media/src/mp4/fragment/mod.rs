//! Movie fragments (ISO/IEC 14496-12, section 8.8): the samples of a few seconds.

#[cfg(test)]
mod tests;

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
