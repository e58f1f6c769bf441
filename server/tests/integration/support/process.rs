//! The binary as a server in a process of its own.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};

use reqwest::{Certificate, Client};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// Name of the data folder in the temporary one.
const DATA_DIR: &str = "data";

/// A server process with its own data folder.
pub struct ServerProcess {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    folder: TempDir,
}

impl ServerProcess {
    pub fn start(flags: &[&str]) -> Self {
        Self::start_with(flags, &[])
    }

    /// Starts it with these variables besides the environment's.
    pub fn start_with(flags: &[&str], variables: &[(&str, String)]) -> Self {
        // For clients; fails, harmlessly, if another test has installed it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_vidence"));
        let command = command
            .arg("--data-dir")
            .arg(folder.path().join(DATA_DIR))
            .args(flags)
            .env_remove("VIDENCE_LOG")
            .envs(variables.iter().cloned());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Self {
            child,
            lines,
            folder,
        }
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id().expect("a running server")
    }

    /// Waits for a line of the log that contains this text.
    pub async fn wait_for_line(&mut self, text: &str) -> String {
        while let Some(line) = self.lines.next_line().await.expect("text") {
            if line.contains(text) {
                return line;
            }
        }
        panic!("the log never had {text:?}");
    }

    /// The URL in its start message.
    pub async fn address(&mut self) -> String {
        let line = self.wait_for_line("open http").await;
        let url = line.split_whitespace().find(|it| it.starts_with("http"));
        url.expect("an address").to_owned()
    }

    /// A client that trusts the certificate made by `--lan`.
    pub fn client_trusting_certificate(&self) -> Client {
        let certificate = self.data_dir().join("lan.pem");
        let pem = std::fs::read(certificate).expect("a certificate");
        let certificate = Certificate::from_pem(&pem).expect("a certificate");
        let client = Client::builder().tls_certs_only([certificate]);
        client.build().expect("a client")
    }

    /// Waits for the end of the process. Returns its status and its stderr.
    pub async fn wait(&mut self) -> (ExitStatus, String) {
        let status = self.child.wait().await.expect("an end");
        let mut stderr = String::new();
        if let Some(mut pipe) = self.child.stderr.take() {
            pipe.read_to_string(&mut stderr).await.expect("text");
        }
        (status, stderr)
    }

    /// Path of the data folder.
    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join(DATA_DIR)
    }

    pub fn signal(&self, signal: Signal) {
        let id = self.child.id().expect("a running process");
        let id = Pid::from_raw(id.try_into().expect("an id")).expect("an id");
        kill_process(id, signal).expect("a signal");
    }
}
