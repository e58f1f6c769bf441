//! Sample tables (ISO/IEC 14496-12, sections 8.6 and 8.7): where a progressive file lists its samples.

#[cfg(test)]
mod tests;

use shiguredo_mp4::boxes::{
    Co64Box, CttsBox, StcoBox, StscBox, StscEntry, StssBox, StszBox, SttsBox,
};

use super::boxes::{find_box, u32_at};
use super::samples::{MAX_SAMPLES, Sample};

/// The boxes of a track's sample table.
#[derive(Debug)]
pub(super) struct SampleTable {
    stts: SttsBox,
    ctts: Option<CttsBox>,
    stss: Option<StssBox>,
    stsz: StszBox,
    stsc: StscBox,
    /// From `stco` or `co64`.
    chunk_offsets: Vec<u64>,
    /// The format of its first sample description; zeros if there is none.
    format: [u8; 4],
}

/// Formats of QuickTime whose packets hold several samples of sound.
const PACKED: [[u8; 4]; 6] = [*b"ima4", *b"MAC3", *b"MAC6", *b"QDM2", *b"QDMC", *b"Qclp"];

struct Chunk {
    offset: u64,
    sample_count: u32,
    description_index: u32,
}

impl SampleTable {
    /// Reads the payload of an `stbl` box. `None`: a mandatory box is missing or malformed.
    pub(super) fn read(payload: &[u8]) -> Option<Self> {
        let chunk_offsets = match find_box(payload, *b"co64") {
            Some(co64) => co64.decode::<Co64Box>()?.chunk_offsets,
            None => {
                let stco: StcoBox = find_box(payload, *b"stco")?.decode()?;
                stco.chunk_offsets.into_iter().map(u64::from).collect()
            }
        };
        Some(Self {
            stts: find_box(payload, *b"stts")?.decode()?,
            ctts: find_box(payload, *b"ctts").and_then(|it| it.decode()),
            stss: find_box(payload, *b"stss").and_then(|it| it.decode()),
            stsz: match find_box(payload, *b"stsz") {
                Some(stsz) => stsz.decode()?,
                None => read_compact_sizes(find_box(payload, *b"stz2")?.payload)?,
            },
            stsc: find_box(payload, *b"stsc")?.decode()?,
            chunk_offsets,
            format: find_box(payload, *b"stsd")
                .and_then(|it| it.payload.get(12..)?.first_chunk().copied())
                .unwrap_or_default(),
        })
    }

    /// The number of samples.
    pub(super) fn count(&self) -> u32 {
        match &self.stsz {
            StszBox::Fixed { sample_count, .. } => *sample_count,
            StszBox::Variable { entry_sizes } => u32::try_from(entry_sizes.len()).unwrap_or(0),
        }
    }

    /// Whether it counts samples of sound of which packets hold several, by one byte each, as that of QuickTime files
    /// from before 2000 does (QuickTime File Format, "Sound Sample Descriptions").
    pub(super) fn counts_packed_samples(&self) -> bool {
        let has_one_byte =
            matches!(&self.stsz, StszBox::Fixed { sample_size, .. } if sample_size.get() == 1);
        has_one_byte && PACKED.contains(&self.format)
    }

    /// The duration of all samples, in ticks of the track.
    pub(super) fn duration(&self) -> u64 {
        let entries = self.stts.entries.iter();
        let durations = entries.map(|it| u64::from(it.sample_count) * u64::from(it.sample_delta));
        durations.fold(0, u64::saturating_add)
    }

    /// Offset behind the last byte of any sample.
    ///
    /// Takes time in proportion to the size of the tables, however many samples they declare: uncompressed audio has
    /// 48,000 a second.
    pub(super) fn end(&self) -> u64 {
        let mut sizes = match &self.stsz {
            StszBox::Fixed { .. } => [].iter(),
            StszBox::Variable { entry_sizes } => entry_sizes.iter(),
        };
        let mut end = 0;
        for chunk in self.chunks() {
            let length = match &self.stsz {
                StszBox::Fixed { sample_size, .. } => {
                    u64::from(chunk.sample_count) * u64::from(sample_size.get())
                }
                StszBox::Variable { .. } => {
                    let samples = sizes.by_ref().take(chunk.sample_count as usize);
                    samples.map(|size| u64::from(*size)).sum()
                }
            };
            end = end.max(chunk.offset.saturating_add(length));
        }
        end
    }

    /// All samples, in decoding order.
    pub(super) fn samples(&self) -> impl Iterator<Item = Sample> {
        let durations = self.stts.entries.iter();
        let mut durations = durations.flat_map(|it| repeat(it.sample_delta, it.sample_count));
        let offsets = self.ctts.iter().flat_map(|ctts| &ctts.entries);
        let mut offsets = offsets.flat_map(|it| repeat(it.sample_offset, it.sample_count));
        let mut sync = self.stss.as_ref().map(|stss| stss.sample_numbers.iter());
        let mut next_sync = sync.as_mut().and_then(Iterator::next);
        // One without entries, of a file that begins with a recovery point, says nothing of where decoding may begin.
        let is_empty = self.stss.is_some() && next_sync.is_none();
        let (mut number, mut decode_time) = (0_u32, 0_u64);
        let mut chunks = self.chunks();
        let mut chunk = chunks.next();
        std::iter::from_fn(move || {
            while chunk.as_ref()?.sample_count == 0 {
                chunk = chunks.next();
            }
            let chunk = chunk.as_mut()?;
            let size = self.sample_size(number);
            number = number.saturating_add(1);
            while next_sync.is_some_and(|sync| sync.get() < number) {
                next_sync = sync.as_mut().and_then(Iterator::next);
            }
            let sample = Sample {
                offset: chunk.offset,
                size,
                decode_time,
                duration: u64::from(durations.next().unwrap_or(0)),
                composition_offset: to_signed(offsets.next().unwrap_or(0)),
                // Without `stss` all are sync samples (section 8.6.2.1).
                is_sync: self.stss.is_none()
                    || next_sync.is_some_and(|sync| sync.get() == number)
                    || (is_empty && number == 1),
                description_index: chunk.description_index,
            };
            chunk.sample_count -= 1;
            chunk.offset = sample.end();
            decode_time = decode_time.saturating_add(sample.duration);
            Some(sample)
        })
    }

    fn sample_size(&self, index: u32) -> u32 {
        match &self.stsz {
            StszBox::Fixed { sample_size, .. } => sample_size.get(),
            StszBox::Variable { entry_sizes } => {
                entry_sizes.get(index as usize).copied().unwrap_or(0)
            }
        }
    }

    /// The chunks, as far as there are samples for them.
    fn chunks(&self) -> impl Iterator<Item = Chunk> {
        let mut left = self.count();
        let mut entries = self.stsc.entries.iter().peekable();
        let mut current: Option<&StscEntry> = None;
        self.chunk_offsets
            .iter()
            .zip(1_u32..)
            .filter_map(move |(offset, number)| {
                while let Some(next) = entries.next_if(|next| next.first_chunk.get() <= number) {
                    current = Some(next);
                }
                let sample_count = current?.sample_per_chunk.min(left);
                left -= sample_count;
                (sample_count > 0).then_some(Chunk {
                    offset: *offset,
                    sample_count,
                    description_index: current?.sample_description_index.get(),
                })
            })
    }
}

/// Reads the payload of an `stz2` box, whose sizes have 4, 8 or 16 bits (section 8.7.3.3).
fn read_compact_sizes(payload: &[u8]) -> Option<StszBox> {
    let bits = usize::from(*payload.get(7)?);
    // More would take eight times the bytes of the box.
    let count = Some(u32_at(payload, 8)? as usize).filter(|it| *it <= MAX_SAMPLES)?;
    let bytes = payload.get(12..)?;
    let bytes = bytes.get(..count.checked_mul(bits)?.div_ceil(8))?;
    let entry_sizes = match bits {
        4 => bytes
            .iter()
            .flat_map(|it| [it >> 4, it & 15])
            .map(u32::from)
            .take(count)
            .collect(),
        8 => bytes.iter().copied().map(u32::from).collect(),
        16 => bytes
            .chunks(2)
            .map(|it| u32::from(it[0]) << 8 | u32::from(it[1]))
            .collect(),
        _ => return None,
    };
    Some(StszBox::Variable { entry_sizes })
}

fn repeat<T: Copy>(value: T, times: u32) -> impl Iterator<Item = T> {
    std::iter::repeat_n(value, times as usize)
}

/// Reads a composition offset as signed in either version.
///
/// It is unsigned in version 0 by the standard, but QuickTime writes negative ones in it.
fn to_signed(offset: i64) -> i32 {
    match u32::try_from(offset) {
        Ok(unsigned) => unsigned.cast_signed(),
        Err(_) => i32::try_from(offset).unwrap_or(0),
    }
}
