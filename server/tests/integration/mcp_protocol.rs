//! `/mcp`: who may call, how often, and what is told of messages that can't be answered.

use reqwest::header::{ACCEPT, CONTENT_TYPE, HOST, ORIGIN, RETRY_AFTER};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use server::config::QuotaArgs;

use crate::agent::{fail, failure, keys, message, request, said, send, tool_call, with};
use crate::support::{Server, journeys, unlimited};

journeys! {
    limits_are_those_of_rest
    what_is_no_message_gets_an_error_of_the_protocol
    pages_of_strangers_may_not_call
    there_are_three_tools_and_nothing_else
    the_newest_revision_needs_no_beginning
    wrong_arguments_are_told_by_name_and_change_nothing
}

async fn limits_are_those_of_rest(server: Server) {
    let quotas = QuotaArgs {
        create_limit: "60/hour:2".parse().expect("an allowance"),
        read_limit: "1/second:6".parse().expect("an allowance"),
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited()
    };
    let server = server.rationed(quotas).await;
    let from = |address: &str, what: &Value| {
        send(message(&server, what).header("X-Forwarded-For", address))
    };
    let create = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
    let create = tool_call("request_video_evidence", &create);
    let result = async |answer: Response| -> Value {
        assert_eq!(answer.status(), StatusCode::OK);
        answer.json::<Value>().await.expect("JSON")["result"].clone()
    };
    let told = async |answer| said(&result(answer).await);
    let refused = async |answer| failure(&result(answer).await);
    for _ in 0..2 {
        let created = told(from("198.51.100.1", &create).await).await;
        assert!(created["access_token"].is_string(), "{created}");
    }
    let failed = refused(from("198.51.100.1", &create).await).await;
    assert_eq!(failed["error"]["code"], "rate_limited");
    assert_eq!(failed["retry_after_seconds"], 60);
    let another = told(from("198.51.100.2", &create).await).await;
    assert!(another["access_token"].is_string(), "{another}");

    // Whatever is asked counts.
    let list = json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list"});
    for _ in 0..3 {
        assert_eq!(from("198.51.100.1", &list).await.status(), StatusCode::OK);
    }
    let answer = from("198.51.100.1", &list).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(answer.headers()[RETRY_AFTER], "1");
    let answer: Value = answer.json().await.expect("JSON");
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!("a"), &json!(-32000))
    );
    let get = tool_call("get_video_evidence", &keys(&another));
    for useless in [
        tool_call("get_video_evidence", &json!({})),
        tool_call("no_such_tool", &json!({})),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}),
        json!([]),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ] {
        let address = "198.51.100.3";
        let answer = async || from(address, &useless).await;
        for _ in 0..6 {
            let answer = answer().await;
            let refused = answer.status() == StatusCode::TOO_MANY_REQUESTS;
            assert!(!refused, "{useless}");
            let text = answer.text().await.expect("a text");
            assert!(!text.contains("too many"), "{useless}: {text}");
        }
        let text = answer().await.text().await.expect("a text");
        assert!(text.contains("too many"), "{useless}: {text}");
        server.later(10_000);
    }
    for _ in 0..6 {
        from("198.51.100.1", &list).await;
    }
    let failed = refused(from("198.51.100.1", &get).await).await;
    assert_eq!(failed["error"]["code"], "rate_limited");
    assert_eq!(failed["retry_after_seconds"], 1);
    let got = told(from("198.51.100.2", &get).await).await;
    assert_eq!(got["status"], "awaiting_submission");
}

async fn what_is_no_message_gets_an_error_of_the_protocol(server: Server) {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let too_much = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {
        "_meta": {"much": "a".repeat(64 << 10)},
    }});
    for (body, status, code) in [
        ("{".to_owned(), 400, -32700),
        (json!([list]).to_string(), 400, -32600),
        (
            json!({"id": 1, "method": "tools/list"}).to_string(),
            400,
            -32600,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": 1}).to_string(),
            400,
            -32602,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 1}).to_string(),
            400,
            -32600,
        ),
        (too_much.to_string(), 413, -32600),
    ] {
        let post = server.request(Method::POST, "/mcp").body(body.clone());
        let answer = send(post.header(CONTENT_TYPE, "application/json")).await;
        assert_eq!(answer.status(), status, "{}", &body[..body.len().min(80)]);
        assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
        let answer: Value = answer.json().await.expect("JSON");
        assert_eq!(answer["jsonrpc"], "2.0");
        assert_eq!(answer["error"]["code"], code);
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
    // Whoever takes JSON is served, and who doesn't say what they take.
    for accept in [Some("application/json"), Some("*/*"), None] {
        let mut post = server.request(Method::POST, "/mcp").json(&list);
        if let Some(accept) = accept {
            post = post.header(ACCEPT, accept);
        }
        assert_eq!(send(post).await.status(), StatusCode::OK, "{accept:?}");
    }
}

async fn pages_of_strangers_may_not_call(server: Server) {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let own = server.base.clone();
    for (origin, may) in [
        (own.as_str(), true),
        ("http://localhost:6274", true),
        ("https://agents.example.net", true),
        ("https://evil.example", false),
        ("null", false),
    ] {
        let answer = send(message(&server, &list).header(ORIGIN, origin)).await;
        let status = if may {
            StatusCode::OK
        } else {
            StatusCode::FORBIDDEN
        };
        assert_eq!(answer.status(), status, "{origin}");
        let allowed = answer.headers().get("access-control-allow-origin").cloned();
        assert_eq!(allowed.is_some(), may, "{origin}");
        assert!(answer.json::<Value>().await.is_ok(), "{origin}");
        let preflight = server
            .request(Method::OPTIONS, "/mcp")
            .header(ORIGIN, origin)
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "content-type,mcp-protocol-version",
            );
        let answer = send(preflight).await;
        let allowed = answer.headers().get("access-control-allow-origin").cloned();
        assert_eq!(allowed.is_some(), may, "{origin}");
    }
    for (host, status) in [("evil.example", 403), ("localhost:1", 200), ("[::1]", 200)] {
        let answer = send(message(&server, &list).header(HOST, host)).await;
        assert_eq!(answer.status(), status, "{host}");
        assert!(answer.json::<Value>().await.is_ok(), "{host}");
    }
}

async fn there_are_three_tools_and_nothing_else(server: Server) {
    let ask = async |method: &str, params: Value| -> Value {
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        send(message(&server, &ask))
            .await
            .json()
            .await
            .expect("JSON")
    };
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": client});
        let answer = ask("initialize", params).await;
        assert_eq!(answer["result"]["protocolVersion"], revision);
        assert_eq!(answer["result"]["serverInfo"]["version"], "1");
        let capabilities = &answer["result"]["capabilities"];
        for (it, is_there) in [("tools", true), ("resources", true), ("prompts", false)] {
            assert_eq!(capabilities[it].is_object(), is_there, "{it}");
        }
    }
    let listed = ask("tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        ask("resources/list", json!({})).await["result"]["resources"],
        json!([])
    );
    // Which are not declared.
    for method in ["prompts/list", "prompts/get"] {
        let unknown = ask(method, json!({"name": "a"})).await;
        assert_eq!(unknown["error"]["code"], -32601, "{method}");
    }
    let templates = ask("resources/templates/list", json!({})).await;
    assert_eq!(templates["result"]["resourceTemplates"], json!([]));
    let read = ask("resources/read", json!({"uri": "http://a/b"})).await;
    assert_eq!(read["error"]["code"], -32002);
    assert_eq!(read["error"]["data"]["uri"], "http://a/b");
    assert_eq!(
        ask("logging/setLevel", json!({"level": "debug"})).await["result"],
        json!({})
    );
    let unknown = ask("tools/call", json!({"name": "rm", "arguments": {}})).await;
    assert_eq!(unknown["error"]["code"], -32602);
    for (method, params) in [
        (
            "tools/call",
            json!({"name": "get_video_evidence", "arguments": "{}"}),
        ),
        ("resources/read", json!({})),
        ("initialize", json!({})),
    ] {
        let wrong = ask(method, params).await;
        assert_eq!(wrong["error"]["code"], -32602, "{method}: {wrong}");
    }
    let unknown = ask("tools/forget", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601);
    assert_eq!(ask("ping", json!({})).await["result"], json!({}));
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = send(message(&server, &initialized)).await;
    assert_eq!(answer.status(), StatusCode::ACCEPTED);
}

async fn wrong_arguments_are_told_by_name_and_change_nothing(server: Server) {
    let keys = keys(&request(&server).await);
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
            with(keys.clone(), "wait_seconds", "long"),
            "wait_seconds",
        ),
        (
            "get_video_evidence",
            with(keys.clone(), "delivery", "blob"),
            "delivery",
        ),
        (
            "delete_video_request",
            with(keys.clone(), "force", true),
            "force",
        ),
    ] {
        let said = fail(&server, tool, &arguments).await;
        assert_eq!(said["error"]["code"], "bad_request", "{arguments}");
        let message = said["error"]["message"].as_str().expect("a text");
        assert!(message.contains(named), "{message}");
    }
    assert_eq!(server.live_requests().await, 1);
}

/// Each message brings what it needs: its revision, and who sends it.
async fn the_newest_revision_needs_no_beginning(server: Server) {
    const REVISION: &str = "2026-07-28";
    let ask = async |method: &str, name: Option<&str>, mut params: Value| -> (StatusCode, Value) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let ask = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut ask = message(&server, &ask)
            .header("mcp-protocol-version", REVISION)
            .header("mcp-method", method);
        if let Some(name) = name {
            ask = ask.header("mcp-name", name);
        }
        let answer = send(ask).await;
        (answer.status(), answer.json().await.expect("JSON"))
    };
    let (status, discovered) = ask("server/discover", None, json!({})).await;
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
    let (_, listed) = ask("tools/list", None, json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(3));
    assert_eq!(listed["result"]["resultType"], "complete");
    let wish = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
    let call = json!({"name": "request_video_evidence", "arguments": wish});
    let (status, called) = ask("tools/call", Some("request_video_evidence"), call.clone()).await;
    assert_eq!(status, StatusCode::OK, "{called}");
    let created = &called["result"]["structuredContent"];
    assert_eq!(created["status"], "awaiting_submission", "{called}");
    // What stands in the header is what intermediaries go by.
    let (status, called) = ask("tools/call", Some("delete_video_request"), call).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{called}");
    let (status, level) = ask("logging/setLevel", None, json!({"level": "debug"})).await;
    assert_eq!(
        (status, &level["error"]["code"]),
        (StatusCode::NOT_FOUND, &json!(-32601))
    );
    let (status, begun) = ask("initialize", None, json!({})).await;
    assert_eq!(
        (status, &begun["error"]["code"]),
        (StatusCode::NOT_FOUND, &json!(-32601))
    );
    let uri = "http://a/b";
    let (_, read) = ask("resources/read", Some(uri), json!({"uri": uri})).await;
    assert_eq!(read["error"]["code"], -32602, "{read}");
}
