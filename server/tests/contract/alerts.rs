//! The operator's alerts, as Prometheus reads them and as they ring.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tokio::process::Command;

use test_support::tools::run;

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy")
}

/// The names of alerts that stand behind this in a file.
fn named(file: &str, before: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(deploy().join(file)).expect("a file");
    let found = text.split(before).skip(1);
    let name = |rest: &str| {
        rest.chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect()
    };
    found.map(name).collect()
}

#[tokio::test]
async fn each_alert_rings_when_it_should_and_only_then() {
    let promtool = |args: [&'static str; 3]| async move {
        run(Command::new("promtool").args(args), &deploy()).await
    };
    promtool(["check", "rules", "alerts.yml"]).await;
    let played = promtool(["test", "rules", "alerts.test.yml"]).await;
    assert!(played.contains("SUCCESS"), "{played}");
    let alerts = named("alerts.yml", "- alert: ");
    assert!(!alerts.is_empty());
    assert_eq!(named("alerts.test.yml", "alertname=\""), alerts);
}
