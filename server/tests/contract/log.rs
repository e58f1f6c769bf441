//! What the shipped binary writes down while it works.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::callers::client;
use crate::clips::LIVE_WEBM;
use crate::shipped::Shipped;

#[tokio::test(flavor = "multi_thread")]
async fn no_token_and_no_recording_is_in_the_log_at_any_level() {
    let shipped = Shipped::logging("trace").await;
    let mcp = format!("{}/mcp", shipped.url());
    let call = async |tool: &str, arguments: &Value| -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let answer = client().post(&mcp).json(&call).send().await;
        answer.expect("an answer").json().await.expect("JSON")
    };

    // Over REST, then by all tools; and by one that isn't there, with what can't be understood.
    let submitted = shipped.submitted().await;
    let keys = json!({
        "request_id": submitted.created.id,
        "access_token": submitted.created.access_token,
    });
    let got = call("get_video_evidence", &keys).await;
    let wish = json!({"prompt": "Show the dent.", "expires_in_hours": 1});
    let created = call("request_video_evidence", &wish).await;
    let token = &created["result"]["structuredContent"]["access_token"];
    call("get_video", &keys).await;
    let mut strange = keys.clone();
    strange["wait_seconds"] = json!({"access_token": token});
    call("get_video_evidence", &strange).await;
    let broken = format!("{{\"access_token\": {token}");
    let answer = client()
        .post(&mcp)
        .header("content-type", "application/json");
    answer.body(broken).send().await.expect("an answer");
    call("delete_video_request", &keys).await;

    let log = shipped.log();
    // The lowest level that anything but rmcp has something to say at.
    assert!(log.contains("DEBUG"), "it logs");
    let blocks = got["result"]["content"].as_array().expect("blocks");
    let embedded = blocks.iter().find(|it| it["type"] == "resource");
    let blob = embedded.expect("a video")["resource"]["blob"].as_str();
    let blob = blob.expect("base64");
    // Wherever the recording stands in something larger, one of three begins where a group of three does.
    let recording = [300, 301, 302].map(|at| STANDARD.encode(&LIVE_WEBM[at..at + 90]));
    assert!(
        recording.iter().any(|it| blob.contains(it)),
        "it is in the answer"
    );
    let secrets = [
        ("the first token", submitted.created.access_token.as_str()),
        ("the second token", token.as_str().expect("a token")),
        ("the answer's video", &blob[..100]),
    ];
    let recording = recording.iter().map(|it| ("the recording", it.as_str()));
    for (what, secret) in secrets.into_iter().chain(recording) {
        assert!(!log.contains(secret), "{what} is in the log");
    }
}
