//! The dialect of draft-ietf-httpbis-resumable-upload, beyond sequential appends.

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use server::service::workers::sweeper::sweep;

use crate::support::{
    CLIP, CLIP_LENGTH, HOUR, Server, WEBM_HEADER, WEBM_HEADER_DIGEST, WEBM_HEADER_LENGTH,
    assert_refused, body_in_two_pieces, clip, during, noise, on_each_storage, wait_until,
};

on_each_storage! {
    ; over_http2
    options_announces_upload_capabilities
    head_supersedes_an_append_in_progress
    a_newer_append_supersedes_the_older_one
    head_commits_the_arrived_bytes_of_the_append_it_supersedes
    a_mismatching_content_digest_is_400_and_stores_nothing
    bytes_with_a_content_digest_count_at_the_end_of_the_body
    a_declared_upload_length_is_enforced
    upload_errors_are_typed_problem_details
    an_open_take_without_activity_is_removed_after_a_day
}

/// An append with additional headers.
async fn append(server: &Server, take: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Response {
    let mut all = HeaderMap::new();
    for (name, value) in [
        ("content-type", "application/partial-upload"),
        ("upload-offset", "0"),
        ("upload-complete", "?0"),
    ]
    .iter()
    .chain(headers)
    {
        let name: reqwest::header::HeaderName = name.parse().expect("a name");
        all.insert(name, value.parse().expect("a value"));
    }
    let request = server.request(Method::PATCH, take).headers(all);
    request.body(body).send().await.expect("an answer")
}

async fn head(server: &Server, take: &str) -> HeaderMap {
    let answer = server.request(Method::HEAD, take).send().await;
    let answer = answer.expect("an answer");
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    answer.headers().clone()
}

async fn options_announces_upload_capabilities(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    for path in [
        creator.link_path("/submission"),
        creator.link_path("/state"),
    ] {
        let preflight = server.request(Method::OPTIONS, &path).send().await;
        let preflight = preflight.expect("an answer");
        assert_eq!(preflight.status(), StatusCode::NO_CONTENT);
        assert_eq!(preflight.headers()["access-control-allow-origin"], "*");
    }
    for path in [creator.link_path("/takes"), take] {
        let answer = server.request(Method::OPTIONS, &path).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        let patches = answer.headers()["accept-patch"].to_str().expect("text");
        assert!(patches.contains("application/partial-upload"), "{patches}");
        assert_eq!(
            answer.headers()["upload-limit"],
            format!("max-size={}", 1 << 30)
        );
        assert_eq!(answer.headers()["tus-version"], "1.0.0");
        let algorithms = &answer.headers()["tus-checksum-algorithm"];
        assert_eq!(algorithms, "sha1,sha256,sha512");
        assert_eq!(answer.headers()["access-control-allow-origin"], "*");
    }
}

async fn head_supersedes_an_append_in_progress(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (body, completion) = body_in_two_pieces(CLIP, b"too late");
    let sending = creator.append(&take, 0, body, true);
    let asking = async {
        wait_until(async || creator.page_state().await.takes[0].offset == CLIP_LENGTH).await;
        let at = head(&server, &take).await;
        assert_eq!(at["upload-offset"], CLIP_LENGTH.to_string());
        assert_eq!(at["upload-complete"], "?0");
    };
    let (answer, ()) = tokio::join!(sending, asking);
    drop(completion);
    // The older append's client gets an answer if it is still connected.
    assert_eq!(answer.headers()["upload-offset"], CLIP_LENGTH.to_string());
    assert_refused(answer, 409, "superseded").await;
    let answer = creator.append(&take, CLIP_LENGTH, "more", true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_newer_append_supersedes_the_older_one(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (body, completion) = body_in_two_pieces(CLIP, b"too late");
    let older = creator.append(&take, 0, body, true);
    let newer = async {
        wait_until(async || creator.page_state().await.takes[0].offset == CLIP_LENGTH).await;
        let answer = creator.append(&take, CLIP_LENGTH, "newer", true).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    };
    let (answer, ()) = tokio::join!(older, newer);
    drop(completion);
    assert_eq!(answer.headers()["upload-offset"], CLIP_LENGTH.to_string());
    assert_refused(answer, 409, "superseded").await;
    assert_eq!(head(&server, &take).await["upload-complete"], "?1");
}

async fn head_commits_the_arrived_bytes_of_the_append_it_supersedes(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (body, completion) = body_in_two_pieces(CLIP, b"too late");
    let sending = creator.append(&take, 0, body, true);
    let asking = async {
        // Arrived, and not durable yet.
        wait_until(async || server.app.coordination.upload_memory.used() > 0).await;
        let at = head(&server, &take).await;
        assert_eq!(at["upload-offset"], CLIP_LENGTH.to_string());
    };
    let (answer, ()) = tokio::join!(sending, asking);
    drop(completion);
    assert_refused(answer, 409, "superseded").await;
}

async fn a_mismatching_content_digest_is_400_and_stores_nothing(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let digest = [("content-digest", WEBM_HEADER_DIGEST)];
    // More than one object, so that some are stored before the digest is known to be wrong.
    for wrong in [clip(WEBM_HEADER.len()), clip(9_000_000), b"".to_vec()] {
        let answer = append(&server, &take, &digest, wrong).await;
        assert_refused(answer, 400, "digest_mismatch").await;
        assert_eq!(head(&server, &take).await["upload-offset"], "0");
        assert!(server.objects().is_empty());
    }
    let answer = append(&server, &take, &digest, WEBM_HEADER.to_vec()).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    // An unknown algorithm is ignored.
    let unknown = [("content-digest", "md5=:AAAA:"), ("upload-offset", "15")];
    let answer = append(&server, &take, &unknown, b"more".to_vec()).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn bytes_with_a_content_digest_count_at_the_end_of_the_body(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (body, completion) = body_in_two_pieces(&WEBM_HEADER[..13], &WEBM_HEADER[13..]);
    let request = server.request(Method::PATCH, &take).body(body);
    let request = request
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?1")
        .header("Content-Digest", WEBM_HEADER_DIGEST);
    let sending = async { request.send().await.expect("an answer") };
    let answer = during(sending, async {
        wait_until(async || !server.objects().is_empty()).await;
        assert_eq!(creator.page_state().await.takes[0].offset, 0);
        completion.send(()).expect("an upload under way");
    })
    .await;
    assert_eq!(
        answer.headers()["upload-offset"],
        WEBM_HEADER_LENGTH.to_string()
    );
    assert_eq!(answer.headers()["upload-complete"], "?1");
}

async fn a_declared_upload_length_is_enforced(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    assert!(head(&server, &take).await.get("upload-length").is_none());
    let declared = [("upload-length", "20")];
    let answer = append(&server, &take, &declared, WEBM_HEADER.to_vec()).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(head(&server, &take).await["upload-length"], "20");

    let at = ("upload-offset", "15");
    for (headers, body) in [
        (vec![at, ("upload-length", "21")], 5),
        // Too many bytes, then too few to be complete.
        (vec![at], 6),
        (vec![at, ("upload-complete", "?1")], 4),
        (vec![at, ("upload-complete", "?1")], 0),
        (vec![at, ("upload-length", "14")], 0),
    ] {
        let answer = append(&server, &take, &headers, noise(body)).await;
        assert_refused(answer, 400, "inconsistent_length").await;
        assert_eq!(head(&server, &take).await["upload-offset"], "15");
    }
    let completion = [at, ("upload-complete", "?1")];
    let answer = append(&server, &take, &completion, noise(5)).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);

    let request = creator.post_take().header("Upload-Complete", "?0");
    let too_long = request.header("Upload-Length", (1_u64 << 30) + 1);
    let answer = too_long.send().await.expect("an answer");
    assert_eq!(
        answer.headers()["upload-limit"],
        format!("max-size={}", 1 << 30)
    );
    assert_refused(answer, 413, "too_large").await;
    assert_eq!(creator.page_state().await.takes.len(), 1);
}

async fn upload_errors_are_typed_problem_details(server: Server) {
    const PROBLEM_TYPES: &str = "https://iana.org/assignments/http-problem-types#";
    let creator = server.create_request().await;
    let take = creator.upload(CLIP).await;
    let open = creator.create_take().await;
    let problem = async |answer: Response| -> Value { answer.json().await.expect("JSON") };

    let complete = problem(creator.append(&take, CLIP_LENGTH, "", true).await).await;
    assert_eq!(complete["type"], format!("{PROBLEM_TYPES}completed-upload"));
    let cross_origin = problem(creator.append(&open, 5, CLIP, false).await).await;
    assert_eq!(
        cross_origin["type"],
        format!("{PROBLEM_TYPES}mismatching-upload-offset")
    );
    assert_eq!(cross_origin["expected-offset"], 0);
    assert_eq!(cross_origin["provided-offset"], 5);
    let longer = [("upload-length", "3")];
    let longer = problem(append(&server, &open, &longer, CLIP.to_vec()).await).await;
    assert_eq!(
        longer["type"],
        format!("{PROBLEM_TYPES}inconsistent-upload-length")
    );
    let of_other_request = problem(creator.append(&open, 0, noise(50), false).await).await;
    assert_eq!(of_other_request["type"], "about:blank");
    assert_eq!(of_other_request["status"], 415);
}

async fn an_open_take_without_activity_is_removed_after_a_day(server: Server) {
    let body = serde_json::json!({ "prompt": "Show the dent.", "expires_in_hours": 48 });
    let created: app::api::CreatedRequest = {
        let answer = server.post("/v1/requests", &body).await;
        answer.json().await.expect("a created request")
    };
    let takes = format!("/r/{}/takes", created.id);
    let begin = async |complete: &str| {
        let request = server.request(Method::POST, &takes).body(CLIP);
        let request = request
            .header(CONTENT_TYPE, "video/webm")
            .header("Upload-Complete", complete);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::CREATED);
        answer.headers()["location"]
            .to_str()
            .expect("a path")
            .to_owned()
    };
    let (open, asked_for, complete) = (begin("?0").await, begin("?0").await, begin("?1").await);

    server.advance_clock(20 * HOUR);
    assert!(
        head(&server, &asked_for).await["upload-limit"]
            .to_str()
            .expect("text")
            .ends_with("=86400")
    );
    assert_eq!(sweep(&server.app).await.expect("a sweep").abandoned, 0);
    server.advance_clock(5 * HOUR);
    assert_eq!(sweep(&server.app).await.expect("a sweep").abandoned, 1);
    assert_eq!(server.objects().len(), 2);
    let discarded = server
        .request(Method::HEAD, &open)
        .send()
        .await
        .expect("an answer");
    assert_eq!(discarded.status(), StatusCode::NOT_FOUND);
    for kept in [&asked_for, &complete] {
        assert_eq!(
            head(&server, kept).await["upload-offset"],
            CLIP_LENGTH.to_string()
        );
    }
}
