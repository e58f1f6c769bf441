//! What handlers take from a request: the bearer token, ids in the path, JSON bodies.

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use super::layers::small_body;
use crate::id::AccessToken;
use crate::service::{AppState, json_error};

/// The longest JSON body. A prompt of 2000 characters, each escaped as a surrogate pair, takes 24 KB.
pub const MAX_JSON_BYTES: usize = 64 << 10;

/// Whether the body has this media type, with whatever parameters: RFC 9110, section 8.3.1.
pub fn has_media_type(headers: &HeaderMap, wanted: &str) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = value.and_then(|it| it.split(';').next());
    essence.is_some_and(|it| it.trim().eq_ignore_ascii_case(wanted))
}

/// The bearer token of a request, if it has one: RFC 6750, section 2.1.
pub struct Bearer(pub Option<AccessToken>);

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

/// The ids in a path, and perhaps what follows them.
///
/// A segment that is no id becomes one that names nothing, so that such a path gets the same 401, 404 or 410 as any
/// other.
pub struct Ids<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Default + Send> FromRequestParts<S> for Ids<T> {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        // Fails for what isn't UTF-8.
        let ids = Path::from_request_parts(parts, state).await;
        Ok(Self(ids.map(|Path(it)| it).unwrap_or_default()))
    }
}

/// Extracts a JSON body that is an object of exactly this shape.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        if !has_media_type(request.headers(), "application/json") {
            let message = "send the body as Content-Type: application/json".to_owned();
            return Err(ApiError::BadRequest(message));
        }
        let request = small_body::limit_body(app, request).await?;
        let body = to_bytes(request.into_body(), MAX_JSON_BYTES)
            .await
            .map_err(|_| {
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
    use super::*;

    #[test]
    fn a_refused_body_names_its_field() {
        let body = |hours: &str| format!(r#"{{"prompt":"a","expires_in_hours":{hours}}}"#);
        let request = |body: &str| parse::<app::api::CreateRequest>(body.as_bytes());
        for hours in ["24", "24.0", "2.4e1", "240e-1"] {
            let request = request(&body(hours)).expect(hours);
            assert_eq!(request.expires_in_hours, 24, "{hours}");
        }
        for hours in ["24.5", "\"24\"", "true", "null", "1e400", "1e300", "[24]"] {
            let refusal = request(&body(hours)).expect_err(hours).to_string();
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
            let refusal = request(body).expect_err(body).to_string();
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
