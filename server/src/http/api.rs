//! What every operation under `/v1` shares: its routes, its bearer token, its JSON bodies.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Request};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use tower_http::catch_panic::CatchPanicLayer;

use super::error::{ApiError, method_not_allowed, no_route, panicked};
use super::{requests, videos};
use crate::id::AccessToken;
use crate::service::App;

/// A prompt of 2000 characters, each escaped as a surrogate pair, takes 24 KB.
pub(super) const MAX_JSON_BYTES: usize = 64 << 10;

pub(super) fn router() -> Router<App> {
    let routes = Router::new()
        .route("/requests", post(requests::create))
        .route(
            "/requests/{id}",
            get(requests::status).delete(requests::delete),
        )
        .route("/videos/{id}", get(videos::stream))
        .layer(DefaultBodyLimit::max(MAX_JSON_BYTES));
    in_envelope(routes)
}

/// Whatever goes wrong below these routes is told in the envelope, panics included.
pub(super) fn in_envelope<S: Clone + Send + Sync + 'static>(routes: Router<S>) -> Router<S> {
    routes
        .fallback(no_route)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(CatchPanicLayer::custom(panicked))
}

/// The bearer token, if one came along: RFC 6750, section 2.1.
pub(super) struct Bearer(pub Option<AccessToken>);

impl<S: Sync> FromRequestParts<S> for Bearer {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let header = parts.headers.get(AUTHORIZATION);
        Ok(Self(header.and_then(|value| bearer(value.to_str().ok()?))))
    }
}

fn bearer(header: &str) -> Option<AccessToken> {
    let (scheme, token) = header.split_once(' ')?;
    let token = token.trim();
    let sent = scheme.eq_ignore_ascii_case("bearer") && !token.is_empty();
    sent.then(|| AccessToken::presented(token))
}

/// The ids in a path, as they came. What isn't UTF-8 becomes the empty id, which names nothing: so a
/// strange path gets the same 401, 404 or 410 as any other.
pub(super) struct Ids<T>(pub T);

impl<S, T> FromRequestParts<S> for Ids<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Default + Send,
{
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let ids = Path::<T>::from_request_parts(parts, state).await;
        Ok(Self(ids.map(|Path(ids)| ids).unwrap_or_default()))
    }
}

/// A JSON body of exactly this shape.
pub(super) struct Json<T>(pub T);

impl<S, T> FromRequest<S> for Json<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let media_type = request.headers().get(CONTENT_TYPE);
        let media_type = media_type
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/json") {
            let message = "send the body as Content-Type: application/json".to_owned();
            return Err(ApiError::BadRequest(message));
        }
        let body = Bytes::from_request(request, state).await.map_err(|_| {
            ApiError::BadRequest("the body can't be read or is too large".to_owned())
        })?;
        // Serde would take a list of the fields' values, too.
        if body.trim_ascii_start().first() != Some(&b'{') {
            let message = "the body is not a JSON object".to_owned();
            return Err(ApiError::BadRequest(message));
        }
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(|error| ApiError::BadRequest(format!("the body is not as expected: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_told_in_the_envelope() {
        let panics = async || -> StatusCode { panic!("a secret") };
        let routes = in_envelope(Router::new().route("/", get(panics)));
        let request = Request::new(axum::body::Body::empty());
        let answer = routes.oneshot(request).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = axum::body::to_bytes(answer.into_body(), usize::MAX)
            .await
            .expect("a body");
        let body: app::api::ErrorBody = serde_json::from_slice(&body).expect("the envelope");
        assert_eq!(body.error.code, "internal_error");
        assert!(!body.error.message.contains("secret"));
    }

    #[test]
    fn only_a_bearer_token_counts_as_one() {
        let token = |text| Some(AccessToken::presented(text));
        for (header, want) in [
            ("Bearer abc", token("abc")),
            ("bearer abc", token("abc")),
            ("Bearer  abc ", token("abc")),
            ("Bearer", None),
            ("Bearer ", None),
            ("Basic abc", None),
            ("abc", None),
            ("", None),
        ] {
            assert_eq!(bearer(header), want, "{header:?}");
        }
    }
}
