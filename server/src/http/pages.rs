//! The pages that people see, rendered by leptos on the server.

use std::any::Any;
use std::sync::Arc;

use app::locale::{Date, Locale, Message};
use app::pages::{
    Agents, AssetUrls, Closed, Docs, Guide, Home, Kind, Languages, Reason, Record, Reference,
    Shell, Until, Wish,
};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use leptos::nonce::Nonce;
use leptos::prelude::*;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tracing::{Instrument, error};

use super::Assets;
use super::api::Ids;
use super::caller;
use super::coding;
use super::form::{self, FormError};
use super::guide;
use super::reader::Reader;
use crate::clock::{Millis, civil, rfc3339};
use crate::service::{App, Contact, Error, page};

/// For agents; `{public_url}` is where this server is.
const LLMS_TXT: &str = include_str!("llms.txt");

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// What a recording may take, and only in our own page.
const PERMISSIONS: &str =
    "camera=(self), microphone=(self), display-capture=(self), screen-wake-lock=(self)";

#[derive(Clone)]
struct Pages {
    app: App,
    assets: Arc<AssetUrls>,
    reference: Arc<Reference>,
    guide: Arc<Guide>,
    for_agents: Arc<str>,
}

pub(super) fn router(app: App, assets: &Assets, reference: Reference) -> Router {
    let guide = guide::guide(&app.public_url, assets);
    let assets = assets.urls().clone();
    let slow = from_fn_with_state(app.clone(), caller::slow);
    Router::new()
        .route(
            "/r/{id}",
            get(record).post(take_form).layer(not_to_be_found()),
        )
        .route("/", get(home))
        .route("/docs", get(docs))
        .route("/docs/mcp", get(agents))
        .route("/llms.txt", get(for_agents))
        .route_layer(slow)
        .fallback(nothing)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(coding::compressed())
        .with_state(Pages {
            for_agents: LLMS_TXT
                .replace("{public_url}", app.public_url.as_str())
                .into(),
            app,
            assets,
            reference: Arc::new(reference),
            guide: Arc::new(guide),
        })
}

/// Keeps whatever is below a link out of search engines, pictures and JSON included.
pub(super) fn not_to_be_found() -> SetResponseHeaderLayer<HeaderValue> {
    let name = HeaderName::from_static("x-robots-tag");
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static("noindex"))
}

async fn home(State(pages): State<Pages>) -> Response {
    let public_url = pages.app.public_url.as_str().to_owned();
    let body = move || view! { <Home public_url=public_url.clone()/> }.into_any();
    let title = "Ask a human for video evidence";
    pages
        .render(title, Languages::English, Kind::Home, body)
        .await
}

async fn docs(State(pages): State<Pages>) -> Response {
    let reference = pages.reference.clone();
    let body = move || {
        let reference = (*reference).clone();
        view! { <Docs reference/> }.into_any()
    };
    let title = "The interface";
    pages
        .render(title, Languages::English, Kind::Docs, body)
        .await
}

async fn agents(State(pages): State<Pages>) -> Response {
    let guide = pages.guide.clone();
    let body = move || {
        let guide = (*guide).clone();
        view! { <Agents guide/> }.into_any()
    };
    let title = "Use it from an agent";
    pages
        .render(title, Languages::English, Kind::Docs, body)
        .await
}

/// What a program that reads should know: llmstxt.org.
async fn for_agents(State(pages): State<Pages>) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/markdown; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=300"),
    ];
    (headers, pages.for_agents.to_string()).into_response()
}

async fn record(State(pages): State<Pages>, Ids(id): Ids<String>, reader: Reader) -> Response {
    let Reader { locale, browser } = reader;
    match page::load(&pages.app, &id).await {
        Ok(page) => {
            let until = Until {
                at: rfc3339(page.expires_at),
                text: in_words(page.expires_at, locale),
            };
            let wish = Wish {
                request: page.request,
                prompt: page.prompt,
                until,
                now: rfc3339(pages.app.clock.now()),
                max_bytes: page.max_bytes,
            };
            let contact = pages.app.contact.as_ref().map(Contact::as_str);
            let contact = contact.map(str::to_owned);
            let body = move || {
                let (wish, contact) = (wish.clone(), contact.clone());
                view! { <Record wish locale browser contact/> }.into_any()
            };
            let title = locale.says(Message::Title);
            let languages = Languages::All(locale);
            pages.render(title, languages, Kind::Record, body).await
        }
        // Not a failure here: the link did what it was made for.
        Err(Error::AlreadySubmitted) => {
            pages
                .closed(StatusCode::OK, Reason::Submitted, locale)
                .await
        }
        Err(error) => pages.failed(&error, locale).await,
    }
}

fn in_words(at: Millis, locale: Locale) -> String {
    let at = civil(at);
    let date = Date {
        month: at.month().unsigned_abs(),
        day: at.day().unsigned_abs(),
        hour: at.hour().unsigned_abs(),
        minute: at.minute().unsigned_abs(),
    };
    date.in_words(locale)
}

async fn take_form(
    State(pages): State<Pages>,
    Ids(id): Ids<String>,
    Reader { locale, .. }: Reader,
    headers: HeaderMap,
    body: Body,
) -> Response {
    // In a task: who pressed the button and saw the last byte go may be gone before the rest is done.
    let (app, request) = (pages.app.clone(), id.clone());
    let receiving = async move { form::receive(&app, &request, &headers, body).await };
    match pages.app.tasks.spawn(receiving.in_current_span()).await {
        // The page of a used link says that the video was received; reloading it sends nothing again.
        Ok(Ok(())) => Redirect::to(&format!("/r/{id}?lang={}", locale.code())).into_response(),
        Ok(Err(FormError::Service(error))) => pages.failed(&error, locale).await,
        Err(died) => pages.failed(&Error::Died(died), locale).await,
        Ok(Err(FormError::Malformed(_) | FormError::NoFile)) => {
            pages
                .closed(StatusCode::BAD_REQUEST, Reason::NoFile, locale)
                .await
        }
    }
}

async fn nothing(State(pages): State<Pages>, Reader { locale, .. }: Reader) -> Response {
    pages
        .closed(StatusCode::NOT_FOUND, Reason::Unknown, locale)
        .await
}

/// Without leptos: it may be what panicked.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    let text = "Something went wrong on our side. Please try again in a minute.\n";
    (StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
}

impl Pages {
    /// What a person is told where a program would get the envelope.
    async fn failed(&self, error: &Error, locale: Locale) -> Response {
        let (status, reason) = match error {
            Error::Gone => (StatusCode::GONE, Reason::Expired),
            Error::AlreadySubmitted => (StatusCode::CONFLICT, Reason::Submitted),
            Error::NotFound => (StatusCode::NOT_FOUND, Reason::Unknown),
            Error::TooLarge { .. }
            | Error::TooManyTakes { .. }
            | Error::TooManyPieces
            | Error::TooSlow => (StatusCode::PAYLOAD_TOO_LARGE, Reason::TooLarge),
            Error::UnsupportedMediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, Reason::NoVideo),
            Error::TakeEmpty => (StatusCode::UNPROCESSABLE_ENTITY, Reason::NoFile),
            Error::Interrupted => (StatusCode::BAD_REQUEST, Reason::Interrupted),
            Error::Unsealable(_) => (StatusCode::UNPROCESSABLE_ENTITY, Reason::NoPicture),
            Error::StillSealing => (StatusCode::SERVICE_UNAVAILABLE, Reason::Broken),
            Error::NoRoom | Error::NoShare => (StatusCode::INSUFFICIENT_STORAGE, Reason::Broken),
            Error::TakeFailed | Error::Superseded { .. } => {
                (StatusCode::UNPROCESSABLE_ENTITY, Reason::Broken)
            }
            // The first ones are our own failures; the others come from interfaces that a form has not.
            Error::Db(_)
            | Error::Blobs(_)
            | Error::Died(_)
            | Error::Corrupt
            | Error::NoStills
            | Error::NotDeleted
            | Error::StoreTooSlow
            | Error::NoToken
            | Error::UnknownToken
            | Error::Forbidden
            | Error::Invalid(_)
            | Error::TooOften { .. }
            | Error::ShareUsedUp { .. }
            | Error::OffsetMismatch { .. }
            | Error::TakeComplete { .. }
            | Error::TakeIncomplete
            | Error::InconsistentLength
            | Error::ChecksumMismatch => {
                error!(error = error as &dyn std::error::Error, "a page failed");
                (StatusCode::INTERNAL_SERVER_ERROR, Reason::Broken)
            }
        };
        self.closed(status, reason, locale).await
    }

    async fn closed(&self, status: StatusCode, reason: Reason, locale: Locale) -> Response {
        let body = move || view! { <Closed reason locale/> }.into_any();
        let title = locale.says(reason.heading());
        let mut response = self
            .render(title, Languages::All(locale), reason.kind(), body)
            .await;
        *response.status_mut() = status;
        response
    }

    async fn render(
        &self,
        title: &'static str,
        languages: Languages,
        kind: Kind,
        body: impl Fn() -> AnyView + Clone + Send + Sync + 'static,
    ) -> Response {
        let nonce = Nonce::new();
        let policy = content_security_policy(&nonce);
        let assets = self.assets.clone();
        let page = move || {
            let (assets, body) = (assets.clone(), body.clone());
            view! { <Shell title languages assets kind>{body()}</Shell> }
        };
        let render = leptos_axum::render_app_async_with_context(
            move || provide_context(nonce.clone()),
            page,
        );
        // Nothing in a page depends on the request beyond what its handler has read.
        let mut response = render(Request::new(Body::empty())).await;
        let headers = response.headers_mut();
        let language = HeaderValue::from_static(languages.chosen().tag());
        headers.insert(CONTENT_LANGUAGE, language);
        if languages != Languages::English {
            // And by User-Agent, which the help goes by. That isn't said: it would only make caches keep a page
            // for each, and this one they don't keep.
            headers.append(VARY, HeaderValue::from_static("Accept-Language"));
        }
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(PERMISSIONS_POLICY, HeaderValue::from_static(PERMISSIONS));
        if let Ok(policy) = HeaderValue::try_from(policy) {
            headers.insert(CONTENT_SECURITY_POLICY, policy);
        }
        response
    }
}

/// Our own files and nothing else. Leptos ends a page with two inline scripts: hence the nonce.
fn content_security_policy(nonce: &Nonce) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'nonce-{nonce}'; \
         connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         media-src 'self' blob:; frame-src 'self'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'"
    )
}
