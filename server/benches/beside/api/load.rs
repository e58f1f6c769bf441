//! Who asks: one thread with many connections, cheap enough that the server is what is measured.
//!
//! Not a client of anything else: it sends bytes that are ready, and reads no more of an answer than where
//! it ends.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, epoll, poll};

use crate::process::worked;

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(30);

/// How an answer begins that is none: everything else is a failure.
const GOOD: [&[u8]; 2] = [b"HTTP/1.1 200", b"HTTP/1.1 201"];

/// What is asked for.
pub struct Load<'a> {
    /// `127.0.0.1:port`
    pub address: &'a str,
    /// Whole requests, of which one after the other is sent.
    pub requests: &'a [Vec<u8>],
    /// Each has one request under way at most.
    pub connections: usize,
    pub pace: Pace,
    pub lasts: Duration,
}

#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// The next one when there is an answer.
    AsFast,
    /// So many a second, whether there are answers or not.
    PerSecond(f64),
}

/// What was seen.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub per_second: f64,
    /// From when a request was due until its answer was there.
    pub p50: Duration,
    /// Likewise.
    pub p99: Duration,
    /// Likewise: the longest one.
    pub most: Duration,
    /// How long the processor worked for the one who asks.
    pub worked: Duration,
    pub answers: usize,
}

struct Connection {
    stream: TcpStream,
    answer: Vec<u8>,
    due: Instant,
}

/// Asks, until the time is over and everything is answered.
pub fn run(load: &Load) -> Result<Seen> {
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let mut connections = Vec::new();
    for index in 0..load.connections {
        let stream = TcpStream::connect(load.address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let data = epoll::EventData::new_u64(index as u64);
        epoll::add(&epoll, &stream, data, epoll::EventFlags::IN)?;
        connections.push(Connection {
            stream,
            answer: Vec::new(),
            due: Instant::now(),
        });
    }
    // By turns, so that none is idle for so long that the server ends it.
    let mut idle: VecDeque<usize> = (0..connections.len()).collect();
    let (mut sent, mut waits) = (0, Vec::new());
    let mut events = Vec::with_capacity(load.connections);
    let (before, start) = (worked(std::process::id())?, Instant::now());
    loop {
        let now = Instant::now();
        let due = loop {
            let due = load.due(start, sent, now);
            if due > now || due >= start + load.lasts {
                break due;
            }
            let Some(index) = idle.pop_front() else {
                break due;
            };
            connections[index].send(load.request(sent), due)?;
            sent += 1;
        };
        let over = due >= start + load.lasts;
        if over && idle.len() == connections.len() {
            break;
        }
        let patience = match idle.is_empty() || over {
            true => PATIENCE,
            false => due - now,
        };
        wait(&epoll, patience, !idle.is_empty() && !over)?;
        epoll::wait(
            &epoll,
            spare_capacity(&mut events),
            Some(&Timespec::default()),
        )?;
        for event in events.drain(..) {
            let index = usize::try_from(event.data.u64())?;
            if connections[index].read()? {
                waits.push(connections[index].due.elapsed());
                idle.push_back(index);
            }
        }
    }
    let (took, after) = (start.elapsed(), worked(std::process::id())?);
    waits.sort_unstable();
    Ok(Seen {
        per_second: waits.len() as f64 / took.as_secs_f64(),
        p50: quantile(&waits, 50),
        p99: quantile(&waits, 99),
        most: quantile(&waits, 100),
        worked: after.saturating_sub(before),
        answers: waits.len(),
    })
}

/// To the nanosecond, which `epoll_wait` by itself doesn't.
fn wait(epoll: impl std::os::fd::AsFd, patience: Duration, may_end: bool) -> Result<()> {
    let events = poll(
        &mut [PollFd::new(&epoll, PollFlags::IN)],
        Some(&Timespec::try_from(patience)?),
    )?;
    ensure!(events > 0 || may_end, "there is no answer");
    Ok(())
}

impl Load<'_> {
    fn due(&self, start: Instant, sent: u32, now: Instant) -> Instant {
        match self.pace {
            Pace::AsFast => now,
            Pace::PerSecond(rate) => start + Duration::from_secs_f64(f64::from(sent) / rate),
        }
    }

    /// Each of them about as often, in no order that a cache could like.
    fn request(&self, sent: u32) -> &[u8] {
        let index = sent.wrapping_mul(0x9e37_79b9) as usize % self.requests.len();
        &self.requests[index]
    }
}

impl Connection {
    fn send(&mut self, request: &[u8], due: Instant) -> Result<()> {
        self.answer.clear();
        self.due = due;
        // Far less than a socket takes at once.
        let sent = self.stream.write(request)?;
        ensure!(sent == request.len(), "a request went out in parts");
        Ok(())
    }

    /// Takes what there is. Whether that ends the answer.
    fn read(&mut self) -> Result<bool> {
        let mut bytes = [0; 4096];
        let read = match self.stream.read(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            read => read?,
        };
        ensure!(read > 0, "the server hung up");
        self.answer.extend_from_slice(&bytes[..read]);
        let Some(head) = self.answer.windows(4).position(|it| it == b"\r\n\r\n") else {
            return Ok(false);
        };
        if !GOOD.iter().any(|good| self.answer.starts_with(good)) {
            bail!("it answers {}", String::from_utf8_lossy(&self.answer));
        }
        let name = b"content-length: ";
        let length = self.answer[..head].windows(name.len());
        let length = length.into_iter().position(|it| it == name);
        let length = &self.answer[length.context("no length")? + name.len()..head];
        let digits = length.iter().take_while(|it| it.is_ascii_digit());
        let length = digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'));
        Ok(self.answer.len() >= head + 4 + length)
    }
}

/// The smallest of the sorted values that so many percent of them don't exceed.
fn quantile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted
        .get(rank.saturating_sub(1))
        .copied()
        .unwrap_or_default()
}
