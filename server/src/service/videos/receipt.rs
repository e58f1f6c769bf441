//! The signed receipt of a submitted video.

use crate::id::{AccessToken, VideoId};
use crate::receipts::{Bytes, Receipt, hex, hex_sha256};
use crate::service::quota::ReadPermit;
use crate::service::videos::{provenance, stream};
use crate::service::{AppState, Error};

/// Signs what the server knows of the token's own video.
///
/// Fails as [`stream::open`] does, and with [`Error::NoReceipt`] if an earlier version of the server received the video.
pub async fn sign(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &VideoId,
) -> Result<String, Error> {
    let (video, request) = stream::open_with_request(app, admission, token, id).await?;
    let request = request.row();
    let known = (&video.seal, &request.prompt, &app.receipt_key);
    let (Some(seal), Some(prompt), Some(key)) = known else {
        return Err(Error::NoReceipt);
    };
    let provenance = provenance::of(request, &video.take, Some(seal));
    let receipt = Receipt {
        iss: app.public_url.as_str().to_owned(),
        iat: app.clock.now() / 1000,
        request_id: request.id.to_string(),
        video_id: video.id.to_string(),
        prompt_sha256: hex_sha256(prompt),
        media_type: video.container.media_type().to_owned(),
        received: Bytes {
            sha256: hex(&seal.recording_sha256),
            bytes: video.take.committed,
        },
        served: Bytes {
            sha256: hex(&seal.served_sha256),
            bytes: video.length,
        },
        duration_ms: seal.duration_ms,
        captured_as: provenance.captured_as,
        arrival: provenance.arrival,
        request_created_at: provenance.request_created_at,
        sealed_at: provenance.sealed_at,
        submitted_at: provenance.submitted_at,
    };
    Ok(key.sign(&receipt))
}
