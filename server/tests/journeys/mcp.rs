//! `/mcp`: the same use cases for agents.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HOST, ORIGIN, RETRY_AFTER};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use server::config::QuotaArgs;
use sha2::{Digest, Sha256};

use crate::support::{
    CLIP, Creator, HOUR, LIVE_WEBM, Server, VP9_WEBM, clip, journeys, unlimited, wait_until,
};

journeys! {
    an_agent_gets_what_a_human_submits
    a_link_comes_without_the_video_and_with_few_pictures
    what_is_too_large_for_an_answer_is_named_with_the_reason
    who_waits_is_answered_when_a_video_is_submitted
    a_video_without_pictures_says_why
    nothing_is_left_after_its_time
    deleting_again_succeeds_and_only_for_the_owner
    a_token_opens_its_own_request_and_no_other
    wrong_arguments_are_told_by_name_and_change_nothing
    limits_are_those_of_rest
    what_is_no_message_gets_an_error_of_the_protocol
    pages_of_strangers_may_not_call
    there_are_three_tools_and_nothing_else
}

fn message(server: &Server, message: &Value) -> RequestBuilder {
    let request = server.request(Method::POST, "/mcp").json(message);
    request.header(ACCEPT, "application/json, text/event-stream")
}

async fn send(request: RequestBuilder) -> Response {
    request.send().await.expect("an answer")
}

fn tool_call(tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
}

/// The result of a tool.
async fn call(server: &Server, tool: &str, arguments: &Value) -> Value {
    let answer = send(message(server, &tool_call(tool, arguments))).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let answer: Value = answer.json().await.expect("JSON");
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"].clone()
}

/// What a tool says for programs, once it succeeded.
async fn succeed(server: &Server, tool: &str, arguments: &Value) -> Value {
    let result = call(server, tool, arguments).await;
    assert_ne!(result["isError"], true, "{result}");
    let structured = result["structuredContent"].clone();
    // For clients that know no structured content.
    let text = result["content"][0]["text"].as_str().expect("a text");
    let text: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(text, structured);
    structured
}

/// Its code and what it says, once it failed.
async fn fail(server: &Server, tool: &str, arguments: &Value) -> Value {
    let result = call(server, tool, arguments).await;
    failure(&result)
}

/// Text only: clients hold structured content against the schema of what the tool gives.
fn failure(result: &Value) -> Value {
    assert_eq!(result["isError"], true, "{result}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    let said: Value = serde_json::from_str(text).expect("JSON");
    assert!(said["next_step"].is_string(), "{said}");
    said
}

async fn request(server: &Server) -> Value {
    let wish = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
    succeed(server, "request_video_evidence", &wish).await
}

/// Its name and its key, as the other tools take them.
fn keys(created: &Value) -> Value {
    json!({
        "request_id": created["request_id"],
        "access_token": created["access_token"],
    })
}

fn with(mut arguments: Value, name: &str, value: impl Into<Value>) -> Value {
    arguments[name] = value.into();
    arguments
}

/// The same request, as REST sees it.
fn creator<'s>(server: &'s Server, created: &Value) -> Creator<'s> {
    let text = |name: &str| created[name].as_str().expect("a text").to_owned();
    let created = json!({
        "id": text("request_id"),
        "status": text("status"),
        "submission_url": text("submission_url"),
        "access_token": text("access_token"),
        "expires_at": text("expires_at"),
    });
    Creator {
        server,
        created: serde_json::from_value(created).expect("a created request"),
    }
}

/// The whole result, once nothing is left to do for its pictures.
async fn evidence(server: &Server, arguments: &Value) -> Value {
    let get = async || call(server, "get_video_evidence", arguments).await;
    wait_until(async || get().await["structuredContent"]["pictures"]["state"] != "in_the_making")
        .await;
    get().await
}

fn blocks<'v>(result: &'v Value, kind: &str) -> Vec<&'v Value> {
    let all = result["content"].as_array().expect("blocks").iter();
    all.filter(|it| it["type"] == kind).collect()
}

fn decoded(base64: &Value) -> Vec<u8> {
    STANDARD
        .decode(base64.as_str().expect("a text"))
        .expect("base64")
}

async fn an_agent_gets_what_a_human_submits(server: Server) {
    let created = request(&server).await;
    assert_eq!(created["status"], "awaiting_submission");
    let human = creator(&server, &created);
    let waiting = succeed(&server, "get_video_evidence", &keys(&created)).await;
    assert_eq!(waiting["status"], "awaiting_submission");
    assert!(waiting["poll_after_seconds"].is_u64(), "{waiting}");
    assert!(waiting.get("video").is_none(), "{waiting}");

    let path = human.submit_video(LIVE_WEBM).await;
    let result = evidence(&server, &keys(&created)).await;
    let facts = &result["structuredContent"];
    assert_eq!(facts["status"], "submitted");
    assert_eq!(facts["delivered"], json!({"as": "inline"}));
    let served = human.ask(Method::GET, &path).await;
    assert_eq!(
        served.headers()[CONTENT_TYPE],
        facts["video"]["media_type"].as_str().expect("one")
    );
    let served = served.bytes().await.expect("bytes");
    let digest: String = Sha256::digest(&served)
        .iter()
        .map(|it| format!("{it:02x}"))
        .collect();
    assert_eq!(facts["video"]["sha256"], digest);
    assert_eq!(facts["video"]["bytes"], served.len());

    let embedded = blocks(&result, "resource");
    assert_eq!(embedded.len(), 1);
    assert_eq!(
        embedded[0]["resource"]["mimeType"],
        facts["video"]["media_type"]
    );
    assert_eq!(embedded[0]["resource"]["uri"], facts["video"]["url"]);
    assert_eq!(decoded(&embedded[0]["resource"]["blob"]), served);
    let links = blocks(&result, "resource_link");
    assert_eq!(links.len(), 1);
    assert_eq!(links[0]["uri"], format!("{}{path}", server.base));
    assert_eq!(links[0]["size"], served.len());

    let images = blocks(&result, "image");
    let shown = facts["pictures"]["shown"].as_array().expect("pictures");
    assert_eq!(facts["pictures"]["more"], json!([]));
    assert!(!shown.is_empty());
    assert_eq!(images.len(), shown.len());
    for (image, picture) in images.iter().zip(shown) {
        assert_eq!(image["mimeType"], "image/jpeg");
        let url = picture["url"].as_str().expect("a URL");
        let path = url
            .strip_prefix(&server.base)
            .expect("a URL of this server");
        let jpeg = human
            .ask(Method::GET, path)
            .await
            .bytes()
            .await
            .expect("bytes");
        assert_eq!(decoded(&image["data"]), jpeg);
    }

    succeed(&server, "delete_video_request", &keys(&created)).await;
    let gone = human.ask(Method::GET, &path).await;
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
    server.objects_become(0).await;
}

async fn a_link_comes_without_the_video_and_with_few_pictures(server: Server) {
    let created = request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    let arguments = with(keys(&created), "delivery", "link");
    let result = evidence(&server, &arguments).await;
    let facts = &result["structuredContent"];
    assert_eq!(facts["delivered"], json!({"as": "link"}));
    assert!(blocks(&result, "resource").is_empty());
    assert_eq!(blocks(&result, "resource_link").len(), 1);
    assert!(!blocks(&result, "image").is_empty());
    assert!(result.to_string().len() < 150_000);
}

async fn what_is_too_large_for_an_answer_is_named_with_the_reason(server: Server) {
    let created = request(&server).await;
    let human = creator(&server, &created);
    human.submit_video(&clip(9 << 20)).await;
    for delivery in ["auto", "inline"] {
        let arguments = with(keys(&created), "delivery", delivery);
        let result = evidence(&server, &arguments).await;
        let delivered = &result["structuredContent"]["delivered"];
        assert_eq!(delivered["as"], "link", "{delivery}");
        let why = delivered["why"].as_str().expect("a reason");
        assert!(why.contains("8388608"), "{why}");
        assert!(blocks(&result, "resource").is_empty());
        assert_eq!(blocks(&result, "resource_link").len(), 1);
    }
}

async fn who_waits_is_answered_when_a_video_is_submitted(server: Server) {
    let created = request(&server).await;
    let human = creator(&server, &created);
    let arguments = with(keys(&created), "wait_seconds", 45);
    let waiting = call(&server, "get_video_evidence", &arguments);
    let submitting = async {
        wait_until(async || server.app.news.waiting() == 1).await;
        human.submit_video(LIVE_WEBM).await
    };
    let waited = tokio::time::timeout(Duration::from_secs(30), join(waiting, submitting));
    let (result, _) = waited.await.expect("at once");
    assert_eq!(result["structuredContent"]["status"], "submitted");
    assert_eq!(blocks(&result, "resource").len(), 1);
}

async fn a_video_without_pictures_says_why(server: Server) {
    let created = request(&server).await;
    creator(&server, &created).submit_video(VP9_WEBM).await;
    let result = evidence(&server, &keys(&created)).await;
    let pictures = &result["structuredContent"]["pictures"];
    assert_eq!(pictures["state"], "none");
    assert!(
        pictures["why"]
            .as_str()
            .is_some_and(|it| it.contains("VP9"))
    );
    assert!(blocks(&result, "image").is_empty());
    assert_eq!(blocks(&result, "resource").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_that_may_still_come_are_in_the_making_and_nobody_waits_long() {
    let server = Server::without_decoders().await;
    let created = request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    let arguments = with(keys(&created), "wait_seconds", 45);
    let facts = succeed(&server, "get_video_evidence", &arguments).await;
    assert_eq!(facts["pictures"]["state"], "in_the_making");
    let next = facts["next_step"].as_str().expect("a text");
    assert!(next.contains("call again"), "{next}");
}

async fn nothing_is_left_after_its_time(server: Server) {
    let created = request(&server).await;
    creator(&server, &created).submit_video(CLIP).await;
    server.later(HOUR);
    let facts = succeed(&server, "get_video_evidence", &keys(&created)).await;
    assert_eq!(facts["status"], "expired");
    assert!(facts.get("video").is_none(), "{facts}");
}

async fn deleting_again_succeeds_and_only_for_the_owner(server: Server) {
    let (created, other) = (request(&server).await, request(&server).await);
    let strange = with(
        keys(&created),
        "access_token",
        other["access_token"].clone(),
    );
    for _ in 0..2 {
        let deleted = succeed(&server, "delete_video_request", &keys(&created)).await;
        assert_eq!(deleted["deleted"], true);
        let said = fail(&server, "get_video_evidence", &keys(&created)).await;
        assert_eq!(said["error"]["code"], "not_found");
        let said = fail(&server, "delete_video_request", &strange).await;
        assert_eq!(said["error"]["code"], "not_found");
    }
    let nowhere = with(keys(&other), "request_id", "0000000000000000000000");
    let said = fail(&server, "delete_video_request", &nowhere).await;
    assert_eq!(said["error"]["code"], "not_found");
    assert_eq!(
        creator(&server, &other).status().await["status"],
        "awaiting_submission"
    );
}

async fn a_token_opens_its_own_request_and_no_other(server: Server) {
    let (created, other) = (request(&server).await, request(&server).await);
    creator(&server, &created).submit_video(CLIP).await;
    let strange = with(
        keys(&created),
        "access_token",
        other["access_token"].clone(),
    );
    let unknown = with(keys(&created), "access_token", "vidence_unknown");
    let none = with(keys(&created), "access_token", "");
    for tool in ["get_video_evidence", "delete_video_request"] {
        let code = |said: Value| said["error"]["code"].clone();
        assert_eq!(code(fail(&server, tool, &strange).await), "forbidden");
        assert_eq!(code(fail(&server, tool, &unknown).await), "unauthorized");
        assert_eq!(code(fail(&server, tool, &none).await), "unauthorized");
    }
    let status = creator(&server, &created).status().await;
    assert_eq!(status["status"], "submitted");
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
            with(keys.clone(), "wait_seconds", 46),
            "wait_seconds",
        ),
        (
            "get_video_evidence",
            with(keys.clone(), "wait_seconds", -1),
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
    let told = async |answer| result(answer).await["structuredContent"].clone();
    let refused = async |answer| failure(&result(answer).await);
    for _ in 0..2 {
        let created = told(from("198.51.100.1", &create).await).await;
        assert!(created["access_token"].is_string(), "{created}");
    }
    let said = refused(from("198.51.100.1", &create).await).await;
    assert_eq!(said["error"]["code"], "rate_limited");
    assert_eq!(said["retry_after_seconds"], 60);
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
    let said = refused(from("198.51.100.1", &get).await).await;
    assert_eq!(said["error"]["code"], "rate_limited");
    assert_eq!(said["retry_after_seconds"], 1);
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
        for it in ["tools", "resources", "prompts"] {
            assert!(capabilities[it].is_object(), "{it}");
        }
    }
    let listed = ask("tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        ask("resources/list", json!({})).await["result"]["resources"],
        json!([])
    );
    assert_eq!(
        ask("prompts/list", json!({})).await["result"]["prompts"],
        json!([])
    );
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
    assert_eq!(ask("ping", json!({})).await["result"], json!({}));
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = send(message(&server, &initialized)).await;
    assert_eq!(answer.status(), StatusCode::ACCEPTED);
}
