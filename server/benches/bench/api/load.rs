//! A load generator: one thread with many connections, cheap enough that the server is the bottleneck.
//!
//! No general HTTP client: it sends prepared bytes, and reads no more of a response than where it ends.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::buffer::spare_capacity;
use rustix::event::{self, PollFd, PollFlags, Timespec, epoll};

use crate::process::cpu_time;
use crate::stats::quantile;

/// Timeout of a response.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Status lines of success; every other one is a failure.
const SUCCESS: [&[u8]; 2] = [b"HTTP/1.1 200", b"HTTP/1.1 201"];

/// The load to generate.
pub struct Load<'a> {
    /// `127.0.0.1:port`
    pub address: &'a str,
    /// Complete HTTP requests, sent in turns.
    pub requests: &'a [Vec<u8>],
    /// Connections, each with at most one request in flight.
    pub connections: usize,
    pub rate: Rate,
    pub duration: Duration,
}

#[derive(Clone, Copy, Debug)]
pub enum Rate {
    /// A request as soon as a connection is idle.
    Unlimited,
    /// This many a second, whether responses arrive or not.
    PerSecond(f64),
}

/// Result of a run.
#[derive(Clone, Copy, Debug)]
pub struct LoadResult {
    pub per_second: f64,
    /// Median latency, from when a request was due until its response was complete.
    pub p50: Duration,
    /// 99th percentile of the latency.
    pub p99: Duration,
    /// The longest latency.
    pub max: Duration,
    /// CPU time of the load generator.
    pub cpu_time: Duration,
    pub answers: usize,
}

/// The bytes of a poll of a request's status.
pub fn poll(id: impl Display, token: impl Display) -> Vec<u8> {
    format!(
        "GET /v1/requests/{id} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\
         User-Agent: bench\r\nAuthorization: Bearer {token}\r\n\r\n"
    )
    .into_bytes()
}

struct Connection {
    stream: TcpStream,
    answer: Vec<u8>,
    due: Instant,
}

/// Generates the load and waits for the last responses.
pub fn run(load: &Load) -> Result<LoadResult> {
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
    // In turns, so that the server doesn't close any of them as idle.
    let mut idle: VecDeque<usize> = (0..connections.len()).collect();
    let (mut sent, mut latencies) = (0, Vec::new());
    let mut events = Vec::with_capacity(load.connections);
    let (before, start) = (cpu_time(std::process::id())?, Instant::now());
    loop {
        let now = Instant::now();
        let due = loop {
            let due = load.due(start, sent, now);
            if due > now || due >= start + load.duration {
                break due;
            }
            let Some(index) = idle.pop_front() else {
                break due;
            };
            connections[index].send(load.request(sent), due)?;
            sent += 1;
        };
        let is_over = due >= start + load.duration;
        if is_over && idle.len() == connections.len() {
            break;
        }
        let timeout = match idle.is_empty() || is_over {
            true => TIMEOUT,
            false => due - now,
        };
        wait(&epoll, timeout, !idle.is_empty() && !is_over)?;
        epoll::wait(
            &epoll,
            spare_capacity(&mut events),
            Some(&Timespec::default()),
        )?;
        for event in events.drain(..) {
            let index = usize::try_from(event.data.u64())?;
            if connections[index].read()? {
                latencies.push(connections[index].due.elapsed());
                idle.push_back(index);
            }
        }
    }
    let (elapsed, after) = (start.elapsed(), cpu_time(std::process::id())?);
    latencies.sort_unstable();
    Ok(LoadResult {
        per_second: latencies.len() as f64 / elapsed.as_secs_f64(),
        p50: quantile(&latencies, 50),
        p99: quantile(&latencies, 99),
        max: quantile(&latencies, 100),
        cpu_time: after.saturating_sub(before),
        answers: latencies.len(),
    })
}

/// Waits with nanosecond resolution, which `epoll_wait` lacks.
fn wait(epoll: impl std::os::fd::AsFd, timeout: Duration, may_end: bool) -> Result<()> {
    let events = event::poll(
        &mut [PollFd::new(&epoll, PollFlags::IN)],
        Some(&Timespec::try_from(timeout)?),
    )?;
    ensure!(events > 0 || may_end, "no response in time");
    Ok(())
}

impl Load<'_> {
    fn due(&self, start: Instant, sent: u32, now: Instant) -> Instant {
        match self.rate {
            Rate::Unlimited => now,
            Rate::PerSecond(rate) => start + Duration::from_secs_f64(f64::from(sent) / rate),
        }
    }

    /// Selects a request in a pseudo-random order that caches don't favour.
    fn request(&self, sent: u32) -> &[u8] {
        let index = sent.wrapping_mul(0x9e37_79b9) as usize % self.requests.len();
        &self.requests[index]
    }
}

impl Connection {
    fn send(&mut self, request: &[u8], due: Instant) -> Result<()> {
        self.answer.clear();
        self.due = due;
        // Much less than a socket's send buffer.
        let sent = self.stream.write(request)?;
        ensure!(sent == request.len(), "a request went out in parts");
        Ok(())
    }

    /// Reads available bytes. Returns whether the response is complete.
    fn read(&mut self) -> Result<bool> {
        let mut bytes = [0; 4096];
        let read = match self.stream.read(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            read => read?,
        };
        ensure!(read > 0, "the server closed the connection");
        self.answer.extend_from_slice(&bytes[..read]);
        let Some(head) = self.answer.windows(4).position(|it| it == b"\r\n\r\n") else {
            return Ok(false);
        };
        if !SUCCESS.iter().any(|good| self.answer.starts_with(good)) {
            bail!(
                "the server answers {}",
                String::from_utf8_lossy(&self.answer)
            );
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
