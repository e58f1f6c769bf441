//! The list of all attacks.

use std::time::Instant;

use anyhow::Result;

use super::target::{Outcome, Target};
use super::{flood, framing, http2};

/// One attack.
pub struct Attack {
    pub name: &'static str,
    /// Runs until the deadline, or a little longer.
    pub run: fn(&Target, Instant) -> Result<Outcome>,
    /// Maximum growth of the server's memory, in bytes. `None`: the general limit.
    pub max_memory: Option<u64>,
}

/// Maximum growth of the server's memory by a form that never gets to its file, in bytes.
const FORM_MEMORY: u64 = 32_000_000;

/// An attack with the general memory limit.
const fn attack(name: &'static str, run: fn(&Target, Instant) -> Result<Outcome>) -> Attack {
    Attack {
        name,
        run,
        max_memory: None,
    }
}

/// An attack by form uploads.
const fn form(name: &'static str, run: fn(&Target, Instant) -> Result<Outcome>) -> Attack {
    Attack {
        name,
        run,
        max_memory: Some(FORM_MEMORY),
    }
}

/// All attacks, in the order in which they run.
pub const ATTACKS: &[Attack] = &[
    form("form: preamble without end", flood::form_preamble),
    form("form: header line without end", flood::form_header),
    form("form: unknown link", flood::form_for_unknown_link),
    attack("unknown pages", flood::unknown_pages),
    attack("unknown links", flood::unknown_links),
    attack("OpenAPI description", flood::openapi_description),
    attack("documentation", flood::documentation),
    attack("guessed tokens", flood::guessed_tokens),
    attack("creations", flood::creations),
    attack("MCP calls", flood::mcp_calls),
    attack("tiny chunks", flood::tiny_chunks),
    attack("bytes awaiting a digest", flood::bytes_awaiting_a_digest),
    attack("abandoned takes", flood::abandoned_takes),
    attack("stalled streams", flood::stalled_streams),
    attack("slow request heads", flood::slow_heads),
    attack("ambiguous requests", framing::ambiguous_requests),
    attack("HTTP/2: rapid reset", http2::rapid_reset),
    attack("HTTP/2: settings flood", http2::settings_flood),
    attack("HTTP/2: ping flood", http2::ping_flood),
    attack("HTTP/2: continuation flood", http2::continuation_flood),
    attack("HTTP/2: empty data flood", http2::empty_data_flood),
    attack("HTTP/2: 10,000 header fields", http2::many_header_fields),
    attack("HTTP/2: closed windows", http2::closed_windows),
    attack("HTTP/2: unread bodies", http2::unread_bodies),
    attack("HTTP/2: waiting requests", http2::waiting_requests),
];
