//! Lines on their way to the standard output, written by a thread of their own.
//!
//! So no request waits for the program that reads the log, and many lines are one write. tracing-appender does the same
//! with an allocation and a wake-up for each line, and drops lines without a word.

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

/// Bytes of lines that wait to be written. When there are as many, further lines are dropped and counted.
const CAPACITY: usize = 1 << 20;

/// How long lines are gathered after a write. They are lost with the process, as are those that are being written.
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
            // At once, because the log itself tells of it only once it is read again.
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

    /// Waits for lines, and exchanges them for the empty `batch`. Returns how many were dropped since the last time.
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// A sink whose every write waits until the test receives it.
    struct Slow(Sender<Vec<u8>>, Receiver<()>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
            self.1.recv().map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn slow() -> (Output, Receiver<Vec<u8>>, Sender<()>) {
        let ((sink, written), (go_on, turn)) = (channel(), channel());
        let output = Output::start(Slow(sink, turn)).expect("a thread");
        (output, written, go_on)
    }

    #[test]
    fn lines_arrive_whole_and_in_order() {
        let (output, written, go_on) = slow();
        let lines: Vec<_> = (0..1000).map(|it| format!("line {it}\n")).collect();
        lines.iter().for_each(|it| output.push(it.as_bytes()));
        let mut arrived = Vec::new();
        while arrived.len() < lines.concat().len() {
            arrived.extend(written.recv().expect("a write"));
            go_on.send(()).expect("the writer");
        }
        assert_eq!(String::from_utf8(arrived).expect("UTF-8"), lines.concat());
    }

    #[test]
    fn a_log_that_is_not_read_delays_nothing_and_costs_bounded_memory() {
        let (output, written, go_on) = slow();
        let mut line = [b'a'; 1 << 10];
        line[line.len() - 1] = b'\n';
        output.push(&line);
        // From here on the writer waits within its first write.
        let first = written.recv().expect("a write");
        assert_eq!(first.len(), line.len());
        let fitting = CAPACITY / line.len();
        (0..fitting + 7).for_each(|_| output.push(&line));
        {
            let queue = output.0.queue.lock();
            assert_eq!((queue.lines.len(), queue.dropped), (CAPACITY, 7));
        }
        go_on.send(()).expect("the writer");
        assert_eq!(written.recv().expect("a write").len(), CAPACITY);
        assert_eq!(output.0.queue.lock().dropped, 0);
        output.push(&line);
        go_on.send(()).expect("the writer");
        assert_eq!(written.recv().expect("a write").len(), line.len());
    }

    #[test]
    fn a_line_that_is_torn_by_an_error_does_not_spoil_the_next_one() {
        struct Full(Arc<Mutex<Vec<u8>>>, usize);

        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                let room = mem::take(&mut self.1).min(bytes.len());
                self.0.lock().extend_from_slice(&bytes[..room]);
                match room {
                    0 => {
                        self.1 = usize::MAX;
                        Err(ErrorKind::StorageFull.into())
                    }
                    _ => Ok(room),
                }
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let written = Arc::new(Mutex::new(Vec::new()));
        let output = Output::start(Full(written.clone(), 5)).expect("a thread");
        for line in ["line one\n", "line two\n"] {
            output.push(line.as_bytes());
            output.flush();
        }
        assert_eq!(*written.lock(), b"line \nline two\n");
    }

    #[test]
    fn a_log_that_cannot_be_written_complains_once_it_can() {
        struct Refusing(Arc<Mutex<(bool, Vec<u8>)>>, Sender<()>);

        impl Write for Refusing {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                let _ = self.1.send(());
                let mut state = self.0.lock();
                if !state.0 {
                    return Err(ErrorKind::StorageFull.into());
                }
                state.1.extend_from_slice(bytes);
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let state = Arc::new(Mutex::new((false, Vec::new())));
        let (tried, tries) = channel();
        let (output, sink) = (Output::default(), Refusing(state.clone(), tried));
        // Its own complaints go to itself, as those of a server do.
        let writer = output.clone();
        thread::spawn(move || {
            let subscriber = tracing_subscriber::fmt()
                .with_ansi(false)
                .with_writer(writer.clone());
            tracing::subscriber::with_default(subscriber.finish(), || writer.write_lines(sink));
        });
        const LOST: usize = 5;
        for _ in 0..LOST {
            output.push(b"lost\n");
            output.flush();
        }
        assert_eq!(tries.try_iter().count(), LOST, "a try for each line");
        state.lock().0 = true;
        output.push(b"kept\n");
        output.flush();
        // What it has said of the lost ones.
        output.flush();
        let written = String::from_utf8(state.lock().1.clone()).expect("text");
        assert!(written.starts_with("kept\n"), "{written}");
        assert_eq!(written.lines().count(), 2, "{written}");
        assert!(written.contains(&format!("lines={LOST}")), "{written}");
    }

    #[test]
    fn a_flush_returns_when_the_last_line_is_written() {
        let written = Arc::new(Mutex::new(Vec::new()));

        struct Kept(Arc<Mutex<Vec<u8>>>);

        impl Write for Kept {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.lock().extend_from_slice(bytes);
                Ok(bytes.len())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }

        let output = Output::start(Kept(written.clone())).expect("a thread");
        for line in ["one\n", "two\n", "three\n"] {
            output.push(line.as_bytes());
            output.flush();
            assert!(written.lock().ends_with(line.as_bytes()));
        }
        // A flush of nothing returns, too.
        output.flush();
    }
}
