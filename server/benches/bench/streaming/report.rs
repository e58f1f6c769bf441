//! The report of the streaming benchmark.

use super::download::{Access, DownloadResult};
use crate::stats::median;
use crate::table::{self, met};

const HEADINGS: [&str; 11] = [
    "video",
    "connections",
    "nginx GB/s",
    "1 MiB objects",
    "ratio",
    "8 MiB objects",
    "ratio",
    "nginx CPU s/GB",
    "1 MiB objects",
    "8 MiB objects",
    "times",
];

/// nginx, and our server with objects of 1 MiB and of 8 MiB, under the same load.
pub struct Row {
    pub access: Access,
    pub connections: usize,
    pub results: [DownloadResult; 3],
}

impl Row {
    /// Throughput relative to nginx.
    fn speed(&self, objects: usize) -> f64 {
        self.results[objects].bytes_per_second / self.results[0].bytes_per_second
    }

    /// CPU time relative to nginx, in the worse case.
    fn work(&self) -> f64 {
        let work = |objects: usize| self.results[objects].seconds_per_gigabyte;
        work(1).max(work(2)) / work(0)
    }

    fn cells(&self) -> [String; HEADINGS.len()] {
        let speed = |it: &DownloadResult| format!("{:.2}", it.bytes_per_second / 1e9);
        let work = |it: &DownloadResult| format!("{:.3}", it.seconds_per_gigabyte);
        let [nginx, small, large] = &self.results;
        [
            match self.access {
                Access::Whole => "whole",
                Access::Ranges => "1 MiB ranges",
            }
            .to_owned(),
            self.connections.to_string(),
            speed(nginx),
            speed(small),
            format!("{:.2}", self.speed(1)),
            speed(large),
            format!("{:.2}", self.speed(2)),
            work(nginx),
            work(small),
            work(large),
            format!("{:.1}", self.work()),
        ]
    }
}

pub fn print(rows: &[Row]) {
    table::print(HEADINGS, rows.iter().map(Row::cells));
}

/// One line with each target and whether it is met; each figure is the worst of its kind.
pub fn targets(rows: &[Row], slow_readers: usize, peak: u64) -> String {
    let speed = |access| {
        let rows = rows.iter().filter(|row| row.access == access);
        let speeds = rows.flat_map(|row| [row.speed(1), row.speed(2)]);
        speeds.fold(f64::INFINITY, f64::min)
    };
    let (whole, ranges) = (speed(Access::Whole), speed(Access::Ranges));
    let work = median(rows.iter().map(Row::work).collect());
    let megabytes = peak as f64 / 1e6;
    format!(
        "whole videos at {whole:.2} x nginx's speed at least (aim 0.95: {}), ranges at {ranges:.2} (aim \
         0.80: {}); {work:.1} x its CPU time a gigabyte, the median (aim 3.0: {}); {slow_readers} slow streams in \
         {megabytes:.0} MB (aim 300: {})",
        met(whole >= 0.95),
        met(ranges >= 0.8),
        met(work <= 3.0),
        met(megabytes < 300.0),
    )
}
