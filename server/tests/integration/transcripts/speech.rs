//! Speech, transcribed by a real model: `server/tests/transcriber`.

use std::path::Path;
use std::process::Stdio;

use app::video_metadata::TranscriptStatus;
use server::config::TranscriptArgs;
use server::transcriber::endpoint;
use tempfile::TempDir;
use test_support::tools::{Tools, run};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::finished;
use crate::support::Server;

const TOOLS: Tools = Tools::of("transcriber");

/// What is said, from two seconds on.
const SENTENCE: &str = "Look at the front door. The lock is broken, and the window is open.";

/// A running transcriber, killed on drop.
struct Model {
    url: String,
    _process: Child,
}

impl Model {
    async fn start() -> Self {
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

/// A recording in which the sentence is said, two seconds from its beginning.
async fn recording(coding: &str) -> Vec<u8> {
    let folder = TempDir::new().expect("a folder");
    let folder: &Path = folder.path();
    let mut speak = Command::new("espeak-ng");
    run(
        speak.args(["-s", "140", "-w", "said.wav", SENTENCE]),
        folder,
    )
    .await;
    let line = format!(
        "-v error -f lavfi -i testsrc2=s=160x120:r=10:d=8 -i said.wav -af adelay=2000:all=1,apad -shortest {coding}"
    );
    run(
        Command::new("ffmpeg").args(line.split_ascii_whitespace()),
        folder,
    )
    .await;
    let name = coding.rsplit(' ').next().expect("a name");
    std::fs::read(folder.join(name)).expect("a recording")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_in_a_recording_is_understood_with_its_time() {
    let model = Model::start().await;
    let server = Server::sqlite().await;
    let settings = TranscriptArgs {
        transcriber_url: Some(endpoint(&model.url).expect("a URL")),
        transcriber_model: "tiny.en".to_owned(),
        transcriber_key: None,
    };
    let server = server.with_transcripts(settings).await;
    for coding in [
        "-c:v libvpx -c:a libopus -ar 48000 -f webm -live 1 said.webm",
        "-c:v libx264 -preset veryfast -pix_fmt yuv420p -c:a aac said.mp4",
    ] {
        let recording = recording(coding).await;
        let creator = server.create_request().await;
        let video = creator.submit_video(&recording).await;
        let found = finished(&creator, &video).await;
        assert_eq!(found.status, TranscriptStatus::Ready, "{found:?}");
        assert_eq!(found.language.as_deref(), Some("en"));
        let texts: Vec<_> = found.segments.iter().map(|it| &*it.text).collect();
        let said = texts.join(" ").to_lowercase();
        for word in ["front door", "lock", "broken", "window", "open"] {
            assert!(said.contains(word), "{word}: {said}");
        }
        let last = found.segments.last().expect("words");
        assert!((3000..=8100).contains(&last.to_ms), "{found:?}");
    }
}
