//! The binary itself: where it lets itself be reached, and signals.

use std::process::Stdio;

use reqwest::{Certificate, Client, StatusCode};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::support::certificate::CertificateFiles;

/// A server of its own, with a data folder of its own.
pub struct Vidence {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    folder: TempDir,
}

impl Vidence {
    pub fn start(flags: &[&str]) -> Self {
        // For clients; fails when another test did it, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_vidence"));
        let command = command
            .arg("--data-dir")
            .arg(folder.path().join("data"))
            .args(flags)
            .env_remove("VIDENCE_LOG");
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

    /// Waits for a line that holds this.
    pub async fn says(&mut self, text: &str) -> String {
        while let Some(line) = self.lines.next_line().await.expect("text") {
            if line.contains(text) {
                return line;
            }
        }
        panic!("it never said {text:?}");
    }

    /// The address that it says to open.
    pub async fn address(&mut self) -> String {
        let line = self.says("open http").await;
        let url = line.split_whitespace().find(|it| it.starts_with("http"));
        url.expect("an address").to_owned()
    }

    /// A client that trusts the certificate that it made for itself.
    pub fn client_by_its_certificate(&self) -> Client {
        let certificate = self.folder.path().join("data/lan.pem");
        let pem = std::fs::read(certificate).expect("a certificate");
        let certificate = Certificate::from_pem(&pem).expect("a certificate");
        let client = Client::builder().tls_certs_only([certificate]);
        client.build().expect("a client")
    }

    fn signal(&self, signal: Signal) {
        let id = self.child.id().expect("a running process");
        let id = Pid::from_raw(id.try_into().expect("an id")).expect("an id");
        kill_process(id, signal).expect("a signal");
    }
}

#[tokio::test]
async fn whom_others_can_reach_must_know_its_address() {
    let mut refused = Vidence::start(&["--listen", "0.0.0.0:0"]);
    let status = refused.child.wait().await.expect("an end");
    assert!(!status.success());
    let mut said = String::new();
    let mut errors = refused.child.stderr.take().expect("a pipe");
    errors.read_to_string(&mut said).await.expect("text");
    assert!(said.contains("--public-url https://"), "{said}");
    assert!(said.contains("--lan"), "{said}");
    assert!(!refused.folder.path().join("data").exists());
}

#[tokio::test]
async fn a_certificate_without_its_key_is_refused() {
    let mut refused = Vidence::start(&["--tls-cert", "certificate.pem"]);
    // As clap ends with what can't be understood.
    let status = refused.child.wait().await.expect("an end");
    assert_eq!(status.code(), Some(2));
    let mut said = String::new();
    let mut errors = refused.child.stderr.take().expect("a pipe");
    errors.read_to_string(&mut said).await.expect("text");
    assert!(said.contains("--tls-key"), "{said}");
}

#[tokio::test]
async fn hanging_up_on_a_server_is_no_end() {
    let mut server = Vidence::start(&["--listen", "127.0.0.1:0"]);
    let address = server.address().await;
    server.signal(Signal::HUP);
    server.says("no certificate to read again").await;
    let answer = reqwest::get(format!("{address}/healthz")).await;
    assert_eq!(answer.expect("an answer").status(), StatusCode::OK);
    server.signal(Signal::TERM);
    server.says("stopped").await;
    assert!(server.child.wait().await.expect("an end").success());
}

#[tokio::test]
async fn hanging_up_on_a_server_has_its_certificate_read_again() {
    let (files, second) = (CertificateFiles::new(), CertificateFiles::new());
    let (certificate, key) = (files.certificate(), files.key());
    let mut server = Vidence::start(&[
        "--listen",
        "127.0.0.1:0",
        "--tls-cert",
        certificate.to_str().expect("UTF-8"),
        "--tls-key",
        key.to_str().expect("UTF-8"),
    ]);
    let address = server.address().await;
    let asked = async |client: Client| client.get(format!("{address}/healthz")).send().await;
    assert!(asked(files.client()).await.is_ok());
    files.become_a_copy_of(&second);
    assert!(asked(second.client()).await.is_err(), "before it was told");
    server.signal(Signal::HUP);
    server.says("the certificate was read again").await;
    let answer = asked(second.client()).await;
    assert_eq!(answer.expect("the new one").status(), StatusCode::OK);
}

#[tokio::test]
async fn a_phone_in_the_same_network_finds_a_link_and_a_code() {
    let mut server = Vidence::start(&["--lan", "--listen", "127.0.0.1:0"]);
    let address = server.address().await;
    assert!(address.starts_with("https://"), "{address}");
    server.says("█").await;
    let client = server.client_by_its_certificate();
    let answer = client.get(&address).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.text().await.expect("a page").contains("Vidence"));
}
