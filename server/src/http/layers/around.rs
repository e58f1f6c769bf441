//! What happens around the handler of every request, fallbacks included.
//!
//! One layer, because axum boxes each layer of a route, and clones it with all layers inside for each request.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::ACCEPT;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use super::security_headers::Scheme;
use super::{access_log, client, host, security_headers};
use crate::http::error::ApiError;
use crate::service::AppState;

/// What the layer needs.
#[derive(Clone)]
pub struct Around {
    app: AppState,
    scheme: Scheme,
}

impl Around {
    pub fn new(app: AppState) -> Self {
        let scheme = Scheme::at(&app.public_url);
        Self { app, scheme }
    }
}

/// Middleware that logs, meters and checks each request, catches the panic of its handler and restricts its response.
pub async fn around(State(layer): State<Around>, request: Request, next: Next) -> Response {
    let Around { app, scheme } = layer;
    let respond = async |mut request| {
        let mut response = match admit(&app, &mut request).await {
            Ok(()) => respond_to_panics(request, next).await,
            Err(error) => error.into_response(),
        };
        security_headers::restrict(response.headers_mut(), scheme);
        response
    };
    access_log::log_access(&app, request, respond).await
}

/// The checks before anything else of a request is looked at.
async fn admit(app: &AppState, request: &mut Request) -> Result<(), ApiError> {
    client::attach_client(app, request).await?;
    host::require(request)
}

async fn respond_to_panics(request: Request, next: Next) -> Response {
    let accept = request.headers().get(ACCEPT);
    let is_browser = accept.is_some_and(|it| it.as_bytes().starts_with(b"text/html"));
    let response = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    response.unwrap_or_else(|panic| panicked(panic, is_browser))
}

/// The response after a handler panicked. The panic's message goes to the panic hook, and not to the client.
fn panicked(_: Box<dyn Any + Send>, is_browser: bool) -> Response {
    match is_browser {
        true => {
            let text = "Something went wrong on our side. Please try again in a minute.\n";
            (StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
        }
        false => ApiError::Panicked.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use app::api::ErrorBody;
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::middleware::from_fn;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    /// The body of the response to a request whose handler panics.
    async fn told(accept: &str) -> Vec<u8> {
        let panics = async || -> StatusCode { panic!("a secret") };
        let router = Router::new()
            .route("/", get(panics))
            .layer(from_fn(respond_to_panics));
        let request = Request::get("/").header(ACCEPT, accept);
        let request = request.body(Body::empty()).expect("a request");
        let response = router.oneshot(request).await.expect("a response");
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(response.into_body(), usize::MAX).await;
        body.expect("a body").to_vec()
    }

    #[tokio::test]
    async fn a_panic_is_told_in_the_envelope_and_to_browsers_in_words() {
        let body: ErrorBody = serde_json::from_slice(&told("*/*").await).expect("the envelope");
        assert_eq!(body.error.code, "internal_error");
        assert!(!body.error.message.contains("secret"));
        let text = told("text/html,application/xhtml+xml").await;
        assert!(text.starts_with(b"Something went wrong"));
    }
}
