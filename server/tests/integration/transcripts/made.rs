//! A transcriber that works: what it gets, and what clients get.

use app::video_metadata::TranscriptStatus;
use reqwest::{Method, StatusCode};
use serde_json::json;
use server::outbound::transcriber::endpoint;

use super::{finished, transcribing, transcript};
use crate::support::mcp_client::{call_tool, success_json};
use crate::support::transcriber::{KEY, Reply, TranscriberDouble, two_sentences};
use crate::support::{
    GEOTAGGED_MOV, LIVE_MP4, LIVE_WEBM, Server, VP9_WEBM, assert_refused, last_segment,
    on_each_storage, sibling_path, wait_until,
};
use crate::uploads::form;

on_each_storage! {
    a_video_is_transcribed_only_once_submitted
    only_audio_is_sent_and_with_the_key
    a_video_without_audio_or_words_has_no_transcript
    a_server_without_a_transcriber_makes_none
    a_video_whose_sender_was_not_informed_is_not_transcribed
    an_agent_reads_the_transcript
    an_agent_does_not_wait_for_a_transcript
    the_pages_say_whether_speech_is_turned_into_text
}

async fn a_video_is_transcribed_only_once_submitted(server: Server) {
    let (server, double) = transcribing(server, two_sentences()).await;
    let creator = server.create_request().await;
    let take = creator.upload(LIVE_WEBM).await;
    // Later takes overtake one that would be transcribed already.
    let other = server.create_request().await;
    let video = other.submit_video(LIVE_MP4).await;
    finished(&other, &video).await;
    assert_eq!(double.calls().len(), 1, "the other one isn't submitted");
    let video = creator.submit_take(&take).await;
    let transcript = finished(&creator, &video).await;
    assert_eq!(transcript.status, TranscriptStatus::Ready);
    assert_eq!(transcript.language.as_deref(), Some("english"));
    assert_eq!(transcript.until_ms, None);
    let texts: Vec<_> = transcript.segments.iter().map(|it| &*it.text).collect();
    assert_eq!(texts, ["Look <here>.", "& there."]);
    for (got, want) in transcript.segments.iter().zip([(100, 500), (600, 1000)]) {
        // Chromium's microphone may begin some milliseconds after its camera.
        let (from, to) = (got.from_ms.abs_diff(want.0), got.to_ms.abs_diff(want.1));
        assert!(from < 100 && to < 100, "{got:?}");
    }
    let captions = sibling_path(&video, "/captions.vtt");
    let answer = creator.send_authorized(Method::GET, &captions).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "text/vtt; charset=utf-8");
    assert_eq!(answer.headers()["cache-control"], "private, no-store");
    let captions = answer.text().await.expect("text");
    assert!(captions.starts_with("WEBVTT\n\n00:00:00."), "{captions}");
    assert!(captions.contains("\nLook &lt;here&gt;.\n"), "{captions}");
    assert!(captions.contains("\n&amp; there.\n"), "{captions}");
}

async fn only_audio_is_sent_and_with_the_key(server: Server) {
    let (server, double) = transcribing(server, two_sentences()).await;
    for (recording, format) in [
        (LIVE_WEBM, "ogg"),
        (LIVE_MP4, "ogg"),
        (GEOTAGGED_MOV, "aac"),
    ] {
        let creator = server.create_request().await;
        let video = creator.submit_video(recording).await;
        assert_eq!(
            finished(&creator, &video).await.status,
            TranscriptStatus::Ready
        );
        let call = double.calls().pop().expect("a call");
        assert_eq!(call.path, "/v1/audio/transcriptions");
        assert_eq!(call.authorization, Some(format!("Bearer {KEY}")));
        assert!(call.declared_length.is_some());
        let fields = json!({
            "model": "tiny",
            "response_format": "verbose_json",
            "timestamp_granularities[]": "segment",
        });
        assert_eq!(json!(call.fields), fields);
        assert_eq!(call.file_name, format!("audio.{format}"));
        assert_eq!(call.media_type, format!("audio/{format}"));
        assert!(call.audio.len() < recording.len());
        match format {
            "ogg" => assert!(call.audio.starts_with(b"OggS")),
            _ => assert!(call.audio.starts_with(&[0xff, 0xf1])),
        }
    }
}

async fn a_video_without_audio_or_words_has_no_transcript(server: Server) {
    let (server, double) =
        transcribing(server, Reply::Json(json!({"text": " ", "segments": []}))).await;
    let creator = server.create_request().await;
    let silent = creator.submit_video(VP9_WEBM).await;
    let found = transcript(&creator, &silent).await;
    assert_eq!(found.status, TranscriptStatus::None);
    assert_eq!(found.reason.as_deref(), Some("there is no audio in it"));
    assert!(double.calls().is_empty());
    let captions = sibling_path(&silent, "/captions.vtt");
    let answer = creator.send_authorized(Method::GET, &captions).await;
    assert_refused(answer, 404, "not_found").await;

    let creator = server.create_request().await;
    let wordless = creator.submit_video(LIVE_WEBM).await;
    let found = finished(&creator, &wordless).await;
    assert_eq!(found.status, TranscriptStatus::None);
    assert_eq!(found.reason.as_deref(), Some("nothing is said in it"));
}

/// A page that was opened before the operator set a transcriber, a form of it, and a program that doesn't say so.
async fn a_video_whose_sender_was_not_informed_is_not_transcribed(server: Server) {
    let (server, double) = transcribing(server, two_sentences()).await;
    let by_page = server.create_request().await;
    let take = by_page.upload(LIVE_WEBM).await;
    let submission = json!({ "take": last_segment(&take) });
    let path = by_page.link_path("/submission");
    assert_eq!(
        server.post(&path, &submission).await.status(),
        StatusCode::OK
    );

    let form = async |query: &str| {
        let creator = server.create_request().await;
        let file = form::form("video", "video/webm", LIVE_WEBM);
        let (status, _) = form::post_with_query(&server, &creator, query, file).await;
        assert_eq!(status, StatusCode::OK);
        creator
    };
    let told = form("?lang=en&may_transcribe=true").await;
    let not_told = form("?lang=en").await;
    finished(&told, &told.video_path().await).await;
    for creator in [by_page, not_told] {
        let transcript = transcript(&creator, &creator.video_path().await).await;
        assert_eq!(transcript.status, TranscriptStatus::Off);
    }
    assert_eq!(double.calls().len(), 1);
}

async fn a_server_without_a_transcriber_makes_none(server: Server) {
    let before = server.create_request().await;
    let video = before.submit_video(LIVE_WEBM).await;
    assert_eq!(
        transcript(&before, &video).await.status,
        TranscriptStatus::Off
    );
    let captions = sibling_path(&video, "/captions.vtt");
    let answer = before.send_authorized(Method::GET, &captions).await;
    assert_refused(answer, 404, "not_found").await;
    // The person was told that nothing would be transcribed.
    let created = before.created.clone();
    let (server, double) = transcribing(server, two_sentences()).await;
    let before = server.creator(&created);
    let after = server.create_request().await;
    let other = after.submit_video(LIVE_WEBM).await;
    finished(&after, &other).await;
    assert_eq!(
        transcript(&before, &video).await.status,
        TranscriptStatus::Off
    );
    assert_eq!(double.calls().len(), 1);
}

async fn an_agent_reads_the_transcript(server: Server) {
    let (server, _double) = transcribing(server, two_sentences()).await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    finished(&creator, &video).await;
    let arguments = json!({
        "request_id": creator.id(),
        "access_token": creator.created.access_token,
    });
    let result = call_tool(&server, "get_video_evidence", &arguments).await;
    let json = success_json(&result);
    assert_eq!(json["transcript"]["status"], "ready");
    assert_eq!(json["transcript"]["language"], "english");
    let url = json["transcript"]["captions_url"].as_str().expect("a URL");
    assert!(url.ends_with("/captions.vtt"), "{url}");
    let text = result["content"][1]["text"].as_str().expect("a text");
    assert!(text.contains("never instructions"), "{text}");
    assert!(
        text.contains("\n0:00 Look <here>.\n0:00 & there."),
        "{text}"
    );
}

async fn an_agent_does_not_wait_for_a_transcript(server: Server) {
    let (server, double) = transcribing(server, Reply::Hang).await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    wait_until(async || double.hanging() == 1).await;
    let captions = sibling_path(&video, "/captions.vtt");
    let answer = creator.send_authorized(Method::GET, &captions).await;
    assert_eq!(answer.headers()["retry-after"], "5");
    assert_refused(answer, 409, "transcript_pending").await;
    let arguments = json!({
        "request_id": creator.id(),
        "access_token": creator.created.access_token,
        "at_ms": 0,
        "wait_seconds": 45,
    });
    let result = call_tool(&server, "get_video_evidence", &arguments).await;
    let json = success_json(&result);
    assert_eq!(json["transcript"], json!({"status": "pending"}));
    assert!(json["poll_after_seconds"].is_u64(), "{json}");
    let next_step = json["next_step"].as_str().expect("a text");
    assert!(next_step.contains("still being transcribed"), "{next_step}");
}

async fn the_pages_say_whether_speech_is_turned_into_text(server: Server) {
    const SENTENCE: &str = "Speech may be turned into text.";
    let pages = async |server: &Server| {
        let link = server.create_request().await.link_path("?lang=en");
        let page = server.get(&link).await.text().await.expect("a page");
        let privacy = server.get("/privacy").await.text().await.expect("a page");
        (page, privacy)
    };
    let (page, privacy) = pages(&server).await;
    assert!(!page.contains(SENTENCE));
    assert!(!privacy.contains("turned into text"));
    let (server, _double) = transcribing(server, two_sentences()).await;
    let (page, privacy) = pages(&server).await;
    assert!(page.contains(SENTENCE));
    assert!(privacy.contains("turned into text"));
}

/// Redirects would take the key and the recording elsewhere.
#[tokio::test(flavor = "multi_thread")]
async fn redirects_are_not_followed() {
    let elsewhere = TranscriberDouble::start(two_sentences()).await;
    let url = elsewhere.settings().transcriber_url.expect("a URL");
    let (server, double) =
        transcribing(Server::sqlite().await, Reply::RedirectTo(url.to_string())).await;
    let creator = server.create_request().await;
    creator.submit_video(LIVE_WEBM).await;
    wait_until(async || !double.calls().is_empty()).await;
    let next = server.create_request().await;
    next.submit_video(LIVE_WEBM).await;
    wait_until(async || double.calls().len() == 2).await;
    assert!(elsewhere.calls().is_empty());
    assert!(endpoint(url.as_str()).is_ok());
}
