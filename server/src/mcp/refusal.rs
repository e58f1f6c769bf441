//! Error responses of `/mcp`.

use axum::http::header::{ALLOW, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::jsonrpc::RpcError;
use crate::service::Error;

const METHODS: HeaderValue = HeaderValue::from_static("POST, OPTIONS");

/// An error response.
pub(super) struct Refusal {
    fault: RpcError,
    retry_after_seconds: Option<u64>,
}

impl Refusal {
    pub fn too_often(error: &Error, id: Option<Value>) -> Self {
        let fault = RpcError::ours(StatusCode::TOO_MANY_REQUESTS, &error.to_string());
        Self {
            fault: fault.about(id),
            retry_after_seconds: error.retry_after(),
        }
    }
}

impl From<RpcError> for Refusal {
    fn from(fault: RpcError) -> Self {
        Self {
            fault,
            retry_after_seconds: None,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.fault.status;
        let mut answer = (status, axum::Json(self.fault.to_json())).into_response();
        if let Some(seconds) = self.retry_after_seconds {
            answer.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::METHOD_NOT_ALLOWED {
            answer.headers_mut().insert(ALLOW, METHODS);
        }
        answer
    }
}
