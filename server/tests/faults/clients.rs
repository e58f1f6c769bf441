//! Anybody's uploader: clients that were written for any server send real video to this one.
//!
//! Each does so over a network of its own that cuts every connection, and persists by its own means. What
//! is downloaded afterwards must be the file, byte by byte. The scripts in `tests/clients` hand a file to
//! a client and print the URL of the upload; they know nothing of this server but where uploads begin.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use app::api::{CreatedRequest, RequestStatus, RequestView, Submission};
use reqwest::{Client, Response, StatusCode};
use tokio::process::Command;
use tokio::time::timeout;

use super::proxy::Weather;
use super::stage::Stage;
use test_support::agent;
use test_support::callers::Callers;
use test_support::scale::scale;

/// Clients, and the scripts that drive them.
const CLIENTS: [(&str, &str); 5] = [
    ("tus-js-client", "with-tus-js-client.js"),
    ("Uppy in Chromium", "with-uppy.js"),
    ("tuspy", "with-tuspy.py"),
    ("aiotus", "with-aiotus.py"),
    ("plain HTTP, IETF", "plain.py"),
];

/// What passes in a second: so little that a film takes five connections or more, however short the run.
const BYTES_PER_SECOND: u32 = 10_000_000;

/// Connections that a client loses, at least.
const CUTS: u64 = 3;

/// No script that works takes so long.
const SCRIPT_PATIENCE: Duration = Duration::from_secs(300);

#[tokio::test(flavor = "multi_thread")]
async fn clients_written_for_other_servers_complete_here() {
    let folder = tempfile::tempdir().expect("a folder");
    let film = folder.path().join("film.webm");
    let bytes = scale().film_bytes.to_string();
    run("record.js", &[path(&film), &bytes]).await;
    // One after the other: they measure themselves by how often they get nowhere.
    for (client, script) in CLIENTS {
        send(client, script, &film).await;
    }
}

/// Has a film sent by this client, and watches it.
async fn send(client: &str, script: &str, film: &Path) {
    let (mut stage, proxy) = Stage::laptop_behind_a_proxy().await;
    let age = scale().film_cut_after;
    proxy.set(Weather {
        cut_after: Some(age..age + Duration::from_millis(1)),
        bytes_per_second: Some(BYTES_PER_SECOND),
        ..Weather::default()
    });
    let agent = stage.callers();
    let created = agent::create(&agent).await;
    let takes = format!("http://{}/r/{}/takes", proxy.address(), created.id);

    let start = Instant::now();
    let printed = run(script, &[&takes, path(film)]).await;
    let (seconds, cuts) = (start.elapsed().as_secs_f32(), proxy.cuts());
    let take = printed.trim().strip_prefix(&format!("{takes}/"));
    let take = take.unwrap_or_else(|| panic!("{client} printed no take: {printed}"));

    submit(&agent, &created, take).await;
    let bytes = assert_equal(video(&agent, &created).await, film, client).await;
    stage.nodes[0].assert_alive();
    let stage = stage.name();
    println!("{client:<22} {stage:<8} {bytes:>9} bytes {cuts:>4} cuts {seconds:>6.1} s  equal");
    assert!(cuts >= CUTS, "{client}: no more than {cuts} cuts");
}

async fn submit(agent: &Callers, created: &CreatedRequest, take: &str) {
    let submission = Submission { take: take.into() };
    let submit = |client: &Client, url: &str| {
        let submit = client.post(format!("{url}/r/{}/submission", created.id));
        submit.json(&submission)
    };
    let answer = agent.ask(submit).await;
    assert_eq!(answer.status(), StatusCode::OK, "{}", answer.url());
}

/// The video of a request, about to be read.
async fn video(agent: &Callers, created: &CreatedRequest) -> Response {
    let get = async |path: String| {
        let get = |client: &Client, url: &str| {
            let get = client.get(format!("{url}{path}"));
            get.bearer_auth(&created.access_token)
        };
        let answer = agent.ask(get).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer
    };
    let view = get(format!("/v1/requests/{}", created.id)).await;
    let view: RequestView = view.json().await.expect("a request");
    assert_eq!(view.status, RequestStatus::Submitted);
    let video = view.video.expect("a submitted video");
    get(format!("/v1/videos/{}", video.id)).await
}

/// Compares a body with a file while it comes, and tells how long the file is. The index that stands in
/// front of a live recording isn't the client's.
async fn assert_equal(mut body: Response, file: &Path, client: &str) -> u64 {
    let mut file = File::open(file).expect("a recorded film");
    let length = file.metadata().expect("a file").len();
    let index = body.content_length().and_then(|it| it.checked_sub(length));
    let mut index = index.unwrap_or_else(|| panic!("{client}: shorter than what was sent"));
    assert!(index < length / 100, "{client}: longer than what was sent");
    let (mut want, mut at) = (Vec::new(), 0);
    while let Some(mut piece) = body.chunk().await.expect("the rest of a video") {
        let before = index.min(piece.len() as u64);
        index -= before;
        let piece = piece.split_off(usize::try_from(before).expect("within a piece"));
        want.resize(piece.len(), 0);
        let read = file.read_exact(&mut want);
        assert!(read.is_ok(), "{client}: longer than what was sent");
        assert!(piece == want, "{client}: different behind byte {at}");
        at += piece.len() as u64;
    }
    let left = file.read(&mut [0]).expect("a readable file");
    assert_eq!(left, 0, "{client}: it ends at {at}");
    at
}

/// Runs a script to its end and returns what it printed.
async fn run(script: &str, arguments: &[&str]) -> String {
    // Browsers leave what they wrote when they are killed.
    let scratch = tempfile::tempdir().expect("a folder");
    let interpreter = interpreter(script);
    let running = Command::new(&interpreter)
        .arg(here().join("tests/clients").join(script))
        .args(arguments)
        .env("TMPDIR", scratch.path())
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let ended = timeout(SCRIPT_PATIENCE, running).await;
    let ended = ended.unwrap_or_else(|_| panic!("{script} takes too long"));
    let output = ended.unwrap_or_else(|error| {
        let interpreter = interpreter.display();
        panic!("{interpreter} is needed, and `cargo xtask setup --all` brings it: {error}")
    });
    let status = output.status;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(status.success(), "{script}: {status}\n{errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// What runs a script: Python has an environment of its own, which `cargo xtask setup --all` makes.
fn interpreter(script: &str) -> PathBuf {
    match script.ends_with(".py") {
        true => here().join("../target/clients/bin/python"),
        false => PathBuf::from("node"),
    }
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn path(file: &Path) -> &str {
    file.to_str().expect("a path in UTF-8")
}
