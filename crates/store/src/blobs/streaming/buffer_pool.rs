//! Reuse of buffers for pieces of streams.

use parking_lot::Mutex;

/// Free buffers of one size. Allocating fresh memory costs more than reading into it.
#[derive(Debug)]
pub(super) struct BufferPool {
    length: usize,
    capacity: usize,
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl BufferPool {
    /// Creates a pool that keeps at most `capacity` buffers of `length` bytes.
    pub(super) fn new(length: usize, capacity: usize) -> Self {
        Self {
            length,
            capacity,
            buffers: Mutex::default(),
        }
    }

    /// Returns a buffer of `length` bytes, at most the pool's length.
    pub(super) fn get(&self, length: usize) -> Vec<u8> {
        let free = self.buffers.lock().pop();
        // A reused buffer still holds bytes for another client. They are overwritten before it is sent: a piece is read
        // completely, or the stream fails.
        let mut buffer = free.unwrap_or_else(|| Vec::with_capacity(self.length));
        buffer.resize(length, 0);
        buffer
    }

    pub(super) fn put_back(&self, buffer: Vec<u8>) {
        let mut buffers = self.buffers.lock();
        if buffers.len() < self.capacity {
            buffers.push(buffer);
        }
    }
}
