//! What a process takes: memory, files, threads, children, and time of the processor.

use std::fs;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

/// Peaks shorter than this may be missed.
const EVERY: Duration = Duration::from_millis(50);

/// Of a second: what the kernel tells times of processes in, on every platform of today.
const TICKS: u64 = 100;

/// Looks at a process again and again, until asked for what it saw. From a thread of its own: it is on
/// time while the client is busy.
pub struct Watch {
    enough: Sender<()>,
    watching: JoinHandle<Result<u64>>,
}

impl Watch {
    pub fn start(process: u32) -> Self {
        let (enough, told) = channel();
        let watching = thread::spawn(move || {
            let mut peak = resident(process)?;
            while let Err(RecvTimeoutError::Timeout) = told.recv_timeout(EVERY) {
                peak = peak.max(resident(process)?);
            }
            Ok(peak.max(resident(process)?))
        });
        Self { enough, watching }
    }

    /// The peak since the start, in bytes.
    pub fn peak(self) -> Result<u64> {
        // Nobody listens only when the watch has failed: that comes next.
        let _ = self.enough.send(());
        let seen = self.watching.join();
        seen.map_err(|_| anyhow!("the watch panicked"))?
    }
}

/// How long processors have worked for a process so far, by itself and in the kernel.
pub fn worked(process: u32) -> Result<Duration> {
    let [itself, _] = times(process)?;
    Ok(itself)
}

/// Likewise, for it and for all that it has started, and those have, whether they are there still or not.
pub fn worked_by_all(process: u32) -> Result<Duration> {
    let [itself, gone] = times(process)?;
    let mut all = itself + gone;
    for child in children_of(process)? {
        // Who ends while we look counts with the gone ones the next time.
        all += worked_by_all(child).unwrap_or_default();
    }
    Ok(all)
}

/// For the process itself, and for those of its children that have ended.
fn times(process: u32) -> Result<[Duration; 2]> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // Its name, in brackets, may hold anything; behind it these are the words from the 12th on.
    let (_, words) = stat.rsplit_once(')').context("/proc has no stat")?;
    let mut words = words.split_whitespace().skip(11);
    let mut ticks = || -> Result<u64> { Ok(words.next().context("a short stat")?.parse()?) };
    let mut both = || -> Result<Duration> {
        let ticks = ticks()? + ticks()?;
        Ok(Duration::from_secs_f64(ticks as f64 / TICKS as f64))
    };
    Ok([both()?, both()?])
}

/// Resident memory that is the process's own. Not pages of files: those are the kernel's to take back.
pub fn resident(process: u32) -> Result<u64> {
    kibibytes(process, "RssAnon")
}

/// All resident memory, pages of files included.
pub fn resident_in_all(process: u32) -> Result<u64> {
    kibibytes(process, "VmRSS")
}

/// How many files and connections it has open.
pub fn open_files(process: u32) -> Result<usize> {
    Ok(fs::read_dir(format!("/proc/{process}/fd"))?.count())
}

pub fn threads(process: u32) -> Result<usize> {
    Ok(status(process, "Threads")?.parse()?)
}

/// Processes that it has started, and that are there still.
pub fn children(process: u32) -> Result<usize> {
    Ok(children_of(process)?.len())
}

fn children_of(process: u32) -> Result<Vec<u32>> {
    let mut children = Vec::new();
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        // A thread may end while we look.
        let of_thread = fs::read_to_string(thread?.path().join("children"));
        for child in of_thread.unwrap_or_default().split_whitespace() {
            children.push(child.parse()?);
        }
    }
    Ok(children)
}

/// In bytes.
fn kibibytes(process: u32, name: &str) -> Result<u64> {
    let kibibytes = status(process, name)?;
    let kibibytes = kibibytes.strip_suffix(" kB").context("other units")?;
    Ok(kibibytes.parse::<u64>()? * 1024)
}

fn status(process: u32, name: &str) -> Result<String> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let mut lines = status.lines().filter_map(|line| line.split_once(':'));
    let line = lines.find(|line| line.0 == name);
    let (_, value) = line.with_context(|| format!("/proc has no {name}"))?;
    Ok(value.trim().to_owned())
}
