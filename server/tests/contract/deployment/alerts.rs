//! The shipped Prometheus alerts, checked and unit-tested by promtool.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tokio::process::Command;

use test_support::tools::run;

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/monitoring")
}

/// Names of alerts in a file, each directly behind `before`.
fn alert_names(file: &str, before: &str) -> BTreeSet<String> {
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
async fn prometheus_alerts_are_valid_and_each_has_a_unit_test() {
    let promtool = |args: [&'static str; 3]| async move {
        run(Command::new("promtool").args(args), &deploy()).await
    };
    promtool(["check", "rules", "alerts.yml"]).await;
    let result = promtool(["test", "rules", "alerts.test.yml"]).await;
    assert!(result.contains("SUCCESS"), "{result}");
    let alerts = alert_names("alerts.yml", "- alert: ");
    assert!(!alerts.is_empty());
    assert_eq!(alert_names("alerts.test.yml", "alertname=\""), alerts);
}
