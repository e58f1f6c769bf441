//! Downloads of a video, whole or in ranges, at `/v1/videos`.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};

use crate::support::{CLIP, CLIP_LENGTH, HOUR, Server, assert_refused, clip, on_each_storage};

on_each_storage! {
    ; over_http2
    a_video_is_served_whole_and_in_ranges
    a_range_beyond_the_end_is_416
    a_range_applies_only_if_if_range_matches
    head_has_the_headers_of_get
    adjacent_ranges_are_merged_and_others_ignored
    conditional_requests_are_304_or_412
    preconditions_are_evaluated_after_authorization_and_expiry
}

/// More than two of the largest chunks.
const LARGE_VIDEO_BYTES: usize = 20_000_000;

fn headers<const N: usize>(pairs: [(&str, &str); N]) -> HeaderMap {
    let header = |(name, value): (&str, &str)| {
        let name: HeaderName = name.parse().expect("a name");
        (name, HeaderValue::try_from(value).expect("a value"))
    };
    pairs.into_iter().map(header).collect()
}

async fn a_video_is_served_whole_and_in_ranges(server: Server) {
    let creator = server.create_request().await;
    let bytes = clip(LARGE_VIDEO_BYTES);
    let path = creator.submit_video(&bytes).await;

    let whole = creator.send_authorized(Method::GET, &path).await;
    assert_eq!(whole.status(), StatusCode::OK);
    assert_eq!(whole.headers()["accept-ranges"], "bytes");
    assert_eq!(whole.headers()["content-type"], "video/mp4");
    assert_eq!(
        whole.headers()["content-length"],
        LARGE_VIDEO_BYTES.to_string()
    );
    assert_eq!(whole.headers()["cache-control"], "private, no-store");
    assert_eq!(whole.headers()["x-content-type-options"], "nosniff");
    assert!(whole.bytes().await.expect("bytes") == bytes);

    let boundary = 8 << 20;
    for (range, want) in [
        ("bytes=0-1".to_owned(), 0..2),
        (
            format!("bytes={}-{}", boundary - 2, boundary + 1),
            boundary - 2..boundary + 2,
        ),
        (
            format!("bytes={}-", LARGE_VIDEO_BYTES - 3),
            LARGE_VIDEO_BYTES - 3..LARGE_VIDEO_BYTES,
        ),
        (
            "bytes=-5".to_owned(),
            LARGE_VIDEO_BYTES - 5..LARGE_VIDEO_BYTES,
        ),
        ("bytes=1-999999999999".to_owned(), 1..LARGE_VIDEO_BYTES),
    ] {
        let part = creator
            .send_with_headers(Method::GET, &path, headers([("range", &range)]))
            .await;
        assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT, "{range}");
        let (first, last) = (want.start, want.end - 1);
        assert_eq!(
            part.headers()["content-range"],
            format!("bytes {first}-{last}/{LARGE_VIDEO_BYTES}")
        );
        assert_eq!(part.headers()["content-length"], want.len().to_string());
        assert_eq!(part.headers()["accept-ranges"], "bytes");
        assert!(part.bytes().await.expect("bytes") == bytes[want], "{range}");
    }
}

async fn a_range_beyond_the_end_is_416(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(CLIP).await;
    for range in [
        format!("bytes={CLIP_LENGTH}-"),
        format!("bytes={CLIP_LENGTH}-9999"),
        "bytes=-0".to_owned(),
    ] {
        let answer = creator
            .send_with_headers(Method::GET, &path, headers([("range", &range)]))
            .await;
        let length = format!("bytes */{CLIP_LENGTH}");
        assert_eq!(answer.headers()["content-range"], length, "{range}");
        assert_refused(answer, 416, "range_not_satisfiable").await;
    }
}

async fn a_range_applies_only_if_if_range_matches(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(CLIP).await;
    let etag = creator.send_authorized(Method::GET, &path).await.headers()["etag"].clone();
    let etag = etag.to_str().expect("text");
    for (if_range, want) in [
        (etag.to_owned(), StatusCode::PARTIAL_CONTENT),
        (format!("W/{etag}"), StatusCode::OK),
        ("\"other\"".to_owned(), StatusCode::OK),
        ("Sat, 21 Nov 2026 00:00:00 GMT".to_owned(), StatusCode::OK),
    ] {
        let conditions = headers([("range", "bytes=0-0"), ("if-range", &if_range)]);
        let answer = creator
            .send_with_headers(Method::GET, &path, conditions)
            .await;
        assert_eq!(answer.status(), want, "{if_range}");
    }
}

async fn head_has_the_headers_of_get(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(CLIP).await;
    let head = creator
        .send_with_headers(Method::HEAD, &path, headers([("range", "bytes=0-0")]))
        .await;
    assert_eq!(head.status(), StatusCode::OK);
    assert_eq!(head.headers()["content-length"], CLIP_LENGTH.to_string());
    assert_eq!(head.headers()["accept-ranges"], "bytes");
    assert!(head.bytes().await.expect("nothing").is_empty());
}

async fn adjacent_ranges_are_merged_and_others_ignored(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(CLIP).await;
    for (range, want) in [
        ("bytes=0-9,10-19", StatusCode::PARTIAL_CONTENT),
        ("bytes=0-9,20-29", StatusCode::OK),
    ] {
        let range_header = headers([("range", range)]);
        let answer = creator
            .send_with_headers(Method::GET, &path, range_header)
            .await;
        assert_eq!(answer.status(), want, "{range}");
        let kept = if want == StatusCode::OK {
            CLIP
        } else {
            &CLIP[..20]
        };
        assert!(answer.bytes().await.expect("bytes") == kept, "{range}");
    }
}

async fn conditional_requests_are_304_or_412(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(CLIP).await;
    let whole = creator.send_authorized(Method::GET, &path).await;
    let [etag, modified] = ["etag", "last-modified"].map(|name| {
        let value = &whole.headers()[name];
        value.to_str().expect("text").to_owned()
    });
    for method in [Method::GET, Method::HEAD] {
        for had in [("if-none-match", &*etag), ("if-modified-since", &*modified)] {
            let answer = creator
                .send_with_headers(method.clone(), &path, headers([had]))
                .await;
            assert_eq!(answer.status(), StatusCode::NOT_MODIFIED, "{had:?}");
            assert_eq!(answer.headers()["etag"], *etag);
            assert_eq!(answer.headers()["last-modified"], *modified);
            assert!(!answer.headers().contains_key("content-type"));
            assert!(answer.bytes().await.expect("nothing").is_empty());
        }
        let other = headers([("if-match", "\"other\"")]);
        let answer = creator.send_with_headers(method, &path, other).await;
        assert_eq!(answer.status(), StatusCode::PRECONDITION_FAILED);
    }
    let same = headers([("if-match", &*etag), ("if-none-match", "\"other\"")]);
    let answer = creator.send_with_headers(Method::GET, &path, same).await;
    assert_eq!(answer.status(), StatusCode::OK);
    // A date is a strong validator here, too.
    let part = headers([("range", "bytes=0-0"), ("if-range", &*modified)]);
    let answer = creator.send_with_headers(Method::GET, &path, part).await;
    assert_eq!(answer.status(), StatusCode::PARTIAL_CONTENT);
}

async fn preconditions_are_evaluated_after_authorization_and_expiry(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(CLIP).await;
    let any = || headers([("if-none-match", "*")]);
    let other_creator = server.create_request().await;
    let answer = other_creator
        .send_with_headers(Method::GET, &path, any())
        .await;
    assert_refused(answer, 403, "forbidden").await;
    server.advance_clock(HOUR);
    let answer = creator.send_with_headers(Method::GET, &path, any()).await;
    assert_refused(answer, 410, "gone").await;
}
