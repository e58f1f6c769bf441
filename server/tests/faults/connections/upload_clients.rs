//! Third-party upload clients send real video over a connection that is cut again and again.
//!
//! Each resumes by its own means. The downloaded video must equal the file byte for byte. The scripts in
//! `tests/clients` pass a file to a client and print the URL of the upload; all they know of this server is the
//! upload endpoint.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use app::api::{CreatedRequest, RequestStatus, RequestView, Submission};
use reqwest::{Client, Response, StatusCode};
use tokio::process::Command;
use tokio::time::timeout;

use crate::environment::Environment;
use crate::environment::proxy::NetworkFaults;
use test_support::clients::agent;
use test_support::clients::retrying_client::RetryingClient;
use test_support::scale::scale;

/// Clients, and the scripts that drive them.
const CLIENTS: [(&str, &str); 5] = [
    ("tus-js-client", "with-tus-js-client.js"),
    ("Uppy in Chromium", "with-uppy.js"),
    ("tuspy", "with-tuspy.py"),
    ("aiotus", "with-aiotus.py"),
    ("plain HTTP, IETF", "plain.py"),
];

/// Bandwidth, so low that an upload takes at least five connections at any scale.
const BYTES_PER_SECOND: u32 = 10_000_000;

/// Cut connections of each client, at least.
const CUTS: u64 = 3;

/// Timeout of a script.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(300);

#[tokio::test(flavor = "multi_thread")]
async fn third_party_upload_clients_complete_over_cut_connections() {
    let folder = tempfile::tempdir().expect("a folder");
    let recording = folder.path().join("recording.webm");
    let bytes = scale().recording_bytes.to_string();
    run("record.js", &[path(&recording), &bytes]).await;
    // In turn: a client gives up after several attempts without progress.
    for (client, script) in CLIENTS {
        upload_with(client, script, &recording).await;
    }
}

/// Uploads a recording with this client, and verifies the video.
async fn upload_with(client: &str, script: &str, recording: &Path) {
    let (mut environment, proxy) = Environment::sqlite_behind_proxy().await;
    let cut_after = scale().recording_cut_after;
    proxy.set(NetworkFaults {
        cut_after: Some(cut_after..cut_after + Duration::from_millis(1)),
        bytes_per_second: Some(BYTES_PER_SECOND),
        ..NetworkFaults::default()
    });
    let agent = environment.client();
    let created = agent::create(&agent).await;
    let takes = format!("http://{}/r/{}/takes", proxy.address(), created.id);

    let start = Instant::now();
    let printed = run(script, &[&takes, path(recording)]).await;
    let (seconds, cuts) = (start.elapsed().as_secs_f32(), proxy.cuts());
    let take = printed.trim().strip_prefix(&format!("{takes}/"));
    let take = take.unwrap_or_else(|| panic!("{client} printed no take: {printed}"));

    submit(&agent, &created, take).await;
    let bytes = assert_equal(video(&agent, &created).await, recording, client).await;
    environment.nodes[0].assert_alive();
    let environment = environment.name();
    println!(
        "{client:<22} {environment:<11} {bytes:>9} bytes {cuts:>4} cuts {seconds:>6.1} s  equal"
    );
    assert!(cuts >= CUTS, "{client}: no more than {cuts} cuts");
}

async fn submit(agent: &RetryingClient, created: &CreatedRequest, take: &str) {
    let submission = Submission::of(take);
    let submit = |http: &Client, url: &str| {
        let submit = http.post(format!("{url}/r/{}/submission", created.id));
        submit.json(&submission)
    };
    let answer = agent.send(submit).await;
    assert_eq!(answer.status(), StatusCode::OK, "{}", answer.url());
}

/// The download of a request's video.
async fn video(agent: &RetryingClient, created: &CreatedRequest) -> Response {
    let get = async |path: String| {
        let get = |http: &Client, url: &str| {
            let get = http.get(format!("{url}{path}"));
            get.bearer_auth(&created.access_token)
        };
        let answer = agent.send(get).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer
    };
    let view = get(format!("/v1/requests/{}", created.id)).await;
    let view: RequestView = view.json().await.expect("a request");
    assert_eq!(view.status, RequestStatus::Submitted);
    let video = view.video.expect("a submitted video");
    get(format!("/v1/videos/{}", video.id)).await
}

/// Compares a body with a file while it arrives, and returns the file's length.
/// The server puts an index in front of a live recording.
async fn assert_equal(mut body: Response, file: &Path, client: &str) -> u64 {
    let mut file = File::open(file).expect("a recording");
    let length = file.metadata().expect("a file").len();
    let index = body.content_length().and_then(|it| it.checked_sub(length));
    let mut index = index.unwrap_or_else(|| panic!("{client}: shorter than what was sent"));
    assert!(index < length / 100, "{client}: longer than what was sent");
    let (mut want, mut at) = (Vec::new(), 0);
    while let Some(mut chunk) = body.chunk().await.expect("the rest of a video") {
        let of_index = index.min(chunk.len() as u64);
        index -= of_index;
        let chunk = chunk.split_off(usize::try_from(of_index).expect("within a piece"));
        want.resize(chunk.len(), 0);
        let read = file.read_exact(&mut want);
        assert!(read.is_ok(), "{client}: longer than what was sent");
        assert!(chunk == want, "{client}: different behind byte {at}");
        at += chunk.len() as u64;
    }
    let rest = file.read(&mut [0]).expect("a readable file");
    assert_eq!(rest, 0, "{client}: it ends at {at}");
    at
}

/// Runs a script to its exit and returns its stdout.
async fn run(script: &str, arguments: &[&str]) -> String {
    // A killed browser leaves its files.
    let scratch = tempfile::tempdir().expect("a folder");
    let interpreter = interpreter(script);
    let running = Command::new(&interpreter)
        .arg(package_dir().join("tests/clients").join(script))
        .args(arguments)
        .env("TMPDIR", scratch.path())
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let ended = timeout(SCRIPT_TIMEOUT, running).await;
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

/// Interpreter of a script: Python has a virtual environment, which `cargo xtask setup --all` makes.
fn interpreter(script: &str) -> PathBuf {
    match script.ends_with(".py") {
        true => package_dir().join("../target/clients/bin/python"),
        false => PathBuf::from("node"),
    }
}

fn package_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn path(file: &Path) -> &str {
    file.to_str().expect("a path in UTF-8")
}
