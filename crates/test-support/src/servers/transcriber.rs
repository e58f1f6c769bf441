//! A real model that turns speech into text: `server/tests/transcriber`, which `cargo xtask setup --all` installs.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

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
        Self::start_behind(&[], 2).await
    }

    /// Starts it by a command line that ends before the program's own, such as `nice`, with this many threads.
    pub async fn start_behind(launcher: &[&str], threads: usize) -> Self {
        let python = TOOLS.python("python");
        let python = python.as_std().get_program();
        let mut command = match launcher {
            [] => Command::new(python),
            [program, arguments @ ..] => {
                let mut command = Command::new(program);
                command.args(arguments).arg(python);
                command
            }
        };
        let mut process = command
            .arg(TOOLS.file("server.py"))
            .arg(threads.to_string())
            .env("PYTHONDONTWRITEBYTECODE", "1")
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
