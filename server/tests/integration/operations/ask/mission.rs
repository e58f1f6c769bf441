//! `vidence ask`: the whole mission as one command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use app::api::CreatedRequest;
use reqwest::{Method, StatusCode};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::support::binary::vidence;
use crate::support::transcriber::{TranscriberDouble, two_sentences};
use crate::support::{Creator, HOUR, LIVE_WEBM, Server, hex_sha256, on_each_storage};

on_each_storage! {
    one_command_requests_saves_and_deletes_a_video
    an_interrupted_command_resumes
    a_pipe_that_ends_after_the_link_costs_no_evidence
    the_command_reports_a_missing_video
    a_request_is_withdrawn_by_its_folder
    a_transcript_is_saved_as_captions
    a_folder_that_exists_is_left_alone_and_nothing_stays_open
}

/// A running `vidence ask --json`.
struct Asking {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Asking {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vidence"));
        let mut child = command
            .args(["ask", "--json"])
            .args(arguments)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the binary");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Self { child, lines }
    }

    /// The next step, which must be this one.
    async fn event(&mut self, name: &str) -> Value {
        let line = self.lines.next_line().await.expect("text");
        let Some(line) = line else {
            let mut why = String::new();
            let stderr = self.child.stderr.as_mut().expect("a pipe");
            stderr.read_to_string(&mut why).await.expect("text");
            panic!("it ended before {name}: {why}");
        };
        let event: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(event["event"], name, "{event}");
        event
    }

    /// Has [`LIVE_WEBM`] sent, and returns what was saved of it before it was deleted.
    async fn saved_and_deleted(&mut self, creator: &Creator<'_>) -> Value {
        creator.submit_video(LIVE_WEBM).await;
        self.event("submitted").await;
        let saved = self.event("saved").await;
        self.event("deleted").await;
        saved
    }

    /// Its exit code, once it has nothing more to say.
    async fn code(mut self) -> Option<i32> {
        assert_eq!(self.lines.next_line().await.expect("text"), None);
        self.child.wait().await.expect("an end").code()
    }
}

/// Asks for a video, to be saved in a new folder below this one.
async fn ask<'s>(server: &'s Server, parent: &TempDir) -> (Asking, Creator<'s>, PathBuf) {
    let folder = parent.path().join("evidence");
    let out = folder.to_str().expect("a path");
    let arguments = ["Show the dent.", "--server", &server.base, "--out", out];
    let mut asking = Asking::start(&arguments);
    let created = asking.event("created").await;
    let ticket = ticket(&folder);
    assert_eq!(created["submission_url"], ticket.submission_url);
    let creator = server.creator(&ticket);
    (asking, creator, folder)
}

/// What the folder keeps of a request that is open.
pub(super) fn ticket(folder: &Path) -> CreatedRequest {
    let kept = fs::read(folder.join("request.json")).expect("a file");
    let mut kept: Value = serde_json::from_slice(&kept).expect("JSON");
    kept["status"] = "awaiting_submission".into();
    serde_json::from_value(kept).expect("a request")
}

pub(super) fn parent() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Requires that the folder holds the evidence of [`LIVE_WEBM`], and that the server holds nothing.
async fn assert_saved(saved: &Value, folder: &Path, creator: &Creator<'_>) {
    let read = |name: &str| fs::read(folder.join(name)).expect("a file");
    let video = read(saved["video"].as_str().expect("a name"));
    assert_eq!(saved["video"], "video.webm");
    assert!(
        video.ends_with(&LIVE_WEBM[LIVE_WEBM.len() / 2..]),
        "every recorded byte"
    );
    let metadata: Value = serde_json::from_slice(&read("metadata.json")).expect("JSON");
    assert_eq!(metadata["properties"]["sha256"], hex_sha256(&video));
    assert_eq!(saved["metadata"], metadata);
    let stills = metadata["stills"]["pictures"].as_array().expect("stills");
    assert!(!stills.is_empty());
    let files: Vec<&str> = saved["files"]
        .as_array()
        .expect("names")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let pictures = files.iter().filter(|it| it.starts_with("still-"));
    assert_eq!(pictures.clone().count(), stills.len());
    for picture in pictures {
        assert!(
            read(picture).starts_with(&[0xff, 0xd8]),
            "{picture} is a JPEG"
        );
    }
    // The folder holds what is printed, no half file, and no token.
    let mut there: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|it| it.expect("a file").file_name().into_string().expect("text"))
        .collect();
    let mut told: Vec<String> = files.iter().map(|it| (*it).to_owned()).collect();
    there.sort_unstable();
    told.sort_unstable();
    assert_eq!(there, told);
    assert_eq!(saved["receipt_valid"], true);
    let file = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
    let [video, receipt, keys] = ["video.webm", "receipt.jws", "jwks.json"].map(file);
    assert_eq!(read("prompt.txt"), b"Show the dent.");
    let (base, prompt) = (&*creator.server.base, &*file("prompt.txt"));
    for (issuer, prompt, said) in [
        (base, prompt, ""),
        (
            "https://other.example.org",
            prompt,
            "the receipt is that of",
        ),
        (base, &*file("metadata.json"), "another prompt"),
    ] {
        let verify = ["verify", &video, &receipt, "--jwks", &keys];
        let more = ["--issuer", issuer, "--prompt", prompt];
        let verified = vidence(&[&verify[..], &more].concat(), &[]).await;
        assert_eq!(
            verified.code,
            Some(i32::from(!said.is_empty())),
            "{verified:?}"
        );
        assert!(verified.stderr.contains(said), "{verified:?}");
    }

    let path = format!("/v1/requests/{}", creator.id());
    let status = creator.send_authorized(Method::GET, &path).await.status();
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(creator.server.objects().is_empty());
}

async fn one_command_requests_saves_and_deletes_a_video(server: Server) {
    let parent = parent();
    let (mut asking, creator, folder) = ask(&server, &parent).await;
    let saved = asking.saved_and_deleted(&creator).await;
    assert_eq!(asking.code().await, Some(0));
    assert_saved(&saved, &folder, &creator).await;
}

/// The token outlives the command, and so does what was recorded meanwhile.
async fn an_interrupted_command_resumes(server: Server) {
    let parent = parent();
    let (mut asking, creator, folder) = ask(&server, &parent).await;
    asking.child.kill().await.expect("an end");
    creator.submit_video(LIVE_WEBM).await;
    let path = folder.to_str().expect("a path");
    let mut again = Asking::start(&["--resume", path, "--keep"]);
    again.event("created").await;
    again.event("submitted").await;
    again.event("saved").await;
    assert_eq!(again.code().await, Some(0));
    assert_eq!(creator.status().await["status"], "submitted", "it was kept");

    let mut again = Asking::start(&["--resume", path]);
    again.event("created").await;
    again.event("submitted").await;
    let saved = again.event("saved").await;
    again.event("deleted").await;
    assert_eq!(again.code().await, Some(0));
    assert_saved(&saved, &folder, &creator).await;
    let over = vidence(&["ask", "--resume", path], &[]).await.failure(1);
    assert!(
        over.contains("not the folder of a request that is open"),
        "{over}"
    );
}

/// As after `vidence ask --json … | head -1`.
async fn a_pipe_that_ends_after_the_link_costs_no_evidence(server: Server) {
    let parent = parent();
    let (mut asking, creator, folder) = ask(&server, &parent).await;
    drop(asking.lines);
    creator.submit_video(LIVE_WEBM).await;
    let mut said = String::new();
    let stderr = asking.child.stderr.as_mut().expect("a pipe");
    stderr.read_to_string(&mut said).await.expect("text");
    assert!(said.contains("could not be printed"), "{said}");
    let ended = asking.child.wait().await.expect("an end");
    assert_eq!(ended.code(), Some(1));
    let video = fs::read(folder.join("video.webm")).expect("the video");
    assert!(video.ends_with(&LIVE_WEBM[LIVE_WEBM.len() / 2..]));
    assert!(server.objects().is_empty(), "it is deleted as always");
}

async fn the_command_reports_a_missing_video(server: Server) {
    let parents = [parent(), parent()];
    let (mut expired, _, _) = ask(&server, &parents[0]).await;
    let (mut deleted, creator, folder) = ask(&server, &parents[1]).await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    deleted.event("over").await;
    assert_eq!(deleted.code().await, Some(3));
    assert!(!folder.exists(), "there is nothing to keep");
    server.app.clock.advance(2 * HOUR);
    expired.event("over").await;
    assert_eq!(expired.code().await, Some(3));
}

async fn a_request_is_withdrawn_by_its_folder(server: Server) {
    let parent = parent();
    let (mut asking, creator, folder) = ask(&server, &parent).await;
    let path = folder.to_str().expect("a path");
    // Not while another command waits for it.
    vidence(&["ask", "--cancel", path], &[]).await.failure(1);
    asking.child.kill().await.expect("an end");
    creator.submit_video(LIVE_WEBM).await;
    let cancelled = vidence(&["ask", "--cancel", path], &[]).await.success();
    assert!(cancelled.contains("deleted from the server"), "{cancelled}");
    let path = format!("/v1/requests/{}", creator.id());
    let status = creator.send_authorized(Method::GET, &path).await.status();
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(server.objects().is_empty() && !folder.exists());
}

async fn a_transcript_is_saved_as_captions(server: Server) {
    let double = TranscriberDouble::start(two_sentences()).await;
    let server = server.with_transcripts(double.settings()).await;
    let parent = parent();
    let (mut asking, creator, folder) = ask(&server, &parent).await;
    let saved = asking.saved_and_deleted(&creator).await;
    let files = saved["files"].as_array().expect("names");
    assert!(files.contains(&"captions.vtt".into()), "{saved}");
    let captions = fs::read_to_string(folder.join("captions.vtt")).expect("a file");
    assert!(captions.contains("Look &lt;here&gt;."), "{captions}");
}

async fn a_folder_that_exists_is_left_alone_and_nothing_stays_open(server: Server) {
    let parent = parent();
    fs::write(parent.path().join("mine"), "mine").expect("a file");
    let path = parent.path().to_str().expect("a path");
    let arguments = ["ask", "Show it", "--server", &server.base, "--out", path];
    let error = vidence(&arguments, &[]).await.failure(1);
    assert!(error.contains("--resume"), "{error}");
    let asked = vidence(&[&arguments[..], &["--json"]].concat(), &[]).await;
    let failed: Value = serde_json::from_str(&asked.stdout).expect("JSON");
    assert_eq!(failed["event"], "failed");
    assert!(
        failed["message"]
            .as_str()
            .is_some_and(|it| it.contains("--resume"))
    );
    assert_eq!(fs::read_dir(parent.path()).expect("a folder").count(), 1);
    let open = server.app.db.requests_by_state().await.expect("counts");
    assert!(open.is_empty(), "{open:?}");
}
