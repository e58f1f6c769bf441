//! The pieces of a take, and how many of their bytes are committed on the server.
//! Decides what to send next, and when.
//!
//! Pure: pieces are opaque, only their lengths count. Times are in milliseconds on the page's clock.

use std::ops::Range;

use super::part_size::PartSize;

/// How long stored bytes wait for more before they are sent.
///
/// Meanwhile they are safe from a crash in the browser's own store. Each request costs the server an object and a
/// commit, so there are no more requests than this allows.
const BATCH_DELAY_MS: f64 = 2000.0;

/// Bytes that are sent without waiting for more.
const BATCH_BYTES: u64 = 1 << 20;

/// The `stored_at` of a piece that couldn't be stored: only the server can keep it, so it doesn't wait.
pub const NOT_STORED: f64 = f64::NEG_INFINITY;

/// How long nothing waits after a flush: as long as a recorder takes to hand out what it holds.
const FLUSH_WINDOW_MS: f64 = 1000.0;

/// A take that is being uploaded. Committed pieces stay here, because the server may lose them.
#[derive(Debug)]
pub struct Outbox<P> {
    pieces: Vec<QueuedPiece<P>>,
    /// How many of the pieces are committed.
    committed_pieces: usize,
    recorded: u64,
    recorded_ms: u32,
    committed: u64,
    committed_ms: u32,
    part_size: PartSize,
    flush_until: f64,
    ended: bool,
    complete: bool,
}

#[derive(Debug)]
struct QueuedPiece<P> {
    piece: P,
    range: Range<u64>,
    end_ms: u32,
    stored_at: f64,
}

/// What to send in one request.
#[derive(Debug, PartialEq, Eq)]
pub struct UploadPart<P> {
    /// `Upload-Offset`: where the part begins in the take.
    pub offset: u64,
    /// The pieces, and which bytes of each.
    pub slices: Vec<(P, Range<u64>)>,
    /// `Upload-Complete`: whether the take ends with this part.
    pub is_last: bool,
}

impl<P> Default for Outbox<P> {
    fn default() -> Self {
        Self {
            pieces: Vec::new(),
            committed_pieces: 0,
            recorded: 0,
            recorded_ms: 0,
            committed: 0,
            committed_ms: 0,
            part_size: PartSize::default(),
            flush_until: f64::NEG_INFINITY,
            ended: false,
            complete: false,
        }
    }
}

impl<P: Clone> Outbox<P> {
    /// The outbox of a take whose first bytes are committed, and deleted on this device.
    pub fn starting_at(released: u64) -> Self {
        Self {
            recorded: released,
            committed: released,
            ..Self::default()
        }
    }

    /// Accepts that the server has more of the take than this device, which has lost the rest.
    pub fn extend_to(&mut self, offset: u64) {
        self.recorded = self.recorded.max(offset);
    }

    /// Adds a piece of this many bytes that ends at `end_ms` of the take and was stored at `stored_at`.
    pub fn push(&mut self, piece: P, length: u64, end_ms: u32, stored_at: f64) {
        self.recorded_ms = self.recorded_ms.max(end_ms);
        if length > 0 {
            let range = self.recorded..self.recorded + length;
            self.recorded = range.end;
            self.pieces.push(QueuedPiece {
                piece,
                range,
                end_ms,
                stored_at,
            });
        }
    }

    /// Lets nothing wait for a moment: the page may be closed, or no more pieces come for a while.
    pub fn flush(&mut self, now: f64) {
        self.flush_until = now + FLUSH_WINDOW_MS;
    }

    /// How long the next part should wait for more bytes; 0: not at all.
    pub fn batch_delay_ms(&self, now: f64) -> u32 {
        let waiting = self.recorded - self.committed;
        let pieces = self.pieces.get(self.committed_pieces..).unwrap_or_default();
        let has_none = pieces.is_empty();
        if has_none || self.ended || waiting >= BATCH_BYTES || now <= self.flush_until {
            return 0;
        }
        // The earliest of all, not the first: one behind it may be stored nowhere.
        let stored = pieces.iter().map(|it| it.stored_at);
        let earliest = stored.fold(now, f64::min);
        let left = (earliest + BATCH_DELAY_MS - now).clamp(0.0, BATCH_DELAY_MS);
        // Rounded up: a timer that fires too early would have to be set again.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped above"
        )]
        let left = left.ceil() as u32;
        left
    }

    /// There will be no more pieces.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// The duration of the take.
    pub fn recorded_ms(&self) -> u32 {
        self.recorded_ms
    }

    /// The size of the take in bytes.
    pub fn recorded(&self) -> u64 {
        self.recorded
    }

    /// How many bytes are committed.
    pub fn committed(&self) -> u64 {
        self.committed
    }

    /// The duration of what is committed: of whole pieces, so never more than is true.
    pub fn committed_ms(&self) -> u32 {
        if self.committed == self.recorded {
            return self.recorded_ms;
        }
        self.committed_ms
    }

    /// Whether the server has all of the take, and knows that.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// What to send now. `None`: nothing, until there are more pieces.
    pub fn next_part(&self) -> Option<UploadPart<P>> {
        let waiting = self.recorded - self.committed;
        if self.complete || (waiting == 0 && !self.ended) {
            return None;
        }
        let end = self.recorded.min(self.committed + self.part_size.bytes());
        let pieces = self.pieces.iter().skip(self.committed_pieces);
        let slices = pieces.filter_map(|queued| {
            let from = queued.range.start.max(self.committed);
            let to = queued.range.end.min(end);
            let start = queued.range.start;
            let range = from.checked_sub(start)?..to.checked_sub(start)?;
            (!range.is_empty()).then(|| (queued.piece.clone(), range))
        });
        Some(UploadPart {
            offset: self.committed,
            slices: slices.collect(),
            is_last: self.ended && end == self.recorded,
        })
    }

    /// Whether the part is as large as it may be: otherwise the time it takes depends on the recorder, not on the
    /// connection.
    pub fn is_full(&self, part: &UploadPart<P>) -> bool {
        let lengths = part.slices.iter().map(|(_, range)| range.end - range.start);
        lengths.sum::<u64>() >= self.part_size.bytes()
    }

    /// Adapts the size of parts after a full part was committed at once.
    pub fn adapt_part_size(&mut self, bytes: u64, took_ms: f64) {
        self.part_size.adapt(bytes, took_ms);
    }

    /// Makes the next part smaller after one failed.
    pub fn halve_part_size(&mut self) {
        self.part_size.halve();
    }

    /// Takes over the server's offset.
    /// `false`: it can't be that of this take, as the server has more than was recorded, or less than it has
    /// committed.
    pub fn acknowledge(&mut self, offset: u64, complete: bool) -> bool {
        if offset < self.committed || offset > self.recorded {
            return false;
        }
        if complete && !(self.ended && offset == self.recorded) {
            return false;
        }
        self.committed = offset;
        self.complete = complete;
        while let Some(queued) = self.pieces.get(self.committed_pieces)
            && queued.range.end <= offset
        {
            self.committed_ms = queued.end_ms;
            self.committed_pieces += 1;
        }
        true
    }

    /// Starts the upload over, because the server has lost the take.
    /// `false`: some bytes aren't here any more.
    pub fn restart(&mut self) -> bool {
        let lengths = self.pieces.iter().map(|it| it.range.end - it.range.start);
        if lengths.sum::<u64>() != self.recorded {
            return false;
        }
        (self.committed_pieces, self.committed, self.committed_ms) = (0, 0, 0);
        self.complete = false;
        true
    }

    /// The first piece of the take.
    pub fn first_piece(&self) -> Option<&P> {
        self.pieces.first().map(|it| &it.piece)
    }
}

#[cfg(test)]
mod batching_tests;
#[cfg(test)]
mod tests;
