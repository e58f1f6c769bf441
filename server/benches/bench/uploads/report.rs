//! The report of the upload benchmark.

use super::load::{UploadLoad, UploadResult};
use crate::stats::median;
use crate::table::{self, met};

/// Of each pair of columns the first is ours.
const HEADINGS: [&str; 14] = [
    "append",
    "uploads",
    "MB/s",
    "peer MB/s",
    "ratio",
    "durable peer",
    "ratio",
    "of the disk",
    "p50 ms",
    "peer p50",
    "p99 ms",
    "peer p99",
    "peak MiB",
    "peer peak",
];

/// The servers under the same load.
pub struct Row {
    pub load: UploadLoad,
    pub ours: UploadResult,
    pub peer: UploadResult,
    /// The peer with files and folders synced.
    pub durable_peer: UploadResult,
    /// Bytes per second of the disk alone.
    pub disk: f64,
}

impl Row {
    /// Throughput relative to the peer.
    fn speed(&self) -> f64 {
        self.ours.bytes_per_second / self.peer.bytes_per_second
    }

    /// Throughput relative to the peer that syncs.
    fn durable_speed(&self) -> f64 {
        self.ours.bytes_per_second / self.durable_peer.bytes_per_second
    }

    /// Memory relative to the peer.
    fn memory(&self) -> f64 {
        self.ours.peak / self.peer.peak
    }

    fn cells(&self) -> [String; HEADINGS.len()] {
        let (ours, peer) = (&self.ours, &self.peer);
        let millis = |it: std::time::Duration| format!("{:.1}", it.as_secs_f64() * 1e3);
        [
            piece(self.load.piece),
            self.load.uploads.to_string(),
            format!("{:.0}", ours.bytes_per_second / 1e6),
            format!("{:.0}", peer.bytes_per_second / 1e6),
            format!("{:.2}", self.speed()),
            format!("{:.0}", self.durable_peer.bytes_per_second / 1e6),
            format!("{:.2}", self.durable_speed()),
            format!("{:.2}", ours.bytes_per_second / self.disk),
            millis(ours.p50),
            millis(peer.p50),
            millis(ours.p99),
            millis(peer.p99),
            format!("{:.0}", mebibytes(ours.peak)),
            format!("{:.0}", mebibytes(peer.peak)),
        ]
    }
}

pub fn print(rows: &[Row]) {
    table::print(HEADINGS, rows.iter().map(Row::cells));
}

/// One line with each target and whether it is met; each figure is the median over the numbers of uploads.
pub fn targets(rows: &[Row]) -> String {
    let mut parts = Vec::new();
    for (size, aim) in [(256 << 10, 2.0), (1 << 20, 1.0), (4 << 20, 1.0)] {
        let speed = over(rows, size, Row::speed);
        let met = met(speed >= aim);
        parts.push(format!(
            "{} at {speed:.2} x the peer's speed (aim {aim:.1}: {met})",
            piece(size)
        ));
    }
    let least = rows
        .iter()
        .map(Row::durable_speed)
        .fold(f64::INFINITY, f64::min);
    let durable = met(least >= 3.0);
    parts.push(format!(
        "at least {least:.2} x the durable peer's (aim 3.0: {durable})"
    ));
    let sizes = [256 << 10, 1 << 20, 4 << 20];
    let held = sizes.map(|size| over(rows, size, Row::memory));
    let most = held.into_iter().fold(0.0, f64::max);
    let met = met(most <= 0.5);
    let held = held.map(|held| format!("{held:.2}")).join(", ");
    parts.push(format!("memory {held} x the peer's (aim 0.50: {met})"));
    parts.join("; ")
}

fn over(rows: &[Row], size: usize, figure: impl Fn(&Row) -> f64) -> f64 {
    let rows = rows.iter().filter(|row| row.load.piece == size);
    median(rows.map(figure).collect())
}

fn piece(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{} KiB", bytes >> 10),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

fn mebibytes(bytes: f64) -> f64 {
    bytes / f64::from(1 << 20)
}
