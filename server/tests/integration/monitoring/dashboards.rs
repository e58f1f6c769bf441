//! The shipped dashboard and alerts match the exported metrics.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use server::telemetry::names::{ALL, Kind};

use crate::support::scrape::Scrape;

/// Asserts that dashboard and alerts use existing metrics and label values.
/// `scrape` needs some activity before it.
pub fn assert_queries_match(scrape: &Scrape) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/monitoring");
    for file in ["grafana-dashboard.json", "alerts.yml"] {
        let text = fs::read_to_string(folder.join(file)).expect("a file");
        // Unescape quotes in JSON strings.
        let text = text.replace("\\\"", "\"");
        let mut checked = 0;
        for name in metric_names(&text) {
            let known = ALL.iter().find(|it| {
                let suffixes: &[&str] = match it.kind {
                    Kind::Histogram(_) => &["", "_bucket", "_count", "_sum"],
                    _ => &[""],
                };
                suffixes
                    .iter()
                    .any(|suffix| name == format!("{}{suffix}", it.name))
            });
            let known = known.unwrap_or_else(|| panic!("{file}: there is no {name}"));
            assert!(scrape.names().contains(known.name), "{file}: {name}");
            checked += 1;
        }
        assert!(checked > 20, "{file} has only {checked} metrics");
        for (name, labels) in selectors(&text) {
            for (label, value) in labels {
                let found = scrape.value(name, &[(label, value)]);
                assert!(found.is_some(), "{file}: {name} has no {label} {value}");
            }
        }
    }
    let alerts = fs::read_to_string(folder.join("alerts.yml")).expect("a file");
    let count = |text: &str| alerts.matches(text).count();
    for each in [
        "\n        expr: ",
        "\n          severity: ",
        "\n          summary: ",
        "\n          description: ",
    ] {
        assert_eq!(count("- alert: "), count(each), "{each}");
    }
    let dashboard = fs::read(folder.join("grafana-dashboard.json")).expect("a file");
    let dashboard: serde_json::Value = serde_json::from_slice(&dashboard).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels").iter();
    let panels: Vec<_> = panels.filter(|it| it["type"] != "row").collect();
    let ids: BTreeSet<_> = panels.iter().map(|it| it["id"].as_u64()).collect();
    assert_eq!(ids.len(), panels.len());
    for panel in panels {
        assert!(
            panel["fieldConfig"]["defaults"]["unit"].is_string(),
            "{panel}"
        );
        assert_eq!(panel["datasource"]["uid"], "${datasource}", "{panel}");
    }
}

/// Names of our metrics in a text.
fn metric_names(text: &str) -> impl Iterator<Item = &str> {
    let metric_names = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    metric_names.filter(|it| it.starts_with("vidence_") || it.starts_with("process_"))
}

/// Metrics with their label matchers for a single value.
fn selectors(text: &str) -> impl Iterator<Item = (&str, Vec<(&str, &str)>)> {
    let depth = text.match_indices('{');
    depth.filter_map(|(at, _)| {
        let name = metric_names(text[..at].rsplit(['(', ' ', '"', '\n']).next()?).next()?;
        // A route has quoted braces of its own.
        let mut is_quoted = false;
        let mut inside = text[at + 1..].split(|it| {
            is_quoted ^= it == '"';
            it == '}' && !is_quoted
        });
        let inside = inside.next()?;
        let labels = inside.split(',').filter_map(|it| it.split_once("=\""));
        // Without Prometheus's own labels and the dashboard's variables.
        let ours = |it: &(&str, &str)| !matches!(it.0.trim(), "job" | "instance");
        let labels = labels.filter(|it| ours(it) && !it.1.starts_with('$') && !it.0.ends_with('!'));
        Some((
            name,
            labels
                .map(|it| (it.0.trim(), it.1.trim_end_matches('"')))
                .collect(),
        ))
    })
}
