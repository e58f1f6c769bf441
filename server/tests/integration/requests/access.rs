//! Access control of the API: a token opens its own request alone, and a video is served at one path.

use reqwest::header::{CONTENT_TYPE, WWW_AUTHENTICATE};
use reqwest::{Method, Response, StatusCode};

use crate::support::{CLIP, Server, assert_refused, on_each_storage};
use test_support::stores::bucket::files;

on_each_storage! {
    a_missing_or_unknown_token_is_401
    another_requests_token_is_403
    a_video_is_served_at_no_other_path
}

async fn a_missing_or_unknown_token_is_401(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(CLIP).await;
    let request = format!("/v1/requests/{}", creator.id());
    for path in [&request, &video, "/v1/requests/nothing", "/v1/videos/%ff"] {
        for (authorization, challenge) in [
            (None, "Bearer realm=\"vidence\""),
            (Some("Bearer"), "Bearer realm=\"vidence\""),
            (Some("Bearer "), "Bearer realm=\"vidence\""),
            (Some("Basic dXNlcjpwYXNz"), "Bearer realm=\"vidence\""),
            (
                Some("Bearer vidence_unknown"),
                "Bearer error=\"invalid_token\"",
            ),
        ] {
            let mut request = server.request(Method::GET, path);
            if let Some(authorization) = authorization {
                request = request.header("Authorization", authorization);
            }
            let answer = request.send().await.expect("an answer");
            assert_eq!(
                answer.headers()[WWW_AUTHENTICATE],
                challenge,
                "{authorization:?}"
            );
            assert_refused(answer, 401, "unauthorized").await;
        }
    }
    let answer = server
        .request(Method::DELETE, &request)
        .send()
        .await
        .expect("an answer");
    assert_refused(answer, 401, "unauthorized").await;
    assert_eq!(creator.status().await["status"], "submitted");
}

async fn another_requests_token_is_403(server: Server) {
    let (own_request, other) = (server.create_request().await, server.create_request().await);
    let video = other.submit_video(CLIP).await;
    let request = format!("/v1/requests/{}", other.id());
    let refused = async |path: &str, status, code| {
        assert_refused(
            own_request.send_authorized(Method::GET, path).await,
            status,
            code,
        )
        .await;
    };
    refused(&request, 403, "forbidden").await;
    refused(&video, 403, "forbidden").await;
    let delete: Response = own_request.send_authorized(Method::DELETE, &request).await;
    let challenge = "Bearer error=\"insufficient_scope\"";
    assert_eq!(delete.headers()[WWW_AUTHENTICATE], challenge);
    assert_refused(delete, 403, "forbidden").await;
    assert_eq!(other.status().await["status"], "submitted");

    for unknown in [
        "/v1/requests/0000000000000000000000",
        "/v1/requests/x",
        "/v1/videos/%00",
    ] {
        refused(unknown, 404, "not_found").await;
    }

    assert_eq!(other.delete().await, StatusCode::NO_CONTENT);
    refused(&request, 404, "not_found").await;
    refused(&video, 404, "not_found").await;
}

async fn a_video_is_served_at_no_other_path(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(CLIP).await;
    let (link, id) = (
        creator.link_path(""),
        video.rsplit('/').next().expect("an id"),
    );
    for path in [
        video.clone(),
        format!("/v/{id}"),
        format!("/videos/{id}"),
        format!("/blobs/{}", creator.id()),
        format!("/data/blobs/{}", creator.id()),
        format!("/assets/{id}"),
        format!("/watch/{id}"),
        link.clone(),
        format!("{link}/{id}"),
        format!("{link}/video"),
        format!("{link}/state"),
        format!("{link}/submission"),
        format!("{video}?access_token={}", creator.created.access_token),
    ] {
        let answer = server.get(&path).await;
        let media_type = answer.headers().get(CONTENT_TYPE).cloned();
        let media_type = media_type.and_then(|it| it.to_str().ok().map(str::to_owned));
        let is_video = media_type.is_some_and(|it| it.starts_with("video/"));
        assert!(!is_video, "{path}");
        let bytes = answer.bytes().await.expect("bytes");
        let contains = bytes.windows(64).any(|it| it == &CLIP[..64]);
        assert!(!contains, "{path}");
    }
    let status = creator.status().await;
    let url = format!("{}{video}", server.base);
    assert_eq!(status["video"]["url"], url, "a URL of this server");
}

/// Only the digest of a token is stored.
#[tokio::test(flavor = "multi_thread")]
async fn an_access_token_is_stored_in_no_file() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    creator.submit_video(CLIP).await;
    let (token, mut found) = (creator.created.access_token.as_bytes(), false);
    let (_, secret) = token.split_at("vidence_".len());
    for file in files(&server.config().store.data_dir) {
        let bytes = std::fs::read(&file).expect("a readable file");
        let contains = |what: &[u8]| bytes.windows(what.len()).any(|it| it == what);
        assert!(!contains(secret), "{}", file.display());
        found |= contains(creator.id().as_bytes());
    }
    assert!(found, "no file has the row");
}
