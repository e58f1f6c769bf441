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
fn a_torn_log_line_leaves_the_next_one_intact() {
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
