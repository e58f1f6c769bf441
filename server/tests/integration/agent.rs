//! An agent that speaks MCP, message by message.

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::Server;

pub fn message(server: &Server, message: &Value) -> RequestBuilder {
    let request = server.request(Method::POST, "/mcp").json(message);
    request.header(ACCEPT, "application/json, text/event-stream")
}

pub async fn send(request: RequestBuilder) -> Response {
    request.send().await.expect("an answer")
}

pub fn tool_call(tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
}

/// The result of a tool.
pub async fn call(server: &Server, tool: &str, arguments: &Value) -> Value {
    let answer = send(message(server, &tool_call(tool, arguments))).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let answer: Value = answer.json().await.expect("JSON");
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"].clone()
}

/// What a tool says for programs, once it succeeded.
pub async fn succeed(server: &Server, tool: &str, arguments: &Value) -> Value {
    let result = call(server, tool, arguments).await;
    said(&result)
}

/// What a result says in its first text, and as structured content if there is any.
pub fn said(result: &Value) -> Value {
    assert_ne!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    let text: Value = serde_json::from_str(text).expect("JSON");
    if let Some(structured) = result.get("structuredContent") {
        assert_eq!(&text, structured);
    }
    text
}

/// Its code and what it says, once it failed.
pub async fn fail(server: &Server, tool: &str, arguments: &Value) -> Value {
    let result = call(server, tool, arguments).await;
    failure(&result)
}

/// Text only: clients hold structured content against the schema of what the tool gives.
pub fn failure(result: &Value) -> Value {
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    let said: Value = serde_json::from_str(text).expect("JSON");
    assert!(said["next_step"].is_string(), "{said}");
    said
}

pub async fn request(server: &Server) -> Value {
    let wish = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
    succeed(server, "request_video_evidence", &wish).await
}

/// Its name and its key, as the other tools take them.
pub fn keys(created: &Value) -> Value {
    json!({
        "request_id": created["request_id"],
        "access_token": created["access_token"],
    })
}

pub fn with(mut arguments: Value, name: &str, value: impl Into<Value>) -> Value {
    arguments[name] = value.into();
    arguments
}
