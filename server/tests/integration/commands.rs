//! The binary's commands, each run to its end in a process of its own: as an operator would, beside a server or not.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tokio::process::Command;

use crate::support::{Server, journeys};

/// What became of a command.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// What it complained of.
    pub fn refused(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        self.err
    }
}

/// Where a command finds a data folder.
pub fn data_dir(folder: &Path) -> [(&'static str, String); 1] {
    [("VIDENCE_DATA_DIR", folder.display().to_string())]
}

/// Runs the binary in an environment of these variables alone.
pub async fn vidence(words: &[&str], variables: &[(&'static str, String)]) -> Ran {
    let ended = Command::new(env!("CARGO_BIN_EXE_vidence"))
        .args(words)
        .env_clear()
        .envs(variables.iter().cloned())
        .stdin(Stdio::null())
        .output()
        .await
        .expect("the binary");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Ran {
        code: ended.status.code(),
        out: text(ended.stdout),
        err: text(ended.stderr),
    }
}

/// What a command prints that finds the stores of this server.
pub async fn says(server: &Server, words: &[&str]) -> String {
    vidence(words, &server.environment()).await.succeeded()
}

/// The reports that nobody is done with.
pub async fn reports(server: &Server) -> Vec<Value> {
    let listed = says(server, &["reports", "--json"]).await;
    serde_json::from_str(&listed).expect("JSON")
}

journeys! {
    the_interface_is_printed_as_it_is_served
}

async fn the_interface_is_printed_as_it_is_served(server: Server) {
    let served = server.get("/v1/openapi.json").await;
    let served = served.text().await.expect("a document");
    let words = ["openapi", "--public-url", &server.base];
    let printed = vidence(&words, &[]).await.succeeded();
    assert_eq!(printed, served);
}

#[tokio::test]
async fn the_settings_are_shown_with_their_sources_and_without_secrets() {
    let variables = [
        (
            "VIDENCE_DATABASE_URL",
            "postgres://vidence:hunter2@db.example.org/vidence".to_owned(),
        ),
        ("AWS_SECRET_ACCESS_KEY", "hunter2".to_owned()),
        ("AWS_ACCESS_KEY_ID", "hunter2".to_owned()),
        ("VIDENCE_READ_LIMIT", "off".to_owned()),
    ];
    let words = ["config", "--max-takes", "3"];
    let shown = vidence(&words, &variables).await.succeeded();
    assert!(!shown.contains("hunter2"), "{shown}");
    for (name, value, from) in [
        ("--max-takes", "3", "(flag)"),
        ("--read-limit", "off", "(environment)"),
        (
            "--database-url",
            "postgres://***@db.example.org/vidence",
            "(environment)",
        ),
        ("--listen", "127.0.0.1:3000", "(default)"),
        ("--contact", "(not set)", "(default)"),
        ("AWS_SECRET_ACCESS_KEY", "***", "(environment)"),
    ] {
        let mut lines = shown.lines();
        let line = lines.find(|it| it.split_whitespace().next() == Some(name));
        let line = line.unwrap_or_else(|| panic!("no {name} in {shown}"));
        assert!(line.contains(value) && line.ends_with(from), "{line}");
    }
}

#[tokio::test]
async fn a_refused_setting_is_named_without_its_secret() {
    let database = ("VIDENCE_DATABASE_URL", "--database-url");
    let blobs = ("VIDENCE_BLOB_URL", "--blob-url");
    for ((variable, flag), value) in [
        (database, "postgress://u:hunter2@h/n"),
        (database, "u:hunter2@h/n"),
        (database, "postgres://u:hunter2@h:port/n"),
        (database, "postgres://u:hunter2?x@h/n?sslmode=require"),
        (
            database,
            "postgres://u:hunter2@h/n?sslmode=require&sslmode=disable",
        ),
        (blobs, "s3://key:hunter2@bucket"),
        (blobs, "key:hunter2@bucket"),
    ] {
        for command in ["check", "reports", "config"] {
            let by_variable = vidence(&[command], &[(variable, value.to_owned())]).await;
            let by_flag = vidence(&[command, flag, value], &[]).await;
            for ran in [by_variable, by_flag] {
                assert!(!ran.err.contains("hunter2"), "{ran:?}");
                assert!(!ran.out.contains("hunter2"), "{ran:?}");
                let complaint = ran.refused(2);
                assert!(complaint.contains(flag), "{complaint}");
                assert!(complaint.contains("give it as"), "{complaint}");
            }
        }
    }
    // What is no secret is shown: that helps.
    let complaint = vidence(&["serve", "--listen", "nowhere"], &[]).await;
    assert!(complaint.refused(2).contains("'nowhere'"));
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_and_takedowns_need_no_settings_but_the_stores() {
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    let mut variables = server.environment();
    variables.push(("VIDENCE_PRIVACY", "/nowhere".to_owned()));
    variables.push(("VIDENCE_CREATE_LIMIT", "often".to_owned()));
    let said = vidence(&["reports"], &variables).await.succeeded();
    assert_eq!(said, "No reports.\n");
    let said = vidence(&["takedown", creator.id()], &variables).await;
    assert!(said.succeeded().contains("Taken down."));
}
