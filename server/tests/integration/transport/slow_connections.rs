//! Slow connections: a transfer may take many times longer than every timeout, and ends only when it stalls.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use reqwest::header::{CONTENT_TYPE, RANGE};
use reqwest::{Method, RequestBuilder, StatusCode};
use server::Timeouts;
use server::config::ServingArgs;
use tokio::time::timeout;

use crate::support::slow_proxy::{SlowProxy, StallAfter};
use crate::support::{Creator, Server, clip, on_storage, wait_until};

on_storage! {
    sqlite sqlite
    a_line_of_100_kb_a_second_carries_recordings_for_minutes
    a_transfer_may_last_many_times_longer_than_every_timeout
    a_stalled_upload_ends_and_can_be_resumed
    a_stalled_download_ends_and_can_be_resumed
}

on_storage! {
    http2 over_http2
    a_transfer_may_last_many_times_longer_than_every_timeout
    a_stalled_upload_ends_and_can_be_resumed
    a_stalled_download_ends_and_can_be_resumed
}

/// All timeouts. Long enough for a disk that takes a second for a sync, during which no byte moves.
const SHORT: Duration = Duration::from_secs(2);

const TIMEOUTS: Timeouts = Timeouts {
    unused: SHORT,
    handshake: SHORT,
    head: SHORT,
    idle: SHORT,
    crowded: SHORT,
    spread: Duration::ZERO,
    silence: SHORT,
    stall: SHORT,
};

/// Bytes a second of a connection.
const BANDWIDTH: usize = 500_000;

/// Twenty seconds of it.
const LENGTH: usize = 20 * BANDWIDTH;

const MINUTE: Duration = Duration::from_secs(60);

/// A busy machine may need much longer than a [`SHORT`] timeout.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Bytes after which a connection stalls.
const STALL_AFTER: u64 = 1_000_000;

/// A request over the slow connection, with the access token.
fn request_through(
    proxy: &SlowProxy,
    creator: &Creator<'_>,
    method: Method,
    path: &str,
) -> RequestBuilder {
    let server = creator.server;
    let (scheme, _) = server.base.split_once("://").expect("a scheme");
    let url = format!("{scheme}://{}{path}", proxy.address());
    let request = server.client.request(method, url);
    request.bearer_auth(&creator.created.access_token)
}

fn address(server: &Server) -> SocketAddr {
    let (_, address) = server.base.split_once("://").expect("a scheme");
    address.parse().expect("an address")
}

/// An upload of the whole recording.
fn upload(
    proxy: &SlowProxy,
    creator: &Creator<'_>,
    take: &str,
    recording: &[u8],
) -> RequestBuilder {
    let request = request_through(proxy, creator, Method::PATCH, take);
    request
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", 0)
        .header("Upload-Complete", "?1")
        .body(recording.to_vec())
}

async fn a_transfer_may_last_many_times_longer_than_every_timeout(server: Server) {
    let recording = clip(LENGTH);
    for elapsed in transfer_both_ways(server, TIMEOUTS, BANDWIDTH, &recording).await {
        assert!(elapsed > 8 * SHORT, "too fast a line: {elapsed:?}");
    }
}

/// With the default timeouts.
async fn a_line_of_100_kb_a_second_carries_recordings_for_minutes(server: Server) {
    let recording = clip(13_000_000);
    for elapsed in transfer_both_ways(server, Timeouts::default(), 100_000, &recording).await {
        assert!(elapsed > 2 * MINUTE, "too fast a line: {elapsed:?}");
    }
}

/// Uploads a recording while another one is downloaded, and returns how long each took.
async fn transfer_both_ways(
    server: Server,
    timeouts: Timeouts,
    bandwidth: usize,
    recording: &[u8],
) -> [Duration; 2] {
    let (sent_by, watched_by) = (
        server.create_request().await.created,
        server.create_request().await.created,
    );
    let video = server.creator(&watched_by).submit_video(recording).await;
    let take = server.creator(&sent_by).create_take().await;
    let server = server.with_timeouts(timeouts).await;
    let (sender, downloader) = (server.creator(&sent_by), server.creator(&watched_by));
    let proxy = SlowProxy::to(address(&server), bandwidth, StallAfter::default()).await;

    let sending = async {
        let begun = Instant::now();
        let answer = upload(&proxy, &sender, &take, recording).send().await;
        assert_eq!(answer.expect("an answer").status(), StatusCode::NO_CONTENT);
        begun.elapsed()
    };
    let download_task = async {
        let begun = Instant::now();
        let part =
            request_through(&proxy, &downloader, Method::GET, &video).header(RANGE, "bytes=1000-");
        let part = part.send().await.expect("an answer");
        assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
        let bytes = part.bytes().await.expect("all of it");
        assert!(bytes == recording[1000..]);
        begun.elapsed()
    };
    let (sent, downloaded) = tokio::join!(sending, download_task);
    // Sealing on a busy machine may stall a connection for so short a time.
    let server = server.with_timeouts(Timeouts::default()).await;
    let sender = server.creator(&sent_by);
    assert!(sender.submit_and_download(&take).await == recording);
    [sent, downloaded]
}

/// Allows a single connection, so that another one is served only after the first has ended.
async fn with_one_connection(server: Server) -> Server {
    let server = server.with_timeouts(TIMEOUTS).await;
    let serving = ServingArgs {
        max_connections: 1,
        ..server.config().serving.clone()
    };
    server.with_serving_args(serving).await
}

async fn a_stalled_upload_ends_and_can_be_resumed(server: Server) {
    let recording = clip(LENGTH);
    let sent_by = server.create_request().await.created;
    let take = server.creator(&sent_by).create_take().await;
    let server = with_one_connection(server).await;
    let sender = server.creator(&sent_by);
    let stall_after = StallAfter {
        sent: Some(STALL_AFTER),
        ..StallAfter::default()
    };
    let proxy = SlowProxy::to(address(&server), BANDWIDTH, stall_after).await;
    let sending = upload(&proxy, &sender, &take, &recording);
    let sending = tokio::spawn(sending.send());
    proxy.stalled().await;
    // Waits for the upload's slot, and until what arrived is committed. The connection carries more than the recording.
    let expected = STALL_AFTER * 9 / 10..STALL_AFTER + 100_000;
    let arrived = async || sender.page_state().await.takes[0].offset;
    wait_until(async || expected.contains(&arrived().await)).await;
    let arrived = arrived().await;
    proxy.resume();
    let sent = sending.await.expect("no panic");
    // The client may still read the answer before it sees that the connection is gone.
    match sent {
        Err(error) => assert!(error.is_request(), "{error:?}"),
        Ok(answer) => assert!(answer.status().is_client_error(), "{answer:?}"),
    }

    let at = usize::try_from(arrived).expect("small");
    let server = server.with_timeouts(Timeouts::default()).await;
    let creator = server.creator(&sent_by);
    let rest = creator
        .append(&take, arrived, recording[at..].to_vec(), true)
        .await;
    assert_eq!(rest.status(), StatusCode::NO_CONTENT);
    assert!(creator.submit_and_download(&take).await == recording);
}

async fn a_stalled_download_ends_and_can_be_resumed(server: Server) {
    let recording = clip(LENGTH);
    let watched_by = server.create_request().await.created;
    let video = server.creator(&watched_by).submit_video(&recording).await;
    let server = with_one_connection(server).await;
    let creator = server.creator(&watched_by);
    let stall_after = StallAfter {
        received: Some(STALL_AFTER),
        ..StallAfter::default()
    };
    let proxy = SlowProxy::to(address(&server), BANDWIDTH, stall_after).await;
    let mut download = request_through(&proxy, &creator, Method::GET, &video)
        .send()
        .await;
    let download = download.as_mut().expect("an answer");
    // Waits for the download's slot.
    let healthy = timeout(TIMEOUT, server.get("/healthz")).await;
    assert_eq!(healthy.expect("a connection slot").status(), StatusCode::OK);
    proxy.resume();
    let mut received = Vec::new();
    let broken = loop {
        match download.chunk().await {
            Ok(Some(piece)) => received.extend_from_slice(&piece),
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert!(broken, "{} bytes, and no error", received.len());
    assert!(received.len() < recording.len() && recording.starts_with(&received));

    let rest = request_through(&proxy, &creator, Method::GET, &video);
    let rest = rest.header(RANGE, format!("bytes={}-", received.len()));
    let rest = rest.send().await.expect("an answer");
    received.extend_from_slice(&rest.bytes().await.expect("the rest"));
    assert!(received == recording);
}
