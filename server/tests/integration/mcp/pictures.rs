//! The MCP endpoint: which pictures agents get.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::tools::{blocks, creator, decoded, get_evidence};
use crate::support::mcp_client::{
    call_expecting_error, call_tool, create_request, credentials, post_message, send, success_json,
    tool_call_message, with_argument,
};
use crate::support::{FIVE_SCENES_MP4, Server, VP9_WEBM, jpeg_size, on_each_storage};

on_each_storage! {
    an_agent_gets_a_contact_sheet_where_it_shows_more_than_the_stills
    an_agent_sees_the_moments_that_it_asks_for
    fallback_to_stored_stills_is_reported
    a_moment_that_nothing_decodes_is_refused
}

/// The sheet costs a model as much as one or two stills, and so there are fewer of these.
async fn an_agent_gets_a_contact_sheet_where_it_shows_more_than_the_stills(server: Server) {
    let created = create_request(&server).await;
    let human = creator(&server, &created);
    human.submit_video(FIVE_SCENES_MP4).await;
    let result = get_evidence(&server, &credentials(&created)).await;
    let answer = success_json(&result);
    let sheet = &answer["contact_sheet"];
    assert_eq!(
        (&sheet["moments"], &sheet["is_first_image"]),
        (&json!(30), &json!(true))
    );
    let path = sheet["url"]
        .as_str()
        .and_then(|it| it.strip_prefix(&server.base));
    let fetched = human
        .send_authorized(Method::GET, path.expect("a URL of this server"))
        .await;
    let images = blocks(&result, "image");
    assert_eq!(
        decoded(&images[0]["data"]),
        fetched.bytes().await.expect("bytes")
    );
    let shown = answer["stills"]["at_ms"].as_array().expect("moments");
    assert_eq!(images.len(), 1 + shown.len());
    assert!((1..=6).contains(&shown.len()), "{shown:?}");
}

async fn an_agent_sees_the_moments_that_it_asks_for(server: Server) {
    let created = create_request(&server).await;
    let path = creator(&server, &created)
        .submit_video(FIVE_SCENES_MP4)
        .await;
    let ask = async |moments: Value| {
        let mut arguments = credentials(&created);
        let given = arguments.as_object_mut().expect("an object");
        given.extend(moments.as_object().expect("an object").clone());
        call_tool(&server, "get_video_evidence", &arguments).await
    };
    let overview = get_evidence(&server, &credentials(&created)).await;
    let video = success_json(&overview)["video"].clone();
    let largest = |result: &Value| {
        let images = blocks(result, "image").into_iter();
        let sides = images.map(|it| {
            let (width, height) = jpeg_size(&decoded(&it["data"]));
            width.max(height)
        });
        sides.max().expect("an image")
    };

    let full = ask(json!({"at_ms": 400, "full_resolution": true})).await;
    let side = video["width"].as_u64().max(video["height"].as_u64());
    assert_eq!(Some(u64::from(largest(&full))), side);
    assert!(side > Some(768), "larger than a still");
    let facts = success_json(&full);
    assert_eq!(
        facts["stills"]["sizes"],
        json!([{"width": video["width"], "height": video["height"]}])
    );
    assert!(facts["stills"].get("instead").is_none());
    // It isn't among the stored ones, but its URL leads to it.
    let url = facts["stills"]["stills_url"].as_str().expect("a URL");
    let url = url.replace("{at_ms}", &facts["stills"]["at_ms"][0].to_string());
    let still = url
        .strip_prefix(&server.base)
        .expect("a URL of this server");
    let human = creator(&server, &created);
    let still = human.send_authorized(Method::GET, still).await;
    assert_eq!(still.status(), StatusCode::OK, "{url}");
    // The same picture in a short answer, of which there is room for a simple one.
    let short = ask(json!({"at_ms": 400, "full_resolution": true, "delivery": "link"})).await;
    assert_eq!(Some(u64::from(largest(&short))), side);
    let claude = full_picture_for(&server, &created, "claude-ai").await;
    assert_eq!(Some(u64::from(largest(&claude))), side);
    assert!(claude.to_string().len() < 150_000);
    assert_eq!(
        success_json(&claude)["stills"]["sizes"],
        facts["stills"]["sizes"]
    );
    assert_eq!(blocks(&full, "image").len(), 1);
    assert_eq!(facts["stills"]["at_ms"].as_array().map(Vec::len), Some(1));
    assert_eq!(facts["delivered"]["as"], "link", "the video came before");
    assert!(blocks(&full, "resource").is_empty());
    assert_eq!(
        blocks(&full, "resource_link")[0]["uri"],
        format!("{}{path}", server.base)
    );

    let span = ask(json!({"from_ms": 0, "to_ms": 60_000})).await;
    let times = success_json(&span)["stills"]["at_ms"].clone();
    let times: Vec<u64> = serde_json::from_value(times).expect("moments");
    assert_eq!(blocks(&span, "image").len(), times.len());
    assert!((1..=8).contains(&times.len()) && times.is_sorted() && times[0] == 0);
    assert!(largest(&span) <= 768);

    for given in [json!({"at_ms": -1}), json!({"full_resolution": true})] {
        let mut arguments = credentials(&created);
        let all = arguments.as_object_mut().expect("an object");
        all.extend(given.as_object().expect("an object").clone());
        let error = call_expecting_error(&server, "get_video_evidence", &arguments).await;
        assert_eq!(error["error"]["code"], "bad_request");
    }
}

/// The answer to a program of this name that asks for a picture in full resolution.
async fn full_picture_for(server: &Server, created: &Value, client: &str) -> Value {
    let client = json!({"name": client, "version": "0"});
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello});
    let answer = send(post_message(server, &hello)).await;
    // Only programs that need another answer than others have one.
    let session = answer.headers().get("mcp-session-id").cloned();
    let get = with_argument(credentials(created), "at_ms", 400);
    let get = with_argument(get, "full_resolution", true);
    let get = tool_call_message("get_video_evidence", &get);
    let mut call = post_message(server, &get);
    if let Some(session) = session {
        call = call.header("mcp-session-id", session);
    }
    let answer: Value = send(call).await.json().await.expect("JSON");
    answer["result"].clone()
}

/// As of a video that was sealed before a release knew where its keyframes are.
async fn fallback_to_stored_stills_is_reported(server: Server) {
    let created = create_request(&server).await;
    let path = creator(&server, &created)
        .submit_video(FIVE_SCENES_MP4)
        .await;
    get_evidence(&server, &credentials(&created)).await;
    let bytes = match server.database_url() {
        Some(_) => "BYTEA",
        None => "BLOB",
    };
    let forget = format!("UPDATE sealings SET moments = CAST('{{}}' AS {bytes})");
    server.execute_sql(&forget).await;

    let full = full_picture_for(&server, &created, "tests").await;
    let stills = success_json(&full)["stills"].clone();
    assert_eq!(stills["at_ms"], json!([0]));
    let size = &stills["sizes"][0];
    let side = size["width"].as_u64().max(size["height"].as_u64());
    assert!(side.is_some_and(|side| side <= 768), "{stills}");
    let why = stills["instead"].as_str().expect("a sentence");
    assert!(why.contains("768 pixels"), "{why}");
    let still = creator(&server, &created)
        .send_authorized(
            Method::GET,
            &format!("{}/stills/0", path.replacen("/v1", "", 1)),
        )
        .await;
    let image = decoded(&blocks(&full, "image")[0]["data"]);
    assert_eq!(image, still.bytes().await.expect("bytes"));
}

/// Without a decoder: the stills next to the moment, or a reason.
async fn a_moment_that_nothing_decodes_is_refused(server: Server) {
    let created = create_request(&server).await;
    creator(&server, &created).submit_video(VP9_WEBM).await;
    let arguments = with_argument(credentials(&created), "at_ms", 0);
    let error = call_expecting_error(&server, "get_video_evidence", &arguments).await;
    assert_eq!(error["error"]["code"], "not_found");
    let why = error["error"]["message"].as_str().expect("a text");
    assert!(why.contains("no decoder for VP9"), "{why}");
    let next = error["next_step"].as_str().expect("a text");
    assert!(next.contains("The video is there"), "{next}");
}
