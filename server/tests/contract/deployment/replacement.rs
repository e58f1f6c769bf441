//! The pages of two releases behind nginx and Caddy, while nodes are replaced one by one.

use std::collections::HashSet;
use std::future::ready;
use std::net::SocketAddr;

use axum::Router;
use axum::http::Uri;
use reqwest::{Certificate, StatusCode};
use tokio::net::TcpListener;

use super::caddy::Caddy;
use super::proxied::{client_from, identity};
use test_support::clients::retrying_client::http_client;
use test_support::servers::nginx::Nginx;
use test_support::servers::node::free_address;

/// While one release follows another, each node has only the files of its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_a_node_has_not_got_is_fetched_from_another_one() {
    let front = free_address();
    let nodes = [
        node_with("/assets/old.js").await,
        node_with("/assets/new.js").await,
    ];
    let _nginx = Nginx::http(front, &nodes);
    for file in ["/assets/old.js", "/assets/new.js"].repeat(5) {
        let answer = http_client()
            .get(format!("http://{front}{file}"))
            .send()
            .await;
        assert_eq!(
            answer.expect("an answer").status(),
            StatusCode::OK,
            "{file}"
        );
    }
    let answer = http_client()
        .get(format!("http://{front}/assets/none.js"))
        .send()
        .await;
    assert_eq!(answer.expect("an answer").status(), StatusCode::NOT_FOUND);
}

/// Likewise, by what is known of a client.
#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_a_client_and_their_files_come_from_one_node() {
    let front = free_address();
    let nodes = [
        node_with("/assets/old.js").await,
        node_with("/assets/new.js").await,
    ];
    let (pem, key) = identity(front);
    let _caddy = Caddy::start(front, &nodes, &pem, &key);
    let certificate = Certificate::from_pem(pem.as_bytes()).expect("a certificate");
    // It installs the provider of TLS.
    drop(http_client());
    let client = client_from(&certificate, None);
    let mut statuses = Vec::new();
    for path in ["/", "/r/x", "/privacy", "/assets/old.js"].repeat(5) {
        let answer = client.get(format!("https://{front}{path}")).send().await;
        let answer = answer.expect("an answer");
        statuses.push((path, answer.headers()["node"].clone()));
    }
    let first = &statuses[0].1;
    assert!(statuses.iter().all(|it| it.1 == first), "{statuses:?}");
    // Calls go to all.
    let mut nodes = HashSet::new();
    for path in ["/v1/requests", "/mcp", "/r/x/takes/y"].repeat(20) {
        let answer = client.get(format!("https://{front}{path}")).send().await;
        nodes.insert(answer.expect("an answer").headers()["node"].clone());
    }
    assert_eq!(nodes.len(), 2);
}

/// A server with this file alone, which names itself by it.
async fn node_with(file: &'static str) -> SocketAddr {
    let answer = move |path: Uri| {
        let is_there = path.path() == file || path.path() == "/readyz";
        let status = if is_there {
            StatusCode::OK
        } else {
            StatusCode::NOT_FOUND
        };
        ready((status, [("node", file)]))
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    address
}
