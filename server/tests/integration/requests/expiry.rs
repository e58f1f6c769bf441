//! After its expiry nothing of a request is served, and its prompt is wiped with the ticks of its sender.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use app::api::{CreatedRequest, RequestStatus};
use futures_util::FutureExt;
use net::client_addr::ClientAddr;
use reqwest::{Method, StatusCode};
use serde_json::json;
use server::db::{Request, RequestState};
use server::id::{AccessToken, RequestId};
use server::service::moderation::takedown::take_down;
use server::service::quota::permit_read;
use server::service::requests::long_poll::status;
use server::service::workers::sweeper::sweep;

use crate::support::scrape::{AdminServer, assert_grown};
use crate::support::{
    CLIP, CLIP_LENGTH, Creator, HOUR, Server, assert_cut_short, assert_refused, body_in_two_pieces,
    clip, last_segment, on_each_storage, wait_until,
};
use test_support::stores::bucket::files;

/// More than the socket buffers of both sides hold.
pub const LARGE_VIDEO_BYTES: usize = 60_000_000;

on_each_storage! {
    access_ends_at_the_moment_of_expiry
    an_expired_request_stays_expired_when_the_clock_steps_back
    the_sweeper_cancels_transfers_of_expired_requests
    expiry_cancels_transfers_during_a_database_outage
    no_upload_or_submission_begins_after_expiry_when_the_clock_steps_back
    ticks_are_wiped_with_the_prompt_however_a_request_ends
    ticks_that_an_older_release_has_left_are_wiped_with_the_bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_is_wiped_from_every_file_after_the_request_ends() {
    const PROMPT: &str = "Show the dent above Juniper Lane 7.";
    let server = Server::sqlite().await;
    let prompt_is_stored = || {
        let files = files(&server.config().store.data_dir);
        let contains = |file: PathBuf| {
            let bytes = std::fs::read(file).expect("a readable file");
            bytes
                .windows(PROMPT.len())
                .any(|it| it == PROMPT.as_bytes())
        };
        files.into_iter().any(contains)
    };
    let body = json!({ "prompt": PROMPT, "expires_in_hours": 1 });
    let create = async || {
        let answer = server.post("/v1/requests", &body).await;
        let created: CreatedRequest = answer.json().await.expect("a created request");
        assert!(prompt_is_stored());
        created
    };
    let (deleted, taken_down) = (create().await, create().await);
    create().await;
    let delete = server.request(Method::DELETE, &format!("/v1/requests/{}", deleted.id));
    let delete = delete.bearer_auth(&deleted.access_token).send().await;
    assert_eq!(delete.expect("an answer").status(), StatusCode::NO_CONTENT);
    let id = RequestId::parse(&taken_down.id).expect("an id");
    take_down(&server.app, &id).await.expect("a takedown");
    assert!(prompt_is_stored(), "the third request's");
    server.advance_clock(HOUR);
    sweep(&server.app).await.expect("a sweep");
    // The server's own sweep may run at the same time.
    wait_until(async || {
        sweep(&server.app).await.expect("a sweep");
        !prompt_is_stored()
    })
    .await;
}

async fn load_request(server: &Server, id: &RequestId) -> Request {
    let row = server.app.db.request_get(id).await.expect("rows");
    row.expect("a request")
}

/// Submits a video that shows both lines of the prompt, as its sender says.
async fn submit_with_ticks(server: &Server) -> (Creator<'_>, RequestId) {
    let prompt = "Show the dent.\nThen the number plate.";
    let creator = server.create_request_with_prompt(prompt).await;
    let take = creator.upload(CLIP).await;
    let ticks = json!([{"line": 1, "at_ms": 100}, {"line": 2, "at_ms": 700}]);
    let submission = json!({ "take": last_segment(&take), "ticks": ticks });
    let path = creator.link_path("/submission");
    let submit = async || server.post(&path, &submission).await.status();
    wait_until(async || submit().await == StatusCode::OK).await;
    let id = RequestId::parse(creator.id()).expect("an id");
    let row = load_request(server, &id).await;
    assert!(row.prompt.is_some() && row.ticks.is_some());
    (creator, id)
}

/// At once, however long the removal of its bytes takes.
async fn ticks_are_wiped_with_the_prompt_however_a_request_ends(server: Server) {
    for end in ["deletion", "takedown", "expiry"] {
        let (creator, id) = submit_with_ticks(&server).await;
        // No bytes are removed until it is dropped.
        let lock = server.app.coordination.removal_locks.shared(&id).await;
        let ending = async {
            match end {
                "deletion" => assert_eq!(creator.delete().await, StatusCode::NO_CONTENT),
                "takedown" => {
                    take_down(&server.app, &id).await.expect("a takedown");
                }
                _ => {
                    server.advance_clock(HOUR);
                    sweep(&server.app).await.expect("a sweep");
                }
            }
        };
        let wiping = async {
            let state = async || load_request(&server, &id).await.state;
            wait_until(async || state().await != RequestState::Submitted).await;
            let row = load_request(&server, &id).await;
            assert!(!row.purged, "{end}");
            assert!(row.prompt.is_none() && row.ticks.is_none(), "{end}");
            drop(lock);
        };
        tokio::join!(ending, wiping);
    }
}

/// As by a node of a release that doesn't know ticks, beside this one.
async fn ticks_that_an_older_release_has_left_are_wiped_with_the_bytes(server: Server) {
    let (_, id) = submit_with_ticks(&server).await;
    let expire = "UPDATE requests SET state = 'expired', prompt = NULL, creator = NULL";
    server.execute_sql(expire).await;
    wait_until(async || {
        sweep(&server.app).await.expect("a sweep");
        load_request(&server, &id).await.purged
    })
    .await;
    assert!(load_request(&server, &id).await.ticks.is_none());
}

async fn access_ends_at_the_moment_of_expiry(server: Server) {
    let (awaiting, submitted) = (server.create_request().await, server.create_request().await);
    let take = awaiting.upload(CLIP).await;
    let video = submitted.submit_video(CLIP).await;

    server.advance_clock(HOUR - 1);
    assert_eq!(
        submitted
            .send_authorized(Method::GET, &video)
            .await
            .status(),
        StatusCode::OK
    );
    assert_eq!(awaiting.status().await["status"], "awaiting_submission");

    server.advance_clock(1);
    for creator in [&awaiting, &submitted] {
        let status = creator.status().await;
        assert_eq!(status["status"], "expired");
        assert_eq!(status["expires_at"], creator.created.expires_at);
        assert!(status.get("video").is_none());
    }
    for method in [Method::GET, Method::HEAD] {
        assert_eq!(
            submitted.send_authorized(method, &video).await.status(),
            StatusCode::GONE
        );
    }
    assert_refused(
        submitted.send_authorized(Method::GET, &video).await,
        410,
        "gone",
    )
    .await;

    assert_refused(server.get(&awaiting.link_path("/state")).await, 410, "gone").await;
    assert_refused(awaiting.submit(&take).await, 410, "gone").await;
    let append = awaiting.append(&take, CLIP_LENGTH, "more", true).await;
    assert_refused(append, 410, "gone").await;
    for (method, path) in [
        (Method::POST, awaiting.link_path("/takes")),
        (Method::DELETE, take),
    ] {
        let request = server
            .request(method, &path)
            .header("content-type", "video/webm");
        assert_refused(request.send().await.expect("an answer"), 410, "gone").await;
    }
    assert_eq!(
        server.get(&awaiting.link_path("")).await.status(),
        StatusCode::GONE
    );

    assert_eq!(submitted.delete().await, StatusCode::NO_CONTENT);
    assert_eq!(
        submitted
            .send_authorized(Method::GET, &video)
            .await
            .status(),
        StatusCode::NOT_FOUND
    );
}

async fn an_expired_request_stays_expired_when_the_clock_steps_back(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(CLIP).await;
    server.advance_clock(HOUR);
    assert_eq!(creator.status().await["status"], "expired");
    server.advance_clock(-HOUR);
    assert_eq!(creator.status().await["status"], "expired");
    assert_refused(
        creator.send_authorized(Method::GET, &video).await,
        410,
        "gone",
    )
    .await;
}

/// Asserts that a stream and an append that are under way end once `expire` has run.
async fn assert_transfers_end(server: &Server, expire: impl AsyncFnOnce()) {
    let (watched, recorded) = (server.create_request().await, server.create_request().await);
    let video = watched.submit_video(&clip(LARGE_VIDEO_BYTES)).await;
    let mut stream = watched.send_authorized(Method::GET, &video).await;
    stream.chunk().await.expect("bytes").expect("some");
    let take = recorded.create_take().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let expiry = async {
        wait_until(async || recorded.page_state().await.takes[0].offset == CLIP_LENGTH).await;
        expire().await;
    };
    let (answer, ()) = tokio::join!(recorded.append(&take, 0, body, true), expiry);
    drop(end);
    assert_refused(answer, 410, "gone").await;
    assert_cut_short(stream, 0, LARGE_VIDEO_BYTES).await;
}

async fn the_sweeper_cancels_transfers_of_expired_requests(server: Server) {
    assert_transfers_end(&server, async || {
        server.advance_clock(HOUR);
        sweep(&server.app).await.expect("a sweep");
        assert!(server.objects().is_empty());
    })
    .await;
}

async fn expiry_cancels_transfers_during_a_database_outage(server: Server) {
    assert_transfers_end(&server, async || {
        // Every query of requests fails.
        let rename = "ALTER TABLE requests RENAME TO requests_away";
        server.execute_sql(rename).await;
        server.advance_clock(HOUR);
    })
    .await;
}

async fn no_upload_or_submission_begins_after_expiry_when_the_clock_steps_back(server: Server) {
    let creator = server.create_request().await;
    let take = creator.upload(CLIP).await;
    server.advance_clock(100 * HOUR);
    assert_refused(creator.submit(&take).await, 410, "gone").await;
    server.advance_clock(-100 * HOUR);
    assert_refused(creator.submit(&take).await, 410, "gone").await;
    assert_refused(creator.begin_take().await, 410, "gone").await;
    // An expiry that was observed stays, although the clock was set back.
    sweep(&server.app).await.expect("a sweep");
    assert!(server.objects().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_access_after_the_expiry_records_it_and_wakes_the_sweeper() {
    let server = Server::sqlite().await;
    let created = server.create_request().await.created;
    // Without background jobs.
    let server = server.into_passive().await;
    let app = &server.app;
    let admin = AdminServer::start(&server).await;
    let id = RequestId::parse(&created.id).expect("an id");
    let read = async || {
        let caller = ClientAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let permit = permit_read(app, caller).expect("no limit");
        let token = AccessToken::presented(&created.access_token);
        let view = status(app, permit, Some(token), &id)
            .await
            .expect("a status");
        view.status
    };
    assert_eq!(read().await, RequestStatus::AwaitingSubmission);
    let woken = || app.sweeper.notified().now_or_never().is_some();
    assert!(!woken());
    server.advance_clock(HOUR);
    let before = admin.scrape().await;
    for is_first in [true, false] {
        assert_eq!(read().await, RequestStatus::Expired);
        assert_eq!(woken(), is_first);
    }
    let (name, labels) = ("vidence_request_transitions_total", [("to", "expired")]);
    assert_grown(&before, &admin.scrape().await, name, &labels, 1.0);
}
