//! What was seen, for people.

use std::time::Duration;

use super::Figures;
use crate::table::{self, met};

/// Of a pair of columns the first one is ours.
const HEADS: [&str; 11] = [
    "asked for",
    "per s",
    "peer's",
    "ratio",
    "p50 ms",
    "peer's",
    "p99 ms",
    "peer's",
    "server µs each",
    "peer's",
    "asking µs each",
];

/// Both servers with the same load.
pub struct Row {
    pub what: &'static str,
    pub ours: Figures,
    pub peer: Figures,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.ours.seen.per_second / self.peer.seen.per_second
    }

    fn cells(&self) -> [String; HEADS.len()] {
        let (ours, peer) = (&self.ours, &self.peer);
        let micros = |it: Duration| format!("{:.1}", it.as_secs_f64() * 1e6);
        [
            self.what.to_owned(),
            format!("{:.0}", ours.seen.per_second),
            format!("{:.0}", peer.seen.per_second),
            format!("{:.2}", self.ratio()),
            millis(ours.seen.p50),
            millis(peer.seen.p50),
            millis(ours.seen.p99),
            millis(peer.seen.p99),
            micros(ours.each),
            micros(peer.each),
            micros(ours.seen.worked),
        ]
    }
}

/// The table.
pub fn print(rows: &[Row]) {
    table::print(HEADS, rows.iter().map(Row::cells));
}

/// One line: what is aimed at, and whether it is so.
pub fn verdict([polls, creates, half, crowded]: &[Row; 4]) -> String {
    let (polled, created) = (polls.ratio(), creates.ours.seen.per_second);
    let (few, many) = (half.ours.seen.p99, crowded.ours.seen.p99);
    format!(
        "polls at {polled:.2} x the peer's rate (aim 0.40: {}); {created:.0} durable creations a second \
         (aim 2000: {}); p99 of polls at half load {} ms (aim 5: {}), with a million rows {} ms (aim 1 \
         more: {})",
        met(polled >= 0.4),
        met(created >= 2000.0),
        millis(few),
        met(few < Duration::from_millis(5)),
        millis(many),
        met(many <= few + Duration::from_millis(1)),
    )
}

fn millis(it: Duration) -> String {
    format!("{:.2}", it.as_secs_f64() * 1e3)
}
