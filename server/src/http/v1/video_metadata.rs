//! `/videos`: a video's metadata, receipt, stills and contact sheet.
//!
//! They are outside `/v1`, whose responses are a fixed contract.

use app::video_metadata::VideoMetadata;
use axum::Extension;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_LOCATION, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::captions;
use super::openapi::{BadRequest, Gone, JpegBytes, TokenErrors};
use crate::http::error::ApiError;
use crate::http::extract::{Bearer, Ids};
use crate::http::layers::client::Admitted;
use crate::id::VideoId;
use crate::service::AppState;
use crate::service::videos::metadata::PictureStream;
use crate::service::videos::metadata::VideoDetails;
use crate::service::videos::{metadata, receipt};

/// Never stored by caches: a client that may read the response now may lose access later.
const NO_STORE: (HeaderName, HeaderValue) =
    (CACHE_CONTROL, HeaderValue::from_static("private, no-store"));

/// The routes of the operations, with their OpenAPI descriptions.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(video_metadata))
        .routes(routes!(receipt))
        .routes(routes!(still))
        .routes(routes!(contact_sheet))
        .routes(routes!(captions::captions))
}

/// Get the metadata of a video
///
/// What is known of a video without watching it, and which pictures there are of it: up to twelve, about a second
/// after it was submitted, or some seconds where it has few keyframes. With the request's token.
#[utoipa::path(
    get,
    path = "/videos/{id}/metadata",
    operation_id = "getVideoMetadata",
    tag = "videos",
    params(("id" = String, Path, description = "The video.")),
    responses(
        (
            status = 200,
            description = "What is known.",
            body = VideoMetadata,
            headers(("Cache-Control", description = "`private, no-store`.")),
        ),
        (status = 410, response = Gone),
        TokenErrors,
    ),
    security(("requestAccessToken" = [])),
)]
async fn video_metadata(
    State(app): State<AppState>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<VideoId>,
) -> Result<impl IntoResponse, ApiError> {
    let VideoDetails {
        metadata, video, ..
    } = metadata::load(&app, admission, token, &id).await?;
    let revocation = Extension(video.revocation());
    Ok(([NO_STORE], revocation, axum::Json(metadata)))
}

/// Get a signed receipt of a video
///
/// What the server says of the video that it received, signed so that it can be verified later, offline, with the public
/// keys at `/.well-known/jwks.json`: digests of the prompt and of the bytes, and when they arrived. With the request's
/// token.
#[utoipa::path(
    get,
    path = "/videos/{id}/receipt",
    operation_id = "getReceipt",
    tag = "videos",
    params(("id" = String, Path, description = "The video.")),
    responses(
        (
            status = 200,
            description = "A JSON Web Signature in compact form, by Ed25519.",
            content((String = "application/jose")),
            headers(("Cache-Control", description = "`private, no-store`.")),
        ),
        (status = 410, response = Gone),
        TokenErrors,
    ),
    security(("requestAccessToken" = [])),
)]
async fn receipt(
    State(app): State<AppState>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<VideoId>,
) -> Result<impl IntoResponse, ApiError> {
    let receipt = receipt::sign(&app, admission, token, &id).await?;
    let media_type = HeaderValue::from_static("application/jose");
    Ok(([NO_STORE, (CONTENT_TYPE, media_type)], receipt))
}

/// Get a still of a video
///
/// A picture of the video, at most 768 pixels long; with `full=true` the one next to any moment, in the resolution in
/// which it was recorded, to read small print. With the request's token.
#[utoipa::path(
    get,
    path = "/videos/{id}/stills/{at_ms}",
    operation_id = "getStill",
    tag = "videos",
    params(
        ("id" = String, Path, description = "The video."),
        (
            "at_ms" = u64, Path,
            description = "A moment of which there is a picture, as the metadata have it. Any other is not found, and the \
                           message names those that there are. With `full=true` any moment, in milliseconds.",
        ),
        (
            "full" = Option<bool>, Query,
            description = "Whether to decode the picture next to the moment in the resolution in which it was recorded, up \
                           to 4096 pixels. `Content-Location` has the moment that is shown. Far behind a keyframe, and \
                           where the server has no decoder for more, it is that of the keyframe next to it, of which \
                           browsers make one every few seconds.",
        ),
    ),
    responses(
        (
            status = 200,
            description = "The picture.",
            content((inline(JpegBytes) = "image/jpeg")),
            headers(
                ("Cache-Control", description = "`private, no-store`."),
                (
                    "Content-Location",
                    description = "With `full=true`: the address of the picture by its own moment."
                ),
                ("Content-Length" = u64, description = "The size of the picture, in bytes."),
            ),
        ),
        (status = 400, response = BadRequest),
        (status = 410, response = Gone),
        TokenErrors,
    ),
    security(("requestAccessToken" = [])),
)]
async fn still(
    State(app): State<AppState>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids((id, at_ms)): Ids<(VideoId, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let is_full = match is_full(query.as_deref()) {
        Ok(is_full) => is_full,
        // The reason needs the right to watch.
        Err(refused) => {
            metadata::check_access(&app, admission, token, &id).await?;
            return Err(refused);
        }
    };
    if is_full {
        // A value that is not a number names no moment. The error that says so needs the right to watch.
        let at_ms = at_ms.parse().ok();
        let (shown, picture) = metadata::full_picture(&app, admission, token, &id, at_ms).await?;
        let own = format!("/videos/{id}/stills/{shown}?full=true");
        return Ok(([(CONTENT_LOCATION, own)], jpeg(picture)).into_response());
    }
    // A value that is not a number matches no still.
    let at_ms = at_ms.parse().unwrap_or(u64::MAX);
    let picture = metadata::still(&app, admission, token, &id, at_ms).await?;
    Ok(jpeg(picture))
}

/// Whether the query of a still has `full=true`.
fn is_full(query: Option<&str>) -> Result<bool, ApiError> {
    let pairs = query.unwrap_or_default().split('&');
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut full = false;
    for (_, value) in pairs.filter(|(name, _)| *name == "full") {
        let refused = |_| ApiError::BadRequest("full must be true or false".to_owned());
        full = value.parse().map_err(refused)?;
    }
    Ok(full)
}

fn jpeg(picture: PictureStream) -> Response {
    let headers = [
        NO_STORE,
        (CONTENT_TYPE, HeaderValue::from_static("image/jpeg")),
        (CONTENT_LENGTH, HeaderValue::from(picture.length)),
    ];
    let body = Body::from_stream(picture.pieces);
    (headers, Extension(picture.revocation), body).into_response()
}

/// Get the contact sheet of a video
///
/// Up to 45 moments of the video in one picture, spread evenly, with the time under each: an overview for the price of
/// one picture. The metadata say whether there is one. With the request's token.
#[utoipa::path(
    get,
    path = "/videos/{id}/contact-sheet",
    operation_id = "getContactSheet",
    tag = "videos",
    params(("id" = String, Path, description = "The video.")),
    responses(
        (
            status = 200,
            description = "The picture, at most 1568 pixels long.",
            content((inline(JpegBytes) = "image/jpeg")),
            headers(("Cache-Control", description = "`private, no-store`.")),
        ),
        (status = 410, response = Gone),
        TokenErrors,
    ),
    security(("requestAccessToken" = [])),
)]
async fn contact_sheet(
    State(app): State<AppState>,
    Admitted(admission): Admitted,
    Bearer(token): Bearer,
    Ids(id): Ids<VideoId>,
) -> Result<Response, ApiError> {
    let picture = metadata::contact_sheet(&app, admission, token, &id).await?;
    Ok(jpeg(picture))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_is_true_or_false_and_nothing_else() {
        for (query, want) in [
            (None, Some(false)),
            (Some(""), Some(false)),
            (Some("full=false"), Some(false)),
            (Some("full=true"), Some(true)),
            (Some("a=b&full=true&fuller=1"), Some(true)),
            (Some("full"), None),
            (Some("full="), None),
            (Some("full=1"), None),
            (Some("full=True"), None),
            (Some("full=yes&full=true"), None),
        ] {
            assert_eq!(is_full(query).ok(), want, "{query:?}");
        }
    }
}
