//! The MCP interface to the use cases: one endpoint without sessions, three tools.
//!
//! It holds no business rules except for how a result is prepared for a model. `endpoint` is HTTP around rmcp,
//! `server` handles the requests that rmcp has parsed, `evidence` is the tool that needs more than one call, and
//! `client` knows what MCP clients pass on of a result.

mod call_context;
mod client;
mod endpoint;
mod error;
mod evidence;
mod input;
mod jsonrpc;
mod origins;
mod output;
mod server;
mod tools;

use axum::Router;
use axum::routing::any;

use crate::service::AppState;
use endpoint::{Endpoint, call};

pub(crate) use evidence::delivery::MAX_INLINE_BYTES;

/// The router of `/mcp`. Each request must carry its [`net::client_addr::ClientAddr`] as an extension.
pub(crate) fn router(app: AppState) -> Router {
    let endpoint = Endpoint::new(app);
    let cross_origin = endpoint.cross_origin();
    Router::new()
        .route("/mcp", any(call))
        // As some frameworks write it.
        .route("/mcp/", any(call))
        .with_state(endpoint)
        .layer(cross_origin)
}
