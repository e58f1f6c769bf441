//! The tables in which a progressive file lists its samples (ISO/IEC 14496-12, sections 8.6 and 8.7).

use shiguredo_mp4::boxes::{
    Co64Box, CttsBox, StcoBox, StscBox, StscEntry, StssBox, StszBox, SttsBox,
};

use super::boxes::node;
use super::samples::Sample;

/// A track's tables, as they stand in the file.
#[derive(Debug)]
pub(super) struct Tables {
    durations: SttsBox,
    shifts: Option<CttsBox>,
    sync: Option<StssBox>,
    sizes: StszBox,
    chunks: Vec<u64>,
    per_chunk: StscBox,
}

/// How many samples a chunk has, and by which sample entry.
struct Chunk {
    at: u64,
    samples: u32,
    description: u32,
}

impl Tables {
    /// From the content of a sample table box. `None`: one of those that must be there isn't, or can't be
    /// read.
    pub(super) fn read(table: &[u8]) -> Option<Self> {
        let chunks = match node(table, *b"co64") {
            Some(long) => long.decode::<Co64Box>()?.chunk_offsets,
            None => {
                let short: StcoBox = node(table, *b"stco")?.decode()?;
                short.chunk_offsets.into_iter().map(u64::from).collect()
            }
        };
        Some(Self {
            durations: node(table, *b"stts")?.decode()?,
            shifts: node(table, *b"ctts").and_then(|node| node.decode()),
            sync: node(table, *b"stss").and_then(|node| node.decode()),
            sizes: node(table, *b"stsz")?.decode()?,
            per_chunk: node(table, *b"stsc")?.decode()?,
            chunks,
        })
    }

    /// How many samples there are.
    pub(super) fn count(&self) -> u32 {
        match &self.sizes {
            StszBox::Fixed { sample_count, .. } => *sample_count,
            StszBox::Variable { entry_sizes } => u32::try_from(entry_sizes.len()).unwrap_or(0),
        }
    }

    /// How long they take together, in the track's ticks.
    pub(super) fn duration(&self) -> u64 {
        let entries = self.durations.entries.iter();
        let spans = entries.map(|run| u64::from(run.sample_count) * u64::from(run.sample_delta));
        spans.fold(0, u64::saturating_add)
    }

    /// Behind the last byte of any sample. Takes no longer than the tables are, however many samples they
    /// claim: sound without compression has 48,000 a second.
    pub(super) fn reach(&self) -> u64 {
        let mut sizes = match &self.sizes {
            StszBox::Fixed { .. } => [].iter(),
            StszBox::Variable { entry_sizes } => entry_sizes.iter(),
        };
        let mut reach = 0;
        for chunk in self.chunks() {
            let length = match &self.sizes {
                StszBox::Fixed { sample_size, .. } => {
                    u64::from(chunk.samples) * u64::from(sample_size.get())
                }
                StszBox::Variable { .. } => {
                    let samples = sizes.by_ref().take(chunk.samples as usize);
                    samples.map(|size| u64::from(*size)).sum()
                }
            };
            reach = reach.max(chunk.at.saturating_add(length));
        }
        reach
    }

    /// All samples, in the order of decoding.
    pub(super) fn samples(&self) -> impl Iterator<Item = Sample> {
        let durations = self.durations.entries.iter();
        let mut durations = durations.flat_map(|run| repeat(run.sample_delta, run.sample_count));
        let shifts = self.shifts.iter().flat_map(|shifts| &shifts.entries);
        let mut shifts = shifts.flat_map(|run| repeat(run.sample_offset, run.sample_count));
        let mut sync = self.sync.as_ref().map(|sync| sync.sample_numbers.iter());
        let mut next_sync = sync.as_mut().and_then(Iterator::next);
        let (mut number, mut decoded) = (0_u32, 0_u64);
        let mut chunks = self.chunks();
        let mut chunk = chunks.next();
        std::iter::from_fn(move || {
            while chunk.as_ref()?.samples == 0 {
                chunk = chunks.next();
            }
            let chunk = chunk.as_mut()?;
            let size = self.size(number);
            number = number.saturating_add(1);
            while next_sync.is_some_and(|sync| sync.get() < number) {
                next_sync = sync.as_mut().and_then(Iterator::next);
            }
            let sample = Sample {
                at: chunk.at,
                size,
                decoded,
                duration: u64::from(durations.next().unwrap_or(0)),
                shift: shift(shifts.next().unwrap_or(0)),
                sync: self.sync.is_none() || next_sync.is_some_and(|sync| sync.get() == number),
                description: chunk.description,
            };
            chunk.samples -= 1;
            chunk.at = sample.end();
            decoded = decoded.saturating_add(sample.duration);
            Some(sample)
        })
    }

    fn size(&self, index: u32) -> u32 {
        match &self.sizes {
            StszBox::Fixed { sample_size, .. } => sample_size.get(),
            StszBox::Variable { entry_sizes } => {
                entry_sizes.get(index as usize).copied().unwrap_or(0)
            }
        }
    }

    /// All chunks that have samples left for them.
    fn chunks(&self) -> impl Iterator<Item = Chunk> {
        let mut left = self.count();
        let mut runs = self.per_chunk.entries.iter().peekable();
        let mut current: Option<&StscEntry> = None;
        self.chunks
            .iter()
            .zip(1_u32..)
            .filter_map(move |(at, number)| {
                while let Some(next) = runs.next_if(|next| next.first_chunk.get() <= number) {
                    current = Some(next);
                }
                let samples = current?.sample_per_chunk.min(left);
                left -= samples;
                (samples > 0).then_some(Chunk {
                    at: *at,
                    samples,
                    description: current?.sample_description_index.get(),
                })
            })
    }
}

fn repeat<T: Copy>(value: T, times: u32) -> impl Iterator<Item = T> {
    std::iter::repeat_n(value, times as usize)
}

/// Version 0 has no sign by the book; QuickTime writes one all the same.
pub(super) fn shift(offset: i64) -> i32 {
    match u32::try_from(offset) {
        Ok(unsigned) => unsigned.cast_signed(),
        Err(_) => i32::try_from(offset).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::wrap;
    use super::*;

    fn table(kind: &[u8; 4], words: &[u32]) -> Vec<u8> {
        let words: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        wrap(kind, &words)
    }

    /// Five samples in chunks of three, of which there is one too many.
    fn tables(sizes: &[u32]) -> Tables {
        let table = [
            table(b"stts", &[0, 2, 2, 10, 3, 20]),
            table(b"stsc", &[0, 1, 1, 3, 1]),
            table(b"stsz", sizes),
            table(b"stco", &[0, 3, 100, 200, 9_999]),
        ];
        Tables::read(&table.concat()).expect("read")
    }

    #[test]
    fn chunks_have_the_samples_that_are_left_for_them() {
        for (sizes, places, reach) in [
            (&[0, 10, 5][..], [100, 110, 120, 200, 210], 220),
            (&[0, 0, 5, 1, 2, 3, 4, 5], [100, 101, 103, 200, 204], 209),
        ] {
            let tables = tables(sizes);
            let samples: Vec<_> = tables.samples().collect();
            let found: Vec<_> = samples.iter().map(|sample| sample.at).collect();
            assert_eq!(found, places);
            assert_eq!((tables.count(), tables.reach()), (5, reach));
            let times: Vec<_> = samples.iter().map(|sample| sample.decoded).collect();
            assert_eq!(times, [0, 10, 20, 40, 60]);
            assert_eq!(tables.duration(), 80);
        }
    }
}
