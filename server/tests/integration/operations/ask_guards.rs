//! `vidence ask` deletes nothing of which it hasn't all, from a server that answers wrongly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;

use crate::support::binary::vidence;

const FILM: &[u8] = b"film";

/// What a server answers wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// A proxy in front of it answers for it.
    Status,
    Digest,
    /// A still that is in the metadata.
    Still,
    Receipt,
}

fn metadata(wrong: Wrong) -> Value {
    let digest = Sha256::digest(if wrong == Wrong::Digest {
        b"else"
    } else {
        FILM
    });
    let digest: String = digest.iter().map(|it| format!("{it:02x}")).collect();
    let stills = match wrong {
        Wrong::Still => {
            json!({"status": "ready", "pictures": [{"at_ms": 0, "width": 1, "height": 1}]})
        }
        _ => json!({"status": "unavailable", "pictures": [], "reason": "none"}),
    };
    json!({
        "id": "video", "media_type": "video/webm", "bytes": FILM.len(), "stills": stills,
        "properties": {
            "sha256": digest, "received_sha256": digest, "duration_ms": 1, "width": 1, "height": 1,
            "has_audio": false, "has_location": false, "truncated": false,
        },
    })
}

/// Starts the server. Returns its address, and whether the request was deleted.
async fn server(wrong: Wrong) -> (String, Arc<AtomicBool>) {
    let deleted = Arc::new(AtomicBool::new(false));
    let created = json!({
        "id": "request", "status": "awaiting_submission", "access_token": "token",
        "submission_url": "http://127.0.0.1/r/request", "expires_at": "2999-01-01T00:00:00Z",
    });
    let status = json!({"id": "request", "status": "submitted", "video": {"id": "video"}});
    let status = move || async move {
        match wrong {
            Wrong::Status => (StatusCode::NOT_FOUND, Html("not here")).into_response(),
            _ => Json(status).into_response(),
        }
    };
    let delete = {
        let deleted = Arc::clone(&deleted);
        move || async move {
            deleted.store(true, Ordering::Relaxed);
            StatusCode::NO_CONTENT
        }
    };
    let mut router = Router::new()
        .route(
            "/v1/requests",
            post(async || (StatusCode::CREATED, Json(created))),
        )
        .route("/v1/requests/request", get(status).delete(delete))
        .route(
            "/v1/videos/video",
            get(async || ([("Content-Type", "video/webm")], FILM)),
        )
        .route(
            "/videos/video/metadata",
            get(async move || Json(metadata(wrong))),
        )
        .fallback(not_found);
    if wrong == Wrong::Receipt {
        router = router
            .route("/videos/video/receipt", get(async || "a.b.c"))
            .route(
                "/.well-known/jwks.json",
                get(async || Json(json!({"keys": []}))),
            );
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, deleted)
}

async fn not_found() -> Response {
    let error = json!({"error": {"code": "not_found", "message": "there is none"}});
    (StatusCode::NOT_FOUND, Json(error)).into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_stays_until_all_of_its_video_is_saved_and_right() {
    for (wrong, said) in [
        (Wrong::Nothing, ""),
        (Wrong::Status, "can't be read"),
        (Wrong::Digest, "isn't what the server says"),
        (Wrong::Still, "still-0000000ms.jpg"),
        (Wrong::Receipt, "receipt"),
    ] {
        let (address, deleted) = server(wrong).await;
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("evidence");
        let out = folder.to_str().expect("a path");
        let asked = vidence(&["ask", "Show it", "--server", &address, "--out", out], &[]).await;
        let is_right = wrong == Wrong::Nothing;
        assert_eq!(
            asked.code,
            Some(i32::from(!is_right)),
            "{wrong:?}: {asked:?}"
        );
        assert!(asked.stderr.contains(said), "{wrong:?}: {asked:?}");
        assert_eq!(deleted.load(Ordering::Relaxed), is_right, "{wrong:?}");
        // It holds the token, with which one can look again.
        assert_eq!(folder.join("request.json").exists(), !is_right, "{wrong:?}");
    }
}
