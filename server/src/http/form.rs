//! A video file from a plain form: for browsers that run no script. `multipart/form-data` (RFC 7578),
//! streamed through the same use cases as any recording.

use app::pages::VIDEO_FIELD;
use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use multer::Multipart;
use tracing::warn;

use crate::service::{App, Error, takes};

/// Why a form was not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum FormError {
    /// The use case said no.
    #[error(transparent)]
    Service(#[from] Error),
    /// It isn't such a form, or breaks off.
    #[error("the form can't be read")]
    Malformed(#[from] multer::Error),
    /// It holds no file.
    #[error("the form holds no video")]
    NoFile,
}

/// Stores the form's file as a take and submits it.
pub(super) async fn receive(
    app: &App,
    request: &str,
    headers: &HeaderMap,
    body: Body,
) -> Result<(), FormError> {
    let media_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let boundary = multer::parse_boundary(media_type.unwrap_or_default())?;
    let mut form = Multipart::new(body.into_data_stream(), boundary);
    while let Some(field) = form.next_field().await? {
        if field.name() != Some(VIDEO_FIELD) {
            continue;
        }
        let media_type = field.content_type().map(ToString::to_string);
        let take = takes::begin(app, request, &media_type.unwrap_or_default()).await?;
        let take = take.as_str();
        let sent = match takes::append(app, request, take, 0, true, field).await {
            Ok(_) => takes::submit(app, request, take).await,
            Err(error) => Err(error),
        };
        let Err(error) = sent else { return Ok(()) };
        // A form can't go on where it stopped, so nothing of it is kept.
        if let Err(error) = takes::discard(app, request, take).await {
            warn!(
                error = &error as &dyn std::error::Error,
                "a form's file stays until expiry"
            );
        }
        return Err(error.into());
    }
    Err(FormError::NoFile)
}
