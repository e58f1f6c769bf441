//! Runs one worker process, bounded in time and output, and killed with its process group afterwards.

use std::ffi::OsString;
use std::future::pending;
use std::path::Path;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout_at};

use super::NoStills;
use super::worker::{COMMAND, NO_SANDBOX};

/// One run of the worker.
pub(super) struct Job<'a> {
    pub executable: &'a Path,
    /// Appended to [`COMMAND`].
    pub arguments: Vec<OsString>,
    /// Written to its standard input, in this order.
    pub input: Vec<&'a [u8]>,
    /// Maximum length of its standard output, in bytes.
    pub max_output: u64,
    pub deadline: Instant,
}

/// A process whose process group is killed on drop.
struct ProcessGroup(Child);

/// Runs the worker and returns its standard output.
///
/// Fails if it exits with an error, misses its deadline, or writes more than it may.
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
        .map_err(NoStills::SpawnFailed)?;
    let mut group = ProcessGroup(child);
    let exchange = exchange(&mut group.0, &job.input, job.max_output);
    let output = timeout_at(job.deadline, exchange).await;
    group.kill();
    // Also reaps it: no zombie is left behind.
    let _ = group.0.kill().await;
    output.unwrap_or(Err(NoStills::TimedOut))
}

impl ProcessGroup {
    fn kill(&self) {
        // `None`: it has been reaped, and its id may belong to another process by now.
        let id = self.0.id().and_then(|id| i32::try_from(id).ok());
        if let Some(group) = id.and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes the input while reading the output, then waits for the exit code.
async fn exchange(child: &mut Child, input: &[&[u8]], max: u64) -> Result<Vec<u8>, NoStills> {
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(NoStills::Crashed);
    };
    let send = async move {
        for part in input {
            // It may close the pipe early, as ffmpeg does after the first picture.
            if stdin.write_all(part).await.is_err() {
                break;
            }
        }
        drop(stdin);
        pending::<()>().await;
    };
    let mut output = Vec::new();
    let mut bounded = stdout.take(max.saturating_add(1));
    tokio::select! {
        // A complete output ends the exchange, whether or not all input was read.
        read = bounded.read_to_end(&mut output) => read.map_err(|_| NoStills::Crashed)?,
        () = send => 0,
    };
    if output.len() as u64 > max {
        return Err(NoStills::InvalidOutput);
    }
    let status = child.wait().await.map_err(|_| NoStills::Crashed)?;
    match status.code() {
        Some(0) => Ok(output),
        Some(code) if code == i32::from(NO_SANDBOX) => Err(NoStills::NoSandbox),
        _ => Err(NoStills::Crashed),
    }
}
