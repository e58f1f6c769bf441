//! The MCP endpoint: rate limits, and refused origins and hosts.

use reqwest::header::{HOST, ORIGIN, RETRY_AFTER};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use server::config::QuotaArgs;

use crate::support::mcp_client::{
    credentials, error_json, post_message, send, success_json, tool_call_message,
};
use crate::support::{Server, on_each_storage, unlimited_quotas};

on_each_storage! {
    mcp_calls_share_the_rate_limits_of_rest
    foreign_origins_and_hosts_are_403
}

async fn mcp_calls_share_the_rate_limits_of_rest(server: Server) {
    let quotas = QuotaArgs {
        create_limit: "60/hour:2".parse().expect("an allowance"),
        read_limit: "1/second:6".parse().expect("an allowance"),
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let from = |address: &str, what: &Value| {
        send(post_message(&server, what).header("X-Forwarded-For", address))
    };
    let create = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
    let create = tool_call_message("request_video_evidence", &create);
    let result = async |answer: Response| -> Value {
        assert_eq!(answer.status(), StatusCode::OK);
        answer.json::<Value>().await.expect("JSON")["result"].clone()
    };
    let created_by = async |answer| success_json(&result(answer).await);
    let refused = async |answer| error_json(&result(answer).await);
    for _ in 0..2 {
        let created = created_by(from("198.51.100.1", &create).await).await;
        assert!(created["access_token"].is_string(), "{created}");
    }
    let failed = refused(from("198.51.100.1", &create).await).await;
    assert_eq!(failed["error"]["code"], "rate_limited");
    assert_eq!(failed["retry_after_seconds"], 60);
    let another = created_by(from("198.51.100.2", &create).await).await;
    assert!(another["access_token"].is_string(), "{another}");

    // Every message counts, whatever it is.
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
    let get = tool_call_message("get_video_evidence", &credentials(&another));
    for unusable in [
        tool_call_message("get_video_evidence", &json!({})),
        tool_call_message("no_such_tool", &json!({})),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}),
        json!([]),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ] {
        let address = "198.51.100.3";
        let answer = async || from(address, &unusable).await;
        for _ in 0..6 {
            let answer = answer().await;
            let refused = answer.status() == StatusCode::TOO_MANY_REQUESTS;
            assert!(!refused, "{unusable}");
            let text = answer.text().await.expect("a text");
            assert!(!text.contains("too many"), "{unusable}: {text}");
        }
        let text = answer().await.text().await.expect("a text");
        assert!(text.contains("too many"), "{unusable}: {text}");
        server.advance_clock(10_000);
    }
    for _ in 0..6 {
        from("198.51.100.1", &list).await;
    }
    let failed = refused(from("198.51.100.1", &get).await).await;
    assert_eq!(failed["error"]["code"], "rate_limited");
    assert_eq!(failed["retry_after_seconds"], 1);
    let evidence = created_by(from("198.51.100.2", &get).await).await;
    assert_eq!(evidence["status"], "awaiting_submission");
}

async fn foreign_origins_and_hosts_are_403(server: Server) {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let own = server.base.clone();
    for (origin, may) in [
        (own.as_str(), true),
        ("http://localhost:6274", true),
        ("https://agents.example.net", true),
        ("https://evil.example", false),
        ("null", false),
    ] {
        let answer = send(post_message(&server, &list).header(ORIGIN, origin)).await;
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
        let answer = send(post_message(&server, &list).header(HOST, host)).await;
        assert_eq!(answer.status(), status, "{host}");
        assert!(answer.json::<Value>().await.is_ok(), "{host}");
    }
}
