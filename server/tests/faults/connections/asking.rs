//! `vidence ask` over connections that are cut.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use reqwest::Client;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use crate::environment::Environment;
use crate::environment::proxy::{NetworkFaults, Proxy};
use test_support::clients::retrying_client::http_client;
use test_support::recordings::fixtures::{FIVE_SCENES_MP4, LIVE_WEBM, clip};
use test_support::servers::node::binary;

/// The length of the video in bytes, of which no connection carries more than a fifth.
const LENGTH: usize = 5_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_video_is_saved_whole_over_connections_that_are_cut() {
    let environment = Environment::sqlite().await;
    let direct = format!("http://{}", environment.nodes[0].address());
    let proxy = Proxy::to(environment.nodes[0].address()).await;
    proxy.set(NetworkFaults {
        cut_after_bytes: Some(100_000..LENGTH as u64 / 5),
        ..NetworkFaults::default()
    });
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("evidence");
    let asked = format!("http://{}", proxy.address());
    let event = ask(&asked, &direct, &folder, &clip(LENGTH), &["--keep"]).await;
    assert!(proxy.cuts() >= 5, "{} cuts", proxy.cuts());

    let (_, token) = link_and_token(&folder, &direct);
    let id = event["metadata"]["id"].as_str().expect("an id");
    let url = format!("{direct}/v1/videos/{id}");
    let served = http_client().get(url).bearer_auth(token).send().await;
    let served = served.expect("an answer").bytes().await.expect("a video");
    assert!(served.len() >= LENGTH);
    let saved = fs::read(folder.join(event["video"].as_str().expect("a name"))).expect("a file");
    assert!(saved == served, "{} of {} bytes", saved.len(), served.len());
}

/// A decoder in its sandbox bears only some C libraries and allocators.
#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_the_built_in_decoders_are_saved() {
    let environment = Environment::sqlite().await;
    let server = format!("http://{}", environment.nodes[0].address());
    let parent = tempfile::tempdir().expect("a folder");
    for (codec, recording) in [("H.264", FIVE_SCENES_MP4), ("VP8", LIVE_WEBM)] {
        let folder = parent.path().join(codec);
        let event = ask(&server, &server, &folder, recording, &["--keep"]).await;
        let pictures = event["metadata"]["stills"]["pictures"].as_array();
        assert!(
            pictures.is_some_and(|it| !it.is_empty()),
            "{codec}: {event}"
        );
    }
}

/// Asks for a video, submits this one as the person does, at the server itself, and returns the last event.
pub async fn ask(server: &str, direct: &str, folder: &Path, video: &[u8], flags: &[&str]) -> Value {
    let mut asking = Command::new(binary())
        .args(["ask", "Show the dent.", "--json"])
        .args(flags)
        .args(["--server", server, "--out"])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the binary");
    let mut lines = BufReader::new(asking.stdout.take().expect("a pipe")).lines();
    let created = lines.next_line().await.expect("text").expect("a line");
    assert!(created.contains("created"), "{created}");
    let (link, _) = link_and_token(folder, direct);
    submit(&http_client(), &link, video).await;
    let mut last = String::new();
    while let Some(line) = lines.next_line().await.expect("text") {
        last = line;
    }
    let status = asking.wait().await.expect("an end");
    assert!(status.success(), "{status}");
    serde_json::from_str(&last).expect("JSON")
}

/// The link, at the server itself, and the token.
fn link_and_token(folder: &Path, direct: &str) -> (String, String) {
    let kept = fs::read(folder.join("request.json")).expect("a file");
    let kept: Value = serde_json::from_slice(&kept).expect("JSON");
    let text = |name: &str| kept[name].as_str().expect("text").to_owned();
    (format!("{direct}/r/{}", text("id")), text("access_token"))
}

async fn submit(http: &Client, link: &str, video: &[u8]) {
    let upload = http.post(format!("{link}/takes"));
    let upload = upload
        .header(CONTENT_TYPE, "video/webm")
        .body(video.to_vec());
    let uploaded = upload.send().await.expect("an answer");
    let take = uploaded.headers()[LOCATION].to_str().expect("a path");
    let take = take.rsplit('/').next().expect("an id");
    let submission = http.post(format!("{link}/submission"));
    let submitted = submission.json(&json!({"take": take})).send().await;
    let submitted = submitted.expect("an answer");
    assert!(submitted.status().is_success(), "{submitted:?}");
}
