//! The binary itself, beside a running server: as its operator would call it, on the same machine or another.

use std::process::Output;

use serde_json::Value;
use tokio::process::Command;

use crate::support::Server;

/// What it does with these arguments and the server's stores.
pub async fn vidence(server: &Server, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vidence"));
    command.args(arguments).env_clear();
    let output = command.envs(server.environment()).output().await;
    output.expect("the binary runs")
}

/// What it prints once it has succeeded.
pub async fn says(server: &Server, arguments: &[&str]) -> String {
    let output = vidence(server, arguments).await;
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    said
}

/// What it complains of once it has failed.
pub async fn refuses(server: &Server, arguments: &[&str]) -> String {
    let output = vidence(server, arguments).await;
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// The reports that nobody is done with.
pub async fn reports(server: &Server) -> Vec<Value> {
    let listed = says(server, &["reports", "--json"]).await;
    serde_json::from_str(&listed).expect("JSON")
}
