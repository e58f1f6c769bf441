//! What was seen, for people.

use super::watch::{Seen, Shape};
use crate::table::{self, median, met};

const HEADS: [&str; 11] = [
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

/// nginx and ours with the same load: of objects of 1 MiB, and of 8.
pub struct Row {
    pub shape: Shape,
    pub connections: usize,
    pub seen: [Seen; 3],
}

impl Row {
    /// How many times as fast as nginx.
    fn speed(&self, objects: usize) -> f64 {
        self.seen[objects].bytes_per_second / self.seen[0].bytes_per_second
    }

    /// How many times nginx's work, in the worse case.
    fn work(&self) -> f64 {
        let work = |objects: usize| self.seen[objects].seconds_per_gigabyte;
        work(1).max(work(2)) / work(0)
    }

    fn cells(&self) -> [String; HEADS.len()] {
        let speed = |it: &Seen| format!("{:.2}", it.bytes_per_second / 1e9);
        let work = |it: &Seen| format!("{:.3}", it.seconds_per_gigabyte);
        let [nginx, small, large] = &self.seen;
        [
            match self.shape {
                Shape::Whole => "whole",
                Shape::Mebibytes => "1 MiB ranges",
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

/// The table.
pub fn print(rows: &[Row]) {
    table::print(HEADS, rows.iter().map(Row::cells));
}

/// One line: what is aimed at, and whether it is so. Each figure is the worst of the kind.
pub fn verdict(rows: &[Row], crowd: usize, peak: u64) -> String {
    let speed = |shape| {
        let rows = rows.iter().filter(|row| row.shape == shape);
        let speeds = rows.flat_map(|row| [row.speed(1), row.speed(2)]);
        speeds.fold(f64::INFINITY, f64::min)
    };
    let (whole, ranges) = (speed(Shape::Whole), speed(Shape::Mebibytes));
    let work = median(rows.iter().map(Row::work).collect());
    let megabytes = peak as f64 / 1e6;
    format!(
        "whole videos at {whole:.2} x nginx's speed at least (aim 0.95: {}), ranges at {ranges:.2} (aim \
         0.80: {}); {work:.1} x its work a gigabyte in the middle (aim 3.0: {}); {crowd} slow streams in \
         {megabytes:.0} MB (aim 300: {})",
        met(whole >= 0.95),
        met(ranges >= 0.8),
        met(work <= 3.0),
        met(megabytes < 300.0),
    )
}
