//! After its time nothing of a request is served, and soon after that nothing of it is left.

use std::path::PathBuf;

use app::api::CreatedRequest;
use bytes::Bytes;
use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use reqwest::{Method, StatusCode};
use serde_json::json;
use server::blobs::ObjectKey;
use server::id::{RequestId, TakeId};
use server::service::moderation::takedown::take_down;
use server::service::workers::orphan_gc;
use server::service::workers::sweeper::{SweepReport, sweep};

use crate::support::{
    CLIP, CLIP_LENGTH, HOUR, Server, assert_refused, body_in_two_pieces, clip, clip_of, during,
    journeys, wait_until,
};
use test_support::bucket::files;

journeys! {
    everything_is_over_at_the_moment_of_expiry
    a_clock_that_steps_back_revives_nothing
    the_sweeper_removes_bytes_and_only_those_that_are_due
    an_upload_that_outlives_its_request_leaves_nothing
    deleting_leaves_no_bytes_even_under_an_upload
    a_deleted_video_stops_in_mid_stream
    the_sweeper_cuts_what_is_under_way
    expiry_ends_transfers_while_the_database_is_away
    nothing_starts_after_expiry_however_the_clock_jumps
    what_is_stored_is_what_the_manifest_says
    orphans_go_when_they_are_old_and_nothing_else_does
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_for_is_soon_in_no_file_any_more() {
    const PROMPT: &str = "Show the dent above Juniper Lane 7.";
    let server = Server::on_a_laptop().await;
    let holds_it = || {
        let files = files(&server.config().store.data_dir);
        let holds = |file: PathBuf| {
            let bytes = std::fs::read(file).expect("a file of ours");
            bytes
                .windows(PROMPT.len())
                .any(|it| it == PROMPT.as_bytes())
        };
        files.into_iter().any(holds)
    };
    let wish = json!({ "prompt": PROMPT, "expires_in_hours": 1 });
    let create = async || {
        let answer = server.post("/v1/requests", &wish).await;
        let created: CreatedRequest = answer.json().await.expect("a created request");
        assert!(holds_it());
        created
    };
    let (deleted, taken_down) = (create().await, create().await);
    create().await;
    let delete = server.request(Method::DELETE, &format!("/v1/requests/{}", deleted.id));
    let delete = delete.bearer_auth(&deleted.access_token).send().await;
    assert_eq!(delete.expect("an answer").status(), StatusCode::NO_CONTENT);
    let id = RequestId::parse(&taken_down.id).expect("an id");
    take_down(&server.app, &id).await.expect("a takedown");
    assert!(holds_it(), "there is a third one");
    server.later(HOUR);
    sweep(&server.app).await.expect("a sweep");
    // The server's own sweep may be in the way of ours.
    wait_until(async || {
        sweep(&server.app).await.expect("a sweep");
        !holds_it()
    })
    .await;
}

async fn everything_is_over_at_the_moment_of_expiry(server: Server) {
    let (awaiting, submitted) = (server.create().await, server.create().await);
    let take = awaiting.upload(CLIP).await;
    let video = submitted.submit_video(CLIP).await;

    server.later(HOUR - 1);
    assert_eq!(
        submitted.ask(Method::GET, &video).await.status(),
        StatusCode::OK
    );
    assert_eq!(awaiting.status().await["status"], "awaiting_submission");

    server.later(1);
    for creator in [&awaiting, &submitted] {
        let status = creator.status().await;
        assert_eq!(status["status"], "expired");
        assert_eq!(status["expires_at"], creator.created.expires_at);
        assert!(status.get("video").is_none());
    }
    for method in [Method::GET, Method::HEAD] {
        assert_eq!(
            submitted.ask(method, &video).await.status(),
            StatusCode::GONE
        );
    }
    assert_refused(submitted.ask(Method::GET, &video).await, 410, "gone").await;

    assert_refused(server.get(&awaiting.page("/state")).await, 410, "gone").await;
    assert_refused(awaiting.submit(&take).await, 410, "gone").await;
    let append = awaiting.append(&take, CLIP_LENGTH, "more", true).await;
    assert_refused(append, 410, "gone").await;
    for (method, path) in [
        (Method::POST, awaiting.page("/takes")),
        (Method::DELETE, take),
    ] {
        let request = server
            .request(method, &path)
            .header("content-type", "video/webm");
        assert_refused(request.send().await.expect("an answer"), 410, "gone").await;
    }
    assert_eq!(
        server.get(&awaiting.page("")).await.status(),
        StatusCode::GONE
    );

    assert_eq!(submitted.delete().await, StatusCode::NO_CONTENT);
    assert_eq!(
        submitted.ask(Method::GET, &video).await.status(),
        StatusCode::NOT_FOUND
    );
}

async fn a_clock_that_steps_back_revives_nothing(server: Server) {
    let creator = server.create().await;
    let video = creator.submit_video(CLIP).await;
    server.later(HOUR);
    assert_eq!(creator.status().await["status"], "expired");
    server.later(-HOUR);
    assert_eq!(creator.status().await["status"], "expired");
    assert_refused(creator.ask(Method::GET, &video).await, 410, "gone").await;
}

async fn the_sweeper_removes_bytes_and_only_those_that_are_due(server: Server) {
    let (submitted, awaiting) = (server.create().await, server.create().await);
    let video = submitted.submit_video(CLIP).await;
    awaiting.upload(CLIP).await;
    server.later(HOUR / 2);
    let young = server.create().await;
    let bytes = clip_of(b"kept");
    let kept = young.submit_video(&bytes).await;
    server.later(HOUR / 2);

    let report = sweep(&server.app).await.expect("a sweep");
    assert_eq!(
        report,
        SweepReport {
            expired: 2,
            removed: 2,
            ..SweepReport::default()
        }
    );
    assert_eq!(server.objects().len(), 1);
    assert_eq!(
        sweep(&server.app).await.expect("a sweep"),
        SweepReport::default()
    );

    assert_refused(submitted.ask(Method::GET, &video).await, 410, "gone").await;
    assert_eq!(awaiting.status().await["status"], "expired");
    assert_eq!(
        young
            .ask(Method::GET, &kept)
            .await
            .bytes()
            .await
            .expect("bytes"),
        bytes
    );
}

async fn an_upload_that_outlives_its_request_leaves_nothing(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let answer = during(creator.append(&take, 0, body, true), async {
        wait_until(async || creator.state().await.takes[0].offset == CLIP_LENGTH).await;
        server.later(HOUR);
        end.send(()).expect("an upload under way");
    })
    .await;
    assert_refused(answer, 410, "gone").await;
    sweep(&server.app).await.expect("a sweep");
    server.objects_become(0).await;
}

async fn deleting_leaves_no_bytes_even_under_an_upload(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let deletion = async {
        wait_until(async || creator.state().await.takes[0].offset == CLIP_LENGTH).await;
        assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
        assert!(server.objects().is_empty());
    };
    // The upload is cut: its sender needn't end it to hear so.
    let (answer, ()) = tokio::join!(creator.append(&take, 0, body, true), deletion);
    drop(end);
    assert_refused(answer, 404, "not_found").await;
    server.objects_become(0).await;
}

async fn a_deleted_video_stops_in_mid_stream(server: Server) {
    // More than the sockets of both sides hold.
    const LARGE: usize = 60_000_000;
    let creator = server.create().await;
    let video = creator.submit_video(&clip(LARGE)).await;
    let mut answer = creator.ask(Method::GET, &video).await;
    let mut received = answer.chunk().await.expect("bytes").expect("some").len();

    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let end = loop {
        match answer.chunk().await {
            Ok(Some(bytes)) => received += bytes.len(),
            end => break end,
        }
    };
    assert!(end.is_err(), "cut, not ended");
    assert!(received < LARGE, "{received}");
}

async fn the_sweeper_cuts_what_is_under_way(server: Server) {
    const LARGE: usize = 60_000_000;
    let (watched, recorded) = (server.create().await, server.create().await);
    let video = watched.submit_video(&clip(LARGE)).await;
    let mut stream = watched.ask(Method::GET, &video).await;
    stream.chunk().await.expect("bytes").expect("some");
    let take = recorded.begin().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let expiry = async {
        wait_until(async || recorded.state().await.takes[0].offset == CLIP_LENGTH).await;
        server.later(HOUR);
        sweep(&server.app).await.expect("a sweep");
        assert!(server.objects().is_empty());
    };
    let (answer, ()) = tokio::join!(recorded.append(&take, 0, body, true), expiry);
    drop(end);
    assert_refused(answer, 410, "gone").await;
    while let Some(_more) = stream.chunk().await.transpose() {
        if _more.is_err() {
            return;
        }
    }
    panic!("the stream ended as if it were whole");
}

/// Makes each look at the requests fail.
async fn break_database(server: &Server) {
    const RENAME: &str = "ALTER TABLE requests RENAME TO requests_away";
    match server.database_url() {
        Some(url) => {
            let mut connection = AsyncPgConnection::establish(url).await.expect("rows");
            connection.batch_execute(RENAME).await.expect("a table");
        }
        None => {
            let file = server.config().store.data_dir.join("vidence.db");
            let file = file.to_str().expect("UTF-8");
            let mut connection = SqliteConnection::establish(file).expect("rows");
            connection.batch_execute(RENAME).expect("a table");
        }
    }
}

async fn expiry_ends_transfers_while_the_database_is_away(server: Server) {
    const LARGE: usize = 60_000_000;
    let (watched, recorded) = (server.create().await, server.create().await);
    let video = watched.submit_video(&clip(LARGE)).await;
    let mut stream = watched.ask(Method::GET, &video).await;
    stream.chunk().await.expect("bytes").expect("some");
    let take = recorded.begin().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let expiry = async {
        wait_until(async || recorded.state().await.takes[0].offset == CLIP_LENGTH).await;
        break_database(&server).await;
        server.later(HOUR);
    };
    let (answer, ()) = tokio::join!(recorded.append(&take, 0, body, true), expiry);
    drop(end);
    assert_refused(answer, 410, "gone").await;
    let mut received = 0;
    let end = loop {
        match stream.chunk().await {
            Ok(Some(bytes)) => received += bytes.len(),
            end => break end,
        }
    };
    assert!(end.is_err(), "cut, not ended");
    assert!(received < LARGE, "{received}");
}

async fn nothing_starts_after_expiry_however_the_clock_jumps(server: Server) {
    let creator = server.create().await;
    let take = creator.upload(CLIP).await;
    server.later(100 * HOUR);
    assert_refused(creator.submit(&take).await, 410, "gone").await;
    server.later(-100 * HOUR);
    assert_refused(creator.submit(&take).await, 410, "gone").await;
    let begun = server.request(Method::POST, &creator.page("/takes"));
    let begun = begun.header("content-type", "video/webm").send().await;
    assert_refused(begun.expect("an answer"), 410, "gone").await;
    // Bytes go although the clock says again that it is early: what was seen to be over is over.
    sweep(&server.app).await.expect("a sweep");
    assert!(server.objects().is_empty());
}

async fn what_is_stored_is_what_the_manifest_says(server: Server) {
    let creator = server.create().await;
    let lengths = [100, 9_000_000, 20_000_000];
    for length in lengths {
        creator.upload(&clip(length)).await;
    }
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let take = creator.begin().await;
    let rejected = creator.begin().await;
    creator.append(&rejected, 0, clip(5000), false).await;
    let discard = server.request(Method::DELETE, &rejected).send().await;
    assert_eq!(discard.expect("an answer").status(), StatusCode::NO_CONTENT);
    let answer = creator.append(&take, 0, body, false);
    let answer = during(answer, async { end.send(()) }).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);

    let stored = server
        .objects()
        .iter()
        .map(|it| it.metadata().expect("a file").len())
        .sum::<u64>();
    let manifest = creator
        .state()
        .await
        .takes
        .iter()
        .map(|it| it.offset)
        .sum::<u64>();
    assert_eq!(stored, manifest);
    assert_eq!(
        stored,
        lengths.iter().sum::<usize>() as u64 + CLIP_LENGTH + 6
    );
}

async fn orphans_go_when_they_are_old_and_nothing_else_does(server: Server) {
    const MINUTE: i64 = 60 * 1000;
    let creator = server.create().await;
    let take = creator.upload(CLIP).await;
    let (request, take_id) = (
        RequestId::parse(creator.id()),
        TakeId::parse(take_id(&take)),
    );
    let orphan = ObjectKey::random(&request.expect("an id"), &take_id.expect("an id"));
    let bytes = vec![Bytes::from_static(b"orphan")];
    server.app.blobs.put(&orphan, bytes).await.expect("a put");

    server.later(14 * MINUTE);
    assert_eq!(orphan_gc::remove(&server.app).await.expect("a search"), 0);
    assert_eq!(server.objects().len(), 2);
    server.later(2 * MINUTE);
    assert_eq!(orphan_gc::remove(&server.app).await.expect("a search"), 1);
    assert_eq!(server.objects().len(), 1);
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
}

fn take_id(take: &str) -> &str {
    take.rsplit('/').next().expect("an id")
}
