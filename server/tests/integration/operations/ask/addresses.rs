//! Which address `vidence ask` calls, and which one it names.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::json;
use tokio::net::TcpListener;

use crate::support::binary::vidence;

/// A server that answers creations so. Returns its address.
async fn server<R: IntoResponse + Clone + Send + Sync + 'static>(answer: R) -> String {
    let create = async move || -> Response { answer.into_response() };
    let router = Router::new().route("/v1/requests", post(create));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// What stays on this machine needs no encryption, and so must not leave it.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_this_machine_is_not_asked_through_a_proxy() {
    let error = json!({"error": {"code": "bad_request", "message": "this is the server"}});
    let address = server((StatusCode::BAD_REQUEST, Json(error))).await;
    let proxy = ("http_proxy", "http://127.0.0.1:1".to_owned());
    let refused = vidence(&["ask", "Show it", "--server", &address], &[proxy]).await;
    let said = refused.failure(1);
    assert!(said.contains("this is the server"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_has_moved_is_named_as_the_command_takes_it() {
    for (location, want) in [
        (
            "https://evidence.example.org/v1/requests",
            "it is at https://evidence.example.org/: name",
        ),
        ("/base/v1/requests", "/base/: name"),
        ("/login?next=x", "it redirects to http://127.0.0.1:"),
    ] {
        let moved = (StatusCode::PERMANENT_REDIRECT, [("Location", location)]);
        let address = server(moved).await;
        let refused = vidence(&["ask", "Show it", "--server", &address], &[]).await;
        let said = refused.failure(1);
        assert!(said.contains(want), "{said}");
    }
}
