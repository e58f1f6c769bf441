//! The baseline: axum with one route and a constant body.

use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::any;
use tokio::net::TcpListener;

/// Answers `body` to every request until it is killed, and prints its URL.
pub async fn serve(body: String) -> Result<()> {
    let body: Arc<str> = body.into();
    let answer = move || {
        let body = String::from(&*body);
        std::future::ready(([(CONTENT_TYPE, "application/json")], body))
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("open http://{}", listener.local_addr()?);
    axum::serve(listener, Router::new().fallback(any(answer))).await?;
    Ok(())
}
