//! The memory of a process.

use std::fs;
use std::time::Duration;

use tokio::time::interval;

/// Records the highest anonymous memory of a process, until it is dropped.
pub async fn record_peak_memory(process: u32, peak: &mut u64) {
    let mut ticks = interval(Duration::from_millis(50));
    loop {
        ticks.tick().await;
        *peak = (*peak).max(anonymous_memory(process));
    }
}

/// Anonymous resident memory in bytes, without mapped files.
pub fn anonymous_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    1024 * kilobytes.expect("a number")
}
