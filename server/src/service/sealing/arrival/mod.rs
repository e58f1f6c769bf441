//! When the bytes of a take came, and whether that was while it was being recorded. Pure.
//!
//! Times of arrival are all that the server knows by itself. What a sender claims is accepted as far as they fit: see
//! [`came_live`].

use std::ops::RangeInclusive;
use std::time::Duration;

use media::Reader;

use crate::clock::Millis;

/// How much more of the recording's time the bytes may hold than has passed since the take was begun, in milliseconds.
///
/// The page begins a take with the first piece of its recording, which holds up to a second. For a recording shorter than
/// twice this, half of its duration.
const EARLY: Millis = 3_000;

/// How long after its recording a byte may come, in milliseconds: half of the duration within these bounds.
///
/// The page begins a take up to a second after its recording, and collects for two more, so the lower bound leaves networks
/// and busy devices a second. Who records on a slower one sends the rest afterwards. If the upper bound held for every
/// recording, a shorter one could come in one piece at any time.
const LATE: RangeInclusive<Millis> = 4_000..=15_000;

/// How many bytes are read before the time is looked at: about as many as a frame has.
const STEP: usize = 4096;

/// The bytes of a row in [`Arrivals::to_bytes`].
const ROW: usize = size_of::<u32>() + size_of::<Millis>();

/// When the chunks of a take were committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arrivals(Vec<Chunk>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Chunk {
    length: u32,
    at: Millis,
}

/// The moments of the recording that a chunk holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Its first new one, or nearly.
    first: Duration,
    /// The latest so far.
    last: Duration,
}

/// A chunk: when it came, and the moments of the recording that it holds, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: Millis,
    pub(super) first_ms: Millis,
    pub(super) last_ms: Millis,
}

impl Arrivals {
    /// The chunks of a take in order: length and time.
    /// `None`: the time of one is unknown, or there are none.
    pub(super) fn of(chunks: Vec<(u64, Option<Millis>)>) -> Option<Self> {
        let chunks = chunks.into_iter().map(|(length, at)| {
            let length = u32::try_from(length).ok()?;
            Some(Chunk { length, at: at? })
        });
        let chunks: Vec<_> = chunks.collect::<Option<_>>()?;
        (!chunks.is_empty()).then_some(Self(chunks))
    }

    /// Reads [`Arrivals::to_bytes`].
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (rows, rest) = bytes.as_chunks::<ROW>();
        let chunks = rows.iter().map(|row| {
            let (length, at) = row.split_first_chunk()?;
            Some(Chunk {
                length: u32::from_le_bytes(*length),
                at: Millis::from_le_bytes(at.try_into().ok()?),
            })
        });
        let chunks: Vec<_> = chunks.collect::<Option<_>>()?;
        (rest.is_empty() && !chunks.is_empty()).then_some(Self(chunks))
    }

    /// Twelve bytes a chunk, to be stored.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let rows = self
            .0
            .iter()
            .map(|chunk| (chunk.length.to_le_bytes(), chunk.at.to_le_bytes()));
        rows.flat_map(|(length, at)| length.into_iter().chain(at))
            .collect()
    }

    /// The chunks with the moments that they hold.
    /// Of a file that tells no time before its end only the duration counts.
    pub(super) fn marks(&self, spans: &[Span], duration_ms: u64) -> Vec<Mark> {
        let millis = |time: u128| Millis::try_from(time).unwrap_or(Millis::MAX);
        let marks = self.0.iter().zip(spans).map(|(chunk, span)| Mark {
            at: chunk.at,
            first_ms: millis(span.first.as_millis()),
            last_ms: millis(span.last.as_millis()),
        });
        let mut marks: Vec<_> = marks.collect();
        if let Some(last) = marks.last_mut().filter(|it| it.last_ms == 0) {
            last.last_ms = millis(duration_ms.into());
        }
        marks
    }
}

/// Whether bytes that came so can have come while they were being recorded.
///
/// The person may have paused, the network, too, and nothing may have moved on a screen. So the question is whether there is
/// a recording that explains the times: it began when its take was begun, each of its moments was recorded before its bytes
/// came (give or take [`EARLY`]), and at most [`late`] before. There is one if no run of chunks spans more of the recording's
/// time than passed from the first of them to the last, and [`late`].
///
/// It proves nothing: a sender can be slow on purpose, and a recording of up to four seconds may come in one piece.
pub(super) fn came_live(begun_at: Millis, marks: &[Mark]) -> bool {
    let Some(duration) = marks.last().map(|last| last.last_ms).filter(|it| *it > 0) else {
        return false;
    };
    let (early, late) = (EARLY.min(duration / 2), late(duration));
    let mut held: Millis = 0;
    // The least, over the chunks so far, of the first moment in one minus the time of that one.
    let mut least = Millis::MAX;
    marks.iter().all(|mark| {
        let last = mark.last_ms.max(held);
        let first = mark.first_ms.clamp(held, last);
        held = last;
        least = least.min(first.saturating_sub(mark.at));
        let since_begin = mark.at.saturating_sub(begun_at);
        last <= since_begin.saturating_add(early)
            && last.saturating_sub(mark.at) <= least.saturating_add(late)
    })
}

/// How long after its recording a byte of a recording of this duration may come.
fn late(duration: Millis) -> Millis {
    (duration / 2).clamp(*LATE.start(), *LATE.end())
}

/// A [`Reader`] that notes the moments of the recording that each chunk holds.
pub(super) struct TimedReader {
    reader: Reader,
    /// The bytes until the end of the current chunk, and the chunks after it.
    left: u64,
    chunks: std::vec::IntoIter<Chunk>,
    /// The latest moment before the current chunk, and the first one in it.
    before: Duration,
    first: Option<Duration>,
    spans: Vec<Span>,
}

impl TimedReader {
    pub(super) fn new(reader: Reader, arrivals: Option<&Arrivals>) -> Self {
        let chunks = arrivals.map_or_else(Vec::new, |it| it.0.clone());
        let mut chunks = chunks.into_iter();
        Self {
            reader,
            left: next_length(&mut chunks),
            chunks,
            before: Duration::ZERO,
            first: None,
            spans: Vec::new(),
        }
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let left = usize::try_from(self.left).unwrap_or(usize::MAX);
            let (step, rest) = bytes.split_at(STEP.min(left).min(bytes.len()));
            self.reader.feed(step);
            let reached = self.reader.reached();
            if reached > self.before {
                self.first.get_or_insert(reached);
            }
            self.left = self.left.saturating_sub(step.len() as u64);
            if self.left == 0 {
                let first = self.first.take().unwrap_or(reached);
                self.spans.push(Span {
                    first,
                    last: reached,
                });
                self.before = reached;
                self.left = next_length(&mut self.chunks);
            }
            bytes = rest;
        }
    }

    /// The reader, and what the chunks hold.
    pub(super) fn into_parts(self) -> (Reader, Vec<Span>) {
        (self.reader, self.spans)
    }
}

/// The length of the next chunk. Behind the last one: more than any file has.
fn next_length(chunks: &mut std::vec::IntoIter<Chunk>) -> u64 {
    chunks.next().map_or(u64::MAX, |chunk| chunk.length.into())
}

#[cfg(test)]
mod tests;
