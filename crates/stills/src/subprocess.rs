//! Runs the child: one process, bounded in time and in what is read of it, and gone afterwards.

use std::ffi::OsString;
use std::future::pending;
use std::path::Path;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout_at};

use super::NoStills;
use super::worker::{COMMAND, UNCONFINED};

/// What is run, and how long.
pub(super) struct Job<'a> {
    /// This binary.
    pub executable: &'a Path,
    /// Behind [`COMMAND`].
    pub arguments: Vec<OsString>,
    /// Written to its standard input, one after the other.
    pub input: Vec<&'a [u8]>,
    pub most_output: u64,
    pub deadline: Instant,
}

/// A process that ends, with all of its group, when this is dropped.
struct Running(Child);

/// Its standard output, if it ends well and in time and says no more than it may.
pub(super) async fn run(job: Job<'_>) -> Result<Vec<u8>, NoStills> {
    let child = Command::new(job.executable)
        .arg0(COMMAND)
        .arg(COMMAND)
        .args(&job.arguments)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .map_err(NoStills::Unstartable)?;
    let mut running = Running(child);
    let talk = talk(&mut running.0, &job.input, job.most_output);
    let talked = timeout_at(job.deadline, talk).await;
    running.kill_group();
    // Waits for it, too: no zombie is left behind.
    let _ = running.0.kill().await;
    talked.unwrap_or(Err(NoStills::TimedOut))
}

impl Running {
    fn kill_group(&self) {
        // `None`: it has been waited for, and the number may be somebody else's by now.
        let id = self.0.id().and_then(|id| i32::try_from(id).ok());
        if let Some(group) = id.and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill_group();
    }
}

async fn talk(child: &mut Child, input: &[&[u8]], most: u64) -> Result<Vec<u8>, NoStills> {
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(NoStills::Died);
    };
    let send = async move {
        for part in input {
            // It may have seen enough, as ffmpeg does after the first picture.
            if stdin.write_all(part).await.is_err() {
                break;
            }
        }
        drop(stdin);
        pending::<()>().await;
    };
    let mut said = Vec::new();
    let mut bounded = stdout.take(most.saturating_add(1));
    tokio::select! {
        // Who has said everything needn't listen to the end.
        read = bounded.read_to_end(&mut said) => read.map_err(|_| NoStills::Died)?,
        () = send => 0,
    };
    if said.len() as u64 > most {
        return Err(NoStills::Nonsense);
    }
    let status = child.wait().await.map_err(|_| NoStills::Died)?;
    match status.code() {
        Some(0) => Ok(said),
        Some(code) if code == i32::from(UNCONFINED) => Err(NoStills::Unconfined),
        _ => Err(NoStills::Died),
    }
}
