//! Memory and processor time of the attacked server, from `/proc`.

use std::fs;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

const SAMPLE_INTERVAL: Duration = Duration::from_millis(20);

/// The unit of processor times in `/proc` (`USER_HZ`), which is 100 on all current platforms.
const TICKS_PER_SECOND: f64 = 100.0;

/// The id of the process that listens at a loopback address.
pub fn find_listener(address: SocketAddr) -> Result<u32> {
    let SocketAddr::V4(address) = address else {
        return Err(anyhow!("only IPv4 loopback addresses are supported"));
    };
    // The format of `/proc/net/tcp`: the address in host byte order, hexadecimal; state 0A is LISTEN.
    let ip = u32::from_ne_bytes(address.ip().octets());
    let addresses = [
        format!("{ip:08X}:{:04X}", address.port()),
        format!("00000000:{:04X}", address.port()),
    ];
    let table = fs::read_to_string("/proc/net/tcp")?;
    let inode = table.lines().skip(1).find_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let listens = words.get(3) == Some(&"0A") && addresses.iter().any(|it| it == words[1]);
        listens.then(|| words.get(9).copied()).flatten()
    });
    let socket = format!(
        "socket:[{}]",
        inode.context("no process listens at this address")?
    );
    for entry in fs::read_dir("/proc")? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(pid) = name.to_str().and_then(|it| it.parse().ok()) else {
            continue;
        };
        // Not readable if the process is another user's, or has ended.
        let files = fs::read_dir(entry.path().join("fd")).into_iter().flatten();
        let mut links = files
            .flatten()
            .filter_map(|it| fs::read_link(it.path()).ok());
        if links.any(|it| it.to_str() == Some(&socket)) {
            return Ok(pid);
        }
    }
    Err(anyhow!(
        "the process at this address is another user's: name it with --pid"
    ))
}

/// Anonymous resident memory of a process, in bytes.
/// Pages of files don't count: the kernel can reclaim them.
pub fn memory(pid: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|it| it.strip_prefix("RssAnon:"));
    let kibibytes = line.and_then(|it| it.trim().strip_suffix(" kB"));
    Ok(kibibytes.context("/proc has no RssAnon")?.parse::<u64>()? * 1024)
}

/// The processor time that a process has used.
pub fn cpu(pid: u32) -> Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name, in parentheses, may contain anything. `utime` and `stime` are the 12th and 13th fields behind it.
    let (_, words) = stat.rsplit_once(')').context("/proc has no stat")?;
    let mut words = words.split_whitespace().skip(11);
    let mut ticks = || -> Result<f64> { Ok(words.next().context("a short stat")?.parse()?) };
    Ok(Duration::from_secs_f64(
        (ticks()? + ticks()?) / TICKS_PER_SECOND,
    ))
}

/// Waits until a process uses no processor time, for at most `max`.
pub fn wait_until_idle(pid: u32, max: Duration) -> Result<()> {
    const INTERVAL: Duration = Duration::from_millis(300);
    let deadline = Instant::now() + max;
    let mut before = cpu(pid)?;
    while Instant::now() < deadline {
        thread::sleep(INTERVAL);
        let now = cpu(pid)?;
        if now == before {
            break;
        }
        before = now;
    }
    Ok(())
}

/// Samples the memory of a process on a thread, to find its peak.
pub struct MemorySampler {
    stop: Arc<AtomicBool>,
    sampler: JoinHandle<Result<u64>>,
}

impl MemorySampler {
    pub fn start(pid: u32) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let sampler = thread::spawn(move || {
            let mut peak = memory(pid)?;
            while !stopped.load(Ordering::Relaxed) {
                thread::sleep(SAMPLE_INTERVAL);
                peak = peak.max(memory(pid)?);
            }
            Ok(peak)
        });
        Self { stop, sampler }
    }

    /// Stops, and returns the peak in bytes.
    pub fn peak(self) -> Result<u64> {
        self.stop.store(true, Ordering::Relaxed);
        let peak = self.sampler.join();
        peak.map_err(|_| anyhow!("the sampler panicked"))?
    }
}
