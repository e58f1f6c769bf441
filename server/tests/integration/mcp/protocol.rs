//! The MCP endpoint: messages, handshakes, and errors of arguments.

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::mcp_client::{
    call_expecting_error, create_request, credentials, post_message, send, with_argument,
};
use crate::support::{Server, on_each_storage};

on_each_storage! {
    invalid_messages_get_jsonrpc_errors
    only_the_three_tools_are_offered
    the_newest_revision_needs_no_handshake
    invalid_arguments_are_named_and_change_nothing
}

async fn invalid_messages_get_jsonrpc_errors(server: Server) {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let too_much = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {
        "_meta": {"much": "a".repeat(64 << 10)},
    }})
    .to_string();
    for (body, status, code) in [
        ("", 400, -32700),
        ("{", 400, -32700),
        ("\0", 400, -32700),
        ("1", 400, -32600),
        ("[]", 400, -32600),
        ("{}", 400, -32600),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#,
            400,
            -32600,
        ),
        (r#"{"id":1,"method":"tools/list"}"#, 400, -32600),
        (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, 400, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, 400, -32600),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            400,
            -32600,
        ),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, 400, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            200,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":1}"#,
            200,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":"{}"}}"#,
            200,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":1}"#,
            400,
            -32600,
        ),
        (&too_much, 413, -32600),
    ] {
        let post = server.request(Method::POST, "/mcp").body(body.to_owned());
        let answer = send(post.header(CONTENT_TYPE, "application/json")).await;
        assert_eq!(answer.status(), status, "{}", &body[..body.len().min(80)]);
        assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
        let answer: Value = answer.json().await.expect("JSON");
        assert_eq!(answer["jsonrpc"], "2.0");
        assert_eq!(answer["error"]["code"], code);
        // The id is echoed if the message was read and has a valid one.
        let id = serde_json::from_str(body).map_or(Value::Null, |it: Value| it["id"].clone());
        let is_echoed = status != 413 && (id.is_number() || id.is_string());
        assert_eq!(answer.get("id"), is_echoed.then_some(&id));
    }
    for (headers, status) in [
        ([(CONTENT_TYPE, "text/plain"), (ACCEPT, "*/*")], 415),
        (
            [(CONTENT_TYPE, "application/json"), (ACCEPT, "text/html")],
            406,
        ),
    ] {
        let mut post = server.request(Method::POST, "/mcp").body(list.to_string());
        for (name, value) in headers {
            post = post.header(name, value);
        }
        let answer = send(post).await;
        assert_eq!(answer.status(), status);
        let answer: Value = answer.json().await.expect("JSON");
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(1), &json!(-32600))
        );
    }
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let answer = send(server.request(method, "/mcp")).await;
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(answer.headers()["allow"], "POST, OPTIONS");
    }
    // A client that accepts JSON is served, and one without `Accept`.
    for accept in [Some("application/json"), Some("*/*"), None] {
        let mut post = server.request(Method::POST, "/mcp").json(&list);
        if let Some(accept) = accept {
            post = post.header(ACCEPT, accept);
        }
        assert_eq!(send(post).await.status(), StatusCode::OK, "{accept:?}");
    }
}

async fn only_the_three_tools_are_offered(server: Server) {
    let call_method = async |method: &str, params: Value| -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        send(post_message(&server, &message))
            .await
            .json()
            .await
            .expect("JSON")
    };
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": client});
        let answer = call_method("initialize", params).await;
        assert_eq!(answer["result"]["protocolVersion"], revision);
        assert_eq!(answer["result"]["serverInfo"]["version"], "1");
        let capabilities = &answer["result"]["capabilities"];
        for (it, is_there) in [("tools", true), ("resources", true), ("prompts", false)] {
            assert_eq!(capabilities[it].is_object(), is_there, "{it}");
        }
    }
    let listed = call_method("tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        call_method("resources/list", json!({})).await["result"]["resources"],
        json!([])
    );
    // Undeclared capabilities.
    for method in ["prompts/list", "prompts/get", "completion/complete"] {
        let unknown = call_method(method, json!({"name": "a"})).await;
        assert_eq!(unknown["error"]["code"], -32601, "{method}");
    }
    let templates = call_method("resources/templates/list", json!({})).await;
    assert_eq!(templates["result"]["resourceTemplates"], json!([]));
    let read = call_method("resources/read", json!({"uri": "http://a/b"})).await;
    assert_eq!(read["error"]["code"], -32002);
    assert_eq!(read["error"]["data"]["uri"], "http://a/b");
    assert_eq!(
        call_method("logging/setLevel", json!({"level": "debug"})).await["result"],
        json!({})
    );
    let unknown = call_method("tools/call", json!({"name": "rm", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602);
    for (method, params) in [
        (
            "tools/call",
            json!({"name": "get_video_evidence", "arguments": "{}"}),
        ),
        ("resources/read", json!({})),
        ("initialize", json!({})),
        ("tools/list", json!({"cursor": "2"})),
    ] {
        let wrong = call_method(method, params).await;
        assert_eq!(wrong["error"]["code"], -32602, "{method}: {wrong}");
    }
    let unknown = call_method("tools/forget", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601);
    assert_eq!(call_method("ping", json!({})).await["result"], json!({}));
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = send(post_message(&server, &initialized)).await;
    assert_eq!(answer.status(), StatusCode::ACCEPTED);
}

async fn invalid_arguments_are_named_and_change_nothing(server: Server) {
    let keys = credentials(&create_request(&server).await);
    let prompt = "a".repeat(2001);
    for (tool, arguments, named) in [
        (
            "request_video_evidence",
            json!({"prompt": "a"}),
            "expires_in_hours",
        ),
        (
            "request_video_evidence",
            json!({"prompt": "", "expires_in_hours": 1}),
            "prompt",
        ),
        (
            "request_video_evidence",
            json!({"prompt": prompt, "expires_in_hours": 1}),
            "prompt",
        ),
        (
            "request_video_evidence",
            json!({"prompt": "a", "expires_in_hours": 49}),
            "expires_in_hours",
        ),
        (
            "request_video_evidence",
            json!({"prompt": "a", "expires_in_hours": 1, "ttl": 1}),
            "ttl",
        ),
        ("get_video_evidence", json!({}), "request_id"),
        (
            "get_video_evidence",
            with_argument(keys.clone(), "wait_seconds", "long"),
            "wait_seconds",
        ),
        (
            "get_video_evidence",
            with_argument(keys.clone(), "delivery", "blob"),
            "delivery",
        ),
        (
            "delete_video_request",
            with_argument(keys.clone(), "force", true),
            "force",
        ),
    ] {
        let error = call_expecting_error(&server, tool, &arguments).await;
        assert_eq!(error["error"]["code"], "bad_request", "{arguments}");
        let message = error["error"]["message"].as_str().expect("a text");
        assert!(message.contains(named), "{message}");
    }
    assert_eq!(server.live_requests().await, 1);
}

/// In this revision each message carries protocol version and client.
async fn the_newest_revision_needs_no_handshake(server: Server) {
    const REVISION: &str = "2026-07-28";
    let call_method =
        async |method: &str, name: Option<&str>, mut params: Value| -> (StatusCode, Value) {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": REVISION,
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
            let mut request = post_message(&server, &message)
                .header("mcp-protocol-version", REVISION)
                .header("mcp-method", method);
            if let Some(name) = name {
                request = request.header("mcp-name", name);
            }
            let answer = send(request).await;
            (answer.status(), answer.json().await.expect("JSON"))
        };
    let (status, discovered) = call_method("server/discover", None, json!({})).await;
    assert_eq!(status, StatusCode::OK, "{discovered}");
    let revisions = discovered["result"]["supportedVersions"].as_array();
    assert!(
        revisions.is_some_and(|it| it.contains(&json!(REVISION))),
        "{discovered}"
    );
    assert!(
        discovered["result"]["ttlMs"].as_u64() > Some(0),
        "{discovered}"
    );
    let (_, listed) = call_method("tools/list", None, json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(3));
    assert_eq!(listed["result"]["resultType"], "complete");
    let body = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
    let call = json!({"name": "request_video_evidence", "arguments": body});
    let (status, called) =
        call_method("tools/call", Some("request_video_evidence"), call.clone()).await;
    assert_eq!(status, StatusCode::OK, "{called}");
    let created = &called["result"]["structuredContent"];
    assert_eq!(created["status"], "awaiting_submission", "{called}");
    // The header must agree with the body: intermediaries route by it.
    let (status, called) = call_method("tools/call", Some("delete_video_request"), call).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{called}");
    let (status, level) = call_method("logging/setLevel", None, json!({"level": "debug"})).await;
    assert_eq!(
        (status, &level["error"]["code"]),
        (StatusCode::NOT_FOUND, &json!(-32601))
    );
    let (status, begun) = call_method("initialize", None, json!({})).await;
    assert_eq!(
        (status, &begun["error"]["code"]),
        (StatusCode::NOT_FOUND, &json!(-32601))
    );
    let uri = "http://a/b";
    let (_, read) = call_method("resources/read", Some(uri), json!({"uri": uri})).await;
    assert_eq!(read["error"]["code"], -32602, "{read}");
}
