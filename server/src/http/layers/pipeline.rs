//! The steps around the handler of every request, fallbacks included.
//!
//! They are one layer, because axum boxes each layer of a route, and clones it with all layers inside for each request.
//! It is a service of its own, because `axum::middleware::from_fn` boxes what is inside once more.

use std::any::Any;
use std::convert::Infallible;
use std::mem;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, CONNECTION,
};
use axum::http::{HeaderName, HeaderValue, StatusCode, Version};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use net::shares::SharePermit;
use tower::{Layer, Service};

use super::drain_body::drain_body;
use super::{access_log, client, head, security_headers};
use crate::http::error::ApiError;
use crate::service::AppState;

/// Pages of other origins must be able to read errors that haven't passed the layer that says so.
pub(super) const READABLE: [(HeaderName, &str); 2] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    (ACCESS_CONTROL_EXPOSE_HEADERS, "Retry-After"),
];

/// The layer that logs, meters and checks each request, catches the panic of its handler and restricts its response.
#[derive(Clone)]
pub struct Pipeline {
    app: AppState,
}

impl Pipeline {
    pub fn new(app: AppState) -> Self {
        Self { app }
    }

    async fn run(self, request: Request, route: impl Handles) -> Response {
        let Self { app } = self;
        let respond = async |request: Request| {
            let is_http1 = request.version() < Version::HTTP_2;
            let (mut request, held_back) = drain_body(request);
            let (mut response, permit) = match admit(&app, &mut request).await {
                Ok(permit) => (respond_to_panics(request, route).await, Some(permit)),
                Err(error) => ((READABLE, error).into_response(), None),
            };
            // The client must know that its body isn't wanted (RFC 9110, section 10.1.1). HTTP/2 resets the stream.
            if is_http1 && held_back.is_held() {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            security_headers::restrict(response.headers_mut(), &app.public_url);
            (response, permit)
        };
        access_log::log_access(&app, request, respond).await
    }
}

impl<S> Layer<S> for Pipeline {
    type Service = Piped<S>;

    fn layer(&self, route: S) -> Piped<S> {
        let pipeline = self.clone();
        Piped { pipeline, route }
    }
}

/// The service of a route.
pub trait Handles:
    Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + 'static
{
}

impl<S> Handles for S where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send>
        + Clone
        + Send
        + 'static
{
}

/// A route within the [`Pipeline`].
#[derive(Clone)]
pub struct Piped<S> {
    pipeline: Pipeline,
    route: S,
}

impl<S: Handles> Service<Request> for Piped<S> {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.route.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        // The one that said it was ready takes the call, as tower asks for.
        let next = self.clone();
        let Self { pipeline, route } = mem::replace(self, next);
        Box::pin(async { Ok(pipeline.run(request, route).await) })
    }
}

/// The checks before anything else of a request is looked at.
async fn admit(app: &AppState, request: &mut Request) -> Result<SharePermit, ApiError> {
    let permit = client::attach_client(app, request).await?;
    head::require(request)?;
    Ok(permit)
}

async fn respond_to_panics(request: Request, mut route: impl Handles) -> Response {
    let accept = request.headers().get(ACCEPT);
    let accepts_html = accept.is_some_and(|it| it.as_bytes().starts_with(b"text/html"));
    let is_page = accepts_html && !client::is_for_programs(request.uri().path());
    let responding = pin!(async { route.call(request).await });
    match AssertUnwindSafe(responding).catch_unwind().await {
        Ok(Ok(response)) => response,
        Err(panic) => panicked(panic, is_page),
    }
}

/// The response after a handler panicked.
/// The panic's message goes to the panic hook, and not to the client.
///
/// Without leptos, which may have caused it.
fn panicked(_: Box<dyn Any + Send>, is_page: bool) -> Response {
    if is_page {
        let text = "Something went wrong on our side. Please try again in a minute.\n";
        return (StatusCode::INTERNAL_SERVER_ERROR, text).into_response();
    }
    (READABLE, ApiError::Panicked).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use app::api::ErrorBody;
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::routing::get;

    /// The body of the response to a request whose handler panics.
    async fn body_after_panic(path: &str, accept: &str) -> Vec<u8> {
        let panics = async || -> StatusCode { panic!("a secret") };
        let router = Router::new().fallback(get(panics));
        let request = Request::get(path).header(ACCEPT, accept);
        let request = request.body(Body::empty()).expect("a request");
        let response = respond_to_panics(request, router).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(response.into_body(), usize::MAX).await;
        body.expect("a body").to_vec()
    }

    #[tokio::test]
    async fn a_panic_answers_with_the_envelope_or_plain_text() {
        const HTML: &str = "text/html,application/xhtml+xml";
        for (path, accept) in [("/r/abc/state", "*/*"), ("/v1/requests/abc", HTML)] {
            let body = body_after_panic(path, accept).await;
            let body: ErrorBody = serde_json::from_slice(&body).expect("the envelope");
            assert_eq!(body.error.code, "internal_error");
            assert!(!body.error.message.contains("secret"));
        }
        let text = body_after_panic("/r/abc", HTML).await;
        assert!(text.starts_with(b"Something went wrong"));
    }
}
