//! A transcript goes with its video, and only who may watch may read it.

use reqwest::{Method, StatusCode};
use server::service::workers::sweeper::sweep;

use super::{finished, transcribing};
use crate::support::transcriber::{Reply, two_sentences};
use crate::support::{
    HOUR, LIVE_WEBM, Server, assert_refused, on_each_storage, sibling_path, take_id, wait_until,
};

on_each_storage! {
    a_deletion_takes_the_transcript_with_it
    an_expiry_takes_the_transcript_with_it
    a_deletion_during_a_call_leaves_nothing
    captions_need_the_creators_token
}

async fn a_deletion_takes_the_transcript_with_it(server: Server) {
    let (server, _double) = transcribing(server, two_sentences()).await;
    let creator = server.create_request().await;
    let take = creator.upload(LIVE_WEBM).await;
    let video = creator.submit_take(&take).await;
    finished(&creator, &video).await;
    let row = async || server.app.db.transcript_get(&take_id(&take)).await;
    assert!(row().await.expect("rows").is_some());
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    assert!(row().await.expect("rows").is_none());
    let captions = sibling_path(&video, "/captions.vtt");
    let answer = creator.send_authorized(Method::GET, &captions).await;
    assert_refused(answer, 404, "not_found").await;
}

async fn an_expiry_takes_the_transcript_with_it(server: Server) {
    let (server, _double) = transcribing(server, two_sentences()).await;
    let creator = server.create_request().await;
    let take = creator.upload(LIVE_WEBM).await;
    let video = creator.submit_take(&take).await;
    finished(&creator, &video).await;
    server.advance_clock(HOUR);
    let captions = sibling_path(&video, "/captions.vtt");
    let answer = creator.send_authorized(Method::GET, &captions).await;
    assert_refused(answer, 410, "gone").await;
    sweep(&server.app).await.expect("a sweep");
    let row = server.app.db.transcript_get(&take_id(&take)).await;
    assert!(row.expect("rows").is_none());
}

async fn a_deletion_during_a_call_leaves_nothing(server: Server) {
    let (server, double) = transcribing(server, Reply::Hang).await;
    let creator = server.create_request().await;
    let take = creator.upload(LIVE_WEBM).await;
    creator.submit_take(&take).await;
    wait_until(async || double.hanging() == 1).await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let row = server.app.db.transcript_get(&take_id(&take)).await;
    assert!(row.expect("rows").is_none());
    // The lease is lost with the row.
    wait_until(async || double.hanging() == 0).await;
    assert!(server.objects().is_empty());
}

async fn captions_need_the_creators_token(server: Server) {
    let (server, _double) = transcribing(server, two_sentences()).await;
    let creator = server.create_request().await;
    let video = creator.submit_video(LIVE_WEBM).await;
    finished(&creator, &video).await;
    let captions = sibling_path(&video, "/captions.vtt");
    let answer = server.get(&captions).await;
    assert_refused(answer, 401, "unauthorized").await;
    let stranger = server.create_request().await;
    let answer = stranger.send_authorized(Method::GET, &captions).await;
    assert_refused(answer, 403, "forbidden").await;
}
