//! The MCP endpoint: the tools that agents use.
//!
//! A little more than 300 lines: one tool in all its answers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::mcp_client::{
    call_expecting_error, call_expecting_success, call_tool, create_request, credentials,
    post_message, send, success_json, tool_call_message, with_argument,
};
use crate::support::{
    CLIP, Creator, HOUR, LIVE_WEBM, Server, clip, hex_sha256, on_each_storage, wait_until,
};

on_each_storage! {
    an_agent_gets_the_submitted_video_with_metadata_and_stills
    delivery_as_link_omits_the_video
    revisions_without_resource_links_get_none
    a_video_too_large_to_inline_is_delivered_as_link_with_the_reason
    clients_known_to_drop_videos_get_a_link_by_default
    obvious_argument_mistakes_are_accepted
    an_expired_request_has_no_video
    a_repeated_deletion_succeeds_for_the_owner_only
    another_requests_token_is_forbidden
}

/// The same request for the REST API.
pub fn creator<'s>(server: &'s Server, created: &Value) -> Creator<'s> {
    let text = |name: &str| created[name].as_str().expect("a text");
    server.creator_of(text("request_id"), text("access_token"))
}

/// Calls `get_video_evidence` until the stills are no longer pending.
pub async fn get_evidence(server: &Server, arguments: &Value) -> Value {
    let get = async || call_tool(server, "get_video_evidence", arguments).await;
    wait_until(async || success_json(&get().await)["stills"]["status"] != "pending").await;
    get().await
}

pub fn blocks<'v>(result: &'v Value, kind: &str) -> Vec<&'v Value> {
    let all = result["content"].as_array().expect("blocks").iter();
    all.filter(|it| it["type"] == kind).collect()
}

pub fn decoded(base64: &Value) -> Vec<u8> {
    STANDARD
        .decode(base64.as_str().expect("a text"))
        .expect("base64")
}

async fn an_agent_gets_the_submitted_video_with_metadata_and_stills(server: Server) {
    let created = create_request(&server).await;
    assert_eq!(created["status"], "awaiting_submission");
    let human = creator(&server, &created);
    let waiting =
        call_expecting_success(&server, "get_video_evidence", &credentials(&created)).await;
    assert_eq!(waiting["status"], "awaiting_submission");
    assert!(waiting["poll_after_seconds"].is_u64(), "{waiting}");
    assert!(waiting.get("video").is_none(), "{waiting}");

    let path = human.submit_video(LIVE_WEBM).await;
    let result = get_evidence(&server, &credentials(&created)).await;
    let metadata = success_json(&result);
    assert_eq!(metadata["status"], "submitted");
    assert_eq!(metadata["delivered"]["as"], "inline");
    let served = human.send_authorized(Method::GET, &path).await;
    assert_eq!(
        served.headers()[CONTENT_TYPE],
        metadata["video"]["media_type"].as_str().expect("one")
    );
    let served = served.bytes().await.expect("bytes");
    assert_eq!(metadata["video"]["sha256"], hex_sha256(&served));
    assert_eq!(metadata["video"]["received_sha256"], hex_sha256(LIVE_WEBM));
    assert_eq!(metadata["video"]["bytes"], served.len());
    assert_eq!(metadata["video"]["captured_as"], "client");
    assert_eq!(metadata["video"]["arrival"]["while_recorded"], false);
    let arrived = metadata["video"]["arrived"].as_str().expect("a sentence");
    assert!(
        arrived.starts_with("2")
            && arrived.ends_with("UTC, from a sender that doesn’t call itself the page"),
        "{arrived}"
    );
    let times = ["request_created_at", "sealed_at", "submitted_at"];
    let times = times.map(|it| metadata["video"][it].as_str().expect("a time"));
    assert!(times.is_sorted(), "{times:?}");
    let receipt = metadata["video"]["receipt_url"].as_str().expect("a URL");
    let receipt = receipt
        .strip_prefix(&server.base)
        .expect("a URL of this server");
    let receipt = human.send_authorized(Method::GET, receipt).await;
    assert_eq!(receipt.headers()[CONTENT_TYPE], "application/jose");

    let embedded = blocks(&result, "resource");
    assert_eq!(embedded.len(), 1);
    assert_eq!(
        embedded[0]["resource"]["mimeType"],
        metadata["video"]["media_type"]
    );
    assert_eq!(
        embedded[0]["resource"]["uri"],
        format!("{}{path}", server.base)
    );
    assert_eq!(decoded(&embedded[0]["resource"]["blob"]), served);
    let links = blocks(&result, "resource_link");
    assert_eq!(links.len(), 1);
    assert_eq!(links[0]["uri"], format!("{}{path}", server.base));
    assert_eq!(links[0]["size"], served.len());

    let images = blocks(&result, "image");
    let shown = metadata["stills"]["at_ms"].as_array().expect("moments");
    assert!(metadata["stills"].get("more_at_ms").is_none());
    assert!(!shown.is_empty());
    assert_eq!(images.len(), shown.len());
    let stills = metadata["stills"]["stills_url"].as_str().expect("a URL");
    for (image, at_ms) in images.iter().zip(shown) {
        assert_eq!(image["mimeType"], "image/jpeg");
        let url = stills.replace("{at_ms}", &at_ms.to_string());
        let path = url
            .strip_prefix(&server.base)
            .expect("a URL of this server");
        let jpeg = human
            .send_authorized(Method::GET, path)
            .await
            .bytes()
            .await
            .expect("bytes");
        assert_eq!(decoded(&image["data"]), jpeg);
    }

    call_expecting_success(&server, "delete_video_request", &credentials(&created)).await;
    let gone = human.send_authorized(Method::GET, &path).await;
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
    server.wait_for_objects(0).await;
}

async fn delivery_as_link_omits_the_video(server: Server) {
    let created = create_request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    let arguments = with_argument(credentials(&created), "delivery", "link");
    let result = get_evidence(&server, &arguments).await;
    let metadata = success_json(&result);
    assert_eq!(metadata["delivered"]["as"], "link");
    let delivery_option = metadata["delivered"]["how_to_fetch"]
        .as_str()
        .expect("a text");
    assert!(
        delivery_option.starts_with("curl --fail -H \"Authorization: Bearer"),
        "{delivery_option}"
    );
    assert!(blocks(&result, "resource").is_empty());
    assert_eq!(blocks(&result, "resource_link").len(), 1);
    assert!(!blocks(&result, "image").is_empty());
    assert!(result.to_string().len() < 150_000);
}

/// Their clients refuse the whole result because of one block that they don't know.
async fn revisions_without_resource_links_get_none(server: Server) {
    let created = create_request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    get_evidence(&server, &credentials(&created)).await;
    let message = tool_call_message("get_video_evidence", &credentials(&created));
    for (revision, links) in [
        (None, 0),
        (Some("2025-03-26"), 0),
        (Some("2025-06-18"), 1),
        (Some("2025-11-25"), 1),
    ] {
        let mut call = post_message(&server, &message);
        if let Some(revision) = revision {
            call = call.header("mcp-protocol-version", revision);
        }
        let answer: Value = send(call).await.json().await.expect("JSON");
        let result = &answer["result"];
        assert_eq!(blocks(result, "resource_link").len(), links, "{revision:?}");
        assert!(!blocks(result, "image").is_empty());
        let how = &success_json(result)["delivered"]["how_to_fetch"];
        assert!(how.is_string(), "{how}");
    }
}

async fn a_video_too_large_to_inline_is_delivered_as_link_with_the_reason(server: Server) {
    let created = create_request(&server).await;
    let human = creator(&server, &created);
    human.submit_video(&clip(6 << 20)).await;
    for delivery in ["auto", "inline"] {
        let arguments = with_argument(credentials(&created), "delivery", delivery);
        let result = get_evidence(&server, &arguments).await;
        let delivered = &success_json(&result)["delivered"];
        assert_eq!(delivered["as"], "link", "{delivery}");
        let reason = delivered["reason"].as_str().expect("a reason");
        assert!(reason.contains("5242880"), "{reason}");
        assert!(blocks(&result, "resource").is_empty());
        assert_eq!(blocks(&result, "resource_link").len(), 1);
    }
}

/// The client's name in either protocol revision.
async fn clients_known_to_drop_videos_get_a_link_by_default(server: Server) {
    let created = create_request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    get_evidence(&server, &credentials(&created)).await;
    let codex = json!({"name": "codex-mcp-client", "version": "0"});

    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": codex});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello});
    let answer = send(post_message(&server, &hello)).await;
    let session = answer.headers()["mcp-session-id"].clone();
    for (delivery, want) in [("auto", "link"), ("inline", "inline")] {
        let get = with_argument(credentials(&created), "delivery", delivery);
        let get = tool_call_message("get_video_evidence", &get);
        let call = post_message(&server, &get).header("mcp-session-id", &session);
        let answer: Value = send(call).await.json().await.expect("JSON");
        let result = &answer["result"];
        assert_eq!(success_json(result)["delivered"]["as"], want);
        assert!(!blocks(result, "image").is_empty());
        assert_eq!(blocks(result, "resource").is_empty(), want == "link");
    }

    let mut get = tool_call_message("get_video_evidence", &credentials(&created));
    get["params"]["_meta"] = json!({
        "io.modelcontextprotocol/clientInfo": codex,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    });
    let call = post_message(&server, &get)
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "get_video_evidence");
    let answer: Value = send(call).await.json().await.expect("JSON");
    assert_eq!(success_json(&answer["result"])["delivered"]["as"], "link");
}

async fn obvious_argument_mistakes_are_accepted(server: Server) {
    let created = create_request(&server).await;
    let token = created["access_token"].as_str().expect("a token");
    let id = created["request_id"].as_str().expect("an id");
    let link = created["submission_url"].as_str().expect("a URL");
    for request_id in [
        link.to_owned(),
        format!("{link}/?lang=de#top"),
        format!("/r/{id}"),
        format!("{}/v1/requests/{id}", server.base),
        format!(" {id}\n"),
    ] {
        let mistyped = json!({
            "request_id": request_id,
            "access_token": format!("Bearer  {token} "),
            "wait_seconds": "0",
        });
        let metadata = call_expecting_success(&server, "get_video_evidence", &mistyped).await;
        assert_eq!(
            metadata["request_id"], created["request_id"],
            "{request_id}"
        );
    }
}

async fn an_expired_request_has_no_video(server: Server) {
    let created = create_request(&server).await;
    creator(&server, &created).submit_video(CLIP).await;
    server.advance_clock(HOUR);
    let metadata =
        call_expecting_success(&server, "get_video_evidence", &credentials(&created)).await;
    assert_eq!(metadata["status"], "expired");
    assert!(metadata.get("video").is_none(), "{metadata}");
}

async fn a_repeated_deletion_succeeds_for_the_owner_only(server: Server) {
    let (created, other) = (create_request(&server).await, create_request(&server).await);
    let foreign = with_argument(
        credentials(&created),
        "access_token",
        other["access_token"].clone(),
    );
    for _ in 0..2 {
        let deleted =
            call_expecting_success(&server, "delete_video_request", &credentials(&created)).await;
        assert_eq!(deleted["deleted"], true);
        let error =
            call_expecting_error(&server, "get_video_evidence", &credentials(&created)).await;
        assert_eq!(error["error"]["code"], "not_found");
        let error = call_expecting_error(&server, "delete_video_request", &foreign).await;
        assert_eq!(error["error"]["code"], "not_found");
    }
    let unknown = with_argument(credentials(&other), "request_id", "0000000000000000000000");
    let error = call_expecting_error(&server, "delete_video_request", &unknown).await;
    assert_eq!(error["error"]["code"], "not_found");
    assert_eq!(
        creator(&server, &other).status().await["status"],
        "awaiting_submission"
    );
    // A deleted request's token doesn't confirm the deletion of another request either.
    call_expecting_success(&server, "delete_video_request", &credentials(&other)).await;
    let error = call_expecting_error(&server, "delete_video_request", &foreign).await;
    assert_eq!(error["error"]["code"], "not_found");
}

async fn another_requests_token_is_forbidden(server: Server) {
    let (created, other) = (create_request(&server).await, create_request(&server).await);
    creator(&server, &created).submit_video(CLIP).await;
    let foreign = with_argument(
        credentials(&created),
        "access_token",
        other["access_token"].clone(),
    );
    let unknown_token = with_argument(credentials(&created), "access_token", "vidence_unknown");
    let none = with_argument(credentials(&created), "access_token", "");
    for tool in ["get_video_evidence", "delete_video_request"] {
        let code = |error: Value| error["error"]["code"].clone();
        assert_eq!(
            code(call_expecting_error(&server, tool, &foreign).await),
            "forbidden"
        );
        assert_eq!(
            code(call_expecting_error(&server, tool, &unknown_token).await),
            "unauthorized"
        );
        assert_eq!(
            code(call_expecting_error(&server, tool, &none).await),
            "unauthorized"
        );
    }
    let status = creator(&server, &created).status().await;
    assert_eq!(status["status"], "submitted");
}
