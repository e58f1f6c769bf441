//! Many concurrent uploads over slow connections.

use std::ops::Range;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::join_all;
use futures_util::{Stream, stream};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Body, Client, StatusCode};
use tokio::time::{MissedTickBehavior, interval};

use crate::environment::Environment;
use crate::environment::memory::{anonymous_memory, record_peak_memory};
use test_support::clients::agent;
use test_support::clients::ledger::Ledger;
use test_support::clients::retrying_client::{RetryingClient, http_client};
use test_support::clients::uploader::Uploader;
use test_support::recordings::content::bytes;
use test_support::scale::scale;

/// Interval between the pieces of an upload.
const INTERVAL: Duration = Duration::from_millis(100);

/// Bytes of all uploads together: many times the upload memory.
const TOTAL_BYTES: u64 = 200_000_000;

/// Value of `--upload-memory`.
const UPLOAD_MEMORY: &str = "8388608";

/// Bound of anonymous memory beyond the idle server's: upload memory and the cost of each connection.
const MAX_GROWTH: u64 = 40_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn slow_uploads_take_bounded_memory_and_delay_no_other_client() {
    let mut environment = Environment::sqlite_with_flags(&["--upload-memory", UPLOAD_MEMORY]).await;
    let (ledger, client) = (Ledger::default(), environment.client());
    let (url, process) = (environment.nodes[0].url(), environment.nodes[0].id());
    let http = http_client();
    let mut other = Uploader::new(0, &client, &client, &ledger);
    other.profile.slow_one_in = u32::MAX;
    other.profile.take_bytes = 200_000..=500_000;
    // Memory that the first lifecycle takes is kept.
    other.complete_request().await;
    let idle = anonymous_memory(process);
    let uploaders = 0..scale().slow_uploads;
    let slow_uploads = join_all(uploaders.map(|seed| upload_slowly(&http, &url, &client, seed)));
    let (mut durations, mut peak, started) = (Vec::new(), 0, Instant::now());
    let mut lifecycle = started;
    tokio::select! {
        _ = slow_uploads => {}
        () = async {
            loop {
                lifecycle = Instant::now();
                other.complete_request().await;
                durations.push(lifecycle.elapsed());
            }
        } => {}
        () = record_peak_memory(process, &mut peak) => {}
    }
    let crowd = started.elapsed();
    // The one that the crowd's end has broken off.
    durations.push(lifecycle.elapsed());
    environment.nodes[0].assert_alive();
    let (lifecycles, longest) = (durations.len(), durations.into_iter().max());
    println!(
        "{:<22} {:<11} {} uploads of {TOTAL_BYTES} bytes in all, {lifecycles} others in {longest:?} at most within {crowd:?}, {} MB more",
        "crowd",
        environment.name(),
        scale().slow_uploads,
        peak.saturating_sub(idle) / 1_000_000,
    );
    // One that waits for the crowd lasts as long as that.
    assert!(
        longest.is_some_and(|it| it < crowd / 2),
        "{longest:?} of {crowd:?}"
    );
    assert!(
        peak < idle + MAX_GROWTH,
        "{peak} with the crowd, {idle} before"
    );
}

/// Uploads slowly, and asserts that everything has arrived.
async fn upload_slowly(http: &Client, url: &str, client: &RetryingClient, seed: u64) {
    let created = agent::create(client).await;
    let takes = http.post(format!("{url}/r/{}/takes", created.id));
    let created_take = takes
        .header(CONTENT_TYPE, "video/webm")
        .header("Upload-Complete", "?0");
    let created_take = created_take.send().await.expect("an answer");
    let take = created_take.headers()[LOCATION]
        .to_str()
        .expect("a path")
        .to_owned();
    let length = piece() * scale().slow_upload_pieces;
    let append = http.patch(format!("{url}{take}"));
    let append = append
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?1")
        .body(Body::wrap_stream(paced_body(seed, 0..length)));
    let answer = append.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(answer.headers()["upload-offset"], length.to_string());
}

/// Bytes of a piece.
fn piece() -> u64 {
    TOTAL_BYTES / (scale().slow_uploads * scale().slow_upload_pieces)
}

fn paced_body(seed: u64, range: Range<u64>) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    // The crowd of a machine that pauses lasts longer.
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    stream::unfold((ticks, range), move |(mut ticks, range)| async move {
        let end = range.end.min(range.start + piece());
        if range.start == end {
            return None;
        }
        ticks.tick().await;
        let piece = bytes(seed, range.start..end);
        Some((Ok(piece), (ticks, end..range.end)))
    })
}
