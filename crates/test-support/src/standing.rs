//! What the server says about a take, in the words of resumable uploads.

use app::api::ErrorBody;
use reqwest::header::HeaderMap;
use reqwest::{Response, StatusCode};

/// What the server says about a take.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Bytes that are safe.
    pub offset: u64,
    /// Whether that is all of it.
    pub complete: bool,
}

/// What came of an append.
#[derive(Debug)]
pub enum Sent {
    /// The server said where the take stands.
    Stands(Standing),
    /// Nobody knows: ask. The status, if there was one.
    Unknown(Option<StatusCode>),
    /// The server has given the take up: begin another one.
    Failed,
}

impl Standing {
    /// Of a take that was just begun.
    pub const NOTHING: Self = Self {
        offset: 0,
        complete: false,
    };

    /// What the headers of an answer tell.
    pub fn told(headers: &HeaderMap) -> Option<Self> {
        let text = |name| headers.get(name)?.to_str().ok();
        Some(Self {
            offset: text("upload-offset")?.parse().ok()?,
            complete: text("upload-complete")? == "?1",
        })
    }
}

impl Sent {
    /// What an answer to an append means.
    pub async fn told(answer: Response) -> Self {
        let (status, headers) = (answer.status(), answer.headers().clone());
        if status.is_success() {
            let standing = Standing::told(&headers);
            return Self::Stands(standing.expect("a success that tells where the take stands"));
        }
        if status.is_server_error() {
            return Self::Unknown(Some(status));
        }
        let body = answer.json::<ErrorBody>().await;
        let code = body.map(|body| body.error.code).unwrap_or_default();
        match (status, code.as_str()) {
            (_, "take_failed") => Self::Failed,
            // The rest may be lost; or it stands elsewhere; or it was all here already: HEAD knows.
            (StatusCode::CONFLICT, _) | (_, "interrupted" | "") => Self::Unknown(Some(status)),
            (status, code) => panic!("an append was refused: {status} {code}"),
        }
    }
}
