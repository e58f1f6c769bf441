//! Pages that are the same for every visitor: rendered once, compressed once.
//! No script of theirs needs a nonce.

use std::sync::Arc;

use app::locale::Locale;
use app::pages::{
    AssetUrls, Foot, Kind, Languages, Shell, TextPage, Translation, translation_path,
};
use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use leptos::prelude::*;

use super::legal::{self, LegalPage};
use super::noindex;
use crate::http::layers::security_headers;
use crate::http::pages::docs::{self, Docs};
use crate::http::static_document::StaticDocument;
use crate::service::AppState;

pub fn router(app: &AppState, assets: &Arc<AssetUrls>, docs: Docs) -> Router {
    let page = |kind, title, markdown: String| {
        let html = move || docs::render_page(&markdown);
        document(assets, kind, title, move || text_page("page--docs", html()))
    };
    let guide = page(Kind::Guide, "Use it from an agent", docs.mcp.clone());
    let reference = page(Kind::Reference, "API", docs.reference);
    Router::new()
        .merge(route("/docs", reference))
        .merge(route("/docs/mcp", guide))
        .merge(route("/docs/mcp.md", plain(docs.mcp)))
        // For agents (llmstxt.org).
        .merge(route("/llms.txt", plain(docs.api)))
        .merge(legal_route("/terms", "Terms", assets, legal::terms(app)))
        .merge(legal_route(
            "/privacy",
            "Privacy",
            assets,
            legal::privacy(app),
        ))
        .merge(translations(assets))
}

/// A page for each language, not for search engines.
fn translations(assets: &Arc<AssetUrls>) -> Router {
    let routes = Locale::ALL.into_iter().map(|locale| {
        let body = move || view! { <Translation locale/> }.into_any();
        let page = document(assets, Kind::Text, locale.native_name(), body);
        route(&translation_path(locale), page)
    });
    routes.fold(Router::new(), Router::merge).layer(noindex())
}

fn route(path: &str, document: StaticDocument) -> Router {
    let respond = async |State(document): State<Arc<StaticDocument>>, headers: HeaderMap| {
        document.respond(&headers)
    };
    Router::new()
        .route(path, get(respond))
        .with_state(Arc::new(document))
}

/// Serves one of the operator's legal texts, or redirects to where it is published.
fn legal_route(
    path: &'static str,
    title: &'static str,
    assets: &Arc<AssetUrls>,
    page: LegalPage,
) -> Router {
    match page {
        LegalPage::Html(html) => {
            let body = move || text_page("legal", html);
            route(path, document(assets, Kind::Text, title, body))
        }
        LegalPage::Elsewhere(address) => {
            let redirect = async |State(address): State<Arc<str>>| -> Response {
                Redirect::to(&address).into_response()
            };
            let address: Arc<str> = address.into();
            Router::new().route(path, get(redirect)).with_state(address)
        }
    }
}

fn plain(markdown: String) -> StaticDocument {
    let headers = [
        (CONTENT_TYPE, "text/markdown; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=300"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    StaticDocument::new(HeaderMap::from_iter(headers), move || markdown)
}

fn text_page(class: &'static str, html: String) -> AnyView {
    view! { <TextPage class html/> }.into_any()
}

fn document(
    assets: &Arc<AssetUrls>,
    kind: Kind,
    title: &'static str,
    body: impl FnOnce() -> AnyView + Send + 'static,
) -> StaticDocument {
    let (languages, assets) = (Languages::English, assets.clone());
    let mut page_headers = security_headers::of_page(kind, None);
    let mut set = |name, value| page_headers.insert(name, HeaderValue::from_static(value));
    set(CONTENT_TYPE, "text/html; charset=utf-8");
    set(CONTENT_LANGUAGE, languages.chosen().tag());
    set(CACHE_CONTROL, "no-store");
    StaticDocument::new(page_headers, move || {
        // Without leptos_axum, which ends each page with scripts that carry a nonce.
        Owner::new().with(|| {
            let foot = Foot::default();
            view! {
                <Shell title languages assets kind foot>
                    {body()}
                </Shell>
            }
            .to_html()
        })
    })
}
