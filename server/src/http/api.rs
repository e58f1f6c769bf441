//! What all operations under `/v1` share: routes, bearer tokens and JSON bodies.

use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Request};
use axum::http::header::{self, AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderName, Method};
use serde::de::DeserializeOwned;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowHeaders, Any, CorsLayer};
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::{ApiError, method_not_allowed, no_route, panicked};
use super::request_id::X_REQUEST_ID;
use super::{openapi, prefer, requests, videos};
use crate::id::AccessToken;
use crate::json_error;
use crate::service::AppState;

/// The longest JSON body. A prompt of 2000 characters, each escaped as a surrogate pair, takes 24 KB.
pub(super) const MAX_JSON_BYTES: usize = 64 << 10;

/// The routes of the operations, with their OpenAPI descriptions.
pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(requests::create))
        .routes(routes!(requests::status, requests::delete))
        .routes(routes!(videos::stream))
}

pub(super) fn router(document: &Document) -> Router<AppState> {
    let routes = Router::from(routes())
        .merge(openapi::router(document))
        .layer(DefaultBodyLimit::max(MAX_JSON_BYTES));
    in_envelope(routes).layer(cross_origin())
}

/// The CORS layer of the API, which allows any origin.
///
/// Each request needs a token, which browsers don't add by themselves; no cookie authenticates a client.
pub(super) fn cross_origin() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::DELETE])
        // Listed by name: `*` doesn't cover `Authorization` (Fetch, section 3.3.3).
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(PREFLIGHT_LASTS)
        // No cacheable response depends on the client.
        .vary([])
}

/// The exposed header fields besides those that a page may read anyway: Fetch, section 3.3.2.
const EXPOSED: [HeaderName; 12] = [
    header::ACCEPT_RANGES,
    header::ALLOW,
    header::CONTENT_DISPOSITION,
    header::CONTENT_RANGE,
    header::DATE,
    header::ETAG,
    header::LOCATION,
    header::RETRY_AFTER,
    header::WWW_AUTHENTICATE,
    videos::REPR_DIGEST,
    prefer::PREFERENCE_APPLIED,
    X_REQUEST_ID,
];

/// How long a preflight result may be cached. Browsers reduce it, some to ten minutes.
const PREFLIGHT_LASTS: Duration = Duration::from_secs(24 * 60 * 60);

/// Answers every failure below these routes with the JSON error envelope, panics included.
pub(super) fn in_envelope<S: Clone + Send + Sync + 'static>(routes: Router<S>) -> Router<S> {
    routes
        .fallback(no_route)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(CatchPanicLayer::custom(panicked))
}

/// The bearer token of a request, if it has one: RFC 6750, section 2.1.
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

/// The ids in a path, unvalidated.
///
/// A segment that isn't UTF-8 becomes the empty id, which identifies nothing, so that such a path gets the
/// same 401, 404 or 410 as any other.
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

/// Extracts a JSON body that is an object of exactly this shape.
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
        // Serde would also accept an array of the fields' values.
        if body.trim_ascii_start().first() != Some(&b'{') {
            let message = "the body is not a JSON object".to_owned();
            return Err(ApiError::BadRequest(message));
        }
        parse(&body).map(Self)
    }
}

/// Parses a JSON body; the error names the invalid field where there is one.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    const WHOLE: &str = "the body is";
    let mut json = serde_json::Deserializer::from_slice(body);
    let parsed = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| ApiError::BadRequest(json_error::describe(&error, WHOLE)))?;
    // Refuse trailing data.
    json.end()
        .map_err(|error| ApiError::BadRequest(format!("{WHOLE} not as expected: {error}")))?;
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use axum::routing::get;
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
    fn a_refused_body_is_told_by_the_name_of_its_field() {
        let body = |hours: &str| format!(r#"{{"prompt":"a","expires_in_hours":{hours}}}"#);
        let wish = |body: &str| parse::<app::api::CreateRequest>(body.as_bytes());
        for hours in ["24", "24.0", "2.4e1", "240e-1"] {
            let wish = wish(&body(hours)).expect(hours);
            assert_eq!(wish.expires_in_hours, 24, "{hours}");
        }
        for hours in ["24.5", "\"24\"", "true", "null", "1e400", "1e300", "[24]"] {
            let refusal = wish(&body(hours)).expect_err(hours).to_string();
            assert!(refusal.starts_with("expires_in_hours "), "{refusal}");
        }
        for (body, named) in [
            (r#"{"expires_in_hours":1}"#, "`prompt`"),
            (r#"{"prompt":"a","expires_in_hours":1,"ttl":1}"#, "`ttl`"),
            (
                r#"{"prompt":"a","prompt":"a","expires_in_hours":1}"#,
                "`prompt`",
            ),
            (r#"{"prompt":1,"expires_in_hours":1}"#, "prompt "),
            (r#"{"prompt":"a",}"#, "the body "),
            (r#"{prompt:"a"}"#, "the body "),
        ] {
            let refusal = wish(body).expect_err(body).to_string();
            assert!(refusal.contains(named), "{refusal}");
        }
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
