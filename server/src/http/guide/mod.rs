//! What the page `/docs/mcp` shows.

mod clients;
mod session;

use app::pages::Guide;

use super::Assets;
use crate::service::PublicUrl;

/// For this server.
pub(super) fn guide(url: &PublicUrl, assets: &Assets) -> Guide {
    Guide {
        endpoint: url.mcp(),
        clients: clients::all(&url.mcp()),
        session: session::session(url, assets),
    }
}
