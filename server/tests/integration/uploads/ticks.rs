//! Lines of the prompt that the sender ticked.

use app::format::duration;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::mcp_client::{call_tool, success_json};
use crate::support::{
    Creator, FIVE_SCENES_MP4, LIVE_WEBM, Server, assert_refused, last_segment, on_each_storage,
    wait_until,
};

on_each_storage! {
    the_agent_sees_which_lines_were_ticked_when
    an_agent_sees_the_ticked_moments_first
    a_submission_with_impossible_ticks_changes_nothing
}

async fn ask_for_two(server: &Server) -> Creator<'_> {
    server
        .create_request_with_prompt("Show the dent.\n\nThen the number plate.")
        .await
}

async fn submit(creator: &Creator<'_>, take: &str, ticks: Value) -> reqwest::Response {
    let submission = json!({ "take": last_segment(take), "ticks": ticks });
    creator
        .server
        .post(&creator.link_path("/submission"), &submission)
        .await
}

async fn the_agent_sees_which_lines_were_ticked_when(server: Server) {
    let creator = ask_for_two(&server).await;
    let take = creator.upload(LIVE_WEBM).await;
    let ticks = json!([{"line": 1, "at_ms": 999_999}, {"line": 2, "at_ms": 700}]);
    assert_eq!(
        submit(&creator, &take, ticks).await.status(),
        StatusCode::OK
    );
    let video = creator.video_path().await;
    let path = format!("/videos/{}/metadata", last_segment(&video));
    let metadata = creator.send_authorized(Method::GET, &path).await;
    let metadata: Value = metadata.json().await.expect("metadata");
    let end = &metadata["properties"]["duration_ms"];
    let at_end = duration(end.as_f64().expect("a number"));
    let want = json!([
        {"line": 2, "text": "Then the number plate.", "at_ms": 700},
        {"line": 1, "text": "Show the dent.", "at_ms": end},
    ]);
    assert_eq!(
        metadata["ticks"], want,
        "in order of time, none behind the end"
    );

    let arguments = json!({
        "request_id": creator.id(), "access_token": creator.created.access_token,
    });
    let result = call_tool(&server, "get_video_evidence", &arguments).await;
    let told = json!([
        {"line": 2, "at_ms": 700, "ticked": "2. Then the number plate: ticked at 0:00"},
        {"line": 1, "at_ms": end, "ticked": format!("1. Show the dent: ticked at {at_end}")},
    ]);
    assert_eq!(success_json(&result)["ticks"], told);
}

/// Each ticked moment has a picture within 0.6 s in the overview, though a still looks the same.
async fn an_agent_sees_the_ticked_moments_first(server: Server) {
    let creator = ask_for_two(&server).await;
    let take = creator.upload(FIVE_SCENES_MP4).await;
    let ticks = json!([{"line": 1, "at_ms": 8100}, {"line": 2, "at_ms": 26_900}]);
    assert_eq!(
        submit(&creator, &take, ticks).await.status(),
        StatusCode::OK
    );
    let arguments = json!({
        "request_id": creator.id(), "access_token": creator.created.access_token, "wait_seconds": 20,
    });
    wait_until(async || {
        let result = call_tool(&server, "get_video_evidence", &arguments).await;
        let shown = success_json(&result)["stills"]["at_ms"].clone();
        let shown: Vec<u64> = serde_json::from_value(shown).expect("moments");
        assert!(shown.len() <= 6 && shown.is_sorted(), "{shown:?}");
        let is_near = |tick: u64| shown.iter().any(|at| at.abs_diff(tick) <= 600);
        is_near(8100) && is_near(26_900)
    })
    .await;
}

async fn a_submission_with_impossible_ticks_changes_nothing(server: Server) {
    let creator = ask_for_two(&server).await;
    let take = creator.upload(LIVE_WEBM).await;
    for bad in [
        json!([{"line": 0, "at_ms": 1}]),
        json!([{"line": 3, "at_ms": 1}]),
        json!([{"line": 1, "at_ms": 1}, {"line": 1, "at_ms": 2}]),
        json!([{"line": 1, "at_ms": -1}]),
        json!([{"line": 1}]),
        json!({"line": 1, "at_ms": 1}),
    ] {
        assert_refused(submit(&creator, &take, bad).await, 400, "bad_request").await;
    }
    assert_eq!(creator.status().await["status"], "awaiting_submission");
    assert_eq!(
        submit(&creator, &take, json!([])).await.status(),
        StatusCode::OK
    );
    let metadata = format!(
        "/videos/{}/metadata",
        last_segment(&creator.video_path().await)
    );
    let metadata = creator.send_authorized(Method::GET, &metadata).await;
    let metadata: Value = metadata.json().await.expect("metadata");
    assert!(metadata.get("ticks").is_none(), "{metadata}");
}
