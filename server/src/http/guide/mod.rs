//! What the page `/docs/mcp` shows.

mod clients;
mod session;

use app::pages::Guide;

use super::Assets;
use crate::service::PublicUrl;

/// What `server/tests/agents` saw.
const MEASURED: &str = include_str!("programs.json");

/// For this server.
pub(super) fn guide(url: &PublicUrl, assets: &Assets) -> Guide {
    Guide {
        endpoint: url.mcp(),
        clients: clients::all(&url.mcp()),
        // A test writes and reads it.
        measured: serde_json::from_str(MEASURED).expect("what programs showed"),
        session: session::session(url, assets),
    }
}
