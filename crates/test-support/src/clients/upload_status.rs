//! The upload status of a take, parsed from answers in the IETF's dialect of resumable uploads.

use app::api::ErrorBody;
use reqwest::header::HeaderMap;
use reqwest::{Response, StatusCode};

/// Upload status of a take, as the server reports it.
#[derive(Clone, Copy, Debug)]
pub struct UploadStatus {
    /// Acknowledged bytes.
    pub offset: u64,
    /// Whether the upload is complete.
    pub complete: bool,
}

/// Result of an append.
#[derive(Debug)]
pub enum AppendResult {
    /// The server answered with the upload status.
    Acknowledged(UploadStatus),
    /// Unknown: HEAD tells. With the status of the answer, if there was one.
    Unknown(Option<StatusCode>),
    /// The server has poisoned the take; another one has to be created.
    Failed,
}

impl UploadStatus {
    /// Status of a new take.
    pub const NEW: Self = Self {
        offset: 0,
        complete: false,
    };

    /// Parses the headers of an answer.
    pub fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let text = |name| headers.get(name)?.to_str().ok();
        Some(Self {
            offset: text("upload-offset")?.parse().ok()?,
            complete: text("upload-complete")? == "?1",
        })
    }
}

impl AppendResult {
    /// Interprets the answer to an append.
    pub async fn from_answer(answer: Response) -> Self {
        let (status, headers) = (answer.status(), answer.headers().clone());
        if status.is_success() {
            let upload_status = UploadStatus::from_headers(&headers);
            return Self::Acknowledged(upload_status.expect("an Upload-Offset"));
        }
        if status.is_server_error() {
            return Self::Unknown(Some(status));
        }
        let body = answer.json::<ErrorBody>().await;
        let code = body.map(|body| body.error.code).unwrap_or_default();
        match (status, code.as_str()) {
            (_, "take_failed") => Self::Failed,
            // The connection broke off, the offset differs, or the take is complete already: only HEAD tells.
            (StatusCode::CONFLICT, _) | (_, "interrupted" | "") => Self::Unknown(Some(status)),
            (status, code) => panic!("an append was refused: {status} {code}"),
        }
    }
}
