//! A real model that turns speech into text: `server/tests/transcriber`, which `cargo xtask setup --all` installs.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;

use crate::tools::Tools;

const TOOLS: Tools = Tools::of("transcriber");

/// A running transcriber, killed on drop.
pub struct Transcriber {
    pub url: String,
    _process: Child,
}

impl Transcriber {
    /// The name of its model.
    pub const MODEL: &str = "tiny.en";

    pub async fn start() -> Self {
        let mut process = TOOLS
            .python("python")
            .arg(TOOLS.file("server.py"))
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("Python, which `cargo xtask setup --all` brings");
        let printed = process.stdout.take().expect("it is piped");
        let port = BufReader::new(printed).lines().next_line().await;
        let port = port.expect("output").expect("a port");
        Self {
            url: format!("http://127.0.0.1:{port}"),
            _process: process,
        }
    }
}
