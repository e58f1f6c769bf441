//! `/mcp`: the same use cases for agents.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::agent::{call, fail, keys, request, succeed, with};
use crate::support::{
    CLIP, Creator, HOUR, LIVE_WEBM, Server, VP9_WEBM, clip, journeys, wait_until,
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
