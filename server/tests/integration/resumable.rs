//! The dialect of draft-ietf-httpbis-resumable-upload, where it goes beyond sending bytes in order.

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use server::service::workers::sweeper::sweep;

use crate::support::{
    BEGINNING, BEGINNING_LENGTH, CLIP, CLIP_LENGTH, HOUR, Server, assert_refused,
    body_in_two_pieces, clip, during, journeys, noise, wait_until,
};

journeys! {
    ; over_http2
    what_is_possible_can_be_asked
    a_question_for_the_offset_ends_the_append_before_it
    a_newer_append_ends_the_older_one
    bytes_with_the_wrong_digest_do_not_count
    bytes_with_a_digest_count_when_all_of_them_are_here
    a_declared_length_is_kept_and_held_to
    a_problem_says_what_kind_it_is
    a_take_that_nobody_comes_back_to_is_removed
}

/// An append with more headers than the usual ones.
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

async fn what_is_possible_can_be_asked(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    for path in [creator.page("/submission"), creator.page("/state")] {
        let preflight = server.request(Method::OPTIONS, &path).send().await;
        let preflight = preflight.expect("an answer");
        assert_eq!(preflight.status(), StatusCode::NO_CONTENT);
        assert_eq!(preflight.headers()["access-control-allow-origin"], "*");
    }
    for path in [creator.page("/takes"), take] {
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
        assert_eq!(answer.headers()["access-control-allow-origin"], "*");
    }
}

async fn a_question_for_the_offset_ends_the_append_before_it(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces(CLIP, b"too late");
    let sending = creator.append(&take, 0, body, true);
    let asking = async {
        wait_until(async || creator.state().await.takes[0].offset == CLIP_LENGTH).await;
        let at = head(&server, &take).await;
        assert_eq!(at["upload-offset"], CLIP_LENGTH.to_string());
        assert_eq!(at["upload-complete"], "?0");
    };
    let (answer, ()) = tokio::join!(sending, asking);
    drop(end);
    // Which its sender, if it is still there, is told.
    assert_eq!(answer.headers()["upload-offset"], CLIP_LENGTH.to_string());
    assert_refused(answer, 409, "superseded").await;
    let answer = creator.append(&take, CLIP_LENGTH, "more", true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn a_newer_append_ends_the_older_one(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces(CLIP, b"too late");
    let older = creator.append(&take, 0, body, true);
    let newer = async {
        wait_until(async || creator.state().await.takes[0].offset == CLIP_LENGTH).await;
        let answer = creator.append(&take, CLIP_LENGTH, "newer", true).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    };
    let (answer, ()) = tokio::join!(older, newer);
    drop(end);
    assert_eq!(answer.headers()["upload-offset"], CLIP_LENGTH.to_string());
    assert_refused(answer, 409, "superseded").await;
    assert_eq!(head(&server, &take).await["upload-complete"], "?1");
}

/// SHA-256 of [`BEGINNING`].
const DIGEST: &str = "sha-256=:fBTP0vbRevKjfhmngtv32tr3AvJoXci4pJMhRZvpclg=:";

async fn bytes_with_the_wrong_digest_do_not_count(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let digest = [("content-digest", DIGEST)];
    // More than one object, so that some were written before the end showed that they are wrong.
    for wrong in [clip(BEGINNING.len()), clip(9_000_000), b"".to_vec()] {
        let answer = append(&server, &take, &digest, wrong).await;
        assert_refused(answer, 400, "digest_mismatch").await;
        assert_eq!(head(&server, &take).await["upload-offset"], "0");
        assert!(server.objects().is_empty());
    }
    let answer = append(&server, &take, &digest, BEGINNING.to_vec()).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    // An algorithm that is not known here says nothing.
    let unknown = [("content-digest", "md5=:AAAA:"), ("upload-offset", "15")];
    let answer = append(&server, &take, &unknown, b"more".to_vec()).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn bytes_with_a_digest_count_when_all_of_them_are_here(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces(&BEGINNING[..13], &BEGINNING[13..]);
    let request = server.request(Method::PATCH, &take).body(body);
    let request = request
        .header(CONTENT_TYPE, "application/partial-upload")
        .header("Upload-Offset", "0")
        .header("Upload-Complete", "?1")
        .header("Content-Digest", DIGEST);
    let sending = async { request.send().await.expect("an answer") };
    let answer = during(sending, async {
        wait_until(async || !server.objects().is_empty()).await;
        assert_eq!(creator.state().await.takes[0].offset, 0);
        end.send(()).expect("an upload under way");
    })
    .await;
    assert_eq!(
        answer.headers()["upload-offset"],
        BEGINNING_LENGTH.to_string()
    );
    assert_eq!(answer.headers()["upload-complete"], "?1");
}

async fn a_declared_length_is_kept_and_held_to(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    assert!(head(&server, &take).await.get("upload-length").is_none());
    let declared = [("upload-length", "20")];
    let answer = append(&server, &take, &declared, BEGINNING.to_vec()).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(head(&server, &take).await["upload-length"], "20");

    let at = ("upload-offset", "15");
    for (headers, body) in [
        (vec![at, ("upload-length", "21")], 5),
        // Too many, too few, and too few to be all.
        (vec![at], 6),
        (vec![at, ("upload-complete", "?1")], 4),
        (vec![at, ("upload-complete", "?1")], 0),
        (vec![at, ("upload-length", "14")], 0),
    ] {
        let answer = append(&server, &take, &headers, noise(body)).await;
        assert_refused(answer, 400, "inconsistent_length").await;
        assert_eq!(head(&server, &take).await["upload-offset"], "15");
    }
    let end = [at, ("upload-complete", "?1")];
    let answer = append(&server, &take, &end, noise(5)).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);

    let request = server.request(Method::POST, &creator.page("/takes"));
    let request = request
        .header(CONTENT_TYPE, "video/webm")
        .header("Upload-Complete", "?0");
    let too_long = request.header("Upload-Length", (1_u64 << 30) + 1);
    let answer = too_long.send().await.expect("an answer");
    assert_eq!(
        answer.headers()["upload-limit"],
        format!("max-size={}", 1 << 30)
    );
    assert_refused(answer, 413, "too_large").await;
    assert_eq!(creator.state().await.takes.len(), 1);
}

async fn a_problem_says_what_kind_it_is(server: Server) {
    const TYPES: &str = "https://iana.org/assignments/http-problem-types#";
    let creator = server.create().await;
    let take = creator.upload(CLIP).await;
    let open = creator.begin().await;
    let problem = async |answer: Response| -> Value { answer.json().await.expect("JSON") };

    let complete = problem(creator.append(&take, CLIP_LENGTH, "", true).await).await;
    assert_eq!(complete["type"], format!("{TYPES}completed-upload"));
    let elsewhere = problem(creator.append(&open, 5, CLIP, false).await).await;
    assert_eq!(
        elsewhere["type"],
        format!("{TYPES}mismatching-upload-offset")
    );
    assert_eq!(elsewhere["expected-offset"], 0);
    assert_eq!(elsewhere["provided-offset"], 5);
    let longer = [("upload-length", "3")];
    let longer = problem(append(&server, &open, &longer, CLIP.to_vec()).await).await;
    assert_eq!(longer["type"], format!("{TYPES}inconsistent-upload-length"));
    let foreign = problem(creator.append(&open, 0, noise(50), false).await).await;
    assert_eq!(foreign["type"], "about:blank");
    assert_eq!(foreign["status"], 415);
}

async fn a_take_that_nobody_comes_back_to_is_removed(server: Server) {
    let wish = serde_json::json!({ "prompt": "Show the dent.", "expires_in_hours": 48 });
    let created: app::api::CreatedRequest = {
        let answer = server.post("/v1/requests", &wish).await;
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
    let (open, visited, complete) = (begin("?0").await, begin("?0").await, begin("?1").await);

    server.later(20 * HOUR);
    assert!(
        head(&server, &visited).await["upload-limit"]
            .to_str()
            .expect("text")
            .ends_with("=86400")
    );
    assert_eq!(sweep(&server.app).await.expect("a sweep").abandoned, 0);
    server.later(5 * HOUR);
    assert_eq!(sweep(&server.app).await.expect("a sweep").abandoned, 1);
    assert_eq!(server.objects().len(), 2);
    let gone = server
        .request(Method::HEAD, &open)
        .send()
        .await
        .expect("an answer");
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
    for kept in [&visited, &complete] {
        assert_eq!(
            head(&server, kept).await["upload-offset"],
            CLIP_LENGTH.to_string()
        );
    }
}
