//! The dialect of tus 1.0: checksums, versions, and what is refused.

use reqwest::{Method, StatusCode};

use super::tus::{OFFSET_STREAM, create, head, send};
use crate::support::{CLIP, Server, WEBM_HEADER, assert_refused, clip, on_each_storage};

on_each_storage! {
    ; over_http2
    a_mismatching_checksum_is_460_and_stores_nothing
    another_tus_version_is_412
    malformed_tus_requests_are_400_and_change_nothing
}

async fn a_mismatching_checksum_is_460_and_stores_nothing(server: Server) {
    /// SHA-1 of [`WEBM_HEADER`].
    const SHA1: &str = "sha1 GCu1U231YnDNY6jnS+iGpbBpK+0=";
    let creator = server.create_request().await;
    let take = create(&server, &creator, &[("upload-length", "15")]).await;
    for (checksum, body, status) in [
        (SHA1, &clip(15)[..], 460),
        ("md5 AAAA", WEBM_HEADER, 400),
        ("sha1 AAAA", WEBM_HEADER, 400),
        ("sha1", WEBM_HEADER, 400),
    ] {
        let headers = [
            OFFSET_STREAM,
            ("upload-offset", "0"),
            ("upload-checksum", checksum),
        ];
        let answer = send(&server, Method::PATCH, &take, &headers, body).await;
        assert_eq!(answer.status().as_u16(), status, "{checksum}");
        let problem: serde_json::Value = answer.json().await.expect("JSON");
        assert_eq!(problem["status"], status, "{checksum}");
        assert_eq!(head(&server, &take).await["upload-offset"], "0");
    }
    let headers = [
        OFFSET_STREAM,
        ("upload-offset", "0"),
        ("upload-checksum", SHA1),
    ];
    let answer = send(&server, Method::PATCH, &take, &headers, WEBM_HEADER).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn another_tus_version_is_412(server: Server) {
    let creator = server.create_request().await;
    for version in ["0.2.2", "1.0.1", ""] {
        let headers = [("tus-resumable", version), ("upload-length", "15")];
        let answer = send(
            &server,
            Method::POST,
            &creator.link_path("/takes"),
            &headers,
            b"",
        )
        .await;
        assert_eq!(answer.headers()["tus-version"], "1.0.0");
        assert_refused(answer, 412, "precondition_failed").await;
    }
    assert!(creator.page_state().await.takes.is_empty());
}

async fn malformed_tus_requests_are_400_and_change_nothing(server: Server) {
    let creator = server.create_request().await;
    let takes = creator.link_path("/takes");
    for headers in [
        vec![],
        vec![("upload-length", "-1")],
        vec![("upload-length", "1e3")],
        vec![("upload-defer-length", "2")],
        vec![("upload-defer-length", "2"), ("upload-length", "15")],
    ] {
        let answer = send(&server, Method::POST, &takes, &headers, b"").await;
        assert_refused(answer, 400, "bad_request").await;
    }
    let large = [("upload-length", "99999999999999999999")];
    let answer = send(&server, Method::POST, &takes, &large, b"").await;
    assert_refused(answer, 400, "bad_request").await;
    let large = [("upload-length", "9999999999999999")];
    let answer = send(&server, Method::POST, &takes, &large, b"").await;
    assert_refused(answer, 413, "too_large").await;
    assert!(creator.page_state().await.takes.is_empty());

    let take = create(&server, &creator, &[("upload-length", "15")]).await;
    for (headers, status, code) in [
        (vec![OFFSET_STREAM], 400, "bad_request"),
        (
            vec![OFFSET_STREAM, ("upload-offset", "+0")],
            400,
            "bad_request",
        ),
        (vec![("upload-offset", "0")], 415, "unsupported_media_type"),
    ] {
        let answer = send(&server, Method::PATCH, &take, &headers, CLIP).await;
        assert_refused(answer, status, code).await;
    }
    assert_eq!(head(&server, &take).await["upload-offset"], "0");
}
