//! Line charts as SVG files. `docs/benchmarks.md` shows those that were measured last.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use plotters::prelude::*;

const SIZE: (u32, u32) = (720, 400);

/// Blue and light blue are ours, the peer's are warm and grey.
const COLOURS: [RGBColor; 4] = [
    RGBColor(25, 118, 210),
    RGBColor(230, 126, 0),
    RGBColor(79, 195, 247),
    RGBColor(117, 117, 117),
];

/// A chart with two logarithmic axes.
pub struct Plot {
    pub title: &'static str,
    pub x: &'static str,
    pub y: &'static str,
    /// Four at most, one per colour.
    pub lines: Vec<Line>,
}

/// A line of a chart.
pub struct Line {
    pub name: &'static str,
    /// Pairs of x and y, each above zero.
    pub points: Vec<(f64, f64)>,
}

impl Plot {
    /// Draws the chart into `target/bench/NAME.svg`, and prints where.
    pub fn draw(&self, name: &str) -> Result<()> {
        let file = folder()?.join(name).with_extension("svg");
        self.draw_into(&file)
            .with_context(|| format!("can't draw {}", file.display()))?;
        println!("{}: {}", self.title, file.display());
        Ok(())
    }

    fn draw_into(&self, file: &Path) -> Result<()> {
        let area = SVGBackend::new(file, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let (x, y) = (span(points().map(|it| it.0)), span(points().map(|it| it.1)));
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 18))
            .margin(16)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(
                (x.0..x.1).log_scale().with_key_points(steps(x)),
                (y.0..y.1).log_scale().with_key_points(steps(y)),
            )?;
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .x_label_formatter(&|value| short(*value))
            .y_label_formatter(&|value| short(*value))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (line, colour) in self.lines.iter().zip(COLOURS) {
            let dots = line.points.iter();
            let dots = dots.map(|point| Circle::new(*point, 3, colour.filled()));
            chart
                .draw_series(LineSeries::new(line.points.clone(), colour.stroke_width(2)))?
                .label(line.name)
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2))
                });
            chart.draw_series(dots)?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .draw()?;
        area.present()?;
        Ok(())
    }
}

/// The folder of the charts, beside the measured binary.
fn folder() -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("bench");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// From below the least of the values to above the largest.
fn span(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    (least * 0.8, values.fold(0.0, f64::max) * 1.25)
}

/// Where an axis is labelled: 1, 2 and 5 of each power of ten.
fn steps((least, most): (f64, f64)) -> Vec<f64> {
    (-6..9)
        .flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(power)))
        .filter(|step| (least..=most).contains(step))
        .collect()
}

/// A label: 20k rather than 20000.
fn short(value: f64) -> String {
    match value {
        1000.0.. => format!("{}k", value / 1000.0),
        _ => format!("{value}"),
    }
}
