//! The API for creators at `/v1/requests`.

use reqwest::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{CLIP, HOUR, Server, assert_refused, on_each_storage};

on_each_storage! {
    a_request_is_created_polled_and_deleted
    a_creation_has_a_location
    prompt_length_counts_code_points
    a_malformed_creation_is_400_and_creates_nothing
    unknown_paths_and_methods_get_the_error_envelope
    cors_allows_any_origin_without_credentials
}

async fn a_request_is_created_polled_and_deleted(server: Server) {
    let creator = server.create_request().await;
    let created = serde_json::to_value(&creator.created).expect("JSON");
    let (id, token) = (creator.id(), &creator.created.access_token);
    assert_eq!(created["status"], "awaiting_submission");
    assert_eq!(created["submission_url"], format!("{}/r/{id}", server.base));
    assert_eq!(
        created["expires_at"],
        server::clock::rfc3339(server.app.clock.now() + HOUR)
    );
    assert!(token.starts_with("vidence_"));

    let status = creator
        .send_authorized(Method::GET, &format!("/v1/requests/{id}"))
        .await;
    assert_eq!(status.headers()[CACHE_CONTROL], "no-store");
    let status: Value = status.json().await.expect("JSON");
    let expires_at = &created["expires_at"];
    assert_eq!(
        status,
        json!({ "id": id, "status": "awaiting_submission", "expires_at": expires_at })
    );

    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    assert_eq!(creator.delete().await, StatusCode::NOT_FOUND);
    let status = creator
        .send_authorized(Method::GET, &format!("/v1/requests/{id}"))
        .await;
    assert_refused(status, 404, "not_found").await;
    assert_refused(
        server.get(&creator.link_path("/state")).await,
        404,
        "not_found",
    )
    .await;
}

/// RFC 9110, section 15.3.2: without `Location`, the target URI would identify the created resource.
async fn a_creation_has_a_location(server: Server) {
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 1 });
    let answer = server.post("/v1/requests", &body).await;
    let location = answer.headers()[LOCATION].clone();
    let created: Value = answer.json().await.expect("JSON");
    let id = created["id"].as_str().expect("an id");
    assert_eq!(location, format!("/v1/requests/{id}"));
}

async fn prompt_length_counts_code_points(server: Server) {
    for prompt in ["📹".repeat(2000), "a\0b".to_owned(), " ".to_owned()] {
        let body = json!({ "prompt": prompt, "expires_in_hours": 48 });
        assert_eq!(
            server.post("/v1/requests", &body).await.status(),
            StatusCode::CREATED
        );
    }
    let body = json!({ "prompt": "📹".repeat(2001), "expires_in_hours": 48 });
    assert_refused(server.post("/v1/requests", &body).await, 400, "bad_request").await;
}

async fn a_malformed_creation_is_400_and_creates_nothing(server: Server) {
    let too_large = format!(
        r#"{{"prompt":"{}","expires_in_hours":1}}"#,
        "a".repeat(100_000)
    );
    let bodies = [
        "",
        "{",
        "[]",
        r#"["a",1]"#,
        "null",
        r#""text""#,
        "\u{feff}{}",
        "{}",
        r#"{"prompt":"a"}"#,
        r#"{"expires_in_hours":1}"#,
        r#"{"prompt":"","expires_in_hours":1}"#,
        r#"{"prompt":null,"expires_in_hours":1}"#,
        r#"{"prompt":1,"expires_in_hours":1}"#,
        r#"{"prompt":["a"],"expires_in_hours":1}"#,
        r#"{"prompt":"a","expires_in_hours":0}"#,
        r#"{"prompt":"a","expires_in_hours":49}"#,
        r#"{"prompt":"a","expires_in_hours":-1}"#,
        r#"{"prompt":"a","expires_in_hours":1.5}"#,
        r#"{"prompt":"a","expires_in_hours":"1"}"#,
        r#"{"prompt":"a","expires_in_hours":true}"#,
        r#"{"prompt":"a","expires_in_hours":99999999999999999999}"#,
        r#"{"prompt":"a","expires_in_hours":1,"extra":1}"#,
        r#"{"prompt":"a","prompt":"b","expires_in_hours":1}"#,
        r#"{"prompt":"a","expires_in_hours":1} {}"#,
        r#"{"prompt":"\ud800","expires_in_hours":1}"#,
        &too_large,
    ];
    for body in bodies {
        let request = server.request(Method::POST, "/v1/requests");
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_owned());
        let answer = request.send().await.expect("an answer");
        assert_refused(answer, 400, "bad_request").await;
    }
    let accepted = r#"{"prompt":"a","expires_in_hours":1}"#;
    for media_type in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let request = server.request(Method::POST, "/v1/requests").body(accepted);
        let request = request.header(CONTENT_TYPE, media_type);
        let answer = request.send().await.expect("an answer");
        assert_refused(answer, 400, "bad_request").await;
    }
    let too_long = json!({ "prompt": "a", "expires_in_hours": 49 });
    let answer: Value = server
        .post("/v1/requests", &too_long)
        .await
        .json()
        .await
        .expect("JSON");
    assert_eq!(
        answer["error"]["message"],
        "expires_in_hours must be 1 to 48, not 49"
    );
    assert_eq!(server.live_requests().await, 0);
}

async fn unknown_paths_and_methods_get_the_error_envelope(server: Server) {
    let creator = server.create_request().await;
    for path in [
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v1/requests/a/b",
        "/v1/videos",
        "/v1/%ff",
    ] {
        assert_refused(server.get(path).await, 404, "not_found").await;
    }
    let wrong_method = creator.send_authorized(Method::GET, "/v1/requests").await;
    assert_eq!(wrong_method.headers()[ALLOW], "POST");
    assert_refused(wrong_method, 405, "method_not_allowed").await;
    let path = format!("/v1/requests/{}", creator.id());
    for path in [&*path, "/healthz", "/.well-known/jwks.json"] {
        let wrong_method = creator.send_authorized(Method::PUT, path).await;
        assert!(wrong_method.headers().contains_key(ALLOW), "{path}");
        assert_refused(wrong_method, 405, "method_not_allowed").await;
    }
}

async fn cors_allows_any_origin_without_credentials(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(CLIP).await;
    let request = format!("/v1/requests/{}", creator.id());
    for (path, method, header) in [
        ("/v1/requests", "POST", "content-type"),
        (&request, "GET", "authorization,prefer"),
        (&request, "DELETE", "authorization"),
        (&video, "GET", "authorization,range,if-range"),
    ] {
        let preflight = server.request(Method::OPTIONS, path);
        let preflight = preflight.header("origin", "https://page.example");
        let preflight = preflight.header("access-control-request-method", method);
        let preflight = preflight.header("access-control-request-headers", header);
        let answer = preflight.send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let allowed = |name: &str| answer.headers()[name].to_str().expect("text");
        assert_eq!(allowed("access-control-allow-origin"), "*");
        assert!(allowed("access-control-allow-methods").contains(method));
        assert_eq!(allowed("access-control-allow-headers"), header);
        assert_eq!(allowed("access-control-max-age"), "86400");
        assert!(
            !answer
                .headers()
                .contains_key("access-control-allow-credentials")
        );
    }
    let range = [("range", "bytes=0-1"), ("origin", "https://page.example")];
    let range = range.map(|(name, value)| (name.parse(), value.parse()));
    let range = range.map(|(name, value)| (name.expect("a name"), value.expect("a value")));
    let range = creator.send_with_headers(Method::GET, &video, range.into_iter().collect());
    let refused = server.get(&request);
    for answer in [range.await, refused.await] {
        assert_eq!(answer.headers()["access-control-allow-origin"], "*");
        let exposed = answer.headers()["access-control-expose-headers"].clone();
        let exposed = exposed.to_str().expect("text");
        for name in ["content-range", "etag", "retry-after", "www-authenticate"] {
            assert!(exposed.contains(name), "{exposed}");
        }
    }
}
