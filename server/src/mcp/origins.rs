//! The origins whose web pages may call the MCP endpoint.
//!
//! Agents send no `Origin`; browsers always do. Pages of other origins are refused: in a browser on a user's machine
//! they could reach a server that their author can't (MCP, Streamable HTTP, section "Security Warning").

use axum::http::HeaderValue;

use crate::config::public_url::Origin;

/// The allowed origins: the server's own, loopback origins, and those that the operator configures.
#[derive(Clone, Debug)]
pub(super) struct Origins(Vec<Origin>);

impl Origins {
    /// Allows these origins, besides loopback ones.
    pub fn new(own: Option<Origin>, named: &[Origin]) -> Self {
        Self(own.into_iter().chain(named.iter().cloned()).collect())
    }

    /// Whether a page of this origin may call.
    pub fn allow(&self, origin: &HeaderValue) -> bool {
        let origin = origin.to_str().ok().and_then(|it| it.parse().ok());
        origin.is_some_and(|origin: Origin| origin.is_loopback() || self.0.contains(&origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_named_and_loopback_origins_may_call() {
        let origin = |text: &str| text.parse::<Origin>().expect("an origin");
        let own = origin("https://evidence.example.org");
        let origins = Origins::new(Some(own), &[origin("https://agents.example.net")]);
        for (origin, want) in [
            ("https://evidence.example.org", true),
            ("https://evidence.example.org:443", true),
            ("https://agents.example.net", true),
            ("http://localhost:6274", true),
            ("http://127.0.0.1:3000", true),
            ("http://[::1]:3000", true),
            ("http://evidence.example.org", false),
            ("https://evidence.example.org:8443", false),
            ("https://evil.example", false),
            ("https://evidence.example.org.evil.example", false),
            ("http://localhost.evil.example", false),
            ("http://127.0.0.1.evil.example", false),
            ("null", false),
            ("", false),
        ] {
            let value = HeaderValue::from_static(origin);
            assert_eq!(origins.allow(&value), want, "{origin}");
        }
    }
}
