//! When a request ends, streams over HTTP/2 are reset, and connections of finished responses stay open.

use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::revocation::{
    LARGE_VIDEO_BYTES, Revocation, assert_ends_soon, connect_with_small_buffer, http1_request,
    wait_for_reset, wait_until_stalled,
};
use crate::support::scrape::AdminServer;
use crate::support::{CLIP, Creator, LIVE_WEBM, Server, clip, on_each_storage, wait_until};
use test_support::clients::http2_frames::{self, CANCEL, INITIAL_WINDOW_SIZE};

on_each_storage! {
    a_stalled_http2_stream_is_reset_and_its_connection_stays_open
    a_stalled_http2_connection_is_reset
    a_deletion_keeps_connections_of_finished_responses
}

/// Sends a GET for each path over HTTP/2, and reads the response heads.
async fn send_over_http2(
    server: &Server,
    creator: &Creator<'_>,
    window: u32,
    paths: &[&str],
) -> TcpStream {
    let mut connection = connect_with_small_buffer(server).await;
    let settings = [(INITIAL_WINDOW_SIZE, window)];
    http2_frames::send_preface(&mut connection, &settings)
        .await
        .expect("a connection");
    for (stream, path) in (1..).step_by(2).zip(paths) {
        let get = http2_frames::get(stream, path, &creator.created.access_token);
        connection.write_all(&get).await.expect("a request");
    }
    for _ in paths {
        let is_head = |it: &http2_frames::Frame| it.kind == http2_frames::HEADERS;
        let head = http2_frames::read_until(&mut connection, is_head).await;
        head.expect("a head");
    }
    connection
}

async fn a_stalled_http2_stream_is_reset_and_its_connection_stays_open(server: Server) {
    // A closed window, and one smaller than a frame.
    for window in [0, 1000] {
        let creator = server.create_request().await;
        let video = creator.submit_video(LIVE_WEBM).await;
        let id = video.rsplit('/').next().expect("an id").to_owned();
        let metadata = format!("/videos/{id}/metadata");
        let still = format!("/videos/{id}/stills/0");
        let are_stills_ready = async || {
            let metadata = creator
                .send_authorized(Method::GET, &metadata)
                .await
                .text()
                .await;
            metadata.expect("metadata").contains("at_ms")
        };
        wait_until(are_stills_ready).await;
        let mut stalled = send_over_http2(&server, &creator, window, &[&video, &still]).await;
        Revocation::Deletion.apply(&creator).await;
        for _ in 0..2 {
            let is_reset = |it: &http2_frames::Frame| it.kind == http2_frames::RST_STREAM;
            let reset = http2_frames::read_until(&mut stalled, is_reset).await;
            assert_eq!(reset.expect("a reset").error_code(), Some(CANCEL));
        }
        // Opening the windows yields no more of these streams, while others work.
        let written = [
            http2_frames::window_update(1, 1 << 20),
            http2_frames::window_update(3, 1 << 20),
            http2_frames::settings(&[(INITIAL_WINDOW_SIZE, 1 << 20)]),
            http2_frames::get(5, "/healthz", ""),
        ];
        stalled
            .write_all(&written.concat())
            .await
            .expect("a request");
        let answer = http2_frames::read_until(&mut stalled, |it| {
            assert!(
                it.kind != http2_frames::DATA || it.stream == 5,
                "{}",
                it.stream
            );
            it.kind == http2_frames::DATA
        });
        assert_eq!(answer.await.expect("an answer").payload, b"ok\n");
    }
}

async fn a_stalled_http2_connection_is_reset(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(&clip(LARGE_VIDEO_BYTES)).await;
    let admin = AdminServer::start(&server).await;
    let stalled =
        send_over_http2(&server, &creator, http2_frames::MAX_WINDOW_SIZE, &[&video]).await;
    wait_until_stalled(&admin).await;
    Revocation::Deletion.apply(&creator).await;
    wait_for_reset(&stalled).await;
    assert_ends_soon(stalled).await;
}

async fn a_deletion_keeps_connections_of_finished_responses(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(CLIP).await;
    let mut connection = server.connect().await;
    let get = http1_request(&creator, &video);
    connection
        .write_all(get.as_bytes())
        .await
        .expect("a request");
    let mut answer = Vec::new();
    while !answer.ends_with(CLIP) {
        answer.push(connection.read_u8().await.expect("an answer"));
    }
    // An answer on the same connection shows that the server knows that the first one has left.
    let head = b"HEAD /healthz HTTP/1.1\r\nHost: vidence\r\n\r\n";
    connection.write_all(head).await.expect("a request");
    answer.clear();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(connection.read_u8().await.expect("an answer"));
    }
    assert!(answer.starts_with(b"HTTP/1.1 200"));
    Revocation::Deletion.apply(&creator).await;
    // On the same connection, which is intact.
    connection
        .write_all(get.as_bytes())
        .await
        .expect("a request");
    let mut status = [0; 12];
    connection.read_exact(&mut status).await.expect("an answer");
    assert_eq!(&status, b"HTTP/1.1 404");
}
