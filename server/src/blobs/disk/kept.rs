//! Memory that pieces of streams have left behind.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Memory of pieces that have gone, for others of the same length: to get it from the system anew costs more than to
/// read into it.
#[derive(Debug)]
pub(super) struct Kept {
    length: usize,
    most: usize,
    pieces: Mutex<Vec<Vec<u8>>>,
}

impl Kept {
    pub(super) fn new(length: usize, most: usize) -> Self {
        Self {
            length,
            most,
            pieces: Mutex::default(),
        }
    }

    pub(super) fn take(&self, length: usize) -> Vec<u8> {
        let kept = self.lock().pop();
        // What was in there has gone out before, to somebody else, and is overwritten before it goes out
        // again: a piece is read to its end or not at all.
        let mut bytes = kept.unwrap_or_else(|| Vec::with_capacity(self.length));
        bytes.resize(length, 0);
        bytes
    }

    pub(super) fn give_back(&self, bytes: Vec<u8>) {
        let mut pieces = self.lock();
        if pieces.len() < self.most {
            pieces.push(bytes);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
