//! The dialect of tus 1.0: core, creation, creation-with-upload, creation-defer-length, expiration,
//! termination.

use reqwest::header::{HeaderMap, HeaderName, LOCATION};
use reqwest::{Method, Response, StatusCode};
use tokio::io::AsyncWriteExt;

use crate::support::{
    CLIP, CLIP_LENGTH, Creator, HOUR, Server, WEBM_HEADER, WEBM_HEADER_LENGTH, assert_refused,
    clip, on_each_storage, wait_until,
};

on_each_storage! {
    an_upload_is_complete_at_its_declared_length_although_its_body_did_not_end
    ; over_http2
    an_upload_is_complete_at_its_declared_length
    creation_with_upload_carries_bytes
    a_creation_ignores_a_body_of_another_media_type
    a_deferred_length_may_be_declared_later
    an_upload_can_be_terminated
    an_upload_has_an_expiry
    the_method_can_be_overridden_in_a_post
    an_overridden_method_is_ignored
    an_append_may_have_a_media_type_with_parameters
    both_dialects_append_to_the_same_take
}

pub const OFFSET_STREAM: (&str, &str) = ("content-type", "application/offset+octet-stream");

pub async fn send(
    server: &Server,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Response {
    let mut all = HeaderMap::new();
    for (name, value) in [("tus-resumable", "1.0.0")].iter().chain(headers) {
        let name: HeaderName = name.parse().expect("a name");
        all.insert(name, value.parse().expect("a value"));
    }
    let request = server
        .request(method, path)
        .headers(all)
        .body(body.to_vec());
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.headers()["tus-resumable"], "1.0.0");
    answer
}

pub async fn create(server: &Server, creator: &Creator<'_>, headers: &[(&str, &str)]) -> String {
    let answer = send(
        server,
        Method::POST,
        &creator.link_path("/takes"),
        headers,
        b"",
    )
    .await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    location(server, &answer)
}

/// The path of a created take; some clients need an absolute URL.
fn location(server: &Server, answer: &Response) -> String {
    let url = answer.headers()[LOCATION].to_str().expect("a URL");
    let path = url.strip_prefix(&server.base);
    path.expect("a URL of this server").to_owned()
}

async fn patch(server: &Server, take: &str, at: u64, body: &[u8]) -> Response {
    let at = at.to_string();
    send(
        server,
        Method::PATCH,
        take,
        &[OFFSET_STREAM, ("upload-offset", &at)],
        body,
    )
    .await
}

pub async fn head(server: &Server, take: &str) -> HeaderMap {
    let answer = send(server, Method::HEAD, take, &[], b"").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    answer.headers().clone()
}

async fn an_upload_is_complete_at_its_declared_length(server: Server) {
    let creator = server.create_request().await;
    let video = clip(1000);
    let take = create(&server, &creator, &[("upload-length", "1000")]).await;
    let answer = patch(&server, &take, 0, &video[..400]).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(answer.headers()["upload-offset"], "400");
    let at = head(&server, &take).await;
    assert_eq!(
        (&at["upload-offset"], &at["upload-length"]),
        (
            &"400".parse().expect("text"),
            &"1000".parse().expect("text")
        )
    );
    assert_refused(creator.submit(&take).await, 409, "take_incomplete").await;

    let wrong = patch(&server, &take, 300, &video[300..]).await;
    assert_refused(wrong, 409, "offset_mismatch").await;
    let too_much = patch(&server, &take, 400, &clip(601)).await;
    assert_refused(too_much, 400, "inconsistent_length").await;
    let answer = patch(&server, &take, 400, &video[400..]).await;
    assert_eq!(answer.headers()["upload-offset"], "1000");
    assert!(creator.submit_and_download(&take).await == video);
}

async fn an_upload_is_complete_at_its_declared_length_although_its_body_did_not_end(
    server: Server,
) {
    let creator = server.create_request().await;
    let length = CLIP_LENGTH.to_string();
    let take = create(&server, &creator, &[("upload-length", &length)]).await;
    let mut connection = server.connect().await;
    // All bytes, but not the final empty chunk.
    let head = format!(
        "PATCH {take} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n\
         Content-Type: application/offset+octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n{CLIP_LENGTH:x}\r\n"
    );
    let sent = [head.as_bytes(), CLIP, b"\r\n"].concat();
    connection.write_all(&sent).await.expect("sent");
    drop(connection);
    wait_until(async || creator.page_state().await.takes[0].offset == CLIP_LENGTH).await;
    // A client that missed the response sends an empty rest.
    let answer = patch(&server, &take, CLIP_LENGTH, b"").await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let answer = patch(&server, &take, CLIP_LENGTH, b"more").await;
    assert_refused(answer, 409, "take_complete").await;
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
}

async fn creation_with_upload_carries_bytes(server: Server) {
    let creator = server.create_request().await;
    let length = CLIP_LENGTH.to_string();
    let headers = [OFFSET_STREAM, ("upload-length", length.as_str())];
    let answer = send(
        &server,
        Method::POST,
        &creator.link_path("/takes"),
        &headers,
        CLIP,
    )
    .await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    assert_eq!(answer.headers()["upload-offset"], length.as_str());
    let take = location(&server, &answer);
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
}

async fn a_deferred_length_may_be_declared_later(server: Server) {
    let creator = server.create_request().await;
    let take = create(&server, &creator, &[("upload-defer-length", "1")]).await;
    assert_eq!(
        patch(&server, &take, 0, CLIP).await.status(),
        StatusCode::NO_CONTENT
    );
    let at = head(&server, &take).await;
    assert_eq!(at["upload-defer-length"], "1");
    assert!(at.get("upload-length").is_none());
    let length = (CLIP_LENGTH + 2).to_string();
    let at = CLIP_LENGTH.to_string();
    let headers = [
        OFFSET_STREAM,
        ("upload-offset", at.as_str()),
        ("upload-length", length.as_str()),
    ];
    let answer = send(&server, Method::PATCH, &take, &headers, b"de").await;
    assert_eq!(answer.headers()["upload-offset"], length.as_str());
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
}

async fn an_upload_can_be_terminated(server: Server) {
    let creator = server.create_request().await;
    let take = create(&server, &creator, &[("upload-length", "15")]).await;
    patch(&server, &take, 0, WEBM_HEADER).await;
    let answer = send(&server, Method::DELETE, &take, &[], b"").await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert!(server.objects().is_empty());
    let discarded = send(&server, Method::HEAD, &take, &[], b"").await;
    assert_eq!(discarded.status(), StatusCode::NOT_FOUND);
}

async fn an_upload_has_an_expiry(server: Server) {
    let creator = server.create_request().await;
    let take = create(&server, &creator, &[("upload-length", "15")]).await;
    let expires = head(&server, &take).await["upload-expires"].clone();
    let expires = expires.to_str().expect("text").to_owned();
    let clock = server.app.clock.now() + HOUR;
    assert_eq!(expires, server::clock::http_date(clock));
    server.advance_clock(HOUR);
    let discarded = patch(&server, &take, 0, CLIP).await;
    assert_refused(discarded, 410, "gone").await;
}

async fn the_method_can_be_overridden_in_a_post(server: Server) {
    let creator = server.create_request().await;
    let take = create(&server, &creator, &[("upload-length", "15")]).await;
    let headers = [
        OFFSET_STREAM,
        ("upload-offset", "0"),
        ("x-http-method-override", "PATCH"),
    ];
    let answer = send(&server, Method::POST, &take, &headers, WEBM_HEADER).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let headers = [("x-http-method-override", "DELETE")];
    let answer = send(&server, Method::POST, &take, &headers, b"").await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let plain = server
        .request(Method::POST, &take)
        .send()
        .await
        .expect("an answer");
    assert!(plain.headers().contains_key("allow"));
    assert_refused(plain, 405, "method_not_allowed").await;
}

/// tus 1.0.0: "The actual method of the request MUST be ignored."
async fn an_overridden_method_is_ignored(server: Server) {
    let creator = server.create_request().await;
    let take = create(&server, &creator, &[("upload-length", "15")]).await;
    let by = |name| [("x-http-method-override", name)];
    let answer = send(&server, Method::DELETE, &take, &by("HEAD"), b"").await;
    assert_eq!(answer.headers()["upload-offset"], "0");
    let answer = send(&server, Method::DELETE, &take, &by("GET"), b"").await;
    assert_eq!(answer.headers()["tus-resumable"], "1.0.0");
    assert_refused(answer, 405, "method_not_allowed").await;
    let answer = send(&server, Method::GET, &take, &by("DELETE"), b"").await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert!(creator.page_state().await.takes.is_empty());
}

/// RFC 9110, section 8.3.1.
async fn an_append_may_have_a_media_type_with_parameters(server: Server) {
    let creator = server.create_request().await;
    let (name, media_type) = OFFSET_STREAM;
    let headers = [
        (name, &*format!("{media_type}; charset=utf-8")),
        ("upload-length", "15"),
    ];
    let path = creator.link_path("/takes");
    let created = send(&server, Method::POST, &path, &headers, WEBM_HEADER).await;
    assert_eq!(created.status(), StatusCode::CREATED);
    assert_eq!(created.headers()["upload-offset"], "15");
}

async fn both_dialects_append_to_the_same_take(server: Server) {
    let creator = server.create_request().await;
    let take = create(&server, &creator, &[("upload-length", "19")]).await;
    assert_eq!(
        patch(&server, &take, 0, WEBM_HEADER).await.status(),
        StatusCode::NO_CONTENT
    );
    let answer = creator
        .append(&take, WEBM_HEADER_LENGTH, "more", true)
        .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(head(&server, &take).await["upload-offset"], "19");
}

async fn a_creation_ignores_a_body_of_another_media_type(server: Server) {
    let creator = server.create_request().await;
    let headers = [("upload-length", "1000"), ("content-type", "video/mp4")];
    let path = creator.link_path("/takes");
    let answer = send(&server, Method::POST, &path, &headers, &clip(400)).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    let take = location(&server, &answer);
    assert_eq!(head(&server, &take).await["upload-offset"], "0");
}
