//! An MCP client at the level of messages.

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use super::Server;

pub fn post_message(server: &Server, message: &Value) -> RequestBuilder {
    let request = server.request(Method::POST, "/mcp").json(message);
    request.header(ACCEPT, "application/json, text/event-stream")
}

pub async fn send(request: RequestBuilder) -> Response {
    request.send().await.expect("an answer")
}

pub fn tool_call_message(tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
}

/// Calls a tool by a revision that has links to resources, and returns its result.
pub async fn call_tool(server: &Server, tool: &str, arguments: &Value) -> Value {
    let call = post_message(server, &tool_call_message(tool, arguments));
    let answer = send(call.header("mcp-protocol-version", "2025-06-18")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let answer: Value = answer.json().await.expect("JSON");
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"].clone()
}

/// Calls a tool, which must succeed, and returns its JSON.
pub async fn call_expecting_success(server: &Server, tool: &str, arguments: &Value) -> Value {
    let result = call_tool(server, tool, arguments).await;
    success_json(&result)
}

/// The JSON of a successful result's first text, which must equal the structured content if there is any.
pub fn success_json(result: &Value) -> Value {
    assert_ne!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    let text: Value = serde_json::from_str(text).expect("JSON");
    if let Some(structured) = result.get("structuredContent") {
        assert_eq!(&text, structured);
    }
    text
}

/// Calls a tool, which must fail, and returns its JSON.
pub async fn call_expecting_error(server: &Server, tool: &str, arguments: &Value) -> Value {
    let result = call_tool(server, tool, arguments).await;
    error_json(&result)
}

/// The JSON of a failed result.
/// It is text alone, because clients validate structured content against the output schema.
pub fn error_json(result: &Value) -> Value {
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    let json: Value = serde_json::from_str(text).expect("JSON");
    assert!(json["next_step"].is_string(), "{json}");
    json
}

pub async fn create_request(server: &Server) -> Value {
    let body = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
    call_expecting_success(server, "request_video_evidence", &body).await
}

/// The arguments of the other tools: request id and access token.
pub fn credentials(created: &Value) -> Value {
    json!({
        "request_id": created["request_id"],
        "access_token": created["access_token"],
    })
}

pub fn with_argument(mut arguments: Value, name: &str, value: impl Into<Value>) -> Value {
    arguments[name] = value.into();
    arguments
}
