//! A crowd on slow networks: many uploads at once, each a trickle.

use std::fs;
use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use futures_util::{Stream, stream};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Body, Client, StatusCode};
use tokio::time::interval;

use super::agent;
use super::callers::{Callers, client};
use super::content::bytes;
use super::ledger::Ledger;
use super::scale::scale;
use super::stage::Stage;
use super::uploader::Uploader;

/// What each of them sends, and how often: 20 kB a second.
const TRICKLE: u64 = 2000;
const PACE: Duration = Duration::from_millis(100);

/// Memory of the server's own, at most: in bytes.
const MEMORY: u64 = 300_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_of_slow_uploads_takes_little_memory_and_holds_nobody_up() {
    let mut stage = Stage::laptop().await;
    let (ledger, callers) = (Ledger::default(), stage.callers());
    let (url, process) = (stage.nodes[0].url(), stage.nodes[0].id());
    let client = client();
    let people = 0..scale().crowd;
    let crowd = join_all(people.map(|person| trickle(&client, &url, &callers, person)));
    let mut healthy = Uploader::new(0, &callers, &callers, &ledger);
    healthy.habits.slow_one_of = u32::MAX;
    healthy.habits.take = 200_000..=500_000;
    let (mut answered, mut peak) = (0, 0);
    tokio::select! {
        _ = crowd => {}
        () = async { loop { healthy.answer_one().await; answered += 1; } } => {}
        () = watch_memory(process, &mut peak) => {}
    }
    stage.nodes[0].assert_alive();
    println!(
        "{:<22} {:<8} {} uploads at 20 kB/s, {answered} others meanwhile, {} MB at most",
        "crowd",
        stage.name(),
        scale().crowd,
        peak / 1_000_000,
    );
    assert!(answered > 0, "nobody else got through");
    assert!(peak < MEMORY, "{peak}");
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
    let length = TRICKLE * scale().crowd_pieces;
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

fn paced(seed: u64, range: Range<u64>) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    stream::unfold(
        (interval(PACE), range),
        move |(mut pace, range)| async move {
            let end = range.end.min(range.start + TRICKLE);
            if range.start == end {
                return None;
            }
            pace.tick().await;
            let piece = bytes(seed, range.start..end);
            Some((Ok(piece), (pace, end..range.end)))
        },
    )
}

/// Anonymous memory, and not what it has mapped: until it is dropped.
pub async fn watch_memory(process: u32, peak: &mut u64) {
    let mut pace = interval(Duration::from_millis(50));
    loop {
        pace.tick().await;
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let line = status.lines().find_map(|it| it.strip_prefix("RssAnon:"));
        let kilobytes = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        *peak = (*peak).max(1024 * kilobytes.expect("a number"));
    }
}
