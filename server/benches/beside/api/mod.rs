//! Creating and polling beside an axum handler that answers a constant of the same size.
//!
//! The one who asks takes its part of the processors, so a ratio of answers a second is kinder than one of
//! what an answer costs the server: both are told.

pub mod load;
pub mod nothing;
mod report;
mod rows;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use load::{Load, Pace, Seen};
use report::Row;
use rows::Known;

use crate::process::worked;
use crate::servers::Server;
use crate::table::median;

/// Agents that poll at a time, and that create at a time.
const POLLING: usize = 32;
const CREATING: usize = 64;

/// Requests that are polled, each as likely as the others.
const POLLED: usize = 1000;

/// Requests in a large database.
const MANY: usize = 1_000_000;

const REPETITIONS: usize = 5;

const LASTS: Duration = Duration::from_secs(2);

const WARM_UP: Duration = Duration::from_millis(500);

/// How long a smoke run asks, and of how many requests a large database is to it.
const QUICK: (Duration, usize) = (Duration::from_millis(200), 20_000);

/// Whom to ask, and what.
pub struct Target {
    pub server: Server,
    pub requests: Vec<Vec<u8>>,
    connections: usize,
}

/// What one measurement tells of a server.
#[derive(Clone, Copy)]
struct Figures {
    seen: Seen,
    /// How long processors worked for one answer, in the server.
    each: Duration,
}

pub async fn measure(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (binary, disk) = (binary.to_owned(), disk.to_owned());
    // The one who asks never gives its thread back.
    tokio::task::spawn_blocking(move || blocking(&binary, &disk, quick)).await?
}

fn blocking(binary: &Path, disk: &Path, quick: bool) -> Result<()> {
    let (lasts, many, repetitions) = match quick {
        true => (QUICK.0, QUICK.1, 1),
        false => (LASTS, MANY, REPETITIONS),
    };
    let few = polls(binary, disk.join("few"), 0)?;
    let crowded = polls(binary, disk.join("many"), many)?;
    let creates = Target {
        server: Server::vidence(binary, &disk.join("creates"))?,
        requests: vec![create()],
        connections: CREATING,
    };
    let answer = sample(&few)?;
    let nothing = |requests: &[Vec<u8>], connections| -> Result<Target> {
        Ok(Target {
            server: Server::nothing(&answer)?,
            requests: requests.to_vec(),
            connections,
        })
    };
    let no_polls = nothing(&few.requests, POLLING)?;
    let no_creates = nothing(&creates.requests, CREATING)?;

    let turns = |targets: &[&Target], pace: Pace| -> Result<Vec<Figures>> {
        let mut figures = vec![Vec::new(); targets.len()];
        for target in targets {
            target.ask(Pace::AsFast, WARM_UP.min(lasts))?;
        }
        for _ in 0..repetitions {
            for (target, figures) in targets.iter().zip(&mut figures) {
                // What was left to be written is not this one's to wait for.
                rustix::fs::syncfs(File::open(disk)?)?;
                figures.push(target.ask(pace, lasts)?);
            }
        }
        Ok(figures.iter().map(|it| middle(it)).collect())
    };
    let row = |what: &'static str, figures: &[Figures]| Row {
        what,
        ours: figures[0],
        peer: figures[1],
    };
    let polls = row("polls", &turns(&[&few, &no_polls], Pace::AsFast)?);
    let created = turns(&[&creates, &no_creates], Pace::AsFast)?;
    let half = Pace::PerSecond(polls.ours.seen.per_second / 2.0);
    let paced = turns(&[&few, &no_polls, &crowded], half)?;
    let rows = [
        polls,
        row("creates", &created),
        row("polls, half load", &paced),
        row("the same, a million rows", &[paced[2], paced[1]]),
    ];
    report::print(&rows);
    println!("\n{}", report::verdict(&rows));
    Ok(())
}

/// Ours, with so many requests that nobody asks for beside those that are polled.
fn polls(binary: &Path, folder: PathBuf, strangers: usize) -> Result<Target> {
    polls_on(|folder| Server::vidence(binary, folder), folder, strangers)
}

/// Likewise, of a server that is started so.
pub fn polls_on(
    start: impl Fn(&Path) -> Result<Server>,
    folder: PathBuf,
    strangers: usize,
) -> Result<Target> {
    // Makes the tables, and is gone.
    drop(start(&folder)?);
    let known = rows::fill(&folder.join("vidence.db"), strangers, POLLED)?;
    Ok(Target {
        server: start(&folder)?,
        requests: known.iter().map(poll).collect(),
        connections: POLLING,
    })
}

fn poll(Known { id, token }: &Known) -> Vec<u8> {
    format!(
        "GET /v1/requests/{id} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\
         User-Agent: bench\r\nAuthorization: Bearer {token}\r\n\r\n"
    )
    .into_bytes()
}

fn create() -> Vec<u8> {
    let body = r#"{"prompt":"Show the dent in the door.","expires_in_hours":24}"#;
    let length = body.len();
    format!(
        "POST /v1/requests HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nUser-Agent: bench\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// What our server answers to a poll.
fn sample(target: &Target) -> Result<String> {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(target.server.address())?;
    let poll = target.requests.first().context("nothing to ask for")?;
    let poll = String::from_utf8(poll.clone())?.replacen("Accept: */*", "Connection: close", 1);
    stream.write_all(poll.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").context("no body")?;
    Ok(body.to_owned())
}

impl Target {
    fn ask(&self, pace: Pace, lasts: Duration) -> Result<Figures> {
        let before = worked(self.server.id())?;
        let seen = load::run(&Load {
            address: self.server.address(),
            requests: &self.requests,
            connections: self.connections,
            pace,
            lasts,
        })?;
        let worked = worked(self.server.id())?.saturating_sub(before);
        let answers = u32::try_from(seen.answers)?.max(1);
        eprintln!("{} {pace:?}: {seen:?}", self.server.base);
        Ok(Figures {
            seen,
            each: worked / answers,
        })
    }
}

/// The median of each figure.
fn middle(figures: &[Figures]) -> Figures {
    let of = |figure: fn(&Figures) -> f64| median(figures.iter().map(figure).collect());
    let time = |figure| Duration::from_secs_f64(of(figure));
    Figures {
        seen: Seen {
            per_second: of(|it| it.seen.per_second),
            p50: time(|it| it.seen.p50.as_secs_f64()),
            p99: time(|it| it.seen.p99.as_secs_f64()),
            most: time(|it| it.seen.most.as_secs_f64()),
            worked: time(|it| it.seen.worked.as_secs_f64() / it.seen.answers.max(1) as f64),
            answers: 1,
        },
        each: time(|it| it.each.as_secs_f64()),
    }
}
