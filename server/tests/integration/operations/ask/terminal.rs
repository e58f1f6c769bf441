//! `vidence ask` in front of a person, on a terminal.

use std::process::Stdio;

use tokio::io::AsyncReadExt;
use tokio::process::{ChildStdout, Command};

use super::mission::{parent, ticket};
use crate::support::{LIVE_WEBM, Server};

/// Reads what a terminal shows until it has shown this, and returns all of it.
async fn shown_until(text: &str, terminal: &mut ChildStdout) -> String {
    let mut shown = Vec::new();
    loop {
        let so_far = String::from_utf8_lossy(&shown).into_owned();
        if so_far.contains(text) {
            return so_far;
        }
        let read = terminal.read_buf(&mut shown).await.expect("bytes");
        assert!(read > 0, "it ended before {text:?}: {so_far}");
    }
}

/// script(1) has the terminal, and ends with the status of the command.
#[tokio::test(flavor = "multi_thread")]
async fn ask_prints_link_code_time_left_and_saved_files() {
    let server = Server::sqlite().await;
    let parent = parent();
    let folder = parent.path().join("evidence");
    let asking = format!(
        "{} ask 'Show the dent.' --server {} --out {}",
        env!("CARGO_BIN_EXE_vidence"),
        server.base,
        folder.display()
    );
    let mut script = Command::new("script")
        .args(["--quiet", "--return", "--flush", "--command", &asking])
        .arg("/dev/null")
        .env_clear()
        .envs(std::env::var_os("PATH").map(|it| ("PATH", it)))
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("script, of util-linux");
    let mut terminal = script.stdout.take().expect("a pipe");
    let shown = shown_until(" left", &mut terminal).await;
    let created = ticket(&folder);
    let code = shown.find("█").expect("a QR code");
    let link = shown.find(&created.submission_url).expect("the link");
    assert!(link < code, "{shown}");
    assert!(shown.contains("Waiting for the video"), "{shown}");

    server.creator(&created).submit_video(LIVE_WEBM).await;
    let shown = shown_until("deleted from the server", &mut terminal).await;
    for text in ["The video is there.", "video.webm", "The receipt is valid"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(script.wait().await.expect("an end").success());
}
