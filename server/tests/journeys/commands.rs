//! The binary's commands, each run to its end in a process of its own.

use std::process::Stdio;

use tokio::process::Command;

use crate::support::{Server, Stores, journeys};

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

    /// What it said when it refused.
    pub fn refused(self) -> String {
        assert!(matches!(self.code, Some(1 | 2)), "{self:?}");
        self.err
    }
}

pub async fn vidence(words: &[&str], stores: &Stores) -> Ran {
    let ended = Command::new(env!("CARGO_BIN_EXE_vidence"))
        .args(words)
        .args(&stores.flags)
        .envs(stores.variables.iter().cloned())
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

journeys! {
    the_interface_is_printed_as_it_is_served
}

async fn the_interface_is_printed_as_it_is_served(server: Server) {
    let served = server.get("/v1/openapi.json").await;
    let served = served.text().await.expect("a document");
    let words = ["openapi", "--public-url", &server.base];
    let printed = vidence(&words, &Stores::default()).await.succeeded();
    assert_eq!(printed, served);
}

#[tokio::test]
async fn the_settings_are_shown_with_their_sources_and_without_secrets() {
    let settings = Stores {
        flags: vec!["--max-takes".to_owned(), "3".to_owned()],
        variables: vec![
            (
                "VIDENCE_DATABASE_URL",
                "postgres://vidence:hunter2@db.example.org/vidence".to_owned(),
            ),
            ("AWS_SECRET_ACCESS_KEY", "hunter2".to_owned()),
            ("AWS_ACCESS_KEY_ID", "hunter2".to_owned()),
            ("VIDENCE_READ_LIMIT", "off".to_owned()),
        ],
    };
    let shown = vidence(&["config"], &settings).await.succeeded();
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
