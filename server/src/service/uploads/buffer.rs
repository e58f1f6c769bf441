//! Buffer for bytes of an upload that aren't durable yet.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::time::Instant;

use crate::service::state::memory_budget::Reservation;

/// Maximum size in bytes of an object, and of the buffer of one upload.
pub(in crate::service) const CHUNK_BYTES: usize = 8 << 20;

/// Size in bytes below which pieces are copied together.
const SMALL_PIECE_BYTES: usize = 16 << 10;

/// Maximum time for which a byte is buffered before it is made durable.
const FLUSH_AFTER: Duration = Duration::from_secs(2);

/// Buffer of at most [`CHUNK_BYTES`], in the pieces in which they arrived.
#[derive(Default)]
pub(in crate::service) struct WriteBuffer {
    pieces: Vec<Bytes>,
    /// Small pieces, copied together: each would otherwise take more memory than its content.
    small_pieces: BytesMut,
    length: usize,
    flush_at: Option<Instant>,
    memory: Reservation,
}

impl WriteBuffer {
    /// Adds a piece, which must fit.
    pub(in crate::service) fn push(&mut self, piece: Bytes) {
        if piece.is_empty() {
            return;
        }
        self.flush_at
            .get_or_insert_with(|| Instant::now() + FLUSH_AFTER);
        self.length += piece.len();
        if piece.len() < SMALL_PIECE_BYTES {
            self.small_pieces.extend_from_slice(&piece);
        } else {
            self.gather();
            self.pieces.push(piece);
        }
    }

    fn gather(&mut self) {
        if !self.small_pieces.is_empty() {
            self.pieces.push(self.small_pieces.split().freeze());
        }
    }

    /// Number of buffered bytes.
    pub(in crate::service) fn length(&self) -> usize {
        self.length
    }

    /// Number of bytes that still fit.
    pub(in crate::service) fn room(&self) -> usize {
        CHUNK_BYTES - self.length
    }

    /// Time at which the bytes must be durable. `None`: the buffer is empty.
    pub(in crate::service) fn flush_at(&self) -> Option<Instant> {
        self.flush_at
    }

    /// Time at which the first buffered byte arrived. `None`: the buffer is empty.
    pub(in crate::service) fn buffered_since(&self) -> Option<Instant> {
        self.flush_at.map(|at| at - FLUSH_AFTER)
    }

    /// Adds memory of the shared budget for bytes that were pushed or are about to be.
    pub(in crate::service) fn add_reservation(&mut self, share: Reservation) {
        self.memory.add(share);
    }

    /// The bytes and their reservation, which must be kept as long as the bytes.
    pub(in crate::service) fn into_parts(mut self) -> (Vec<Bytes>, Reservation) {
        self.gather();
        (self.pieces, self.memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::state::memory_budget::MemoryBudget;

    #[test]
    fn small_and_large_pieces_keep_their_order() {
        let lengths = [
            1,
            1,
            SMALL_PIECE_BYTES,
            0,
            3,
            SMALL_PIECE_BYTES + 1,
            SMALL_PIECE_BYTES - 1,
        ];
        let mut pending = WriteBuffer::default();
        let mut want = Vec::new();
        for (value, length) in (0_u8..).zip(lengths) {
            want.extend(vec![value; length]);
            pending.push(Bytes::from(vec![value; length]));
        }
        assert_eq!(pending.length(), want.len());
        let (pieces, _) = pending.into_parts();
        assert_eq!(pieces.concat(), want);
        assert_eq!(
            pieces.len(),
            5,
            "small pieces are gathered, the rest isn't copied"
        );
    }

    #[test]
    fn a_buffer_holds_its_memory_until_its_bytes_are_dropped() {
        let memory = MemoryBudget::new(4096);
        let mut pending = WriteBuffer::default();
        for _ in 0..2 {
            pending.add_reservation(memory.try_reserve(1000).expect("room"));
            pending.push(Bytes::from_static(&[1; 1000]));
        }
        assert_eq!(memory.used(), 2048);
        let (pieces, reservation) = pending.into_parts();
        assert_eq!(memory.used(), 2048);
        drop((pieces, reservation));
        assert_eq!(memory.used(), 0);
    }

    #[test]
    fn the_oldest_buffered_byte_sets_the_flush_deadline() {
        let mut pending = WriteBuffer::default();
        pending.push(Bytes::new());
        assert_eq!((pending.buffered_since(), pending.flush_at()), (None, None));
        assert_eq!(pending.room(), CHUNK_BYTES);
        let before = Instant::now();
        pending.push(Bytes::from_static(b"a"));
        let since = pending.buffered_since().expect("a byte");
        assert!((before..=Instant::now()).contains(&since));
        pending.push(Bytes::from_static(b"bc"));
        assert_eq!(pending.buffered_since(), Some(since));
        assert_eq!(pending.flush_at(), Some(since + FLUSH_AFTER));
        assert_eq!(pending.room(), CHUNK_BYTES - 3);
    }

    #[test]
    fn a_large_piece_alone_stays_one() {
        let mut pending = WriteBuffer::default();
        pending.push(Bytes::from(vec![1; SMALL_PIECE_BYTES]));
        assert_eq!(pending.into_parts().0.len(), 1);
    }
}
