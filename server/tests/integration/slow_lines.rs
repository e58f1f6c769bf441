//! Slow lines: a transfer may take many times longer than every timeout, and ends only when it stands still.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use reqwest::header::{CONTENT_TYPE, RANGE};
use reqwest::{Method, RequestBuilder, StatusCode};
use server::Timeouts;
use server::config::ServingArgs;
use tokio::time::timeout;

use crate::support::slow_line::{SlowLine, StopsAfter};
use crate::support::{Creator, Server, clip, journeys_on};

journeys_on! {
    laptop on_a_laptop
    a_transfer_may_last_many_times_longer_than_every_timeout
    an_upload_that_stands_still_ends_and_goes_on_where_it_stopped
    a_download_that_stands_still_ends_and_goes_on_where_it_stopped
}

journeys_on! {
    http2 over_http2
    a_transfer_may_last_many_times_longer_than_every_timeout
    an_upload_that_stands_still_ends_and_goes_on_where_it_stopped
    a_download_that_stands_still_ends_and_goes_on_where_it_stopped
}

/// For everything: as if of a hundredth of what a server waits, and a line ten times as fast as 100 kB/s.
const SHORT: Duration = Duration::from_secs(1);

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

/// Ten seconds of the line.
const LENGTH: usize = 10_000_000;

/// A busy machine needs a while for what is to happen after a [`SHORT`] one.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where a line stops, if it does.
const STOP: u64 = 1_000_000;

/// A request by way of a line, with the token of whoever watches.
fn by(line: &SlowLine, creator: &Creator<'_>, method: Method, path: &str) -> RequestBuilder {
    let server = creator.server;
    let (scheme, _) = server.base.split_once("://").expect("a scheme");
    let url = format!("{scheme}://{}{path}", line.address());
    let request = server.client.request(method, url);
    request.bearer_auth(&creator.created.access_token)
}

fn address(server: &Server) -> SocketAddr {
    let (_, address) = server.base.split_once("://").expect("a scheme");
    address.parse().expect("an address")
}

/// All of a recording from here on.
fn upload(line: &SlowLine, creator: &Creator<'_>, take: &str, film: &[u8]) -> RequestBuilder {
    let request = by(line, creator, Method::PATCH, take);
    request
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", 0)
        .header("Upload-Complete", "?1")
        .body(film.to_vec())
}

async fn a_transfer_may_last_many_times_longer_than_every_timeout(server: Server) {
    let server = server.with_timeouts(TIMEOUTS).await;
    let film = clip(LENGTH);
    let (sender, watcher) = (server.create().await, server.create().await);
    let video = watcher.submit_video(&film).await;
    let take = sender.begin().await;
    let line = SlowLine::to(address(&server), StopsAfter::default()).await;

    let sending = async {
        let begun = Instant::now();
        let answer = upload(&line, &sender, &take, &film).send().await;
        assert_eq!(answer.expect("an answer").status(), StatusCode::NO_CONTENT);
        begun.elapsed()
    };
    let watching = async {
        let begun = Instant::now();
        let part = by(&line, &watcher, Method::GET, &video).header(RANGE, "bytes=1000-");
        let part = part.send().await.expect("an answer");
        assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
        let bytes = part.bytes().await.expect("all of it");
        assert!(bytes == film[1000..]);
        begun.elapsed()
    };
    let (sent, watched) = tokio::join!(sending, watching);
    for took in [sent, watched] {
        assert!(took > 8 * SHORT, "too fast a line: {took:?}");
    }
    assert!(sender.submit_and_watch(&take).await == film);
}

/// Serves one connection at a time: so another is served once the first has ended.
async fn with_one_place(server: Server) -> Server {
    let server = server.with_timeouts(TIMEOUTS).await;
    let serving = ServingArgs {
        max_connections: 1,
        ..server.config().serving.clone()
    };
    server.serving(serving).await
}

async fn an_upload_that_stands_still_ends_and_goes_on_where_it_stopped(server: Server) {
    let server = with_one_place(server).await;
    let film = clip(LENGTH);
    let creator = server.create().await;
    let take = creator.begin().await;
    let stops = StopsAfter {
        sent: Some(STOP),
        ..StopsAfter::default()
    };
    let line = SlowLine::to(address(&server), stops).await;
    let sending = upload(&line, &creator, &take, &film);
    let sending = tokio::spawn(sending.send());
    line.stopped().await;
    // Waits for the place that the upload has.
    let state = timeout(PATIENCE, creator.state()).await;
    let arrived = state.expect("the place").takes[0].offset;
    line.mend();
    let sent = sending.await.expect("no panic");
    assert!(
        sent.is_err_and(|error| error.is_request()),
        "it was answered"
    );

    let at = usize::try_from(arrived).expect("small");
    // What passes the line isn't the recording alone.
    assert!(
        (STOP * 9 / 10..STOP + 100_000).contains(&arrived),
        "{arrived}"
    );
    let rest = creator
        .append(&take, arrived, film[at..].to_vec(), true)
        .await;
    assert_eq!(rest.status(), StatusCode::NO_CONTENT);
    assert!(creator.submit_and_watch(&take).await == film);
}

async fn a_download_that_stands_still_ends_and_goes_on_where_it_stopped(server: Server) {
    let server = with_one_place(server).await;
    let film = clip(LENGTH);
    let creator = server.create().await;
    let video = creator.submit_video(&film).await;
    let stops = StopsAfter {
        received: Some(STOP),
        ..StopsAfter::default()
    };
    let line = SlowLine::to(address(&server), stops).await;
    let mut download = by(&line, &creator, Method::GET, &video).send().await;
    let download = download.as_mut().expect("an answer");
    // Waits for the place that the download has.
    let healthy = timeout(PATIENCE, server.get("/healthz")).await;
    assert_eq!(healthy.expect("the place").status(), StatusCode::OK);
    line.mend();
    let mut got = Vec::new();
    let broken = loop {
        match download.chunk().await {
            Ok(Some(piece)) => got.extend_from_slice(&piece),
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert!(broken, "{} bytes, and no word of the others", got.len());
    assert!(got.len() < film.len() && film.starts_with(&got));

    let rest = by(&line, &creator, Method::GET, &video);
    let rest = rest.header(RANGE, format!("bytes={}-", got.len()));
    let rest = rest.send().await.expect("an answer");
    got.extend_from_slice(&rest.bytes().await.expect("the rest"));
    assert!(got == film);
}
