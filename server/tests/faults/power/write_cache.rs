//! A disk with a write cache: what was written and not flushed may be lost, in any order.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;

use rand::RngExt;
use rand::rngs::StdRng;

/// What the disk writes whole or not at all, in bytes.
/// It is also the unit of its addresses, as of any disk with sectors of 4096 bytes.
pub const BLOCK: usize = 4096;

/// A disk: what it holds for sure is in a file, and what it was told to write since the last flush is in its cache.
pub struct CachedDisk {
    file: File,
    /// By the position in bytes: each content of the block that isn't safe yet, the newest last.
    unsafe_blocks: BTreeMap<u64, Vec<Vec<u8>>>,
}

impl CachedDisk {
    /// A disk with an empty cache.
    pub fn new(file: File) -> Self {
        Self {
            file,
            unsafe_blocks: BTreeMap::new(),
        }
    }

    /// Reads whole blocks.
    pub fn read(&self, at: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        self.file.read_exact_at(bytes, at)?;
        for (position, block) in positions(at).zip(bytes.chunks_mut(BLOCK)) {
            let newest = self.unsafe_blocks.get(&position).and_then(|it| it.last());
            if let Some(newest) = newest {
                block.copy_from_slice(newest);
            }
        }
        Ok(())
    }

    /// Writes whole blocks to the cache.
    pub fn write(&mut self, at: u64, bytes: &[u8]) {
        for (position, block) in positions(at).zip(bytes.chunks(BLOCK)) {
            let contents = self.unsafe_blocks.entry(position).or_default();
            contents.push(block.to_vec());
        }
    }

    /// Writes whole blocks past the cache ("force unit access").
    pub fn write_through(&mut self, at: u64, bytes: &[u8]) -> std::io::Result<()> {
        self.file.write_all_at(bytes, at)?;
        for (position, _) in positions(at).zip(bytes.chunks(BLOCK)) {
            self.unsafe_blocks.remove(&position);
        }
        Ok(())
    }

    /// Makes everything safe that was written.
    pub fn flush(&mut self) -> std::io::Result<()> {
        for (position, contents) in std::mem::take(&mut self.unsafe_blocks) {
            let newest = contents.last().into_iter();
            for newest in newest {
                self.file.write_all_at(newest, position)?;
            }
        }
        Ok(())
    }

    /// Takes its power away: of each block in the cache, any content that it had since it was safe may be what stays.
    /// Returns how many blocks have lost something.
    ///
    /// Sometimes nothing of the cache is written, and sometimes all.
    pub fn lose_power(&mut self, rng: &mut StdRng) -> std::io::Result<usize> {
        let written = [0.0, 0.5, 1.0][rng.random_range(0..3)];
        let mut lost = 0;
        for (position, contents) in std::mem::take(&mut self.unsafe_blocks) {
            let newest = contents.len() - 1;
            let left = match rng.random_bool(written) {
                true => Some(newest),
                false if written > 0.0 => rng.random_range(0..=newest).checked_sub(1),
                false => None,
            };
            if let Some(left) = left {
                self.file.write_all_at(&contents[left], position)?;
            }
            lost += usize::from(left != Some(newest));
        }
        Ok(lost)
    }
}

fn positions(from: u64) -> impl Iterator<Item = u64> {
    (from..).step_by(BLOCK)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    const OLD: u8 = 0;

    fn disk(blocks: usize) -> CachedDisk {
        let file = tempfile::tempfile().expect("a file");
        file.set_len((blocks * BLOCK) as u64).expect("a length");
        CachedDisk::new(file)
    }

    fn content(disk: &CachedDisk, block: usize) -> u8 {
        let mut bytes = [u8::MAX; BLOCK];
        let at = (block * BLOCK) as u64;
        disk.read(at, &mut bytes).expect("a block");
        assert!(bytes.iter().all(|it| *it == bytes[0]), "a torn block");
        bytes[0]
    }

    #[test]
    fn written_blocks_are_read_and_flushed_ones_survive() {
        for seed in 0..20 {
            let mut disk = disk(3);
            disk.write(0, &[1; 2 * BLOCK]);
            disk.write(0, &[2; BLOCK]);
            assert_eq!([0, 1, 2].map(|it| content(&disk, it)), [2, 1, OLD]);
            disk.flush().expect("a flush");
            disk.write(BLOCK as u64, &[3; BLOCK]);
            disk.write_through(2 * BLOCK as u64, &[4; BLOCK])
                .expect("a write");
            let mut rng = StdRng::seed_from_u64(seed);
            disk.lose_power(&mut rng).expect("a cut");
            let left = [0, 1, 2].map(|it| content(&disk, it));
            assert!([[2, 1, 4], [2, 3, 4]].contains(&left), "{left:?}");
        }
    }

    #[test]
    fn a_power_cut_keeps_any_version_written_since_the_last_flush() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..300 {
            let mut disk = disk(2);
            for version in 1..=2 {
                disk.write(0, &[version; 2 * BLOCK]);
            }
            let mut rng = StdRng::seed_from_u64(seed);
            disk.lose_power(&mut rng).expect("a cut");
            seen.insert([0, 1].map(|it| content(&disk, it)));
        }
        assert_eq!(seen.len(), 9, "each of three with each: {seen:?}");
    }
}
