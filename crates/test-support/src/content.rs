//! The bytes of a take as a function of seed and position, so that a ledger keeps no bytes and any of
//! them can be checked.

use std::ops::Range;

use bytes::Bytes;

/// Every recording begins as one that can be sealed: a film of one picture, in an `mdat` without an end.
const HEAD: &[u8] = include_bytes!("../fixtures/open_ended.mp4");

/// What a take should hold. It may have several authors, one after the other.
#[derive(Clone, Debug)]
pub struct Content {
    /// Where a part begins, and the seeds of those who may have written it; in order.
    parts: Vec<(u64, Vec<u64>)>,
}

impl Content {
    /// By one author.
    pub fn of(seed: u64) -> Self {
        Self {
            parts: vec![(0, vec![seed])],
        }
    }

    /// From `start` on it was written by one of these, whichever.
    pub fn continued(&mut self, start: u64, seeds: Vec<u64>) {
        self.parts.retain(|(other, _)| *other < start);
        self.parts.push((start, seeds));
    }

    /// The bytes of a range, of which the author is known.
    pub fn bytes(&self, range: Range<u64>) -> Bytes {
        if range.is_empty() {
            return Bytes::new();
        }
        let [(_, authors)] = &self.parts[..] else {
            panic!("a take with several parts is only compared");
        };
        bytes(authors[0], range)
    }

    /// Where `found`, which begins at `start`, differs first from what everybody has written.
    pub fn difference(&self, start: u64, found: &[u8]) -> Option<u64> {
        let end = start + found.len() as u64;
        let ends = self.parts.iter().skip(1).map(|(start, _)| *start);
        let parts = self.parts.iter().zip(ends.chain([u64::MAX]));
        for ((from, seeds), until) in parts {
            let (from, until) = ((*from).max(start), until.min(end));
            if from >= until {
                continue;
            }
            let offset = |at: u64| usize::try_from(at - start).expect("within what was found");
            let part = &found[offset(from)..offset(until)];
            let same = seeds.iter().map(|seed| {
                let want = bytes(*seed, from..until);
                want.iter().zip(part).take_while(|(a, b)| a == b).count()
            });
            let same = same.max().expect("somebody who wrote it");
            if same < part.len() {
                return Some(from + same as u64);
            }
        }
        None
    }
}

/// The bytes of a range as this author writes them.
pub fn bytes(seed: u64, range: Range<u64>) -> Bytes {
    let length = usize::try_from(range.end - range.start).expect("a piece, not a whole film");
    let mut bytes = Vec::with_capacity(length);
    write(&mut bytes, seed, range.clone());
    let positions = usize::try_from(range.start).unwrap_or(usize::MAX)..;
    for (byte, position) in bytes.iter_mut().zip(positions).take(HEAD.len()) {
        *byte = HEAD.get(position).copied().unwrap_or(*byte);
    }
    Bytes::from(bytes)
}

/// Eight bytes at a time, each eight by themselves.
fn write(to: &mut Vec<u8>, seed: u64, range: Range<u64>) {
    let mut at = range.start;
    while at < range.end {
        let eight = mix(seed ^ (at / 8).wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_le_bytes();
        let until = range.end.min(at / 8 * 8 + 8);
        for position in at..until {
            to.push(eight[usize::try_from(position % 8).expect("below eight")]);
        }
        at = until;
    }
}

/// The finisher of SplitMix64.
fn mix(mut state: u64) -> u64 {
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[test]
fn any_part_is_the_same_as_in_the_whole_and_a_wrong_byte_shows() {
    let (head, length) = (HEAD.len(), HEAD.len() + 60);
    let at = |position: usize| (head + position) as u64;
    let whole = bytes(7, 0..at(60));
    assert_eq!(whole[..head], *HEAD);
    for start in head - 20..length {
        for end in start..=length {
            assert_eq!(bytes(7, start as u64..end as u64), whole[start..end]);
        }
    }
    let mut content = Content::of(7);
    assert_eq!(content.difference(0, &whole), None);
    assert_eq!(content.difference(at(5), &whole[head + 4..]), Some(at(5)));
    content.continued(at(20), vec![8, 9]);
    assert_eq!(content.difference(0, &whole), Some(at(20)));
    let mut mixed = [&whole[..head + 20], &bytes(9, at(20)..at(40))].concat();
    assert_eq!(content.difference(0, &mixed), None);
    mixed.extend_from_slice(&bytes(8, at(40)..at(60)));
    assert_eq!(
        content.difference(0, &mixed),
        Some(at(40)),
        "one author a part"
    );
}
