//! `/mcp/server-card`: the description of the MCP endpoint for clients that aren't connected yet.
//!
//! It follows the draft of SEP-2127, in modelcontextprotocol/experimental-ext-server-card at 8924e08 of
//! 24 July 2026: the schema's `v1`, at the endpoint's address followed by `/server-card`, readable by pages of any
//! origin and cacheable for an hour. `server.json` describes every Vidence server to registries; the card describes
//! this one. The tools are left out: a client lists them once it is connected.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};
use tower_http::cors::{Any, CorsLayer};

use crate::config::public_url::PublicUrl;
use crate::http::conditions::{self, Precondition, Validators};
use crate::receipts::hex_sha256;

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/// The name in the form of registries. The part after the slash is the endpoint's own name.
const NAME: &str = "dev.vidence/vidence";

const TITLE: &str = "Vidence";

/// The version of the tools' inputs and outputs, not of the binary.
const VERSION: &str = "1";

const DESCRIPTION: &str = "Ask a human for a video: they record in any browser, the agent gets facts, pictures and the film.";

/// The revisions of the protocol that the endpoint supports.
const REVISIONS: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];

const MEDIA_TYPE: &str = "application/mcp-server-card+json";

/// How long a browser may cache the preflight result.
const PREFLIGHT_LASTS: Duration = Duration::from_secs(60 * 60);

struct Card {
    json: Bytes,
    validators: Validators,
}

pub fn router(url: &PublicUrl) -> Router {
    let json = format!("{:#}\n", card(url));
    let tag = hex_sha256(&json);
    let card = Card {
        json: json.into(),
        validators: Validators {
            etag: format!("\"{tag}\""),
            // Not sent as `Last-Modified`: other nodes have started at other times.
            modified: SystemTime::now(),
        },
    };
    let any_origin = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET])
        .allow_headers([CONTENT_TYPE, IF_NONE_MATCH])
        .expose_headers([ETAG])
        .max_age(PREFLIGHT_LASTS)
        .vary([]);
    Router::new()
        .route("/mcp/server-card", get(show))
        .layer(any_origin)
        .with_state(Arc::new(card))
}

async fn show(State(card): State<Arc<Card>>, headers: HeaderMap) -> Response {
    let kept = [
        (CACHE_CONTROL, "public, max-age=3600"),
        (ETAG, card.validators.etag.as_str()),
    ];
    match conditions::check(&headers, &card.validators) {
        Precondition::Answer => {
            (kept, [(CONTENT_TYPE, MEDIA_TYPE)], card.json.clone()).into_response()
        }
        Precondition::NotModified => (StatusCode::NOT_MODIFIED, kept).into_response(),
        Precondition::Failed => StatusCode::PRECONDITION_FAILED.into_response(),
    }
}

fn card(url: &PublicUrl) -> Value {
    json!({
        "$schema": SCHEMA,
        "name": NAME,
        "title": TITLE,
        "description": DESCRIPTION,
        "version": VERSION,
        "websiteUrl": format!("{}/docs/mcp", url.as_str()),
        "remotes": [{
            "type": "streamable-http",
            "url": url.mcp(),
            "supportedProtocolVersions": REVISIONS,
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The description for registries, at the root of the repository: schema 2025-12-11.
    const SERVER_JSON: &str = include_str!("../../../../server.json");

    /// Checks the requirements that both schemas share.
    fn is_well_formed(it: &Value) {
        let text = |field: &str| it[field].as_str().unwrap_or_default();
        let (space, name) = text("name").split_once('/').expect("a namespace");
        let dotted = |it: &str| {
            let mut characters = it.chars();
            characters.all(|it| it.is_ascii_alphanumeric() || ".-".contains(it))
        };
        assert!(dotted(space) && dotted(name) && space.contains('.'), "{it}");
        for (field, most) in [("description", 100), ("title", 100), ("version", 255)] {
            assert!(
                (1..=most).contains(&text(field).chars().count()),
                "{field}: {it}"
            );
        }
        for remote in it["remotes"].as_array().expect("remotes") {
            assert_eq!(remote["type"], "streamable-http");
            let url = remote["url"].as_str().expect("a URL");
            assert!(
                url.starts_with("https://") && url.ends_with("/mcp"),
                "{url}"
            );
            // The described variables are exactly those in the URL.
            let named: Vec<&str> = url
                .split('{')
                .skip(1)
                .filter_map(|it| it.split('}').next())
                .collect();
            let described = remote["variables"].as_object().into_iter().flatten();
            for (name, it) in described.clone() {
                assert!(
                    it["description"].is_string() && it["isRequired"] == true,
                    "{name}"
                );
            }
            let described: Vec<&str> = described.map(|(name, _)| name.as_str()).collect();
            assert_eq!(named, described);
        }
    }

    #[test]
    fn the_registry_manifest_matches_the_server() {
        let listed: Value = serde_json::from_str(SERVER_JSON).expect("JSON");
        let card = card(&PublicUrl::new("https://evidence.example.org"));
        is_well_formed(&listed);
        is_well_formed(&card);
        for field in ["name", "title", "description", "version"] {
            assert_eq!(listed[field], card[field], "{field}");
        }
        assert_eq!(
            listed["$schema"],
            "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
        );
        let template = listed["remotes"][0]["url"].as_str().expect("a URL");
        let here = template.replace("{host}", "evidence.example.org");
        assert_eq!(card["remotes"][0]["url"], here);
    }
}
