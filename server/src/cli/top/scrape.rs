//! The few values that `vidence top` shows, in what `/metrics` of the same release says.

use std::collections::BTreeMap;

/// The samples of a scrape.
pub(super) struct Scrape<'a>(Vec<Sample<'a>>);

struct Sample<'a> {
    name: &'a str,
    /// With their quotes and commas. No value of ours has an escaped character.
    labels: &'a str,
    value: f64,
}

impl<'a> Scrape<'a> {
    /// Parses Prometheus' text format 0.0.4. What isn't a sample is left out.
    pub(super) fn parse(text: &'a str) -> Self {
        let lines = text.lines().filter(|it| !it.starts_with('#'));
        Self(lines.filter_map(Sample::parse).collect())
    }

    /// The sum of a metric over all labels. `None`: it isn't known.
    pub(super) fn sum(&self, name: &str) -> Option<u64> {
        let of_name = self.0.iter().filter(|it| it.name == name);
        let values: Vec<f64> = of_name.map(|it| it.value).collect();
        (!values.is_empty()).then(|| whole(values.iter().sum()))
    }

    /// The values of a metric by its one label.
    pub(super) fn by_label(&self, name: &str) -> BTreeMap<&'a str, u64> {
        let of_name = self.0.iter().filter(|it| it.name == name);
        let labelled = of_name.filter_map(|it| {
            let (_, label) = it.labels.split_once("=\"")?;
            Some((label.strip_suffix('"')?, whole(it.value)))
        });
        labelled.collect()
    }
}

impl<'a> Sample<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (series, value) = line.rsplit_once(' ')?;
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        Some(Self {
            name,
            labels: labels.trim_end_matches('}'),
            value: value.parse().ok()?,
        })
    }
}

/// All of these are counts and bytes.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast saturates"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_summed_or_selected_by_label() {
        let text = "# HELP a_total Some.\n# TYPE a_total counter\na_total{method=\"GET\",route=\"/\"} 2\n\
                    a_total{method=\"PUT\",route=\"/\"} 3\n\nb 1.5e3\npool{pool=\"read\"} 4\npool{pool=\"write\"} 0\n";
        let scrape = Scrape::parse(text);
        assert_eq!(scrape.sum("a_total"), Some(5));
        assert_eq!(scrape.sum("b"), Some(1500));
        assert_eq!(scrape.sum("c"), None);
        let pools = BTreeMap::from([("read", 4), ("write", 0)]);
        assert_eq!(scrape.by_label("pool"), pools);
    }
}
