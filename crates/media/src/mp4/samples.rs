//! Stores the samples of a track in 16 bytes each.

/// Maximum number of samples kept of a file: ten hours of video and audio.
///
/// It bounds the memory that a file of a few bytes can ask for.
pub(super) const MAX_SAMPLES: usize = 2_000_000;

/// The maximum of decode times and offsets: beyond any real file, and small enough to calculate with.
const MAX_VALUE: u64 = 1 << 60;

/// The bit of [`Packed::size`] that marks a sync sample, and the largest size beside it.
const SYNC: u32 = 1 << 31;
const MAX_SIZE: u32 = SYNC - 1;

/// A sample: a coded picture or a frame of audio. Times are in ticks of the track's timescale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Size in bytes.
    pub size: u32,
    pub decode_time: u64,
    /// Time until the next sample is decoded.
    pub duration: u64,
    /// Composition time minus decode time (ISO/IEC 14496-12, section 8.6.1.3).
    pub composition_offset: i32,
    /// Whether it is a sync sample, which depends on no other one (section 8.6.2).
    pub is_sync: bool,
    /// Index of its sample entry, from 1 (section 8.5.2).
    pub description_index: u32,
}

impl Sample {
    pub(super) fn composition_time(&self) -> i64 {
        self.decode_time
            .cast_signed()
            .saturating_add(i64::from(self.composition_offset))
    }

    /// Offset behind its last byte.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(u64::from(self.size))
    }
}

/// All samples of a track, in decoding order.
#[derive(Debug, Default)]
pub(super) struct Samples {
    packed: Vec<Packed>,
    chunks: Vec<Chunk>,
    /// Decode time and offset of a sample that would follow the last one.
    next_decode_time: u64,
    end: u64,
}

#[derive(Clone, Copy, Debug)]
struct Packed {
    decode_time: u64,
    size: u32,
    composition_offset: i32,
}

/// Consecutive samples without a gap, of one sample entry.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    offset: u64,
    first: u32,
    description_index: u32,
}

impl Samples {
    /// The decode time of the next sample, unless the file states another one.
    pub(super) fn next_decode_time(&self) -> u64 {
        self.next_decode_time
    }

    /// The time from the first sample to the end of the last one, by decode times.
    pub(super) fn span(&self) -> u64 {
        let first = self.packed.first().map_or(0, |it| it.decode_time);
        self.next_decode_time.saturating_sub(first)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.packed.len()
    }

    /// Adds a sample. One with an absurd size or offset is left out.
    pub(super) fn push(&mut self, sample: Sample) {
        let decode_time = sample.decode_time.min(MAX_VALUE);
        self.next_decode_time = decode_time.saturating_add(sample.duration).min(MAX_VALUE);
        let Ok(first) = u32::try_from(self.packed.len()) else {
            return;
        };
        if sample.size > MAX_SIZE || sample.offset > MAX_VALUE {
            return;
        }
        let description_index = sample.description_index;
        let last = self.chunks.last();
        let continues = sample.offset == self.end
            && last.is_some_and(|chunk| chunk.description_index == description_index);
        if !continues {
            self.chunks.push(Chunk {
                offset: sample.offset,
                first,
                description_index,
            });
        }
        self.end = sample.end();
        self.packed.push(Packed {
            decode_time,
            size: sample.size | if sample.is_sync { SYNC } else { 0 },
            composition_offset: sample.composition_offset,
        });
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Sample> {
        self.chunks_with_indices().flat_map(move |(chunk, range)| {
            let mut offset = chunk.offset;
            range.filter_map(move |index| {
                let packed = self.packed.get(index)?;
                let next = self
                    .packed
                    .get(index + 1)
                    .map_or(self.next_decode_time, |next| next.decode_time);
                let sample = Sample {
                    offset,
                    size: packed.size & MAX_SIZE,
                    decode_time: packed.decode_time,
                    duration: next.saturating_sub(packed.decode_time),
                    composition_offset: packed.composition_offset,
                    is_sync: packed.size & SYNC != 0,
                    description_index: chunk.description_index,
                };
                offset = sample.end();
                Some(sample)
            })
        })
    }

    /// The chunks: offset, number of samples, index of their sample entry.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (u64, usize, u32)> {
        self.chunks_with_indices()
            .map(|(chunk, range)| (chunk.offset, range.len(), chunk.description_index))
    }

    fn chunks_with_indices(&self) -> impl Iterator<Item = (Chunk, std::ops::Range<usize>)> {
        let ends = self.chunks.iter().skip(1).map(|next| next.first as usize);
        let ends = ends.chain([self.packed.len()]);
        let chunks = self.chunks.iter().zip(ends);
        chunks.map(|(chunk, end)| (*chunk, chunk.first as usize..end))
    }

    /// Removes the samples that aren't completely in a file of this length.
    pub(super) fn truncate(&mut self, file_length: u64) {
        if self.iter().all(|sample| sample.end() <= file_length) {
            return;
        }
        let mut kept = Self::default();
        for sample in self.iter().filter(|sample| sample.end() <= file_length) {
            kept.push(sample);
        }
        *self = kept;
    }

    /// The earliest composition time.
    pub(super) fn composition_start(&self) -> i64 {
        let times = self.iter().map(|sample| sample.composition_time());
        times.min().unwrap_or(0)
    }

    /// The latest end of a sample, by composition times.
    pub(super) fn composition_end(&self) -> i64 {
        let ends = self.iter().map(|sample| {
            sample
                .composition_time()
                .saturating_add_unsigned(sample.duration)
        });
        ends.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(offset: u64, size: u32, decode_time: u64) -> Sample {
        Sample {
            offset,
            size,
            decode_time,
            duration: 10,
            composition_offset: -3,
            is_sync: offset == 0,
            description_index: 1,
        }
    }

    fn three() -> Samples {
        let mut samples = Samples::default();
        samples.push(sample(0, 5, 0));
        samples.push(sample(5, 7, 10));
        samples.push(sample(20, 1, 25));
        samples
    }

    #[test]
    fn samples_are_stored_without_loss() {
        let samples = three();
        let back: Vec<_> = samples.iter().collect();
        let mut longer = sample(5, 7, 10);
        longer.duration = 15;
        assert_eq!(back, [sample(0, 5, 0), longer, sample(20, 1, 25)]);
        let chunks: Vec<_> = samples.chunks().collect();
        assert_eq!(chunks, [(0, 2, 1), (20, 1, 1)]);
        let ends = (samples.next_decode_time(), samples.composition_end());
        assert_eq!(ends, (35, 32));
    }

    #[test]
    fn samples_beyond_the_end_of_the_file_are_left_out() {
        for (length, left) in [(21, 3), (20, 2), (12, 2), (11, 1), (4, 0)] {
            let mut samples = three();
            samples.truncate(length);
            assert_eq!(samples.len(), left, "{length}");
        }
        let mut samples = three();
        samples.truncate(12);
        assert_eq!(samples.composition_end(), 22, "as long as it was");
    }

    #[test]
    fn samples_with_absurd_values_are_left_out() {
        let mut samples = Samples::default();
        samples.push(sample(u64::MAX, u32::MAX, u64::MAX));
        samples.push(sample(u64::MAX, 1, u64::MAX));
        samples.push(sample(0, MAX_SIZE + 1, 0));
        samples.push(sample(MAX_VALUE + 1, 1, 0));
        assert!(samples.is_empty());
        samples.push(sample(MAX_VALUE, MAX_SIZE, 0));
        assert_eq!(samples.len(), 1);
        let mut samples = Samples::default();
        samples.push(sample(0, 1, u64::MAX));
        assert_eq!(samples.composition_end(), MAX_VALUE.cast_signed() - 3);
    }
}
