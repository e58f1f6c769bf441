//! What a process takes: memory at its peak, and time of the processor.

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
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // Its name, in brackets, may hold anything; behind it the 12th and 13th words are these.
    let (_, words) = stat.rsplit_once(')').context("/proc has no stat")?;
    let mut words = words.split_whitespace().skip(11);
    let mut ticks = || -> Result<u64> { Ok(words.next().context("a short stat")?.parse()?) };
    Ok(Duration::from_secs_f64(
        (ticks()? + ticks()?) as f64 / TICKS as f64,
    ))
}

/// Resident memory that is the process's own. Not pages of files: those are the kernel's to take back.
fn resident(process: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kibibytes = line.and_then(|it| it.trim().strip_suffix(" kB"));
    let kibibytes: u64 = kibibytes.context("/proc has no RssAnon")?.parse()?;
    Ok(kibibytes * 1024)
}
