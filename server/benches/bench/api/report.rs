//! The report of the API benchmark.

use std::time::Duration;

use super::Figures;
use crate::table::{self, met};

/// Of each pair of columns the first is ours.
const HEADINGS: [&str; 11] = [
    "request",
    "per s",
    "peer's",
    "ratio",
    "p50 ms",
    "peer's",
    "p99 ms",
    "peer's",
    "server µs each",
    "peer's",
    "client µs each",
];

/// Both servers under the same load.
pub struct Row {
    pub what: &'static str,
    pub ours: Figures,
    pub peer: Figures,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.ours.result.per_second / self.peer.result.per_second
    }

    fn cells(&self) -> [String; HEADINGS.len()] {
        let (ours, peer) = (&self.ours, &self.peer);
        let micros = |it: Duration| format!("{:.1}", it.as_secs_f64() * 1e6);
        [
            self.what.to_owned(),
            format!("{:.0}", ours.result.per_second),
            format!("{:.0}", peer.result.per_second),
            format!("{:.2}", self.ratio()),
            millis(ours.result.p50),
            millis(peer.result.p50),
            millis(ours.result.p99),
            millis(peer.result.p99),
            micros(ours.cpu_time_each),
            micros(peer.cpu_time_each),
            micros(ours.result.cpu_time),
        ]
    }
}

pub fn print(rows: &[Row]) {
    table::print(HEADINGS, rows.iter().map(Row::cells));
}

/// One line with each target and whether it is met.
pub fn targets([polls, creates, half, crowded]: &[Row; 4]) -> String {
    let (polled, created) = (polls.ratio(), creates.ours.result.per_second);
    let (small, large) = (half.ours.result.p99, crowded.ours.result.p99);
    format!(
        "polls at {polled:.2} x the peer's rate (aim 0.40: {}); {created:.0} durable creations a second \
         (aim 2000: {}); p99 of polls at half load {} ms (aim 5: {}), with a million rows {} ms (aim 1 \
         more: {})",
        met(polled >= 0.4),
        met(created >= 2000.0),
        millis(small),
        met(small < Duration::from_millis(5)),
        millis(large),
        met(large <= small + Duration::from_millis(1)),
    )
}

fn millis(it: Duration) -> String {
    format!("{:.2}", it.as_secs_f64() * 1e3)
}
