//! Runs the binary's subcommands, each to its exit in a process of its own.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tokio::process::Command;

use super::Server;

/// Result of a subcommand.
#[derive(Debug)]
pub struct SubcommandOutput {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl SubcommandOutput {
    pub fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// Requires this exit code and returns stderr.
    pub fn failure(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        self.stderr
    }
}

/// The environment variable of a data folder.
pub fn data_dir(folder: &Path) -> [(&'static str, String); 1] {
    [("VIDENCE_DATA_DIR", folder.display().to_string())]
}

/// Runs the binary with these environment variables alone.
pub async fn vidence(
    arguments: &[&str],
    environment: &[(&'static str, String)],
) -> SubcommandOutput {
    let output = Command::new(env!("CARGO_BIN_EXE_vidence"))
        .args(arguments)
        .env_clear()
        .envs(environment.iter().cloned())
        .stdin(Stdio::null())
        .output()
        .await
        .expect("the binary");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    SubcommandOutput {
        code: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// Stdout of a subcommand on the stores of this server.
pub async fn stdout_of(server: &Server, arguments: &[&str]) -> String {
    vidence(arguments, &server.environment()).await.success()
}

/// The open reports.
pub async fn open_reports(server: &Server) -> Vec<Value> {
    let listed = stdout_of(server, &["reports", "--json"]).await;
    serde_json::from_str(&listed).expect("JSON")
}
