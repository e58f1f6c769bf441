//! A video file from a plain form: for browsers that run no script. `multipart/form-data` (RFC 7578),
//! streamed through the same use cases as any recording.

use app::pages::VIDEO_FIELD;
use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use multer::Multipart;

use super::linger::Lingering;
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
    let mut form = Multipart::new(Lingering::new(body), boundary);
    while let Some(field) = form.next_field().await? {
        if field.name() != Some(VIDEO_FIELD) {
            continue;
        }
        takes::submit_file(app, request, field).await?;
        return Ok(());
    }
    Err(FormError::NoFile)
}
