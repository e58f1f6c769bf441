//! JSON-RPC, as far as it is validated before rmcp handles a message.
//!
//! rmcp answers an invalid message with plain text; programs need an error object (JSON-RPC 2.0, section 5.1).

use axum::http::header::{ALLOW, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::client::ClientKind;
use crate::service::{Error, INTERNAL};

const METHODS: HeaderValue = HeaderValue::from_static("POST, OPTIONS");

/// A well-formed message. rmcp validates its content.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// The id of a request. `None`: a notification or a response.
    pub id: Option<Value>,
    /// Whether it is a tool call: tools check the rate limit themselves, and report it in their result.
    pub calls_a_tool: bool,
    /// The client that sent the message, if it is named.
    pub client: Option<ClientKind>,
    /// Whether it is the `initialize` request of a client that starts with a handshake.
    pub initializes: bool,
}

/// A JSON-RPC error, and the HTTP response around it.
#[derive(Debug, PartialEq)]
pub(super) struct RpcError {
    status: StatusCode,
    retry_after_seconds: Option<u64>,
    /// The id of the failed request, if it is known.
    id: Option<Value>,
    code: i32,
    message: String,
}

impl Message {
    /// Parses a message.
    ///
    /// Batches are refused with an error: only revision 2025-03-26 has them, and no client is known to send them.
    pub fn read(body: &[u8]) -> Result<Self, RpcError> {
        let message: Value = serde_json::from_slice(body)
            .map_err(|error| RpcError::parse_error(&format!("this is not JSON: {error}")))?;
        let id = match &message["id"] {
            id @ (Value::String(_) | Value::Number(_)) => Some(id.clone()),
            _ => None,
        };
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        let wrong = if message.is_array() {
            "batches are not supported: send one message at a time"
        } else if !message.is_object() {
            "a message is a JSON object"
        } else if message["jsonrpc"] != "2.0" {
            "jsonrpc must be \"2.0\""
        } else if !message["method"].is_string() && !is_answer {
            "method must be a string"
        } else if message.get("id").is_some() && id.is_none() {
            "id must be a string or a number"
        } else {
            let calls_a_tool = message["method"] == "tools/call";
            return match wrong_in_a_call(&message["params"]).filter(|_| calls_a_tool) {
                Some(wrong) => Err(RpcError::invalid_params(wrong).about(id)),
                None => Ok(Self {
                    id,
                    calls_a_tool,
                    client: ClientKind::of_message(&message["params"]),
                    initializes: message["method"] == "initialize",
                }),
            };
        };
        Err(RpcError::invalid_request(StatusCode::BAD_REQUEST, wrong).about(id))
    }
}

/// Finds errors in the parameters of a tool call, for which rmcp would report an unknown method.
fn wrong_in_a_call(params: &Value) -> Option<&'static str> {
    let wrong = if !params["name"].is_string() {
        "params must be an object with the name of a tool"
    } else if !matches!(
        params.get("arguments"),
        None | Some(Value::Null | Value::Object(_))
    ) {
        "arguments must be an object: no list, and no string that holds JSON"
    } else {
        return None;
    };
    Some(wrong)
}

impl RpcError {
    fn parse_error(message: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, -32700, message)
    }

    /// The message is not a request that this endpoint accepts.
    pub fn invalid_request(status: StatusCode, message: &str) -> Self {
        Self::new(status, -32600, message)
    }

    /// The message is a request, so it fails as one, as rmcp's own errors do.
    fn invalid_params(message: &str) -> Self {
        Self::new(StatusCode::OK, -32602, message)
    }

    /// The client has called too often. The code is of the range that JSON-RPC leaves to implementations.
    pub fn too_often(error: &Error) -> Self {
        let status = StatusCode::TOO_MANY_REQUESTS;
        Self {
            retry_after_seconds: error.retry_after(),
            ..Self::new(status, -32000, &error.to_string())
        }
    }

    /// An internal error of the server.
    pub fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, -32603, INTERNAL)
    }

    fn new(status: StatusCode, code: i32, message: &str) -> Self {
        Self {
            status,
            retry_after_seconds: None,
            id: None,
            code,
            message: message.to_owned(),
        }
    }

    /// Sets the id of the request that failed.
    pub fn about(mut self, id: Option<Value>) -> Self {
        self.id = id;
        self
    }

    /// Serializes the error as a JSON-RPC response.
    /// Without an id that is known it has none: MCP's schemas don't take `null` (2025-11-25, basic/transports).
    fn to_json(&self) -> Value {
        let mut response = json!({
            "jsonrpc": "2.0",
            "error": {"code": self.code, "message": self.message},
        });
        if let Some(id) = &self.id {
            response["id"] = id.clone();
        }
        response
    }
}

impl IntoResponse for RpcError {
    fn into_response(self) -> Response {
        let mut response = (self.status, axum::Json(self.to_json())).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(ALLOW, METHODS);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_tool_calls_are_read_from_every_kind_of_message() {
        let read = |body: &str| Message::read(body.as_bytes()).expect("a message");
        let call = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}}"#;
        let call = read(call);
        assert_eq!(call.id, Some(json!(7)));
        assert!(call.calls_a_tool);
        let notification = read(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert_eq!(notification.id, None);
        assert!(!notification.calls_a_tool);
        assert!(!read(r#"{"jsonrpc":"2.0","id":"x","result":{}}"#).calls_a_tool);
    }
}
