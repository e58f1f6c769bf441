//! Creating and polling requests compared with an axum handler that answers a constant of the same size.
//!
//! The load generator shares the processors with the server, which flatters a ratio of throughputs; the table
//! therefore has the CPU time of a response as well.

pub mod constant_handler;
mod curves;
pub mod h2load;
pub mod load;
mod report;
mod rows;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use load::{Load, LoadResult, Rate, poll};
use report::Row;

use crate::process::cpu_time;
use crate::servers::Server;
use crate::stats::median;

/// Connections that poll, and that create.
const POLLING: usize = 32;
const CREATING: usize = 64;

/// Requests that are polled, each as likely as the others.
const POLLED: usize = 1000;

/// Requests in a large database.
const LARGE_DATABASE: usize = 1_000_000;

const REPETITIONS: usize = 5;

const DURATION: Duration = Duration::from_secs(2);

const WARM_UP: Duration = Duration::from_millis(500);

/// Duration and large database of a smoke run.
const QUICK: (Duration, usize) = (Duration::from_millis(200), 20_000);

/// A server and the load for it.
pub struct Target {
    pub server: Server,
    pub requests: Vec<Vec<u8>>,
    connections: usize,
}

/// Result of one measurement of a server.
#[derive(Clone, Copy)]
struct Figures {
    result: LoadResult,
    /// CPU time of the server for one response.
    cpu_time_each: Duration,
}

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (binary, disk) = (binary.to_owned(), disk.to_owned());
    // The load generator blocks its thread.
    tokio::task::spawn_blocking(move || measure_blocking(&binary, &disk, quick)).await?
}

fn measure_blocking(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (duration, large, repetitions) = match quick {
        true => (QUICK.0, QUICK.1, 1),
        false => (DURATION, LARGE_DATABASE, REPETITIONS),
    };
    let small = polls(binary, disk.join("few"), 0)?;
    let crowded = polls(binary, disk.join("many"), large)?;
    let creates = Target {
        server: Server::vidence(binary, &disk.join("creates"))?,
        requests: vec![create()],
        connections: CREATING,
    };
    let answer = sample(&small)?;
    let constant = |requests: &[Vec<u8>], connections| -> Result<Target> {
        Ok(Target {
            server: Server::constant(&answer)?,
            requests: requests.to_vec(),
            connections,
        })
    };
    let no_polls = constant(&small.requests, POLLING)?;
    let no_creates = constant(&creates.requests, CREATING)?;

    let measure_in_turns = |targets: &[&Target], rate: Rate| -> Result<Vec<Figures>> {
        let mut figures = vec![Vec::new(); targets.len()];
        for target in targets {
            target.measure(Rate::Unlimited, WARM_UP.min(duration))?;
        }
        for _ in 0..repetitions {
            for (target, figures) in targets.iter().zip(&mut figures) {
                // Flushes what earlier runs left to be written, so that this one doesn't wait for it.
                rustix::fs::syncfs(File::open(disk)?)?;
                figures.push(target.measure(rate, duration)?);
            }
        }
        Ok(figures.iter().map(|it| medians(it)).collect())
    };
    let row = |what: &'static str, figures: &[Figures]| Row {
        what,
        ours: figures[0],
        peer: figures[1],
    };
    let polls = row(
        "polls",
        &measure_in_turns(&[&small, &no_polls], Rate::Unlimited)?,
    );
    let created = measure_in_turns(&[&creates, &no_creates], Rate::Unlimited)?;
    let half = Rate::PerSecond(polls.ours.result.per_second / 2.0);
    let paced = measure_in_turns(&[&small, &no_polls, &crowded], half)?;
    let rows = [
        polls,
        row("creates", &created),
        row("polls, half load", &paced),
        row("the same, a million rows", &[paced[2], paced[1]]),
    ];
    report::print(&rows);
    println!("\n{}", report::targets(&rows));
    let most = rows[0].ours.result.per_second;
    curves::draw(&small, &no_polls, most, repetitions, duration)?;
    h2load::measure(binary, &disk.join("h2load"), &answer, repetitions, duration)
}

/// A server with this many requests besides those that are polled.
pub fn polls(binary: &Path, folder: PathBuf, others: usize) -> Result<Target> {
    // Creates the tables.
    drop(Server::vidence(binary, &folder)?);
    let credentials = rows::fill(&folder.join("vidence.db"), others, POLLED)?;
    Ok(Target {
        server: Server::vidence(binary, &folder)?,
        requests: credentials
            .iter()
            .map(|it| poll(&it.id, &it.token))
            .collect(),
        connections: POLLING,
    })
}

/// The body of a creation.
const PROMPT: &str = r#"{"prompt":"Show the dent in the door.","expires_in_hours":24}"#;

fn create() -> Vec<u8> {
    let (body, length) = (PROMPT, PROMPT.len());
    format!(
        "POST /v1/requests HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nUser-Agent: bench\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// Our server's response body to a poll.
fn sample(target: &Target) -> Result<String> {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(target.server.address())?;
    let poll = target.requests.first().context("no requests")?;
    let poll = String::from_utf8(poll.clone())?.replacen("Accept: */*", "Connection: close", 1);
    stream.write_all(poll.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").context("no body")?;
    Ok(body.to_owned())
}

impl Target {
    fn measure(&self, rate: Rate, duration: Duration) -> Result<Figures> {
        self.measure_with(self.connections, rate, duration)
    }

    fn measure_with(&self, connections: usize, rate: Rate, duration: Duration) -> Result<Figures> {
        let before = cpu_time(self.server.id())?;
        let result = load::run(&Load {
            address: self.server.address(),
            requests: &self.requests,
            connections,
            rate,
            duration,
        })?;
        let cpu_time = cpu_time(self.server.id())?.saturating_sub(before);
        let answers = u32::try_from(result.answers)?.max(1);
        eprintln!("{} {rate:?}: {result:?}", self.server.base);
        Ok(Figures {
            result,
            cpu_time_each: cpu_time / answers,
        })
    }
}

/// The median of each figure.
fn medians(figures: &[Figures]) -> Figures {
    let of = |figure: fn(&Figures) -> f64| median(figures.iter().map(figure).collect());
    let time = |figure| Duration::from_secs_f64(of(figure));
    Figures {
        result: LoadResult {
            per_second: of(|it| it.result.per_second),
            p50: time(|it| it.result.p50.as_secs_f64()),
            p99: time(|it| it.result.p99.as_secs_f64()),
            max: time(|it| it.result.max.as_secs_f64()),
            cpu_time: time(|it| it.result.cpu_time.as_secs_f64() / it.result.answers.max(1) as f64),
            answers: 1,
        },
        cpu_time_each: time(|it| it.cpu_time_each.as_secs_f64()),
    }
}
