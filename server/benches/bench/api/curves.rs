//! Polls by the number of connections, and their latency by load: the points of two charts.

use std::time::Duration;

use anyhow::Result;

use super::load::{LoadResult, Rate};
use super::{Figures, Target, medians};
use crate::plot::{Line, Plot};

/// Connections that poll as fast as they are answered.
const CONNECTIONS: [usize; 5] = [1, 4, 16, 64, 256];

/// Load in percent of the most polls that our server answers.
const LOADS: [u32; 6] = [5, 10, 25, 50, 75, 90];

/// Measures both servers by turns, and draws the charts.
pub fn draw(
    ours: &Target,
    peer: &Target,
    most: f64,
    repetitions: usize,
    duration: Duration,
) -> Result<()> {
    let by_turns = |connections, rate| -> Result<[LoadResult; 2]> {
        let mut figures = [const { Vec::<Figures>::new() }; 2];
        for _ in 0..repetitions {
            for (target, figures) in [ours, peer].into_iter().zip(&mut figures) {
                figures.push(target.measure_with(connections, rate, duration)?);
            }
        }
        Ok(figures.map(|it| medians(&it).result))
    };
    let mut lines = [const { Vec::new() }; 2];
    for connections in CONNECTIONS {
        let results = by_turns(connections, Rate::Unlimited)?;
        for (line, result) in lines.iter_mut().zip(results) {
            line.push((connections as f64, result.per_second));
        }
    }
    let [answers, of_peer] = lines;
    Plot {
        title: "Polls a second",
        x: "connections",
        y: "answers a second",
        lines: vec![
            Line {
                name: "Vidence",
                points: answers,
            },
            Line {
                name: "a constant by axum",
                points: of_peer,
            },
        ],
    }
    .draw("polls-throughput")?;

    let mut lines = [const { Vec::new() }; 4];
    for percent in LOADS {
        let rate = most * f64::from(percent) / 100.0;
        let [ours_at, peer_at] = by_turns(ours.connections, Rate::PerSecond(rate))?;
        let latencies = [ours_at.p99, peer_at.p99, ours_at.p50, peer_at.p50];
        for (line, latency) in lines.iter_mut().zip(latencies) {
            line.push((rate, latency.as_secs_f64() * 1e3));
        }
    }
    let names = [
        "Vidence, p99",
        "a constant by axum, p99",
        "Vidence, p50",
        "a constant by axum, p50",
    ];
    let lines = names.into_iter().zip(lines);
    Plot {
        title: "Latency of polls",
        x: "polls a second",
        y: "ms",
        lines: lines.map(|(name, points)| Line { name, points }).collect(),
    }
    .draw("polls-latency")
}
