//! The bytes of a take as a function of seed and position, so that a ledger can verify any of them without storing
//! any.

use std::ops::Range;

use bytes::Bytes;

/// Every take begins with this: a video of one frame in an open-ended `mdat`, which can be sealed.
const HEAD: &[u8] = include_bytes!("../../fixtures/open_ended.mp4");

/// The expected bytes of a take, which several writers may have contributed to.
#[derive(Clone, Debug)]
pub struct Content {
    /// Start of each part, and the seeds of the writers that may have written it; ordered.
    parts: Vec<(u64, Vec<u64>)>,
    /// A recording of a browser, in place of parts.
    recording: Option<&'static [u8]>,
}

impl Content {
    /// Content by a single writer.
    pub fn new(seed: u64) -> Self {
        Self {
            parts: vec![(0, vec![seed])],
            recording: None,
        }
    }

    /// These bytes of a browser.
    pub fn recording(bytes: &'static [u8]) -> Self {
        Self {
            parts: Vec::new(),
            recording: Some(bytes),
        }
    }

    /// Whether these are bytes of a browser, which the server puts an index in front of.
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// From `start` on, the bytes are those of any one of these writers.
    pub fn continue_with_any_of(&mut self, start: u64, seeds: Vec<u64>) {
        self.parts.retain(|(other, _)| *other < start);
        self.parts.push((start, seeds));
    }

    /// The bytes of a range.
    ///
    /// # Panics
    ///
    /// If there is more than one part.
    pub fn bytes(&self, range: Range<u64>) -> Bytes {
        if range.is_empty() {
            return Bytes::new();
        }
        if let Some(recording) = self.recording {
            return Bytes::from_static(&recording[positions(range)]);
        }
        let [(_, writers)] = &self.parts[..] else {
            panic!("a take with several parts is only compared");
        };
        bytes(writers[0], range)
    }

    /// Position of the first byte of `found`, which begins at `start`, that no possible writer has written.
    pub fn first_difference(&self, start: u64, found: &[u8]) -> Option<u64> {
        let end = start + found.len() as u64;
        if let Some(recording) = self.recording {
            let want = &recording[positions(start..end)];
            let same = want.iter().zip(found).take_while(|(a, b)| a == b).count();
            return (same < found.len()).then_some(start + same as u64);
        }
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
            let same = same.max().expect("a writer of each byte");
            if same < part.len() {
                return Some(from + same as u64);
            }
        }
        None
    }
}

/// The bytes of a range as the writer with this seed produces them.
pub fn bytes(seed: u64, range: Range<u64>) -> Bytes {
    let length = usize::try_from(range.end - range.start).expect("a part of a recording");
    let mut bytes = Vec::with_capacity(length);
    generate(&mut bytes, seed, range.clone());
    let positions = usize::try_from(range.start).unwrap_or(usize::MAX)..;
    for (byte, position) in bytes.iter_mut().zip(positions).take(HEAD.len()) {
        *byte = HEAD.get(position).copied().unwrap_or(*byte);
    }
    Bytes::from(bytes)
}

/// Positions in a recording that is in memory.
fn positions(range: Range<u64>) -> Range<usize> {
    let position = |at| usize::try_from(at).expect("a part of a recording");
    position(range.start)..position(range.end)
}

/// Generates eight bytes at a time, each group from its position alone.
fn generate(to: &mut Vec<u8>, seed: u64, range: Range<u64>) {
    let mut at = range.start;
    while at < range.end {
        let group = mix(seed ^ (at / 8).wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_le_bytes();
        let until = range.end.min(at / 8 * 8 + 8);
        for position in at..until {
            to.push(group[usize::try_from(position % 8).expect("below eight")]);
        }
        at = until;
    }
}

/// The finalizer of SplitMix64.
fn mix(mut state: u64) -> u64 {
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[test]
fn ranges_equal_the_whole_and_the_first_difference_is_located() {
    let (head, length) = (HEAD.len(), HEAD.len() + 60);
    let at = |position: usize| (head + position) as u64;
    let whole = bytes(7, 0..at(60));
    assert_eq!(whole[..head], *HEAD);
    for start in head - 20..length {
        for end in start..=length {
            assert_eq!(bytes(7, start as u64..end as u64), whole[start..end]);
        }
    }
    let mut content = Content::new(7);
    assert_eq!(content.first_difference(0, &whole), None);
    assert_eq!(
        content.first_difference(at(5), &whole[head + 4..]),
        Some(at(5))
    );
    content.continue_with_any_of(at(20), vec![8, 9]);
    assert_eq!(content.first_difference(0, &whole), Some(at(20)));
    let mut mixed = [&whole[..head + 20], &bytes(9, at(20)..at(40))].concat();
    assert_eq!(content.first_difference(0, &mixed), None);
    mixed.extend_from_slice(&bytes(8, at(40)..at(60)));
    assert_eq!(
        content.first_difference(0, &mixed),
        Some(at(40)),
        "one author a part"
    );
}
