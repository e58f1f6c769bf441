//! A transcriber that is away, hangs, fails or lies: nothing else is held up, and no harm is done.

use std::time::Duration;

use app::video_metadata::TranscriptStatus;
use reqwest::{Method, StatusCode};
use serde_json::json;
use server::db::Queue;

use super::{finished, transcribing, transcript};
use crate::support::transcriber::{Reply, TranscriberDouble, two_sentences};
use crate::support::{HOUR, LIVE_WEBM, Server, on_each_storage, sibling_path, wait_until};

on_each_storage! {
    impossible_transcriber_answers_are_corrected
    failed_transcriptions_are_retried
    transcription_is_given_up_after_repeated_failures
    an_unreachable_transcriber_is_retried_for_half_an_hour
    a_hanging_transcriber_delays_no_submission
    a_restart_during_a_call_asks_again
    nothing_is_transcribed_after_expiry
}

/// Longer than the delay between two tries, and than the rest after a failure.
const DELAY: i64 = 60_000;

/// Duration of a lease in milliseconds.
const LEASE: i64 = 15_000;

/// The number of jobs that wait or run.
async fn backlog(server: &Server) -> i64 {
    let queues = server.app.db.backlogs().await.expect("rows");
    let transcripts = queues.iter().find(|it| it.queue == Queue::Transcripts);
    transcripts.map_or(0, |it| it.count)
}

/// Lets the delay pass, and wakes the queue by another submission, which has no audio.
async fn pass(server: &Server) {
    server.advance_clock(DELAY);
    let other = server.create_request().await;
    other.submit_video(crate::support::VP9_WEBM).await;
}

/// Whether a job waits that may be leased in so many milliseconds.
async fn is_free_in(server: &Server, millis: i64) -> bool {
    let then = server.app.clock.now() + millis;
    let creators = server.app.db.queue_creators(Queue::Transcripts, then, 10);
    !creators.await.expect("rows").is_empty()
}

/// Waits until the transcriber got so many calls, and the last one has failed.
async fn failed_calls(server: &Server, double: &TranscriberDouble, count: usize) {
    wait_until(async || double.calls().len() == count && is_put_off(server).await).await;
}

/// Whether a job has failed: one that runs has a shorter lease than the delay of one that has failed.
async fn is_put_off(server: &Server) -> bool {
    !is_free_in(server, LEASE).await && is_free_in(server, DELAY).await
}

/// Whether the transcriber is left alone for a while.
fn is_cooling_down(server: &Server) -> bool {
    let transcriber = server.app.transcriber.as_ref().expect("one");
    transcriber.is_cooling_down(server.app.clock.monotonic())
}

async fn impossible_transcriber_answers_are_corrected(server: Server) {
    let megabytes = "word ".repeat(700_000);
    let (server, double) = transcribing(server, two_sentences()).await;
    for (reply, status) in [
        (
            json!({"language": "</b>", "segments": [
                {"start": 1e300, "end": -5.0, "text": "a\n\nb --> c\u{0}"},
                {"start": -1, "end": 0.3, "text": "first"},
            ]}),
            TranscriptStatus::Ready,
        ),
        (json!({ "text": megabytes }), TranscriptStatus::Ready),
        (
            json!({"segments": vec![json!({"start": 0, "end": 0, "text": "a"}); 20_000]}),
            TranscriptStatus::Ready,
        ),
    ] {
        double.reply_with(Reply::Json(reply));
        let creator = server.create_request().await;
        let video = creator.submit_video(LIVE_WEBM).await;
        let found = finished(&creator, &video).await;
        assert_eq!(found.status, status);
        assert_eq!(found.language, None);
        assert!(found.segments.is_sorted_by_key(|it| it.from_ms));
        assert!(found.segments.len() <= 5000);
        for segment in &found.segments {
            assert!(segment.from_ms <= segment.to_ms && segment.to_ms <= 2000);
            assert!(segment.text.len() <= 2000 && !segment.text.contains(char::is_control));
        }
        let captions = sibling_path(&video, "/captions.vtt");
        let answer = creator.send_authorized(Method::GET, &captions).await;
        let captions = answer.text().await.expect("text");
        assert_eq!(captions.matches("-->").count(), found.segments.len());
    }
}

async fn failed_transcriptions_are_retried(server: Server) {
    let garbage = |body: &[u8]| Reply::Raw(StatusCode::OK, body.to_vec());
    let failed = |status| Reply::Raw(status, b"speech".to_vec());
    let (server, double) = transcribing(server, garbage(b"<html>")).await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    for (calls, reply) in [
        (1, garbage(&[b'"'; 5 << 20])),
        (2, failed(StatusCode::INTERNAL_SERVER_ERROR)),
        (3, failed(StatusCode::TOO_MANY_REQUESTS)),
        (4, two_sentences()),
    ] {
        failed_calls(&server, &double, calls).await;
        let found = transcript(&creator, &video).await;
        assert_eq!(found.status, TranscriptStatus::Pending);
        double.reply_with(reply);
        pass(&server).await;
    }
    let found = finished(&creator, &video).await;
    assert_eq!(found.status, TranscriptStatus::Ready);
    assert_eq!(double.calls().len(), 5);
}

async fn transcription_is_given_up_after_repeated_failures(server: Server) {
    let refusal = Reply::Raw(StatusCode::BAD_REQUEST, Vec::new());
    let (server, double) = transcribing(server, refusal).await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    for calls in 1..=5 {
        failed_calls(&server, &double, calls).await;
        pass(&server).await;
    }
    let found = finished(&creator, &video).await;
    assert_eq!(found.status, TranscriptStatus::Failed);
    let reason = found.reason.expect("a reason");
    assert_eq!(reason, "transcribing it failed too often");
    assert_eq!((double.calls().len(), backlog(&server).await), (5, 0));
}

async fn an_unreachable_transcriber_is_retried_for_half_an_hour(server: Server) {
    let double = TranscriberDouble::start(two_sentences()).await;
    let away = double.settings();
    drop(double);
    let server = server.with_transcripts(away).await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    // More often than what counts as a try.
    for _ in 0..7 {
        wait_until(async || is_cooling_down(&server) && is_put_off(&server).await).await;
        let found = transcript(&creator, &video).await;
        assert_eq!(found.status, TranscriptStatus::Pending);
        pass(&server).await;
    }
    server.advance_clock(HOUR / 2 - 7 * DELAY);
    let created = creator.created.clone();
    pass(&server).await;
    let creator = server.creator(&created);
    let found = finished(&creator, &video).await;
    assert_eq!(found.status, TranscriptStatus::Failed);
    let reason = found.reason.expect("a reason");
    assert_eq!(reason, "the transcriber was away for too long");
}

async fn a_hanging_transcriber_delays_no_submission(server: Server) {
    let (server, double) = transcribing(server, Reply::Hang).await;
    let server = server
        .with_transcriber_timeout(Duration::from_millis(1))
        .await;
    let creator = server.create_request().await;
    // Its audio of a second and a half gives the call three seconds.
    let video = creator.submit_video(LIVE_WEBM).await;
    wait_until(async || double.hanging() == 1).await;
    let other = server.create_request().await;
    other.submit_video(LIVE_WEBM).await;
    let video_answer = creator.send_authorized(Method::GET, &video).await;
    assert_eq!(video_answer.status(), StatusCode::OK);
    wait_until(async || double.hanging() == 0).await;
    let found = transcript(&creator, &video).await;
    assert_eq!(found.status, TranscriptStatus::Pending);
    double.reply_with(two_sentences());
    wait_until(async || is_cooling_down(&server) && is_put_off(&server).await).await;
    pass(&server).await;
    assert_eq!(
        finished(&creator, &video).await.status,
        TranscriptStatus::Ready
    );
}

async fn a_restart_during_a_call_asks_again(server: Server) {
    let (server, double) = transcribing(server, Reply::Hang).await;
    let creator = server.create_request().await;
    let created = creator.created.clone();
    let video = creator.submit_video(LIVE_WEBM).await;
    wait_until(async || double.hanging() == 1).await;
    double.reply_with(two_sentences());
    // The clock stands still, so the lease was released and hasn't expired.
    let server = server.restart().await;
    let creator = server.creator(&created);
    let found = finished(&creator, &video).await;
    assert_eq!(found.status, TranscriptStatus::Ready);
    assert_eq!((double.hanging(), double.calls().len()), (0, 2));
}

/// Bytes of an expired request may lie there for a minute.
async fn nothing_is_transcribed_after_expiry(server: Server) {
    let busy = Reply::Raw(StatusCode::SERVICE_UNAVAILABLE, Vec::new());
    let (server, double) = transcribing(server, busy).await;
    let creator = server.create_request().await;
    creator.submit_video(LIVE_WEBM).await;
    failed_calls(&server, &double, 1).await;
    server.advance_clock(HOUR);
    double.reply_with(two_sentences());
    for calls in 2..=3 {
        let other = server.create_request().await;
        let video = other.submit_video(LIVE_WEBM).await;
        let found = finished(&other, &video).await;
        assert_eq!(found.status, TranscriptStatus::Ready);
        // The job of the expired request has its turn before the next one, or a sweep was faster.
        wait_until(async || !is_free_in(&server, 0).await).await;
        assert_eq!(double.calls().len(), calls);
    }
}
