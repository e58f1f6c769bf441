//! MCP clients between this server and a model, and the parts of a tool result that they pass on.
//!
//! A client sends its name in every message since revision 2026-07-28. Before that it sends it only in `initialize`,
//! and this server stores no sessions: a known client therefore gets a session id that encodes its kind, and most
//! clients return it with each message. Of those that don't, some send their name in `User-Agent`. The server
//! stores none of this, and a client with a false name changes the form of its own responses only.

use axum::http::header::USER_AGENT;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// The member of `_meta` that holds the client's name since revision 2026-07-28.
const IN_META: &str = "io.modelcontextprotocol/clientInfo";

/// How a client passes a tool result on to its model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ClientKind {
    /// The client shows or saves the video, or is unknown.
    #[default]
    AcceptsVideos,
    /// The client omits videos or passes them on as text, which no model can read.
    DropsVideos,
    /// The client drops videos, and truncates results at 150,000 characters.
    CutsAnswers,
}

/// Known clients by the prefixes of their names, in messages and in `User-Agent`.
///
/// The first four, and the Agents SDK, are measured (`server/tests/agents`); the entries of the others, as in the
/// guide, follow their makers' documentation.
const KNOWN: [(&str, ClientKind); 10] = [
    ("claude-code", ClientKind::AcceptsVideos),
    ("codex", ClientKind::DropsVideos),
    ("gemini-cli", ClientKind::DropsVideos),
    ("opencode", ClientKind::DropsVideos),
    // ChatGPT.
    ("openai-mcp", ClientKind::DropsVideos),
    // In `User-Agent`, as the guide sets it: its name in messages is shared by all programs in Python.
    ("openai-agents", ClientKind::DropsVideos),
    ("cursor", ClientKind::DropsVideos),
    // Claude on the desktop; its connectors, in messages and in `User-Agent`.
    ("claude-ai", ClientKind::CutsAnswers),
    ("anthropic/", ClientKind::CutsAnswers),
    ("claude-user", ClientKind::CutsAnswers),
];

/// The prefixes of session ids, which encode the kind of client.
const SESSIONS: [(&str, ClientKind); 2] = [
    ("drops-videos-", ClientKind::DropsVideos),
    ("cuts-answers-", ClientKind::CutsAnswers),
];

impl ClientKind {
    /// The client that a message names. `None`: no name, or an unknown one, such as that of a library.
    pub fn of_message(params: &Value) -> Option<Self> {
        let info = params.get("clientInfo");
        let info = info.or_else(|| params.get("_meta")?.get(IN_META));
        info?.get("name")?.as_str().and_then(Self::named)
    }

    /// The client by the session id of a request, or else by its `User-Agent`.
    pub fn of_request(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|it| it.to_str().ok());
        let id = text(SESSION_ID).unwrap_or_default();
        let mut sessions = SESSIONS.iter();
        match sessions.find(|(kind, _)| id.starts_with(kind)) {
            Some((_, client)) => *client,
            None => text(USER_AGENT).and_then(Self::named).unwrap_or_default(),
        }
    }

    /// A new session id, for kinds of clients other than the default.
    pub fn session_id(self) -> Option<HeaderValue> {
        let (kind, _) = SESSIONS.iter().find(|(_, client)| *client == self)?;
        // Random, since clients may take equal ids for one session.
        let id = format!("{kind}{:032x}", rand::random::<u128>());
        HeaderValue::from_str(&id).ok()
    }

    fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let mut known = KNOWN.iter();
        let known = known.find(|(begins, _)| name.starts_with(begins));
        known.map(|(_, client)| *client)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_client_is_known_by_its_name_in_either_revision() {
        let before = |name: &str| ClientKind::of_message(&json!({"clientInfo": {"name": name}}));
        let since =
            |name: &str| ClientKind::of_message(&json!({"_meta": {IN_META: {"name": name}}}));
        for (name, want) in [
            ("codex-mcp-client", ClientKind::DropsVideos),
            ("claude-code", ClientKind::AcceptsVideos),
            ("claude-ai", ClientKind::CutsAnswers),
            ("Anthropic/ClaudeAI", ClientKind::CutsAnswers),
        ] {
            assert_eq!(before(name), Some(want), "{name}");
            assert_eq!(since(name), Some(want), "{name}");
        }
        assert_eq!(before("mcp"), None, "any program in Python");
        assert_eq!(ClientKind::of_message(&json!({"name": "codex"})), None);
        assert_eq!(
            ClientKind::of_message(&json!({"clientInfo": "codex"})),
            None
        );
    }

    #[test]
    fn session_ids_encode_the_client_kind() {
        for client in [ClientKind::DropsVideos, ClientKind::CutsAnswers] {
            let id = client.session_id().expect("one");
            assert_ne!(client.session_id(), Some(id.clone()));
            let headers = HeaderMap::from_iter([(SESSION_ID, id)]);
            assert_eq!(ClientKind::of_request(&headers), client);
        }
        assert_eq!(ClientKind::AcceptsVideos.session_id(), None);
        let other = HeaderMap::from_iter([(SESSION_ID, HeaderValue::from_static("abc"))]);
        assert_eq!(ClientKind::of_request(&other), ClientKind::AcceptsVideos);
        let agent = HeaderMap::from_iter([(USER_AGENT, HeaderValue::from_static("Claude-User"))]);
        assert_eq!(ClientKind::of_request(&agent), ClientKind::CutsAnswers);
    }
}
