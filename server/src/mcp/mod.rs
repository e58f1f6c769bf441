//! The same use cases for agents that speak MCP: one endpoint without sessions, three tools. No rules here,
//! but for how an answer is made fit for a model to read.
//!
//! `endpoint` is HTTP around rmcp, `server` what rmcp hands on, `evidence` the tool that is more than one call, `client`
//! what the programs in between leave of its answers.

mod attachments;
mod base64;
mod client;
mod endpoint;
mod error;
mod get_evidence;
mod input;
mod jsonrpc;
mod origins;
mod output;
mod sampling;
mod server;
mod tools;

use axum::Router;
use axum::routing::any;

use crate::service::AppState;
use endpoint::{Endpoint, call};

/// `/mcp`. Each request must carry its [`crate::caller::ClientAddr`] as an extension.
pub(crate) fn router(app: AppState) -> Router {
    let endpoint = Endpoint::new(app);
    let cross_origin = endpoint.cross_origin();
    Router::new()
        .route("/mcp", any(call))
        .with_state(endpoint)
        .layer(cross_origin)
}
