//! The metrics of a running server, as Prometheus's own linter sees them.

use std::fs;

use tokio::process::Command;

use test_support::clients::retrying_client::http_client;
use test_support::servers::node::{Node, Settings, free_address};
use test_support::tools::run;

#[tokio::test(flavor = "multi_thread")]
async fn metrics_follow_the_naming_rules_of_prometheus() {
    let folder = tempfile::tempdir().expect("a folder");
    let admin = free_address();
    let flags = [
        ("--data-dir", folder.path().join("data").into()),
        ("--admin-listen", admin.to_string().into()),
        ("--min-free-bytes", "0".into()),
    ];
    let flags = flags.into_iter();
    let _node = Node::start(Settings {
        flags: flags
            .flat_map(|(flag, value)| [flag.into(), value])
            .collect(),
        ..Settings::default()
    })
    .await;
    let url = format!("http://{admin}/metrics");
    let metrics = http_client().get(url).send().await.expect("an answer");
    let text = metrics.text().await.expect("text");
    assert!(text.contains("\nvidence_refusals_total{"), "{text}");
    fs::write(folder.path().join("metrics"), text).expect("a file");
    // It reads its input only, and fails if it finds anything.
    let mut promtool = Command::new("sh");
    promtool.args(["-c", "promtool check metrics < metrics"]);
    run(&mut promtool, folder.path()).await;
}
