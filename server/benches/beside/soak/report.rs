//! What was seen, for people.

use std::time::Duration;

use super::sample::Sample;
use crate::table::{self, met};

const HEADS: [&str; 11] = [
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

/// Moments of the run that are shown.
const SHOWN: usize = 12;

/// What may be left when everybody is gone, beside what there was before, and how memory may grow meanwhile.
const MEMORY: u64 = 10 << 20;
const MEMORY_PER_HOUR: f64 = 8.0 * MEBIBYTE;
const FILES: usize = 4;
const THREADS: usize = 4;
/// Of each request there has been: its row stays.
const DATABASE: u64 = 1024;

const MEBIBYTE: f64 = 1048576.0;

/// What was seen of a server.
pub struct Seen {
    /// At rest, after a warm-up.
    pub before: Sample,
    /// Under load.
    pub under_load: Vec<Sample>,
    /// At rest again, when everything is over.
    pub after: Sample,
    /// Requests between `before` and `after`, and answers that were not as they should be.
    pub requests: usize,
    pub failed: usize,
}

impl Seen {
    /// The table.
    pub fn print(&self) {
        let step = self.under_load.len().div_ceil(SHOWN).max(1);
        let mut rows = vec![cells("at rest".to_owned(), &self.before, None)];
        let mut last = self.under_load.first().unwrap_or(&self.before);
        for sample in self.under_load.iter().skip(step - 1).step_by(step) {
            rows.push(cells(minutes(sample.at), sample, Some(last)));
            last = sample;
        }
        rows.push(cells("at rest".to_owned(), &self.after, None));
        table::print(HEADS, rows);
    }

    /// A line for each resource: what was seen, what is allowed, and whether it is so.
    pub fn verdict(&self) -> Vec<String> {
        let (before, after) = (&self.before, &self.after);
        // What is taken once is taken in the first half.
        let slope = slope(&self.under_load[self.under_load.len() / 2..]);
        let grown = after.memory.saturating_sub(before.memory);
        let kept = after.rows_of("requests") - before.rows_of("requests");
        let requests = self.requests as u64;
        let each = after.database.saturating_sub(before.database) / requests.max(1);
        let line = |what: &str, seen: String, bound: String, holds: bool| {
            format!("{what}: {seen} (bound {bound}: {})", met(holds))
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
                format!("{each} bytes for each request"),
                DATABASE.to_string(),
                each <= DATABASE,
            ),
            line(
                "rows of requests",
                format!("{kept} more"),
                format!("one for each of {requests}"),
                kept.unsigned_abs() <= requests,
            ),
            line(
                "rows of all else",
                after.rows_beside(&["requests"]).to_string(),
                "0".to_owned(),
                after.rows_beside(&["requests"]) == 0,
            ),
            line(
                "answers not as they should be",
                self.failed.to_string(),
                "0".to_owned(),
                self.failed == 0,
            ),
        ]
    }
}

/// Bytes of memory an hour, by least squares.
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

/// `since`: what the processors' time is counted from; without it, since the start of the server.
fn cells(when: String, sample: &Sample, since: Option<&Sample>) -> [String; HEADS.len()] {
    let busy = since.map(|since| {
        let worked = sample.worked.saturating_sub(since.worked).as_secs_f64();
        worked / sample.at.saturating_sub(since.at).as_secs_f64() * 100.0
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
        sample.rows_beside(&["requests", "takes"]).to_string(),
    ]
}

fn minutes(at: Duration) -> String {
    format!("{}:{:02}", at.as_secs() / 60, at.as_secs() % 60)
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / MEBIBYTE)
}
