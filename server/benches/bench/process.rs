//! Resources of a process, read from `/proc`: memory, files, threads, children, CPU time.

use std::fs;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Sampling interval; shorter peaks may be missed.
const INTERVAL: Duration = Duration::from_millis(50);

/// Clock ticks a second, in which the kernel reports CPU times: `USER_HZ` is 100 on all common platforms.
const TICKS: u64 = 100;

/// Samples the memory of a process from a thread of its own, which stays on time while the runtime is busy.
pub struct PeakMemory {
    stop: Sender<()>,
    sampling: JoinHandle<Result<u64>>,
}

impl PeakMemory {
    pub fn start(process: u32) -> Self {
        let (stop, stopped) = channel();
        let sampling = thread::spawn(move || {
            let mut peak = rss_anon(process)?;
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(INTERVAL) {
                peak = peak.max(rss_anon(process)?);
            }
            Ok(peak.max(rss_anon(process)?))
        });
        Self { stop, sampling }
    }

    /// Stops sampling. Returns the peak since the start, in bytes.
    pub fn peak(self) -> Result<u64> {
        // Fails only if the thread has failed, which the join reports.
        let _ = self.stop.send(());
        let peak = self.sampling.join();
        peak.map_err(|_| anyhow!("the sampling thread panicked"))?
    }
}

/// CPU time of a process so far, in user and kernel mode.
pub fn cpu_time(process: u32) -> Result<Duration> {
    let [own, _] = times(process)?;
    Ok(own)
}

/// CPU time of a process and all its descendants, running or ended.
pub fn cpu_time_of_tree(process: u32) -> Result<Duration> {
    let [own, ended_children] = times(process)?;
    let mut all = own + ended_children;
    for child in children_of(process)? {
        // A child that ends now is included in the times of ended children at the next call.
        all += cpu_time_of_tree(child).unwrap_or_default();
    }
    Ok(all)
}

/// CPU time of the process itself, and of its children that have ended.
fn times(process: u32) -> Result<[Duration; 2]> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name, in parentheses, may contain anything. Behind it these are the fields from the 12th on:
    // proc_pid_stat(5).
    let (_, words) = stat.rsplit_once(')').context("no name in /proc/PID/stat")?;
    let mut words = words.split_whitespace().skip(11);
    let mut ticks =
        || -> Result<u64> { Ok(words.next().context("/proc/PID/stat is short")?.parse()?) };
    let mut pair = || -> Result<Duration> {
        let ticks = ticks()? + ticks()?;
        Ok(Duration::from_secs_f64(ticks as f64 / TICKS as f64))
    };
    Ok([pair()?, pair()?])
}

/// Anonymous resident memory in bytes, without file pages, which the kernel can reclaim.
pub fn rss_anon(process: u32) -> Result<u64> {
    kibibytes(process, "RssAnon")
}

/// All resident memory in bytes, file pages included.
pub fn rss(process: u32) -> Result<u64> {
    kibibytes(process, "VmRSS")
}

/// Number of open files and sockets.
pub fn open_files(process: u32) -> Result<usize> {
    Ok(fs::read_dir(format!("/proc/{process}/fd"))?.count())
}

pub fn threads(process: u32) -> Result<usize> {
    Ok(status(process, "Threads")?.parse()?)
}

/// Number of running child processes.
pub fn children(process: u32) -> Result<usize> {
    Ok(children_of(process)?.len())
}

fn children_of(process: u32) -> Result<Vec<u32>> {
    let mut children = Vec::new();
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        // A thread may end meanwhile.
        let of_thread = fs::read_to_string(thread?.path().join("children"));
        for child in of_thread.unwrap_or_default().split_whitespace() {
            children.push(child.parse()?);
        }
    }
    Ok(children)
}

/// A value in bytes.
fn kibibytes(process: u32, name: &str) -> Result<u64> {
    let kibibytes = status(process, name)?;
    let kibibytes = kibibytes.strip_suffix(" kB").context("unexpected unit")?;
    Ok(kibibytes.parse::<u64>()? * 1024)
}

fn status(process: u32, name: &str) -> Result<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let mut lines = status.lines().filter_map(|line| line.split_once(':'));
    let line = lines.find(|line| line.0 == name);
    let (_, value) = line.with_context(|| format!("no {name} in /proc/PID/status"))?;
    Ok(value.trim().to_owned())
}

/// Raises the limit on open files of this process and its children to the maximum.
pub fn raise_open_file_limit(connections: u64) -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(u64::MAX);
    ensure!(
        most > connections,
        "{connections} connections need more than {most} open files: raise `ulimit -Hn`"
    );
    let raised = Rlimit {
        current: limit.maximum,
        ..limit
    };
    setrlimit(Resource::Nofile, raised).context("can't raise the limit on open files")
}
