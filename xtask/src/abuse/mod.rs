//! What a stranger can do to a server, tried: each attack in turn, with honest clients beside it.
//!
//! Loopback only, and bounded in connections, bytes and time. Attackers run at the lowest priority, so that what
//! honest clients wait for is the server and not this program.

mod attacks;
mod flood;
mod framing;
mod honest;
mod http;
mod http2;
mod process;
mod stage;

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::build;
use crate::shell::root;
use attacks::{ATTACKS, Attack};
use honest::HonestClients;
use process::MemoryWatch;
use stage::{Outcome, Stage};

/// What an attack may add to the server's memory, in bytes.
const MAX_MEMORY: u64 = 100_000_000;

/// How much longer honest clients may wait than without an attack.
const MAX_WAIT_RATIO: f64 = 3.0;

/// For how long honest clients are measured before the first attack.
const BASELINE: Duration = Duration::from_secs(10);

/// How long to wait, between two attacks, for the end of what the last one left behind.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

#[derive(Args)]
pub struct Flags {
    /// A server on this machine, by its http:// address; by default one is built and started
    #[arg(long)]
    url: Option<String>,
    /// The server's process, where it can't be found by its address
    #[arg(long, requires = "url")]
    pid: Option<u32>,
    /// For how long each attack goes on
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Only attacks whose name contains this
    #[arg(long)]
    only: Option<String>,
}

/// What became of one attack.
struct Report {
    attack: &'static Attack,
    outcome: Outcome,
    memory: u64,
    cpu: f64,
    p99: Duration,
}

/// Tries everything and prints a table. An error: a bound was broken.
pub fn run(flags: &Flags) -> Result<()> {
    let (server, address) = match &flags.url {
        Some(url) => (None, http::loopback(url)?),
        None => {
            let server = Server::start(&build::release()?)?;
            let address = server.address;
            (Some(server), address)
        }
    };
    let pid = match (flags.pid, &server) {
        (Some(pid), _) => pid,
        (None, Some(server)) => server.process.id(),
        (None, None) => process::listener(address)?,
    };
    let duration = Duration::from_secs(flags.seconds);
    let (baseline, reports) = attack(address, pid, duration, flags.only.as_deref())?;
    print(baseline, &reports);
    judge(&reports, Some(baseline))
}

/// Likewise for a test of this binary: briefly, and without a judgement of waits, which a busy machine decides.
pub fn test(binary: &Path) -> Result<()> {
    let server = Server::start(binary)?;
    let duration = Duration::from_secs(2);
    let (baseline, reports) = attack(server.address, server.process.id(), duration, None)?;
    print(baseline, &reports);
    judge(&reports, None)
}

fn attack(
    address: SocketAddr,
    pid: u32,
    duration: Duration,
    only: Option<&str>,
) -> Result<(Duration, Vec<Report>)> {
    let honest = HonestClients::create(address)?;
    let stage = Stage::prepare(address)?;
    // Its video is still being looked at.
    process::wait_until_idle(pid, LONGEST_PAUSE)?;
    let mut idle = honest.poll_for(BASELINE.min(duration * 2))?;
    let mut reports = Vec::new();
    for attack in ATTACKS {
        if only.is_some_and(|only| !attack.name.contains(only)) {
            continue;
        }
        eprintln!("  {}", attack.name);
        // The machine has slower and faster minutes.
        idle.merge(honest.poll_for(duration / 2)?);
        let (memory_before, cpu_before) = (process::memory(pid)?, process::cpu(pid)?);
        let (watch, polling) = (MemoryWatch::start(pid), honest.start());
        let begun = Instant::now();
        let deadline = begun + duration;
        let mut outcome = (attack.run)(&stage, deadline)?;
        // What the server ends soon is tried again: a few waits have no 99th percentile.
        while Instant::now() < deadline {
            outcome.merge((attack.run)(&stage, deadline)?);
        }
        let took = begun.elapsed();
        let waits = polling.stop()?;
        let cpu = process::cpu(pid)?.saturating_sub(cpu_before);
        reports.push(Report {
            attack,
            outcome,
            memory: watch.peak()?.saturating_sub(memory_before),
            cpu: cpu.as_secs_f64() / took.as_secs_f64(),
            p99: waits.p99(),
        });
        process::wait_until_idle(pid, LONGEST_PAUSE)?;
    }
    Ok((idle.p99(), reports))
}

fn print(baseline: Duration, reports: &[Report]) {
    println!(
        "honest clients without an attack: p99 {:.2} ms\n",
        millis(baseline)
    );
    println!("| attack | sent | memory MB | cores | honest p99 ms | ended by |");
    println!("|---|---|---:|---:|---:|---|");
    for it in reports {
        println!(
            "| {} | {} | {:.1} | {:.2} | {:.2} | {} |",
            it.attack.name,
            it.outcome.sent(),
            it.memory as f64 / 1e6,
            it.cpu,
            millis(it.p99),
            it.outcome.endings(),
        );
    }
}

fn judge(reports: &[Report], baseline: Option<Duration>) -> Result<()> {
    let mut broken = Vec::new();
    for it in reports {
        let name = it.attack.name;
        let bound = it.attack.max_memory.unwrap_or(MAX_MEMORY);
        if it.memory > bound {
            broken.push(format!("{name}: {:.1} MB", it.memory as f64 / 1e6));
        }
        if baseline.is_some_and(|it_was| it.p99 > it_was.mul_f64(MAX_WAIT_RATIO)) {
            broken.push(format!(
                "{name}: honest clients wait {:.2} ms",
                millis(it.p99)
            ));
        }
        broken.extend(
            it.outcome
                .wrong
                .iter()
                .map(|wrong| format!("{name}: {wrong}")),
        );
    }
    match broken.is_empty() {
        true => Ok(()),
        false => bail!("bounds were broken:\n{}", broken.join("\n")),
    }
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// A server of our own with default settings, ended when dropped.
struct Server {
    process: Child,
    address: SocketAddr,
    _data: tempfile::TempDir,
}

impl Server {
    fn start(binary: &Path) -> Result<Self> {
        let parent = root().join("target");
        fs::create_dir_all(&parent)?;
        let data = tempfile::Builder::new()
            .prefix("abuse-")
            .tempdir_in(parent)?;
        let mut process = Command::new(binary)
            .env_clear()
            .args([
                "--listen",
                "127.0.0.1:0",
                "--log-format",
                "json",
                "--data-dir",
            ])
            .arg(data.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("the server can't be started")?;
        let stdout = process.stdout.take().context("no stdout")?;
        let mut lines = BufReader::new(stdout).lines();
        let address = lines.by_ref().find_map(|line| {
            let line = line.ok()?;
            let start = line.find("http://127.0.0.1:")?;
            let url = line[start..].split(['"', ' ', ',']).next()?;
            http::loopback(url).ok()
        });
        // What else it prints is read, so that it never waits for a reader.
        thread::spawn(move || lines.for_each(drop));
        Ok(Self {
            address: address.context("the server doesn't say where it listens")?,
            process,
            _data: data,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails only if it has ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs `work` on so many threads of the lowest priority, and merges what they did.
fn in_parallel(threads: usize, work: impl Fn(usize) -> Result<Outcome> + Sync) -> Result<Outcome> {
    thread::scope(|scope| {
        let work = &work;
        let spawned: Vec<_> = (0..threads)
            .map(|number| {
                scope.spawn(move || {
                    // Of this thread alone, on Linux. Without it the attack is only harder on honest clients.
                    let _ = rustix::process::nice(19);
                    work(number)
                })
            })
            .collect();
        let mut total = Outcome::default();
        for thread in spawned {
            let Ok(outcome) = thread.join() else {
                bail!("an attacker panicked");
            };
            total.merge(outcome?);
        }
        Ok(total)
    })
}
