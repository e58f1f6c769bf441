//! The HTML pages, rendered by leptos on the server.

pub mod assets;
pub mod docs;
mod documents;
mod legal;
mod markdown;
pub mod qr;
mod record;
mod report;
mod visitor;

use std::sync::Arc;

use app::locale::Locale;
use app::pages::{AssetUrls, Closed, Foot, Home, Kind, Languages, Reason, Shell};
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_LANGUAGE, RETRY_AFTER, VARY};
use axum::http::{HeaderName, HeaderValue, Request, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use leptos::nonce::Nonce;
use leptos::prelude::*;
use tower_http::set_header::SetResponseHeaderLayer;
use tracing::error;

use self::assets::Assets;
use self::docs::Docs;
use self::visitor::Visitor;
use crate::http::layers::{compression, security_headers, small_body};
use crate::service::{AppState, Error};

#[derive(Clone)]
struct Pages {
    app: AppState,
    assets: Arc<AssetUrls>,
}

pub fn router(app: AppState, assets: &Assets, docs: Docs) -> Router {
    let assets = assets.urls().clone();
    let documents = documents::router(&app, &assets, docs);
    let small_bodies = from_fn_with_state(app.clone(), small_body::limit);
    let reports = Router::new()
        .route("/r/{id}/report", get(report::form).post(report::submit))
        .layer(small_bodies)
        .layer(DefaultBodyLimit::max(report::MAX_BYTES))
        .layer(noindex());
    Router::new()
        .route(
            "/r/{id}",
            get(record::show).post(record::submit_form).layer(noindex()),
        )
        .merge(reports)
        .route("/", get(home))
        .fallback(not_found)
        .layer(from_fn(compression::compress))
        .with_state(Pages { app, assets })
        .merge(documents)
}

/// Keeps all responses below a link out of search engines, images and JSON included.
pub fn noindex() -> SetResponseHeaderLayer<HeaderValue> {
    let name = HeaderName::from_static("x-robots-tag");
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static("noindex"))
}

async fn home(State(pages): State<Pages>) -> Response {
    let public_url = pages.app.public_url.as_str().to_owned();
    let body = move || view! { <Home public_url=public_url.clone()/> }.into_any();
    let title = "Ask a human for video evidence";
    pages
        .render(title, Languages::English, Kind::Home, Foot::default(), body)
        .await
}

async fn not_found(State(pages): State<Pages>, Visitor { locale, .. }: Visitor) -> Response {
    let (status, reason) = (StatusCode::NOT_FOUND, Reason::Unknown);
    pages.closed(status, reason, locale, Foot::default()).await
}

impl Pages {
    /// The page for a failed request.
    async fn failed(&self, error: &Error, locale: Locale) -> Response {
        let (status, reason) = closed_reason(error);
        let mut page = self.closed(status, reason, locale, Foot::default()).await;
        if let Some(seconds) = error.retry_after() {
            page.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        page
    }

    async fn closed(
        &self,
        status: StatusCode,
        reason: Reason,
        locale: Locale,
        foot: Foot,
    ) -> Response {
        // Confirmed, because the page's script deletes recordings by it, as it does for a link that is over.
        let now = self.app.clock.confirmed();
        let kind = match reason {
            Reason::Expired if self.app.clock.unconfirmed() > 0 => Kind::Closed,
            reason => reason.kind(),
        };
        let body = move || view! { <Closed reason locale now/> }.into_any();
        let title = reason.heading(locale);
        let mut response = self
            .render(title, Languages::All(locale, None), kind, foot, body)
            .await;
        *response.status_mut() = status;
        response
    }

    async fn render(
        &self,
        title: &'static str,
        languages: Languages,
        kind: Kind,
        foot: Foot,
        body: impl Fn() -> AnyView + Clone + Send + Sync + 'static,
    ) -> Response {
        let nonce = Nonce::new();
        let policies = security_headers::of_page(kind, Some(&nonce));
        let assets = self.assets.clone();
        let page = move || {
            let (assets, body, foot) = (assets.clone(), body.clone(), foot.clone());
            view! { <Shell title languages assets kind foot>{body()}</Shell> }
        };
        let render = leptos_axum::render_app_async_with_context(
            move || provide_context(nonce.clone()),
            page,
        );
        // A page depends on nothing of the request beyond what its handler has extracted.
        let mut response = render(Request::new(Body::empty())).await;
        let headers = response.headers_mut();
        // Of the text, which is the same in all regions.
        let language = HeaderValue::from_static(languages.chosen().tag());
        headers.insert(CONTENT_LANGUAGE, language);
        if languages != Languages::English {
            // The page also varies by User-Agent, on which the help depends. `Vary` omits it: it would only make caches
            // store one page per browser, and this response isn't cacheable.
            headers.append(VARY, HeaderValue::from_static("Accept-Language"));
        }
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.extend(policies);
        response
    }
}

/// The status and the reason shown on a page, where the API would send the error envelope.
fn closed_reason(error: &Error) -> (StatusCode, Reason) {
    match error {
        Error::Gone => (StatusCode::GONE, Reason::Expired),
        Error::TakenDown => (StatusCode::GONE, Reason::TakenDown),
        Error::TooOften { .. } => (StatusCode::TOO_MANY_REQUESTS, Reason::TooManyReports),
        Error::ReportedOften => (StatusCode::TOO_MANY_REQUESTS, Reason::ReportedOften),
        Error::AlreadySubmitted => (StatusCode::CONFLICT, Reason::Submitted),
        Error::NotFound | Error::NoPicture { .. } | Error::NoReceipt | Error::NoTranscript(_) => {
            (StatusCode::NOT_FOUND, Reason::Unknown)
        }
        Error::TooLarge { .. }
        | Error::TooManyTakes { .. }
        | Error::TooManyPieces
        | Error::TooSlow => (StatusCode::PAYLOAD_TOO_LARGE, Reason::TooLarge),
        Error::UnsupportedMediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, Reason::NoVideo),
        Error::TakeEmpty => (StatusCode::UNPROCESSABLE_ENTITY, Reason::NoFile),
        Error::Interrupted => (StatusCode::BAD_REQUEST, Reason::Interrupted),
        Error::Unplayable(_) => (StatusCode::UNPROCESSABLE_ENTITY, Reason::NoPicture),
        Error::StillSealing => (StatusCode::SERVICE_UNAVAILABLE, Reason::Broken),
        Error::NoRoom | Error::CreatorQuotaExceeded => {
            (StatusCode::INSUFFICIENT_STORAGE, Reason::Broken)
        }
        Error::TakeFailed | Error::Superseded { .. } => {
            (StatusCode::UNPROCESSABLE_ENTITY, Reason::Broken)
        }
        // The first ones are internal errors; the others come from operations that a form doesn't use.
        Error::Db(_)
        | Error::Blobs(_)
        | Error::ReadOnly
        | Error::TaskEnded
        | Error::Corrupt
        | Error::Damaged(_)
        | Error::DecoderUnavailable
        | Error::Transcriber(_)
        | Error::NotDeleted
        | Error::StoreTooSlow
        | Error::NoToken
        | Error::UnknownToken
        | Error::Forbidden
        | Error::Invalid(_)
        | Error::CreatorStorageFull { .. }
        | Error::OffsetMismatch { .. }
        | Error::TakeComplete { .. }
        | Error::TakeIncomplete
        | Error::TranscriptPending
        | Error::InconsistentLength
        | Error::ChecksumMismatch => {
            error!(error = error as &dyn std::error::Error, "page failed");
            (StatusCode::INTERNAL_SERVER_ERROR, Reason::Broken)
        }
    }
}
