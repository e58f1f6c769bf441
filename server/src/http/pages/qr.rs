//! The QR code of a link, to open it on a phone.

use app::qr;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;

use crate::http::error::ApiError;
use crate::http::extract::Ids;
use crate::id::RequestId;
use crate::service::submission::page_state;
use crate::service::{AppState, Error};

/// Serves the QR code as an SVG image.
///
/// It is always black on white with a light margin, whatever the page's colours: many phones can't read codes
/// that are inverted or lack the margin. The response may be cached until the link expires.
pub async fn picture(
    State(app): State<AppState>,
    Ids(request): Ids<RequestId>,
) -> Result<impl IntoResponse, ApiError> {
    let link = page_state::link(&app, &request).await?;
    // Only an address of thousands of characters doesn't fit into a QR code.
    let qr::QrImage { size, path } = qr::draw(&link.url).ok_or(Error::Corrupt)?;
    let picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" \
         shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/>\
         <path fill=\"#000\" d=\"{path}\"/></svg>\n"
    );
    let kept = format!("private, max-age={}", link.seconds_left);
    let headers = [
        (CONTENT_TYPE, "image/svg+xml".to_owned()),
        (CACHE_CONTROL, kept),
    ];
    Ok((headers, picture))
}
