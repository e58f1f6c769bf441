//! Movie fragments (ISO/IEC 14496-12, section 8.8): samples of a few seconds.

use shiguredo_mp4::SampleFlags;
use shiguredo_mp4::boxes::{TfdtBox, TfhdBox};

use super::boxes::{node, nodes, u32_at};
use super::movie::{Defaults, Movie, Track};
use super::samples::{Sample, Samples};
use super::tables::shift;

const DEPENDS_ON_OTHERS: u8 = 1;

/// There are more samples than there is room for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

/// Adds the samples of the fragment with this content, whose box begins at `start`, to their tracks.
/// What can't be read of it is left out.
pub(super) fn gather(
    fragment: &[u8],
    start: u64,
    movie: &mut Movie,
    room: &mut usize,
) -> Result<(), Full> {
    // Without another base, a track's data follows on the one before's.
    let mut follows = start;
    for part in nodes(fragment).filter(|node| node.kind == *b"traf") {
        let Some(header) = node(part.content, *b"tfhd").and_then(|node| node.decode::<TfhdBox>())
        else {
            continue;
        };
        let Some(track) = movie.track(header.track_id) else {
            continue;
        };
        let base = match header.base_data_offset {
            Some(base) => base,
            None if header.default_base_is_moof => start,
            None => follows,
        };
        let time = node(part.content, *b"tfdt").and_then(|node| node.decode::<TfdtBox>());
        let mut next = Next {
            base,
            at: base,
            time: begin(&track.samples, time),
        };
        let defaults = defaults(&header, track.defaults);
        for run in nodes(part.content).filter(|node| node.kind == *b"trun") {
            if let Some(run) = Run::read(run.content) {
                run.gather(&mut next, defaults, track, room)?;
            }
        }
        follows = next.at;
    }
    Ok(())
}

/// When a track's fragment begins. A jump that no table could say isn't believed.
fn begin(samples: &Samples, said: Option<TfdtBox>) -> u64 {
    let next = samples.next();
    said.map(|said| said.base_media_decode_time)
        .filter(|said| samples.is_empty() || said.abs_diff(next) <= u32::MAX.into())
        .unwrap_or(next)
}

fn defaults(header: &TfhdBox, track: Defaults) -> Defaults {
    let description = header.sample_description_index;
    Defaults {
        description: description.unwrap_or(track.description),
        duration: header.default_sample_duration.unwrap_or(track.duration),
        size: header.default_sample_size.unwrap_or(track.size),
        flags: header.default_sample_flags.unwrap_or(track.flags),
    }
}

/// Where and when the next sample begins.
struct Next {
    base: u64,
    at: u64,
    time: u64,
}

/// A track run, section 8.8.8. Not `TrunBox`: that makes 40 bytes of each sample, and so 640 MiB of 20
/// bytes that claim 16 million samples without a word about any.
struct Run<'a> {
    version: u8,
    flags: u32,
    count: u32,
    offset: Option<i32>,
    first_flags: Option<u32>,
    fields: &'a [u8],
}

const OFFSET: u32 = 0x1;
const FIRST_FLAGS: u32 = 0x4;
const DURATION: u32 = 0x100;
const SIZE: u32 = 0x200;
const FLAGS: u32 = 0x400;
const SHIFT: u32 = 0x800;

impl<'a> Run<'a> {
    fn read(content: &'a [u8]) -> Option<Self> {
        let mut run = Self {
            version: *content.first()?,
            flags: u32_at(content, 0)? & 0xff_ffff,
            count: u32_at(content, 4)?,
            offset: None,
            first_flags: None,
            fields: content.get(8..)?,
        };
        run.offset = run.field(OFFSET)?.map(u32::cast_signed);
        run.first_flags = run.field(FIRST_FLAGS)?;
        Some(run)
    }

    /// The next field, if this run has it. `None`: it should, and the box is at its end.
    fn field(&mut self, flag: u32) -> Option<Option<u32>> {
        if self.flags & flag == 0 {
            return Some(None);
        }
        let (field, rest) = self.fields.split_first_chunk()?;
        self.fields = rest;
        Some(Some(u32::from_be_bytes(*field)))
    }

    fn gather(
        mut self,
        next: &mut Next,
        defaults: Defaults,
        track: &mut Track,
        room: &mut usize,
    ) -> Result<(), Full> {
        if let Some(offset) = self.offset {
            next.at = next.base.saturating_add_signed(i64::from(offset));
        }
        for index in 0..self.count {
            let Some((duration, size, flags, offset)) = self.sample() else {
                return Ok(());
            };
            *room = room.checked_sub(1).ok_or(Full)?;
            let first_flags = self.first_flags.filter(|_| index == 0);
            let flags = first_flags
                .or(flags)
                .map_or(defaults.flags, SampleFlags::new);
            let offset = match offset {
                Some(offset) if self.version == 0 => i64::from(offset),
                Some(offset) => i64::from(offset.cast_signed()),
                None => 0,
            };
            let sample = Sample {
                at: next.at,
                size: size.unwrap_or(defaults.size),
                decoded: next.time,
                duration: u64::from(duration.unwrap_or(defaults.duration)),
                shift: shift(offset),
                sync: !flags.sample_is_non_sync_sample()
                    && flags.sample_depends_on() != DEPENDS_ON_OTHERS,
                description: defaults.description,
            };
            track.samples.push(sample);
            next.at = sample.end();
            next.time = next.time.saturating_add(sample.duration);
        }
        Ok(())
    }

    /// What the run says of its next sample: duration, size, flags, offset of its presentation.
    #[expect(clippy::type_complexity, reason = "read and taken apart in one place")]
    fn sample(&mut self) -> Option<(Option<u32>, Option<u32>, Option<u32>, Option<u32>)> {
        Some((
            self.field(DURATION)?,
            self.field(SIZE)?,
            self.field(FLAGS)?,
            self.field(SHIFT)?,
        ))
    }
}
