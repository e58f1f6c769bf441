//! The report of the soak test.

use std::time::Duration;

use super::sample::Sample;
use crate::table::{self, met};

const HEADINGS: [&str; 11] = [
    "when",
    "memory MiB",
    "files",
    "threads",
    "children",
    "CPU %",
    "objects MiB",
    "database MiB",
    "requests",
    "takes",
    "other rows",
];

/// Samples that are shown.
const SHOWN: usize = 12;

/// Bounds: growth at rest of memory, files and threads, and growth of memory an hour under load.
const MEMORY: u64 = 10 << 20;
const MEMORY_PER_HOUR: f64 = 8.0 * MEBIBYTE;
const FILES: usize = 4;
const THREADS: usize = 4;
/// Growth of the database in bytes for each request, whose row stays.
const DATABASE: u64 = 1024;

const MEBIBYTE: f64 = 1048576.0;

/// Result of a soak test.
pub struct SoakResult {
    /// At rest after a warm-up.
    pub before: Sample,
    /// Under load.
    pub under_load: Vec<Sample>,
    /// At rest again in the end.
    pub after: Sample,
    /// Requests between `before` and `after`, and failed lifecycles.
    pub requests: usize,
    pub failed: usize,
}

impl SoakResult {
    /// Prints the table.
    pub fn print(&self) {
        let step = self.under_load.len().div_ceil(SHOWN).max(1);
        let mut rows = vec![cells("at rest".to_owned(), &self.before, None)];
        let mut last = self.under_load.first().unwrap_or(&self.before);
        for sample in self.under_load.iter().skip(step - 1).step_by(step) {
            rows.push(cells(minutes(sample.at), sample, Some(last)));
            last = sample;
        }
        rows.push(cells("at rest".to_owned(), &self.after, None));
        table::print(HEADINGS, rows);
    }

    /// A line for each resource: value, bound, and whether it holds.
    pub fn targets(&self) -> Vec<String> {
        let (before, after) = (&self.before, &self.after);
        // The second half alone: one-time allocations happen in the first.
        let slope = slope(&self.under_load[self.under_load.len() / 2..]);
        let grown = after.memory.saturating_sub(before.memory);
        let kept = after.rows_of("requests") - before.rows_of("requests");
        let requests = self.requests as u64;
        let per_request = after.database.saturating_sub(before.database) / requests.max(1);
        let line = |what: &str, value: String, bound: String, holds: bool| {
            format!("{what}: {value} (bound {bound}: {})", met(holds))
        };
        vec![
            line(
                "memory under load",
                format!(
                    "{:+.2} MiB an hour in the second half, fitted",
                    slope / MEBIBYTE
                ),
                format!("{:+.0}", MEMORY_PER_HOUR / MEBIBYTE),
                slope <= MEMORY_PER_HOUR,
            ),
            line(
                "memory at rest",
                format!(
                    "{} MiB after {}",
                    mebibytes(after.memory),
                    mebibytes(before.memory)
                ),
                format!("{} more", mebibytes(MEMORY)),
                grown <= MEMORY,
            ),
            line(
                "open files",
                format!("{} after {}", after.files, before.files),
                format!("{FILES} more"),
                after.files <= before.files + FILES,
            ),
            line(
                "threads",
                format!("{} after {}", after.threads, before.threads),
                format!("{THREADS} more"),
                after.threads <= before.threads + THREADS,
            ),
            line(
                "children",
                after.children.to_string(),
                "0".to_owned(),
                after.children == 0,
            ),
            line(
                "bytes of objects",
                after.objects.to_string(),
                "0".to_owned(),
                after.objects == 0,
            ),
            line(
                "the database",
                format!("{per_request} bytes for each request"),
                DATABASE.to_string(),
                per_request <= DATABASE,
            ),
            line(
                "rows of requests",
                format!("{kept} more"),
                format!("one for each of {requests}"),
                kept.unsigned_abs() <= requests,
            ),
            line(
                "rows of all else",
                after.rows_except(&["requests"]).to_string(),
                "0".to_owned(),
                after.rows_except(&["requests"]) == 0,
            ),
            line(
                "failed lifecycles",
                self.failed.to_string(),
                "0".to_owned(),
                self.failed == 0,
            ),
        ]
    }
}

/// Growth of memory in bytes an hour, by least squares.
fn slope(samples: &[Sample]) -> f64 {
    let points = || {
        samples
            .iter()
            .map(|it| (it.at.as_secs_f64() / 3600.0, it.memory as f64))
    };
    let count = samples.len() as f64;
    let (at, held) = points().fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let (at, held) = (at / count, held / count);
    let both: f64 = points().map(|it| (it.0 - at) * (it.1 - held)).sum();
    let spread: f64 = points().map(|it| (it.0 - at).powi(2)).sum();
    both / spread
}

/// A row of the table. `since`: the sample from which CPU usage is computed.
fn cells(when: String, sample: &Sample, since: Option<&Sample>) -> [String; HEADINGS.len()] {
    let busy = since.map(|since| {
        let cpu_time = sample.cpu_time.saturating_sub(since.cpu_time).as_secs_f64();
        cpu_time / sample.at.saturating_sub(since.at).as_secs_f64() * 100.0
    });
    let busy = busy.filter(|it| it.is_finite());
    [
        when,
        mebibytes(sample.memory),
        sample.files.to_string(),
        sample.threads.to_string(),
        sample.children.to_string(),
        busy.map_or("–".to_owned(), |it| format!("{it:.0}")),
        mebibytes(sample.objects),
        mebibytes(sample.database),
        sample.rows_of("requests").to_string(),
        sample.rows_of("takes").to_string(),
        sample.rows_except(&["requests", "takes"]).to_string(),
    ]
}

fn minutes(at: Duration) -> String {
    format!("{}:{:02}", at.as_secs() / 60, at.as_secs() % 60)
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / MEBIBYTE)
}
