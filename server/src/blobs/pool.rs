//! Buffers of streams that are free, for the next piece of the same size.

use parking_lot::Mutex;

/// Free buffers of one size. To get memory from the system anew costs more than to read into it.
#[derive(Debug)]
pub(super) struct BufferPool {
    length: usize,
    most: usize,
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl BufferPool {
    /// Keeps at most `most` buffers of `length` bytes.
    pub(super) fn new(length: usize, most: usize) -> Self {
        Self {
            length,
            most,
            buffers: Mutex::default(),
        }
    }

    /// A buffer of `length` bytes, which may not be more than those of the pool have.
    pub(super) fn get(&self, length: usize) -> Vec<u8> {
        let free = self.buffers.lock().pop();
        // It still holds what was sent before, to another client. It is overwritten before it is sent
        // again: a piece is read to its end or not at all.
        let mut buffer = free.unwrap_or_else(|| Vec::with_capacity(self.length));
        buffer.resize(length, 0);
        buffer
    }

    pub(super) fn put_back(&self, buffer: Vec<u8>) {
        let mut buffers = self.buffers.lock();
        if buffers.len() < self.most {
            buffers.push(buffer);
        }
    }
}
