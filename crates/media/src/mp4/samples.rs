//! The samples of a track, 16 bytes each.

/// How many samples are kept of a file: ten hours of pictures and sound. It bounds the memory that a file
/// of a few bytes can ask for.
pub(super) const MOST_SAMPLES: usize = 2_000_000;

/// Later than any honest clock, and small enough to calculate with.
const LATEST: u64 = 1 << 60;

/// The largest size that is told from the mark of a sync sample.
const LARGEST: u32 = SYNC - 1;
const SYNC: u32 = 1 << 31;

/// A picture, or a piece of sound. Times in the track's own ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    /// Where it lies in the file, in bytes.
    pub at: u64,
    /// In bytes.
    pub size: u32,
    /// When it is decoded.
    pub decoded: u64,
    /// Until the next one is decoded.
    pub duration: u64,
    /// By how much it is shown later than decoded.
    pub shift: i32,
    /// Whether it needs no other one.
    pub sync: bool,
    /// Which sample entry it goes by, from 1.
    pub description: u32,
}

impl Sample {
    /// When it is shown.
    pub(super) fn shown(&self) -> i64 {
        self.decoded
            .cast_signed()
            .saturating_add(i64::from(self.shift))
    }

    /// Behind its last byte.
    pub(super) fn end(&self) -> u64 {
        self.at.saturating_add(u64::from(self.size))
    }
}

/// All samples of a track, in the order of decoding.
#[derive(Debug, Default)]
pub(super) struct Samples {
    kept: Vec<Kept>,
    chunks: Vec<Chunk>,
    /// When the last one ends, and behind which byte.
    next: u64,
    end: u64,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    decoded: u64,
    size: u32,
    shift: i32,
}

/// Samples that lie one behind the other and go by the same sample entry.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    at: u64,
    first: u32,
    description: u32,
}

impl Samples {
    /// When the next sample is decoded if it doesn't say otherwise.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Adds a sample. One that can't be real is left out.
    pub(super) fn push(&mut self, sample: Sample) {
        let decoded = sample.decoded.min(LATEST);
        self.next = decoded.saturating_add(sample.duration).min(LATEST);
        let Ok(first) = u32::try_from(self.kept.len()) else {
            return;
        };
        if sample.size > LARGEST || sample.at > LATEST {
            return;
        }
        let description = sample.description;
        let follows = sample.at == self.end
            && self
                .chunks
                .last()
                .is_some_and(|chunk| chunk.description == description);
        if !follows {
            self.chunks.push(Chunk {
                at: sample.at,
                first,
                description,
            });
        }
        self.end = sample.end();
        self.kept.push(Kept {
            decoded,
            size: sample.size | if sample.sync { SYNC } else { 0 },
            shift: sample.shift,
        });
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Sample> {
        self.chunks().flat_map(move |(chunk, range)| {
            let mut at = chunk.at;
            range.filter_map(move |index| {
                let kept = self.kept.get(index)?;
                let next = self
                    .kept
                    .get(index + 1)
                    .map_or(self.next, |next| next.decoded);
                let sample = Sample {
                    at,
                    size: kept.size & LARGEST,
                    decoded: kept.decoded,
                    duration: next.saturating_sub(kept.decoded),
                    shift: kept.shift,
                    sync: kept.size & SYNC != 0,
                    description: chunk.description,
                };
                at = sample.end();
                Some(sample)
            })
        })
    }

    /// What lies together: where, how many samples, and by which sample entry.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u64, usize, u32)> {
        self.chunks()
            .map(|(chunk, range)| (chunk.at, range.len(), chunk.description))
    }

    fn chunks(&self) -> impl Iterator<Item = (Chunk, std::ops::Range<usize>)> {
        let ends = self.chunks.iter().skip(1).map(|next| next.first as usize);
        let ends = ends.chain([self.kept.len()]);
        let begun = self.chunks.iter().zip(ends);
        begun.map(|(chunk, end)| (*chunk, chunk.first as usize..end))
    }

    /// Leaves out what isn't wholly in a file of this length.
    pub(super) fn cut(&mut self, length: u64) {
        if self.iter().all(|sample| sample.end() <= length) {
            return;
        }
        let mut left = Self::default();
        for sample in self.iter().filter(|sample| sample.end() <= length) {
            left.push(sample);
        }
        *self = left;
    }

    /// When the first picture is shown, or sound heard.
    pub(super) fn begin(&self) -> i64 {
        self.iter().map(|sample| sample.shown()).min().unwrap_or(0)
    }

    /// When the last picture or sound ends.
    pub(super) fn over(&self) -> i64 {
        let ends = self
            .iter()
            .map(|sample| sample.shown().saturating_add_unsigned(sample.duration));
        ends.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(at: u64, size: u32, decoded: u64) -> Sample {
        Sample {
            at,
            size,
            decoded,
            duration: 10,
            shift: -3,
            sync: at == 0,
            description: 1,
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
    fn what_is_kept_comes_back() {
        let samples = three();
        let back: Vec<_> = samples.iter().collect();
        let mut longer = sample(5, 7, 10);
        longer.duration = 15;
        assert_eq!(back, [sample(0, 5, 0), longer, sample(20, 1, 25)]);
        let runs: Vec<_> = samples.runs().collect();
        assert_eq!(runs, [(0, 2, 1), (20, 1, 1)]);
        assert_eq!((samples.next(), samples.over()), (35, 32));
    }

    #[test]
    fn what_isnt_in_the_file_is_left_out() {
        for (length, left) in [(21, 3), (20, 2), (12, 2), (11, 1), (4, 0)] {
            let mut samples = three();
            samples.cut(length);
            assert_eq!(samples.len(), left, "{length}");
        }
        let mut samples = three();
        samples.cut(12);
        assert_eq!(samples.over(), 22, "as long as it was");
    }

    #[test]
    fn what_cant_be_real_is_left_out() {
        let mut samples = Samples::default();
        samples.push(sample(u64::MAX, u32::MAX, u64::MAX));
        samples.push(sample(u64::MAX, 1, u64::MAX));
        samples.push(sample(0, LARGEST + 1, 0));
        samples.push(sample(LATEST + 1, 1, 0));
        assert!(samples.is_empty());
        samples.push(sample(LATEST, LARGEST, 0));
        assert_eq!(samples.len(), 1);
        let mut samples = Samples::default();
        samples.push(sample(0, 1, u64::MAX));
        assert_eq!(samples.over(), LATEST.cast_signed() - 3);
    }
}
