//! `/mcp`: the same use cases for agents.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::agent::{call, fail, keys, message, request, said, send, succeed, tool_call, with};
use crate::support::{
    CLIP, Creator, HOUR, LIVE_WEBM, Server, VP9_WEBM, clip, journeys, wait_until,
};

journeys! {
    an_agent_gets_what_a_human_submits
    a_link_comes_without_the_video
    what_is_too_large_for_an_answer_is_named_with_the_reason
    who_waits_is_answered_when_a_video_is_submitted
    who_hangs_up_waits_no_more
    an_agent_that_asks_straight_after_submission_gets_pictures
    a_program_that_drops_videos_gets_none_unless_it_asks
    what_is_surely_meant_is_taken
    a_video_without_pictures_says_why
    nothing_is_left_after_its_time
    deleting_again_succeeds_and_only_for_the_owner
    a_token_opens_its_own_request_and_no_other
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
    wait_until(async || said(&get().await)["stills"]["status"] != "pending").await;
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

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|it| format!("{it:02x}")).collect()
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
    let facts = said(&result);
    assert_eq!(facts["status"], "submitted");
    assert_eq!(facts["delivered"]["as"], "inline");
    let served = human.ask(Method::GET, &path).await;
    assert_eq!(
        served.headers()[CONTENT_TYPE],
        facts["video"]["media_type"].as_str().expect("one")
    );
    let served = served.bytes().await.expect("bytes");
    assert_eq!(facts["video"]["sha256"], digest(&served));
    assert_eq!(facts["video"]["received_sha256"], digest(LIVE_WEBM));
    assert_eq!(facts["video"]["bytes"], served.len());

    let embedded = blocks(&result, "resource");
    assert_eq!(embedded.len(), 1);
    assert_eq!(
        embedded[0]["resource"]["mimeType"],
        facts["video"]["media_type"]
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
    let shown = facts["stills"]["at_ms"].as_array().expect("moments");
    assert!(facts["stills"].get("more_at_ms").is_none());
    assert!(!shown.is_empty());
    assert_eq!(images.len(), shown.len());
    let stills = facts["stills"]["stills_url"].as_str().expect("a URL");
    for (image, at_ms) in images.iter().zip(shown) {
        assert_eq!(image["mimeType"], "image/jpeg");
        let url = stills.replace("{at_ms}", &at_ms.to_string());
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

async fn a_link_comes_without_the_video(server: Server) {
    let created = request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    let arguments = with(keys(&created), "delivery", "link");
    let result = evidence(&server, &arguments).await;
    let facts = said(&result);
    assert_eq!(facts["delivered"]["as"], "link");
    let how = facts["delivered"]["how_to_fetch"].as_str().expect("a text");
    assert!(
        how.starts_with("curl --fail -H \"Authorization: Bearer"),
        "{how}"
    );
    assert!(blocks(&result, "resource").is_empty());
    assert_eq!(blocks(&result, "resource_link").len(), 1);
    assert!(!blocks(&result, "image").is_empty());
    assert!(result.to_string().len() < 150_000);
}

async fn what_is_too_large_for_an_answer_is_named_with_the_reason(server: Server) {
    let created = request(&server).await;
    let human = creator(&server, &created);
    human.submit_video(&clip(6 << 20)).await;
    for delivery in ["auto", "inline"] {
        let arguments = with(keys(&created), "delivery", delivery);
        let result = evidence(&server, &arguments).await;
        let delivered = &said(&result)["delivered"];
        assert_eq!(delivered["as"], "link", "{delivery}");
        let why = delivered["reason"].as_str().expect("a reason");
        assert!(why.contains("5242880"), "{why}");
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
        wait_until(async || server.app.coordination.changes.waiting() == 1).await;
        human.submit_video(LIVE_WEBM).await
    };
    let waited = tokio::time::timeout(Duration::from_secs(30), join(waiting, submitting));
    let (result, _) = waited.await.expect("at once");
    assert_eq!(said(&result)["status"], "submitted");
    assert_eq!(blocks(&result, "resource").len(), 1);
}

async fn who_hangs_up_waits_no_more(server: Server) {
    let created = request(&server).await;
    let arguments = with(keys(&created), "wait_seconds", 45);
    let waiting = call(&server, "get_video_evidence", &arguments);
    tokio::select! {
        early = waiting => panic!("answered too early: {early}"),
        () = wait_until(async || server.app.coordination.changes.waiting() == 1) => {}
    }
    wait_until(async || server.app.coordination.changes.waiting() == 0).await;
}

async fn a_video_without_pictures_says_why(server: Server) {
    let created = request(&server).await;
    creator(&server, &created).submit_video(VP9_WEBM).await;
    let result = evidence(&server, &keys(&created)).await;
    let facts = said(&result);
    let pictures = &facts["stills"];
    assert_eq!(pictures["state"], "none");
    assert!(
        pictures["reason"]
            .as_str()
            .is_some_and(|it| it.contains("VP9"))
    );
    assert!(blocks(&result, "image").is_empty());
    assert_eq!(blocks(&result, "resource").len(), 1);
    let next = facts["next_step"].as_str().expect("a text");
    assert!(next.contains("no pictures"), "{next}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_spends_the_rest_of_the_wait_on_pictures_and_no_more() {
    let server = Server::without_decoders().await;
    let created = request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    for (wait, least) in [(0, 700), (2, 2000)] {
        let arguments = with(keys(&created), "wait_seconds", wait);
        let began = Instant::now();
        let get = succeed(&server, "get_video_evidence", &arguments);
        let facts = tokio::time::timeout(Duration::from_secs(10), get).await;
        let facts = facts.expect("when the wait is over");
        assert!(began.elapsed() >= Duration::from_millis(least));
        assert_eq!(facts["stills"]["status"], "pending");
        assert_eq!(facts["poll_after_seconds"], 2);
        let next = facts["next_step"].as_str().expect("a text");
        assert!(next.contains("call again"), "{next}");
    }
}

async fn an_agent_that_asks_straight_after_submission_gets_pictures(server: Server) {
    let created = request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    let arguments = with(keys(&created), "wait_seconds", 45);
    let result = call(&server, "get_video_evidence", &arguments).await;
    assert_eq!(said(&result)["stills"]["status"], "ready");
    assert!(!blocks(&result, "image").is_empty());
}

/// With what programs say of themselves in either revision.
async fn a_program_that_drops_videos_gets_none_unless_it_asks(server: Server) {
    let created = request(&server).await;
    creator(&server, &created).submit_video(LIVE_WEBM).await;
    evidence(&server, &keys(&created)).await;
    let codex = json!({"name": "codex-mcp-client", "version": "0"});

    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": codex});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello});
    let answer = send(message(&server, &hello)).await;
    let session = answer.headers()["mcp-session-id"].clone();
    for (delivery, want) in [("auto", "link"), ("inline", "inline")] {
        let get = with(keys(&created), "delivery", delivery);
        let get = tool_call("get_video_evidence", &get);
        let asked = message(&server, &get).header("mcp-session-id", &session);
        let answer: Value = send(asked).await.json().await.expect("JSON");
        let result = &answer["result"];
        assert_eq!(said(result)["delivered"]["as"], want);
        assert!(!blocks(result, "image").is_empty());
        assert_eq!(blocks(result, "resource").is_empty(), want == "link");
    }

    let mut get = tool_call("get_video_evidence", &keys(&created));
    get["params"]["_meta"] = json!({
        "io.modelcontextprotocol/clientInfo": codex,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    });
    let asked = message(&server, &get)
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "get_video_evidence");
    let answer: Value = send(asked).await.json().await.expect("JSON");
    assert_eq!(said(&answer["result"])["delivered"]["as"], "link");
}

async fn what_is_surely_meant_is_taken(server: Server) {
    let created = request(&server).await;
    let token = created["access_token"].as_str().expect("a token");
    let mistyped = json!({
        "request_id": created["submission_url"],
        "access_token": format!("Bearer {token}"),
        "wait_seconds": "0",
    });
    let facts = succeed(&server, "get_video_evidence", &mistyped).await;
    assert_eq!(facts["request_id"], created["request_id"]);
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
    // Nor does what is deleted vouch for what is deleted as well.
    succeed(&server, "delete_video_request", &keys(&other)).await;
    let said = fail(&server, "delete_video_request", &strange).await;
    assert_eq!(said["error"]["code"], "not_found");
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
