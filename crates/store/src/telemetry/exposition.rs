//! Rendering values that are read at a scrape, in Prometheus' text format 0.0.4.

use std::fmt::{Display, Write};

use super::names::{ALL, Kind, Shape};

/// The values of one scrape. A metric whose value is unknown is left out.
#[derive(Default)]
pub struct Exposition {
    text: String,
    last: Option<&'static str>,
}

impl Exposition {
    /// Writes the value of a metric.
    pub fn set(&mut self, name: &'static str, value: impl Display) {
        self.begin(name);
        self.line(format_args!("{name} {value}"));
    }

    /// Writes the value of a metric, if it is known.
    pub fn set_known(&mut self, name: &'static str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.set(name, value);
        }
    }

    /// Writes the value of a metric for these labels. All values of a metric must be written in a row.
    pub fn set_for(&mut self, name: &'static str, labels: &[(&str, &str)], value: impl Display) {
        self.begin(name);
        let labels = labels.iter().map(|(label, is)| format!("{label}=\"{is}\""));
        let labels = labels.collect::<Vec<_>>().join(",");
        self.line(format_args!("{name}{{{labels}}} {value}"));
    }

    fn begin(&mut self, name: &'static str) {
        if self.last == Some(name) {
            return;
        }
        self.last = Some(name);
        let Some(metric) = ALL.iter().find(|it| it.name == name) else {
            return;
        };
        let kind = match metric.kind {
            Kind::Counter | Kind::OnScrape(Shape::Counter) => "counter",
            Kind::Gauge | Kind::OnScrape(Shape::Gauge) => "gauge",
            Kind::Histogram(_) => "histogram",
        };
        self.line(format_args!("# HELP {name} {}", metric.help));
        self.line(format_args!("# TYPE {name} {kind}"));
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Never fails.
        let _ = writeln!(self.text, "{line}");
    }

    /// The rendered text.
    pub fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::super::names::{BUILD, DRAINING, READY};
    use super::*;

    #[test]
    fn labels_stand_side_by_side() {
        let mut exposition = Exposition::default();
        exposition.set_for(BUILD, &[("version", "1.2.3"), ("revision", "abc")], 1);
        let text = exposition.into_text();
        let want = "\nvidence_build_info{version=\"1.2.3\",revision=\"abc\"} 1\n";
        assert!(text.ends_with(want), "{text}");
    }

    #[test]
    fn a_metric_is_described_once_with_a_sample_for_each_label() {
        let mut exposition = Exposition::default();
        exposition.set_for(READY, &[("part", "database")], 1);
        exposition.set_for(READY, &[("part", "blobs")], 0);
        exposition.set(DRAINING, 0);
        let text = exposition.into_text();
        let want = "# HELP vidence_ready Whether this part answers: 1 or 0.\n\
                    # TYPE vidence_ready gauge\n\
                    vidence_ready{part=\"database\"} 1\n\
                    vidence_ready{part=\"blobs\"} 0\n\
                    # HELP vidence_draining Whether this server is shutting down: 1 or 0.\n\
                    # TYPE vidence_draining gauge\n\
                    vidence_draining 0\n";
        assert_eq!(text, want);
    }
}
