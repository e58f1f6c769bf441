//! The dashboard and the alerts that are shipped, held against what a server says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use server::telemetry::names::{ALL, Kind};

use crate::scrape::Scrape;

/// The dashboard and the alerts name metrics, and labels with values, that a server has which has seen something.
pub fn asks_for_what_there_is(scrape: &Scrape) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy");
    for file in ["grafana-dashboard.json", "alerts.yml"] {
        let text = fs::read_to_string(folder.join(file)).expect("a file");
        // Quotes within JSON's strings.
        let text = text.replace("\\\"", "\"");
        let mut asked = 0;
        for name in words(&text) {
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
            asked += 1;
        }
        assert!(asked > 20, "{file} asks for {asked}");
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

/// Whatever looks like a metric of ours.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    words.filter(|it| it.starts_with("vidence_") || it.starts_with("process_"))
}

/// Metrics with the labels that are asked for by one value.
fn selectors(text: &str) -> impl Iterator<Item = (&str, Vec<(&str, &str)>)> {
    let opened = text.match_indices('{');
    opened.filter_map(|(at, _)| {
        let name = words(text[..at].rsplit(['(', ' ', '"', '\n']).next()?).next()?;
        // A route has braces of its own, in quotes.
        let mut is_quoted = false;
        let mut inside = text[at + 1..].split(|it| {
            is_quoted ^= it == '"';
            it == '}' && !is_quoted
        });
        let inside = inside.next()?;
        let labels = inside.split(',').filter_map(|it| it.split_once("=\""));
        // What Prometheus adds, and the dashboard's variables.
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
