//! Pages that are the same for every visitor and carry no script: rendered once, compressed once.

use std::sync::Arc;

use app::pages::{
    Agents, AssetUrls, Docs, Foot, Guide, Kind, Languages, Reference, Shell, Words as Legal,
};
use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use leptos::prelude::*;

use super::words::{self, Page};
use crate::http::security_headers;
use crate::http::static_document::StaticDocument;
use crate::service::AppState;

/// For agents (llmstxt.org); `{public_url}` is where this server is, `{max_bytes}` what it takes of one video,
/// `{inline_bytes}` what it puts of one into an answer over MCP.
const LLMS_TXT: &str = include_str!("../llms.txt");

pub(super) fn router(
    app: &AppState,
    assets: &Arc<AssetUrls>,
    reference: Reference,
    guide: Guide,
) -> Router {
    let docs = document(assets, "The interface", move || {
        view! { <Docs reference=reference.clone()/> }.into_any()
    });
    let for_models = guide.clone();
    let agents = document(assets, "Use it from an agent", move || {
        view! { <Agents guide=guide.clone()/> }.into_any()
    });
    let agents_markdown = markdown(move || app::pages::markdown(&for_models));
    let public_url = app.public_url.clone();
    let (max_bytes, inline_bytes) = (app.storage_limits.video_bytes, app.mcp_inline_bytes);
    let llms_txt = markdown(move || {
        let text = LLMS_TXT.replace("{public_url}", public_url.as_str());
        let text = text.replace("{max_bytes}", &max_bytes.to_string());
        text.replace("{inline_bytes}", &inline_bytes.to_string())
    });
    Router::new()
        .merge(route("/docs", docs))
        .merge(route("/docs/mcp", agents))
        .merge(route("/docs/mcp.md", agents_markdown))
        .merge(route("/llms.txt", llms_txt))
        .merge(legal("/terms", "Terms", assets, words::terms(app)))
        .merge(legal("/privacy", "Privacy", assets, words::privacy(app)))
}

fn route(path: &'static str, document: StaticDocument) -> Router {
    let respond = async |State(document): State<Arc<StaticDocument>>, headers: HeaderMap| {
        document.respond(&headers)
    };
    Router::new()
        .route(path, get(respond))
        .with_state(Arc::new(document))
}

/// The operator's words; where they are published elsewhere, a redirect.
fn legal(path: &'static str, title: &'static str, assets: &Arc<AssetUrls>, page: Page) -> Router {
    match page {
        Page::Html(html) => {
            let body = move || view! { <Legal html=html.clone()/> }.into_any();
            route(path, document(assets, title, body))
        }
        Page::Elsewhere(address) => {
            let redirect = async |State(address): State<Arc<str>>| -> Response {
                Redirect::to(&address).into_response()
            };
            let address: Arc<str> = address.into();
            Router::new().route(path, get(redirect)).with_state(address)
        }
    }
}

/// For models.
fn markdown(make: impl FnOnce() -> String + Send + 'static) -> StaticDocument {
    let headers = [
        (CONTENT_TYPE, "text/markdown; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=300"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    StaticDocument::new(HeaderMap::from_iter(headers), make)
}

fn document(
    assets: &Arc<AssetUrls>,
    title: &'static str,
    body: impl Fn() -> AnyView + Send + 'static,
) -> StaticDocument {
    let (kind, languages, assets) = (Kind::Docs, Languages::English, assets.clone());
    let mut page_headers = security_headers::of_page(kind, None);
    let mut set = |name, value| page_headers.insert(name, HeaderValue::from_static(value));
    set(CONTENT_TYPE, "text/html; charset=utf-8");
    set(CONTENT_LANGUAGE, languages.chosen().tag());
    set(CACHE_CONTROL, "no-store");
    StaticDocument::new(page_headers, move || {
        // Without leptos_axum, which ends each page with scripts that carry a nonce.
        Owner::new().with(|| {
            let foot = Foot::default();
            view! { <Shell title languages assets kind foot>{body()}</Shell> }.to_html()
        })
    })
}
