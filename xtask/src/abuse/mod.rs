//! `cargo xtask abuse`: runs attacks against a server one after the other, with honest clients beside each.
//!
//! Only servers on loopback addresses are attacked, with bounded connections, bytes and time. Attackers run at the lowest
//! priority, so that honest clients wait for the server and not for this program.

mod attacks;
mod flood;
mod framing;
mod honest;
mod http;
mod http2;
mod process;
mod target;

use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;

use crate::build::{self, Profile};
use crate::server::Server;
use attacks::{ATTACKS, Attack};
use honest::HonestClients;
use process::MemorySampler;
use target::Outcome;

pub use target::Target;

/// Maximum growth of the server's memory during an attack, in bytes.
const MAX_MEMORY: u64 = 100_000_000;

/// Maximum ratio of honest clients' waits to those without an attack.
const MAX_WAIT_RATIO: f64 = 3.0;

/// How long honest clients are measured before the first attack.
const BASELINE: Duration = Duration::from_secs(10);

/// How long honest clients poll before the first attack if they aren't measured.
const WARM_UP: Duration = Duration::from_millis(500);

/// Maximum wait between two attacks, until the server has finished what the last one caused.
const MAX_PAUSE: Duration = Duration::from_secs(5);

#[derive(Args)]
pub struct Flags {
    /// The http:// URL of a server on this machine; by default one is built and started
    #[arg(long)]
    url: Option<String>,
    /// The id of the server's process, if it can't be found by its address
    #[arg(long, requires = "url")]
    pid: Option<u32>,
    /// Duration of each attack
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Only attacks whose names contain this
    #[arg(long)]
    only: Option<String>,
}

/// The result of an attack.
struct Report {
    attack: &'static Attack,
    outcome: Outcome,
    memory: u64,
    cpu: f64,
    p99: Duration,
}

/// Runs the attacks and prints a table. Fails if a limit was exceeded.
pub fn run(flags: &Flags) -> Result<()> {
    let (server, address) = match &flags.url {
        Some(url) => (None, http::parse_loopback_url(url)?),
        None => {
            let server = Server::start(&build::build(Profile::Release)?)?;
            let address = server.address;
            (Some(server), address)
        }
    };
    let pid = match (flags.pid, &server) {
        (Some(pid), _) => pid,
        (None, Some(server)) => server.process.id(),
        (None, None) => process::find_listener(address)?,
    };
    let duration = Duration::from_secs(flags.seconds);
    let (baseline, reports) = run_attacks(address, pid, duration, flags.only.as_deref(), true)?;
    print(baseline, &reports);
    check_limits(&reports, baseline)
}

/// Runs the attacks briefly against this binary.
/// Waits have no limit, because they depend on the machine's load.
pub fn test(binary: &Path) -> Result<()> {
    let server = Server::start(binary)?;
    let duration = Duration::from_secs(2);
    let pid = server.process.id();
    let (_, reports) = run_attacks(server.address, pid, duration, None, false)?;
    print(None, &reports);
    check_limits(&reports, None)
}

/// Also returns the 99th percentile of the waits without an attack, if that is to be measured.
fn run_attacks(
    address: SocketAddr,
    pid: u32,
    duration: Duration,
    only: Option<&str>,
    with_baseline: bool,
) -> Result<(Option<Duration>, Vec<Report>)> {
    let honest = HonestClients::create(address)?;
    let target = Target::prepare(address)?;
    // Its video is still being sealed.
    process::wait_until_idle(pid, MAX_PAUSE)?;
    let mut idle = match with_baseline {
        true => Some(honest.poll_for(BASELINE.min(duration * 2))?),
        // The first attack would be charged with what serving for the first time takes.
        false => {
            honest.poll_for(WARM_UP)?;
            None
        }
    };
    let mut reports = Vec::new();
    for attack in ATTACKS {
        if only.is_some_and(|only| !attack.name.contains(only)) {
            continue;
        }
        eprintln!("  {}", attack.name);
        // The baseline is measured before each attack, because the speed of the machine varies.
        if let Some(idle) = &mut idle {
            idle.merge(honest.poll_for(duration / 2)?);
        }
        let (memory_before, cpu_before) = (process::memory(pid)?, process::cpu(pid)?);
        let (sampler, polling) = (MemorySampler::start(pid), honest.start());
        let start = Instant::now();
        let deadline = start + duration;
        let mut outcome = (attack.run)(&target, deadline)?;
        // An attack that the server ends early is repeated: a 99th percentile needs many waits.
        while Instant::now() < deadline {
            outcome.merge((attack.run)(&target, deadline)?);
        }
        let took = start.elapsed();
        let waits = polling.stop()?;
        let cpu = process::cpu(pid)?.saturating_sub(cpu_before);
        reports.push(Report {
            attack,
            outcome,
            memory: sampler.peak()?.saturating_sub(memory_before),
            cpu: cpu.as_secs_f64() / took.as_secs_f64(),
            p99: waits.p99(),
        });
        process::wait_until_idle(pid, MAX_PAUSE)?;
    }
    Ok((idle.map(|it| it.p99()), reports))
}

fn print(baseline: Option<Duration>, reports: &[Report]) {
    if let Some(baseline) = baseline {
        println!(
            "honest clients without an attack: p99 {:.2} ms\n",
            millis(baseline)
        );
    }
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

fn check_limits(reports: &[Report], baseline: Option<Duration>) -> Result<()> {
    let mut exceeded = Vec::new();
    for it in reports {
        let name = it.attack.name;
        let max_memory = it.attack.max_memory.unwrap_or(MAX_MEMORY);
        if it.memory > max_memory {
            exceeded.push(format!("{name}: {:.1} MB", it.memory as f64 / 1e6));
        }
        if baseline.is_some_and(|baseline| it.p99 > baseline.mul_f64(MAX_WAIT_RATIO)) {
            exceeded.push(format!(
                "{name}: honest clients wait {:.2} ms",
                millis(it.p99)
            ));
        }
        exceeded.extend(
            it.outcome
                .violations
                .iter()
                .map(|violation| format!("{name}: {violation}")),
        );
    }
    match exceeded.is_empty() {
        true => Ok(()),
        false => bail!("limits were exceeded:\n{}", exceeded.join("\n")),
    }
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// Runs `work` on several threads of the lowest priority, and merges their outcomes.
fn in_parallel(threads: usize, work: impl Fn(usize) -> Result<Outcome> + Sync) -> Result<Outcome> {
    thread::scope(|scope| {
        let work = &work;
        let spawned: Vec<_> = (0..threads)
            .map(|number| {
                scope.spawn(move || {
                    // Of this thread alone on Linux. If it fails, honest clients only wait longer.
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
