//! The upload form for browsers without JavaScript.

use std::time::{Duration, Instant};

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use server::config::LimitArgs;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::{
    CLIP, Creator, HOUR, Server, clip, generous_limits, on_each_storage, wait_until,
};
use test_support::scale::TIMEOUT;

on_each_storage! {
    a_file_sent_by_form_is_submitted
    a_complete_form_is_submitted_after_its_client_disconnected
    an_invalid_form_leaves_no_take
    a_form_for_a_used_or_expired_link_is_refused
    a_form_with_a_file_that_is_too_large_is_413
    a_form_is_answered_in_its_own_language
    a_form_for_an_unusable_link_is_refused_before_its_body_arrives
    the_bytes_before_the_file_of_a_form_are_bounded
    a_form_whose_file_never_begins_times_out
    a_file_may_follow_other_fields_and_arrive_byte_by_byte
    memory_of_a_forms_head_is_released_once_its_file_begins
}

const BOUNDARY: &str = "----boundary";

/// A multipart form as browsers encode it.
pub fn form(name: &str, media_type: &str, file: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"a.webm\"\r\n\
         Content-Type: {media_type}\r\n\r\n"
    );
    [
        head.as_bytes(),
        file,
        format!("\r\n--{BOUNDARY}--\r\n").as_bytes(),
    ]
    .concat()
}

pub async fn post(server: &Server, creator: &Creator<'_>, body: Vec<u8>) -> (StatusCode, String) {
    post_with_query(server, creator, "", body).await
}

pub async fn post_with_query(
    server: &Server,
    creator: &Creator<'_>,
    query: &str,
    body: Vec<u8>,
) -> (StatusCode, String) {
    let request = server.request(Method::POST, &creator.link_path(query));
    let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
    let answer = request
        .header(CONTENT_TYPE, media_type)
        .body(body)
        .send()
        .await;
    let answer = answer.expect("an answer");
    (answer.status(), answer.text().await.expect("HTML"))
}

async fn a_file_sent_by_form_is_submitted(server: Server) {
    let creator = server.create_request().await;
    let file = clip(9_000_000);
    let (status, html) = post(&server, &creator, form("video", "video/mp4", &file)).await;
    // After a redirect to the confirmation page.
    assert_eq!(status, StatusCode::OK);
    assert!(html.contains("The video was received"), "{html}");
    let path = creator.video_path().await;
    let video = creator.send_authorized(Method::GET, &path).await;
    assert_eq!(video.headers()[CONTENT_TYPE], "video/mp4");
    assert!(video.bytes().await.expect("bytes") == file);
}

async fn a_complete_form_is_submitted_after_its_client_disconnected(server: Server) {
    let creator = server.create_request().await;
    let body = form("video", "video/webm", CLIP);
    let (path, length) = (creator.link_path(""), body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n"
    );
    let mut connection = server.connect().await;
    let (first, rest) = body.split_at(length - 20);
    let started = [head.as_bytes(), first].concat();
    connection.write_all(&started).await.expect("sent");
    wait_until(async || creator.page_state().await.takes.len() == 1).await;
    connection.write_all(rest).await.expect("sent");
    drop(connection);
    wait_until(async || creator.status().await["status"] == "submitted").await;
}

async fn an_invalid_form_leaves_no_take(server: Server) {
    let creator = server.create_request().await;
    let accepted = form("video", "video/webm", CLIP);
    let truncated = accepted[..accepted.len() - 20].to_vec();
    for (body, status, text) in [
        (
            form("video", "image/png", b"\x89PNG\r\n\x1a\n"),
            415,
            "This file can’t be accepted",
        ),
        (form("video", "video/webm", b""), 422, "No video was chosen"),
        (
            form("other", "video/webm", CLIP),
            400,
            "No video was chosen",
        ),
        (truncated, 400, "The video didn’t arrive"),
        (b"nonsense".to_vec(), 400, "No video was chosen"),
    ] {
        let (got, html) = post(&server, &creator, body).await;
        assert_eq!(got.as_u16(), status, "{html}");
        assert!(html.contains(text), "{html}");
        assert!(creator.page_state().await.takes.is_empty(), "{text}");
        assert!(server.objects().is_empty(), "{text}");
    }
    let request = server
        .request(Method::POST, &creator.link_path(""))
        .json(&"{}");
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    assert_eq!(creator.status().await["status"], "awaiting_submission");
}

async fn a_form_for_a_used_or_expired_link_is_refused(server: Server) {
    let (used_up, expired) = (server.create_request().await, server.create_request().await);
    used_up.submit_video(CLIP).await;
    let body = || form("video", "video/webm", CLIP);
    let (status, html) = post(&server, &used_up, body()).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(html.contains("The video was received"), "{html}");
    server.advance_clock(HOUR);
    let (status, html) = post(&server, &expired, body()).await;
    assert_eq!(status, StatusCode::GONE);
    assert!(html.contains("This link has expired"), "{html}");
}

async fn a_form_with_a_file_that_is_too_large_is_413(server: Server) {
    let limits = LimitArgs {
        max_video_bytes: 1000,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let creator = server.create_request().await;
    let (status, html) = post(&server, &creator, form("video", "video/webm", &clip(1001))).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(html.contains("This video is too large"), "{html}");
    assert!(server.objects().is_empty());
}

async fn a_form_is_answered_in_its_own_language(server: Server) {
    let creator = server.create_request().await;
    for (body, text) in [
        (
            form("video", "video/webm", b""),
            "Es wurde kein Video ausgewählt",
        ),
        (
            form("video", "video/webm", CLIP),
            "Das Video ist angekommen",
        ),
    ] {
        let request = server.request(Method::POST, &creator.link_path("?lang=de"));
        let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
        let answer = request.header(CONTENT_TYPE, media_type).body(body).send();
        let html = answer.await.expect("an answer").text().await.expect("HTML");
        assert!(html.contains(text), "{html}");
    }
}

/// Sends the beginning of a form whose declared length is a gigabyte.
async fn start_form(server: &Server, path: &str, prefix: &[u8]) -> TcpStream {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n"
    );
    let mut connection = server.connect().await;
    let started = [head.as_bytes(), prefix].concat();
    connection.write_all(&started).await.expect("sent");
    connection
}

/// The status line of a response that arrives before the rest of the body.
async fn read_early_status(connection: TcpStream) -> String {
    // Shorter than the server's timeout for the beginning of a file.
    let reading = timeout(Duration::from_secs(10), read_status(connection));
    reading
        .await
        .expect("an answer before the rest of the body")
}

/// The status line of the response.
async fn read_status(mut connection: TcpStream) -> String {
    let mut answer = Vec::new();
    while !answer.contains(&b'\n') {
        let mut piece = [0; 1024];
        match connection.read(&mut piece).await.expect("an answer") {
            0 => panic!("closed without an answer"),
            length => answer.extend_from_slice(&piece[..length]),
        }
    }
    let line = answer.split(|byte| *byte == b'\r').next();
    String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
}

async fn a_form_for_an_unusable_link_is_refused_before_its_body_arrives(server: Server) {
    let (used_up, expired) = (server.create_request().await, server.create_request().await);
    used_up.submit_video(CLIP).await;
    let unknown = start_form(&server, "/r/AAAAAAAAAAAAAAAAAAAAAA", b"").await;
    assert!(read_early_status(unknown).await.contains(" 404 "));
    let used_up = start_form(&server, &used_up.link_path(""), b"").await;
    assert!(read_early_status(used_up).await.contains(" 409 "));
    server.advance_clock(HOUR);
    let expired = start_form(&server, &expired.link_path(""), b"").await;
    assert!(read_early_status(expired).await.contains(" 410 "));
}

async fn the_bytes_before_the_file_of_a_form_are_bounded(server: Server) {
    let creator = server.create_request().await;
    let filler = vec![b'x'; 64 << 10];
    let header = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"");
    let field = format!("{header}other\"\r\n\r\n");
    let empty_fields = format!("{field}\r\n").repeat(1000);
    for (what, prefix) in [
        ("a preamble", filler.clone()),
        ("a header line", [header.as_bytes(), &filler].concat()),
        ("another field", [field.as_bytes(), &filler].concat()),
        ("many fields", empty_fields.into_bytes()),
    ] {
        let form = start_form(&server, &creator.link_path(""), &prefix).await;
        let status = read_early_status(form).await;
        assert!(status.contains(" 400 "), "{what}: {status}");
    }
    assert!(creator.page_state().await.takes.is_empty());
}

async fn a_form_whose_file_never_begins_times_out(server: Server) {
    let patience = Duration::from_millis(300);
    let server = server.with_form_prefix_timeout(patience).await;
    let creator = server.create_request().await;
    let start = Instant::now();
    let form = start_form(&server, &creator.link_path(""), b"--").await;
    let status = read_early_status(form).await;
    assert!(status.contains(" 400 "), "{status}");
    assert!(start.elapsed() >= patience, "it was waited for");
}

async fn a_file_may_follow_other_fields_and_arrive_byte_by_byte(server: Server) {
    let creator = server.create_request().await;
    let other =
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nA dent.\r\n");
    let body = [
        b"a preamble\r\n",
        other.as_bytes(),
        &form("video", "video/webm", CLIP),
    ]
    .concat();
    let (path, length) = (creator.link_path(""), body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n"
    );
    let mut connection = server.connect().await;
    connection.set_nodelay(true).expect("a connection");
    connection.write_all(head.as_bytes()).await.expect("sent");
    let (bytes, rest) = body.split_at(600);
    for byte in bytes {
        connection.write_all(&[*byte]).await.expect("sent");
        tokio::task::yield_now().await;
    }
    connection.write_all(rest).await.expect("sent");
    let status = read_status(connection).await;
    assert!(status.contains(" 303 "), "{status}");
    assert_eq!(creator.status().await["status"], "submitted");
}

async fn memory_of_a_forms_head_is_released_once_its_file_begins(server: Server) {
    let limits = LimitArgs {
        // As much as is reserved for what precedes the file.
        upload_memory: 16 << 10,
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let creator = server.create_request().await;
    let posting = post(&server, &creator, form("video", "video/webm", CLIP));
    let posted = timeout(TIMEOUT, posting).await;
    let (status, html) = posted.expect("no wait for its own memory");
    assert_eq!(status, StatusCode::OK, "{html}");
    assert_eq!(creator.status().await["status"], "submitted");
    assert_eq!(server.app.coordination.upload_memory.used(), 0);
}
