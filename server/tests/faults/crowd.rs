//! A crowd on slow networks: many uploads at once, each a trickle.

use std::fs;
use std::ops::Range;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::join_all;
use futures_util::{Stream, stream};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Body, Client, StatusCode};
use tokio::time::interval;

use super::stage::Stage;
use test_support::agent;
use test_support::callers::{Callers, client};
use test_support::content::bytes;
use test_support::ledger::Ledger;
use test_support::scale::scale;
use test_support::uploader::Uploader;

/// How often each of them sends a piece.
const PACE: Duration = Duration::from_millis(100);

/// What all of them send together, in bytes: many times what the server may keep in memory.
const OFFERED: u64 = 200_000_000;

/// What the server may keep of uploads, in bytes.
const UPLOAD_MEMORY: &str = "8388608";

/// Anonymous memory beyond that of the idle server, at most: upload memory, and what each connection takes.
const MEMORY: u64 = 40_000_000;

/// The longest that another person's whole story may take beside the crowd.
const LONGEST: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_of_slow_uploads_takes_little_memory_and_delays_nobody() {
    let mut stage = Stage::laptop_with(&["--upload-memory", UPLOAD_MEMORY]).await;
    let (ledger, callers) = (Ledger::default(), stage.callers());
    let (url, process) = (stage.nodes[0].url(), stage.nodes[0].id());
    let client = client();
    let mut other = Uploader::new(0, &callers, &callers, &ledger);
    other.habits.slow_one_of = u32::MAX;
    other.habits.take = 200_000..=500_000;
    // What the first story brings into memory stays there.
    other.answer_one().await;
    let idle = anonymous_memory(process);
    let people = 0..scale().crowd;
    let crowd = join_all(people.map(|person| trickle(&client, &url, &callers, person)));
    let (mut took, mut peak) = (Vec::new(), 0);
    tokio::select! {
        _ = crowd => {}
        () = async {
            loop {
                let begin = Instant::now();
                other.answer_one().await;
                took.push(begin.elapsed());
            }
        } => {}
        () = watch_memory(process, &mut peak) => {}
    }
    stage.nodes[0].assert_alive();
    let (stories, longest) = (took.len(), took.into_iter().max());
    println!(
        "{:<22} {:<8} {} uploads of {OFFERED} bytes in all, {stories} others meanwhile in {longest:?} at most, {} MB more",
        "crowd",
        stage.name(),
        scale().crowd,
        peak.saturating_sub(idle) / 1_000_000,
    );
    assert!(longest.is_some_and(|it| it < LONGEST), "{longest:?}");
    assert!(peak < idle + MEMORY, "{peak} with the crowd, {idle} before");
}

/// One of them: nothing may be missing in the end.
async fn trickle(client: &Client, url: &str, callers: &Callers, person: u64) {
    let created = agent::create(callers).await;
    let takes = client.post(format!("{url}/r/{}/takes", created.id));
    let begun = takes
        .header(CONTENT_TYPE, "video/webm")
        .header("Upload-Complete", "?0");
    let begun = begun.send().await.expect("an answer");
    let take = begun.headers()[LOCATION]
        .to_str()
        .expect("a path")
        .to_owned();
    let length = piece() * scale().crowd_pieces;
    let append = client.patch(format!("{url}{take}"));
    let append = append
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?1")
        .body(Body::wrap_stream(paced(person, 0..length)));
    let answer = append.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(answer.headers()["upload-offset"], length.to_string());
}

/// Bytes that each of them sends at a time.
fn piece() -> u64 {
    OFFERED / (scale().crowd * scale().crowd_pieces)
}

fn paced(seed: u64, range: Range<u64>) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    stream::unfold(
        (interval(PACE), range),
        move |(mut pace, range)| async move {
            let end = range.end.min(range.start + piece());
            if range.start == end {
                return None;
            }
            pace.tick().await;
            let piece = bytes(seed, range.start..end);
            Some((Ok(piece), (pace, end..range.end)))
        },
    )
}

/// The most anonymous memory of a process, until it is dropped.
pub async fn watch_memory(process: u32, peak: &mut u64) {
    let mut pace = interval(Duration::from_millis(50));
    loop {
        pace.tick().await;
        *peak = (*peak).max(anonymous_memory(process));
    }
}

/// Without what it has mapped, in bytes.
pub fn anonymous_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    1024 * kilobytes.expect("a number")
}
