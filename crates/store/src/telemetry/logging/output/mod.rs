//! Lines on their way to the standard output, written by a thread of their own.
//!
//! So no request waits for the program that reads the log, and many lines are one write. tracing-appender does the same
//! with an allocation and a wake-up for each line, and drops lines without a word.

#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind, Write};
use std::mem;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use metrics::counter;
use parking_lot::{Condvar, Mutex};
use tracing::warn;
use tracing_subscriber::fmt::MakeWriter;

use crate::telemetry::names::LOG_LINES_DROPPED;

/// Bytes of lines that wait to be written.
/// When there are as many, further lines are dropped and counted.
const CAPACITY: usize = 1 << 20;

/// How long lines are gathered after a write.
/// They are lost with the process, as are those that are being written.
const GATHERING: Duration = Duration::from_millis(5);

/// How long a flush waits for the program that reads the log.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Where lines are written to. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Output(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// Signals the writer: there are lines, or a flush.
    filled: Condvar,
    /// Signals flushes: lines were written.
    written: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Whole lines.
    lines: Vec<u8>,
    /// Bytes of all lines so far, and how many of them were written or lost.
    pushed: u64,
    done: u64,
    /// Number of lines that were dropped and not reported yet.
    dropped: u64,
    /// Number of flushes that wait.
    flushes: usize,
    /// Whether the writer waits for a signal. Otherwise it takes up lines without one.
    is_writer_idle: bool,
}

impl Output {
    /// Starts the thread that writes to `sink` for as long as the process lives.
    pub(super) fn start(sink: impl Write + Send + 'static) -> io::Result<Self> {
        let output = Self::default();
        let writer = output.clone();
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || writer.write_lines(sink))?;
        Ok(output)
    }

    /// Waits until all lines so far are written, but not longer than [`FLUSH_TIMEOUT`].
    pub(super) fn flush(&self) {
        let mut queue = self.0.queue.lock();
        let end = queue.pushed;
        queue.flushes += 1;
        self.0.filled.notify_one();
        let is_behind = |queue: &mut Queue| queue.done < end;
        // After a timeout there is nothing left to do.
        let _ = self
            .0
            .written
            .wait_while_for(&mut queue, is_behind, FLUSH_TIMEOUT);
        queue.flushes -= 1;
    }

    fn push(&self, line: &[u8]) {
        let mut queue = self.0.queue.lock();
        if queue.lines.len() + line.len() > CAPACITY {
            queue.dropped += 1;
            // At once, because the log itself reports it only once it is read again.
            counter!(LOG_LINES_DROPPED).increment(1);
            return;
        }
        queue.lines.extend_from_slice(line);
        queue.pushed += line.len() as u64;
        if queue.is_writer_idle {
            queue.is_writer_idle = false;
            self.0.filled.notify_one();
        }
    }

    fn write_lines(&self, mut sink: impl Write) {
        let (mut batch, mut is_torn, mut lost) = (Vec::new(), false, 0);
        loop {
            let dropped = self.take_lines(&mut batch);
            if dropped > 0 {
                // Now, because the queue has just been emptied.
                warn!(
                    lines = dropped,
                    "dropped log lines, which are read too slowly"
                );
            }
            if is_torn {
                batch.insert(0, b'\n');
            }
            let written = write_all(&mut sink, &batch);
            is_torn = batch[..written].last().is_some_and(|it| *it != b'\n');
            let unwritten = batch[written..].iter().filter(|it| **it == b'\n');
            let unwritten = unwritten.count() as u64;
            counter!(LOG_LINES_DROPPED).increment(unwritten);
            lost += unwritten;
            // Once lines can be written again: as long as they can't, this one would be lost as well, and told of.
            if unwritten == 0 && lost > 0 {
                warn!(
                    lines = mem::take(&mut lost),
                    "lost log lines, which couldn't be written"
                );
            }
            batch.clear();
            let mut queue = self.0.queue.lock();
            queue.done = queue.pushed - queue.lines.len() as u64;
            self.0.written.notify_all();
            if queue.flushes == 0 {
                self.0.filled.wait_for(&mut queue, GATHERING);
            }
        }
    }

    /// Waits for lines, and exchanges them for the empty `batch`.
    /// Returns how many were dropped since the last time.
    fn take_lines(&self, batch: &mut Vec<u8>) -> u64 {
        let mut queue = self.0.queue.lock();
        while queue.lines.is_empty() {
            queue.is_writer_idle = true;
            self.0.filled.wait(&mut queue);
        }
        queue.is_writer_idle = false;
        mem::swap(&mut queue.lines, batch);
        mem::take(&mut queue.dropped)
    }
}

/// Writes as much as possible; returns how much. The standard output may be a pipe that doesn't block.
fn write_all(sink: &mut impl Write, bytes: &[u8]) -> usize {
    let mut written = 0;
    while written < bytes.len() {
        match sink.write(&bytes[written..]) {
            Ok(0) => break,
            Ok(length) => written += length,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(GATHERING),
            Err(_) => break,
        }
    }
    // What is buffered is written at the next one, if it can't be now.
    let _ = sink.flush();
    written
}

/// The writer of one event: tracing-subscriber writes each line at once.
impl Write for &Output {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Output {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> &'a Self {
        self
    }
}
