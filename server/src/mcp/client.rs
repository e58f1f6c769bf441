//! What is known of the programs between this server and a model: what they leave of an answer.
//!
//! A client says its name in every message since revision 2026-07-28. Before that it does so once, in `initialize`, and
//! there are no sessions here that could remember it: so a client of which something is known gets a session id that
//! says what, and most send it back with each message. Of those that don't, some say who they are in `User-Agent`.
//! The server keeps nothing of it, and a client with a false name changes the form of its own answers alone.

use axum::http::header::USER_AGENT;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

/// Where `_meta` holds it since revision 2026-07-28.
const IN_META: &str = "io.modelcontextprotocol/clientInfo";

/// What becomes of an answer on its way to the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Client {
    /// The video is shown or saved; or nothing is known of it.
    #[default]
    TakesVideos,
    /// Videos are left out, or become text that no model can read.
    DropsVideos,
    /// Likewise, and answers are cut at 150,000 characters.
    CutsAnswers,
}

/// By the beginnings of their names, in messages and in `User-Agent`. The first four, and the Agents SDK, are measured
/// (`server/tests/agents`); what the guide says of the others, it says by their makers' words.
const KNOWN: [(&str, Client); 10] = [
    ("claude-code", Client::TakesVideos),
    ("codex", Client::DropsVideos),
    ("gemini-cli", Client::DropsVideos),
    ("opencode", Client::DropsVideos),
    // ChatGPT.
    ("openai-mcp", Client::DropsVideos),
    // In `User-Agent`, as the guide has it: in messages it is any program in Python.
    ("openai-agents", Client::DropsVideos),
    ("cursor", Client::DropsVideos),
    // Claude on the desktop; its connectors, in messages and in `User-Agent`.
    ("claude-ai", Client::CutsAnswers),
    ("anthropic/", Client::CutsAnswers),
    ("claude-user", Client::CutsAnswers),
];

/// How a session id begins that says so.
const SESSIONS: [(&str, Client); 2] = [
    ("drops-videos-", Client::DropsVideos),
    ("cuts-answers-", Client::CutsAnswers),
];

impl Client {
    /// The one that a message names. `None`: it names none, or one of which nothing is known, such as a library.
    pub fn of_message(params: &Value) -> Option<Self> {
        let info = params.get("clientInfo");
        let info = info.or_else(|| params.get("_meta")?.get(IN_META));
        info?.get("name")?.as_str().and_then(Self::named)
    }

    /// The one that was given the session id of a request, or that its `User-Agent` names.
    pub fn of_request(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|it| it.to_str().ok());
        let id = text(SESSION_ID).unwrap_or_default();
        let mut sessions = SESSIONS.iter();
        match sessions.find(|(kind, _)| id.starts_with(kind)) {
            Some((_, client)) => *client,
            None => text(USER_AGENT).and_then(Self::named).unwrap_or_default(),
        }
    }

    /// A new session id, for one of which something is known.
    pub fn session_id(self) -> Option<HeaderValue> {
        let (kind, _) = SESSIONS.iter().find(|(_, client)| *client == self)?;
        // Clients may take equal ids for one session.
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
        let before = |name: &str| Client::of_message(&json!({"clientInfo": {"name": name}}));
        let since = |name: &str| Client::of_message(&json!({"_meta": {IN_META: {"name": name}}}));
        for (name, want) in [
            ("codex-mcp-client", Client::DropsVideos),
            ("claude-code", Client::TakesVideos),
            ("claude-ai", Client::CutsAnswers),
            ("Anthropic/ClaudeAI", Client::CutsAnswers),
        ] {
            assert_eq!(before(name), Some(want), "{name}");
            assert_eq!(since(name), Some(want), "{name}");
        }
        assert_eq!(before("mcp"), None, "any program in Python");
        assert_eq!(Client::of_message(&json!({"name": "codex"})), None);
        assert_eq!(Client::of_message(&json!({"clientInfo": "codex"})), None);
    }

    #[test]
    fn a_session_id_says_what_is_known() {
        for client in [Client::DropsVideos, Client::CutsAnswers] {
            let id = client.session_id().expect("one");
            assert_ne!(client.session_id(), Some(id.clone()));
            let headers = HeaderMap::from_iter([(SESSION_ID, id)]);
            assert_eq!(Client::of_request(&headers), client);
        }
        assert_eq!(Client::TakesVideos.session_id(), None);
        let other = HeaderMap::from_iter([(SESSION_ID, HeaderValue::from_static("abc"))]);
        assert_eq!(Client::of_request(&other), Client::TakesVideos);
        let agent = HeaderMap::from_iter([(USER_AGENT, HeaderValue::from_static("Claude-User"))]);
        assert_eq!(Client::of_request(&agent), Client::CutsAnswers);
    }
}
