//! Text responses are compressed if the client accepts it; those with secrets and videos never.

use std::io::Read;

use app::api::PageState;
use reqwest::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, HeaderMap, RANGE, VARY,
};
use reqwest::{Method, Response, StatusCode};
use serde_json::json;

use crate::support::{LIVE_WEBM, Server, on_each_storage, wait_until};

on_each_storage! {
    text_is_encoded_by_accept_encoding
    compressed_text_decodes_to_the_original
    a_long_page_state_is_compressed_and_a_short_one_is_not
    videos_and_responses_with_tokens_are_never_compressed
}

async fn get(server: &Server, method: Method, path: &str, accepted: &str) -> Response {
    let request = server.request(method, path);
    let request = request.header(ACCEPT_ENCODING, accepted);
    request.send().await.expect("an answer")
}

fn decoded(brotli: &[u8]) -> String {
    let mut text = String::new();
    let mut decoder = brotli::Decompressor::new(brotli, 4096);
    decoder.read_to_string(&mut text).expect("brotli");
    text
}

async fn text_is_encoded_by_accept_encoding(server: Server) {
    let page = server.create_request().await.link_path("");
    for path in [
        "/",
        "/docs",
        "/nothing",
        "/v1/openapi.json",
        "/llms.txt",
        &page,
    ] {
        let plain = server.get(path).await;
        let mut vary = plain.headers().get_all(VARY).iter();
        assert!(vary.any(|it| it == "accept-encoding"), "{path}");
        assert!(plain.headers().get(CONTENT_ENCODING).is_none(), "{path}");
        let plain = plain.bytes().await.expect("bytes").len();
        for (accepted, want) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("gzip, deflate", Some("gzip")),
            ("br;q=0, gzip;q=0.5", Some("gzip")),
            ("br;q=0", None),
            ("identity", None),
            ("zstd", None),
        ] {
            let answer = get(&server, Method::GET, path, accepted).await;
            let encoding = answer.headers().get(CONTENT_ENCODING);
            let encoding = encoding.map(|it| it.to_str().expect("text").to_owned());
            assert_eq!(encoding.as_deref(), want, "{path} {accepted}");
            let bytes = answer.bytes().await.expect("bytes");
            match want {
                None => assert_eq!(bytes.len(), plain, "{path} {accepted}"),
                Some(_) => assert!(bytes.len() < plain * 3 / 4, "{path} {accepted}"),
            }
            // RFC 1952, section 2.3.1.
            assert_eq!(
                bytes.starts_with(b"\x1f\x8b"),
                want == Some("gzip"),
                "{path}"
            );
        }
        // RFC 9110, section 9.3.2: HEAD has the header fields of a GET.
        let head = get(&server, Method::HEAD, path, "br").await;
        let whole = get(&server, Method::GET, path, "br").await;
        assert_eq!(head.headers()[CONTENT_ENCODING], "br", "{path}");
        // It is complete: what compresses it doesn't wait for a client that reads nothing.
        for answer in [head, whole] {
            assert!(answer.headers().contains_key(CONTENT_LENGTH), "{path}");
        }
    }
}

async fn compressed_text_decodes_to_the_original(server: Server) {
    let plain = server.get("/v1/openapi.json").await.text().await;
    let small = get(&server, Method::GET, "/v1/openapi.json", "br").await;
    let small = small.bytes().await.expect("bytes");
    assert_eq!(decoded(&small), plain.expect("text"));

    let prompt = "Show the dent. ".repeat(100);
    let body = json!({ "prompt": prompt, "expires_in_hours": 1 });
    let created = server.post("/v1/requests", &body).await;
    let created: app::api::CreatedRequest = created.json().await.expect("JSON");
    let page = get(&server, Method::GET, &format!("/r/{}", created.id), "br").await;
    let page = decoded(&page.bytes().await.expect("bytes"));
    assert!(
        page.contains(prompt.trim_end()) && page.contains("</html>"),
        "{page}"
    );
}

async fn a_long_page_state_is_compressed_and_a_short_one_is_not(server: Server) {
    let creator = server.create_request().await;
    let path = creator.link_path("/state");
    let short = get(&server, Method::GET, &path, "br").await;
    assert!(short.headers().get(CONTENT_ENCODING).is_none());
    for _ in 0..20 {
        creator.create_take().await;
    }
    let long = get(&server, Method::GET, &path, "br").await;
    assert_eq!(long.headers()[CONTENT_ENCODING], "br");
    let long = decoded(&long.bytes().await.expect("bytes"));
    let long: PageState = serde_json::from_str(&long).expect("a state");
    assert_eq!(long, creator.page_state().await);
}

async fn videos_and_responses_with_tokens_are_never_compressed(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    let id = video.rsplit('/').next().expect("an id");
    let still = format!("/videos/{id}/stills/0");
    let metadata = format!("/videos/{id}/metadata");
    let get_authorized = async |path: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, "gzip, br".parse().expect("a value"));
        creator.send_with_headers(Method::GET, path, headers).await
    };
    wait_until(async || get_authorized(&still).await.status() == StatusCode::OK).await;
    let status = format!("/v1/requests/{}", creator.id());
    for path in [&video, &still, &metadata, &status] {
        let answer = get_authorized(path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert!(answer.headers().get(CONTENT_ENCODING).is_none(), "{path}");
        assert!(answer.headers().contains_key(CONTENT_LENGTH), "{path}");
    }
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT_ENCODING, "gzip, br".parse().expect("a value"));
    headers.insert(RANGE, "bytes=0-4095".parse().expect("a range"));
    let part = creator
        .send_with_headers(Method::GET, &video, headers)
        .await;
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.headers()[CONTENT_LENGTH], "4096");
    assert!(part.headers().contains_key(ETAG));

    // Long enough to be compressed otherwise.
    let body = json!({ "prompt": "a".repeat(2000), "expires_in_hours": 1 });
    let request = server.request(Method::POST, "/v1/requests").json(&body);
    let created = request.header(ACCEPT_ENCODING, "gzip, br").send().await;
    let created = created.expect("an answer");
    assert_eq!(created.status(), StatusCode::CREATED);
    assert!(created.headers().get(CONTENT_ENCODING).is_none());
}
