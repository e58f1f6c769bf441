//! `vidence ask` deletes nothing of which it hasn't all, from a server that answers wrongly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::binary::vidence;
use crate::support::hex_sha256;

const FILM: &[u8] = b"film";

/// What a server answers wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// A proxy in front of it answers for it at first.
    Proxy,
    Digest,
    /// A still that is in the metadata.
    Still,
    Receipt,
    /// A page in answer to the deletion.
    Deletion,
    /// The request is deleted while pictures are made.
    Ends,
    /// It expires then.
    Expires,
    /// An id that is a command of a shell.
    Id,
    /// It fails at the metadata, each time.
    Internal,
    /// By this machine's clock the request is over, and the server can't answer at first.
    Clock,
}

fn metadata(wrong: Wrong) -> Value {
    let digest = hex_sha256(match wrong {
        Wrong::Digest => b"else",
        _ => FILM,
    });
    let stills = match wrong {
        Wrong::Ends | Wrong::Expires => json!({"status": "pending", "pictures": []}),
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

/// What was asked of the server.
#[derive(Default)]
struct Asked {
    polls: AtomicU32,
    looks: AtomicU32,
    downloads: AtomicU32,
    deleted: AtomicBool,
    /// Whether it answers that the request is over.
    is_over: AtomicBool,
}

/// Starts the server. Returns its address.
async fn server(wrong: Wrong) -> (String, Arc<Asked>) {
    let asked = Arc::<Asked>::default();
    let id = match wrong {
        Wrong::Id => "request;touch x",
        _ => "request",
    };
    let created = json!({
        "id": id, "status": "awaiting_submission", "access_token": "token",
        "submission_url": "http://127.0.0.1/r/request", "expires_at": match wrong {
            Wrong::Clock => "2001-01-01T00:00:00Z",
            _ => "2999-01-01T00:00:00Z",
        },
    });
    let status = json!({"id": "request", "status": "submitted", "video": {"id": "video"}});
    let over = json!({"id": "request", "status": "expired"});
    let poll = {
        let asked = Arc::clone(&asked);
        move || async move {
            let is_first = asked.polls.fetch_add(1, Ordering::Relaxed) == 0;
            match wrong {
                _ if asked.is_over.load(Ordering::Relaxed) => Json(over).into_response(),
                Wrong::Proxy if is_first => {
                    (StatusCode::NOT_FOUND, Html("not here")).into_response()
                }
                Wrong::Clock if is_first => StatusCode::BAD_GATEWAY.into_response(),
                _ => Json(status).into_response(),
            }
        }
    };
    let download = {
        let asked = Arc::clone(&asked);
        move || async move {
            asked.downloads.fetch_add(1, Ordering::Relaxed);
            ([("Content-Type", "video/webm")], FILM)
        }
    };
    let delete = {
        let asked = Arc::clone(&asked);
        move || async move {
            asked.deleted.store(true, Ordering::Relaxed);
            match wrong {
                Wrong::Deletion => Html("sign in").into_response(),
                _ => StatusCode::NO_CONTENT.into_response(),
            }
        }
    };
    let look = {
        let asked = Arc::clone(&asked);
        move || async move {
            match asked.looks.fetch_add(1, Ordering::Relaxed) {
                1.. if wrong == Wrong::Ends => not_found().await,
                1.. if wrong == Wrong::Expires => refused(StatusCode::GONE, "gone"),
                _ if wrong == Wrong::Internal => {
                    refused(StatusCode::INTERNAL_SERVER_ERROR, "internal_error")
                }
                _ => Json(metadata(wrong)).into_response(),
            }
        }
    };
    let mut router = Router::new()
        .route(
            "/v1/requests",
            post(async || (StatusCode::CREATED, Json(created))),
        )
        .route("/v1/requests/request", get(poll).delete(delete))
        .route("/v1/videos/video", get(download))
        .route("/videos/video/metadata", get(look))
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
    (address, asked)
}

async fn not_found() -> Response {
    refused(StatusCode::NOT_FOUND, "not_found")
}

fn refused(status: StatusCode, code: &str) -> Response {
    let error = json!({"error": {"code": code, "message": "there is none"}});
    (status, Json(error)).into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_stays_until_all_of_its_video_is_saved_and_right() {
    for (wrong, said) in [
        (Wrong::Nothing, ""),
        (Wrong::Proxy, ""),
        (Wrong::Digest, "isn't what the server says"),
        (Wrong::Still, "still-0000000ms.jpg"),
        (Wrong::Receipt, "receipt"),
        (Wrong::Deletion, "go on with: "),
        (Wrong::Internal, "refused with 500"),
        (Wrong::Clock, ""),
    ] {
        let (address, server) = server(wrong).await;
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("evidence");
        let out = folder.to_str().expect("a path");
        let asked = vidence(&["ask", "Show it", "--server", &address, "--out", out], &[]).await;
        let is_right = matches!(wrong, Wrong::Nothing | Wrong::Proxy | Wrong::Clock);
        assert_eq!(
            asked.code,
            Some(i32::from(!is_right)),
            "{wrong:?}: {asked:?}"
        );
        assert!(asked.stderr.contains(said), "{wrong:?}: {asked:?}");
        assert_eq!(
            server.deleted.load(Ordering::Relaxed),
            is_right || wrong == Wrong::Deletion,
            "{wrong:?}"
        );
        // It holds the token, with which one can look again.
        assert_eq!(folder.join("request.json").exists(), !is_right, "{wrong:?}");
    }
}

/// The video is compared with the metadata before pictures are waited for.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_ends_while_pictures_are_made_leaves_what_was_there() {
    for ends in [Wrong::Ends, Wrong::Expires] {
        let (address, server) = server(ends).await;
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("evidence");
        let out = folder.to_str().expect("a path");
        let ask = ["ask", "Show it", "--server", &address, "--out", out];
        let said = vidence(&ask, &[]).await.success();
        assert!(
            said.contains("ended before all of it could be saved"),
            "{said}"
        );
        assert!(said.contains("video.webm was saved before"), "{said}");
        assert!(
            !server.deleted.load(Ordering::Relaxed),
            "it is over already"
        );
        let has = |name: &str| folder.join(name).exists();
        assert!(has("video.webm") && has("metadata.json") && !has("request.json"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_video_that_is_saved_is_not_fetched_again() {
    let (address, server) = server(Wrong::Still).await;
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("evidence");
    let out = folder.to_str().expect("a path");
    let fetched = || server.downloads.load(Ordering::Relaxed);
    let ask = ["ask", "Show it", "--server", &address, "--out", out];
    vidence(&ask, &[]).await.failure(1);
    vidence(&["ask", "--resume", out], &[]).await.failure(1);
    assert_eq!(fetched(), 1);

    let film = folder.join("video.webm");
    std::fs::write(&film, "else").expect("a file");
    let resumed = vidence(&["ask", "--resume", out], &[]).await.failure(1);
    assert!(resumed.contains("isn't what the server says"), "{resumed}");
    assert!(!film.exists() && folder.join("wrong-video.webm").exists());
    vidence(&["ask", "--resume", out], &[]).await.failure(1);
    assert_eq!(
        (fetched(), std::fs::read(&film).expect("a file")),
        (2, FILM.to_vec())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_video_counts_as_saved_only_while_it_is_there() {
    let (address, server) = server(Wrong::Still).await;
    let parent = tempfile::tempdir().expect("a folder");
    for is_there in [true, false] {
        let folder = parent.path().join(is_there.to_string());
        let out = folder.to_str().expect("a path");
        server.is_over.store(false, Ordering::Relaxed);
        let ask = ["ask", "Show it", "--server", &address, "--out", out];
        vidence(&ask, &[]).await.failure(1);
        if !is_there {
            std::fs::remove_file(folder.join("video.webm")).expect("a file");
        }
        server.is_over.store(true, Ordering::Relaxed);
        // The server of the folder counts, whatever a variable names.
        let other = ("VIDENCE_SERVER", "http://127.0.0.1:1".to_owned());
        let resumed = vidence(&["ask", "--resume", out], &[other]).await;
        let want = if is_there { 0 } else { 3 };
        assert_eq!(resumed.code, Some(want), "{resumed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn request_ids_of_a_server_cannot_be_paths_or_commands() {
    let (address, _server) = server(Wrong::Id).await;
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("evidence");
    let out = folder.to_str().expect("a path");
    let ask = ["ask", "Show it", "--server", &address, "--out", out];
    let refused = vidence(&ask, &[]).await.failure(1);
    assert!(refused.contains("an id that can't be used"), "{refused}");
    assert!(!folder.exists(), "the same command can be given again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cant_be_made_costs_no_request() {
    let unused = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", unused.local_addr().expect("an address"));
    let ask = ["ask", "Show it", "--server", &address, "--out", "/proc/no"];
    let refused = vidence(&ask, &[]).await.failure(1);
    assert!(refused.contains("/proc/no can't be made"), "{refused}");
}
