//! The form of a browser without script.

use std::time::{Duration, Instant};

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use server::config::LimitArgs;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::{CLIP, Creator, HOUR, Server, clip, generous, journeys, wait_until};

journeys! {
    a_file_from_a_form_becomes_the_video
    a_form_that_arrived_is_submitted_though_its_sender_is_gone
    a_form_that_is_no_good_leaves_nothing
    a_form_for_a_link_that_is_over_is_told_so
    a_file_that_is_too_large_is_told_so
    a_form_is_answered_in_the_language_that_it_was_shown_in
    a_form_for_an_unusable_link_is_refused_before_its_body_arrives
    what_precedes_the_file_of_a_form_is_bounded
    a_form_whose_file_never_begins_is_not_waited_for
    a_file_may_follow_other_fields_and_arrive_byte_by_byte
}

const BOUNDARY: &str = "----boundary";

/// A form as browsers write it.
fn form(name: &str, media_type: &str, file: &[u8]) -> Vec<u8> {
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

async fn post(server: &Server, creator: &Creator<'_>, body: Vec<u8>) -> (StatusCode, String) {
    let request = server.request(Method::POST, &creator.page(""));
    let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
    let answer = request
        .header(CONTENT_TYPE, media_type)
        .body(body)
        .send()
        .await;
    let answer = answer.expect("an answer");
    (answer.status(), answer.text().await.expect("HTML"))
}

async fn a_file_from_a_form_becomes_the_video(server: Server) {
    let creator = server.create().await;
    let file = clip(9_000_000);
    let (status, html) = post(&server, &creator, form("video", "video/mp4", &file)).await;
    // After a redirect to the page, which says so.
    assert_eq!(status, StatusCode::OK);
    assert!(html.contains("The video was received"), "{html}");
    let status = creator.status().await;
    let url = status["video"]["url"].as_str().expect("a video");
    let video = creator
        .ask(Method::GET, url.strip_prefix(&server.base).expect("ours"))
        .await;
    assert_eq!(video.headers()[CONTENT_TYPE], "video/mp4");
    assert!(video.bytes().await.expect("bytes") == file);
}

async fn a_form_that_arrived_is_submitted_though_its_sender_is_gone(server: Server) {
    let creator = server.create().await;
    let body = form("video", "video/webm", CLIP);
    let (path, length) = (creator.page(""), body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n"
    );
    let mut connection = server.connect().await;
    let (first, rest) = body.split_at(length - 20);
    let begun = [head.as_bytes(), first].concat();
    connection.write_all(&begun).await.expect("sent");
    wait_until(async || creator.state().await.takes.len() == 1).await;
    connection.write_all(rest).await.expect("sent");
    drop(connection);
    wait_until(async || creator.status().await["status"] == "submitted").await;
}

async fn a_form_that_is_no_good_leaves_nothing(server: Server) {
    let creator = server.create().await;
    let good = form("video", "video/webm", CLIP);
    let cut = good[..good.len() - 20].to_vec();
    for (body, status, text) in [
        (
            form("video", "image/png", b"\x89PNG\r\n\x1a\n"),
            415,
            "This file can’t be taken",
        ),
        (form("video", "video/webm", b""), 422, "No video was chosen"),
        (
            form("other", "video/webm", CLIP),
            400,
            "No video was chosen",
        ),
        (cut, 400, "The video did not arrive"),
        (b"nonsense".to_vec(), 400, "No video was chosen"),
    ] {
        let (got, html) = post(&server, &creator, body).await;
        assert_eq!(got.as_u16(), status, "{html}");
        assert!(html.contains(text), "{html}");
        assert!(creator.state().await.takes.is_empty(), "{text}");
        assert!(server.objects().is_empty(), "{text}");
    }
    let request = server.request(Method::POST, &creator.page("")).json(&"{}");
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    assert_eq!(creator.status().await["status"], "awaiting_submission");
}

async fn a_form_for_a_link_that_is_over_is_told_so(server: Server) {
    let (used, expired) = (server.create().await, server.create().await);
    used.submit_video(CLIP).await;
    let body = || form("video", "video/webm", CLIP);
    let (status, html) = post(&server, &used, body()).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(html.contains("The video was received"), "{html}");
    server.later(HOUR);
    let (status, html) = post(&server, &expired, body()).await;
    assert_eq!(status, StatusCode::GONE);
    assert!(html.contains("This link has expired"), "{html}");
}

async fn a_file_that_is_too_large_is_told_so(server: Server) {
    let limits = LimitArgs {
        max_video_bytes: 1000,
        ..generous()
    };
    let server = server.limited(limits).await;
    let creator = server.create().await;
    let (status, html) = post(&server, &creator, form("video", "video/webm", &clip(1001))).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(html.contains("This video is too large"), "{html}");
    assert!(server.objects().is_empty());
}

async fn a_form_is_answered_in_the_language_that_it_was_shown_in(server: Server) {
    let creator = server.create().await;
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
        let request = server.request(Method::POST, &creator.page("?lang=de"));
        let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
        let answer = request.header(CONTENT_TYPE, media_type).body(body).send();
        let html = answer.await.expect("an answer").text().await.expect("HTML");
        assert!(html.contains(text), "{html}");
    }
}

/// A form whose body, of a gigabyte by its own account, has only begun.
async fn begin_form(server: &Server, path: &str, beginning: &[u8]) -> TcpStream {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n"
    );
    let mut connection = server.connect().await;
    let begun = [head.as_bytes(), beginning].concat();
    connection.write_all(&begun).await.expect("sent");
    connection
}

/// The status line of an answer that comes while the rest of the body is still awaited.
async fn early_status(mut connection: TcpStream) -> String {
    let mut answer = Vec::new();
    let reading = async {
        while !answer.contains(&b'\n') {
            let mut piece = [0; 1024];
            match connection.read(&mut piece).await.expect("an answer") {
                0 => panic!("closed without an answer"),
                length => answer.extend_from_slice(&piece[..length]),
            }
        }
    };
    // Sooner than because a form's file doesn't begin.
    timeout(Duration::from_secs(10), reading)
        .await
        .expect("an answer before the rest of the body");
    let line = answer.split(|byte| *byte == b'\r').next();
    String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
}

async fn a_form_for_an_unusable_link_is_refused_before_its_body_arrives(server: Server) {
    let (used, expired) = (server.create().await, server.create().await);
    used.submit_video(CLIP).await;
    let unknown = begin_form(&server, "/r/AAAAAAAAAAAAAAAAAAAAAA", b"").await;
    assert!(early_status(unknown).await.contains(" 404 "));
    let used = begin_form(&server, &used.page(""), b"").await;
    assert!(early_status(used).await.contains(" 409 "));
    server.later(HOUR);
    let expired = begin_form(&server, &expired.page(""), b"").await;
    assert!(early_status(expired).await.contains(" 410 "));
}

async fn what_precedes_the_file_of_a_form_is_bounded(server: Server) {
    let creator = server.create().await;
    let filler = vec![b'x'; 64 << 10];
    let header = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"");
    let field = format!("{header}other\"\r\n\r\n");
    let empty_fields = format!("{field}\r\n").repeat(1000);
    for (what, beginning) in [
        ("a preamble", filler.clone()),
        ("a header line", [header.as_bytes(), &filler].concat()),
        ("another field", [field.as_bytes(), &filler].concat()),
        ("many fields", empty_fields.into_bytes()),
    ] {
        let form = begin_form(&server, &creator.page(""), &beginning).await;
        let status = early_status(form).await;
        assert!(status.contains(" 400 "), "{what}: {status}");
    }
    assert!(creator.state().await.takes.is_empty());
}

async fn a_form_whose_file_never_begins_is_not_waited_for(server: Server) {
    let patience = Duration::from_millis(300);
    let server = server.with_form_prefix_timeout(patience).await;
    let creator = server.create().await;
    let began = Instant::now();
    let form = begin_form(&server, &creator.page(""), b"--").await;
    let status = early_status(form).await;
    assert!(status.contains(" 400 "), "{status}");
    assert!(began.elapsed() >= patience, "it was waited for");
}

async fn a_file_may_follow_other_fields_and_arrive_byte_by_byte(server: Server) {
    let creator = server.create().await;
    let other =
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nA dent.\r\n");
    let body = [
        b"a preamble\r\n",
        other.as_bytes(),
        &form("video", "video/webm", CLIP),
    ]
    .concat();
    let (path, length) = (creator.page(""), body.len());
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
    let status = early_status(connection).await;
    assert!(status.contains(" 303 "), "{status}");
    assert_eq!(creator.status().await["status"], "submitted");
}
