//! After its time nothing of a request is served, and soon after that nothing of it is left.

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream;
use reqwest::{Body, Method, StatusCode};
use server::blobs::ObjectKey;
use server::id::{RequestId, TakeId};
use server::service::expiry::{SweepReport, sweep};
use server::service::orphans;
use tokio::sync::oneshot;

use crate::support::{HOUR, Server, assert_refused, during, journeys, noise, wait_until};

journeys! {
    everything_is_over_at_the_moment_of_expiry
    a_clock_that_steps_back_revives_nothing
    the_sweeper_removes_bytes_and_only_those_that_are_due
    an_upload_that_outlives_its_request_leaves_nothing
    deleting_leaves_no_bytes_even_under_an_upload
    a_deleted_video_stops_in_mid_stream
    orphans_go_when_they_are_old_and_nothing_else_does
}

async fn everything_is_over_at_the_moment_of_expiry(server: Server) {
    let (awaiting, submitted) = (server.create().await, server.create().await);
    let take = awaiting.upload(b"abc").await;
    let video = submitted.submit_video(b"abc").await;

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
    assert_refused(awaiting.append(&take, 3, "more", true).await, 410, "gone").await;
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
    let video = creator.submit_video(b"abc").await;
    server.later(HOUR);
    assert_eq!(creator.status().await["status"], "expired");
    server.later(-HOUR);
    assert_eq!(creator.status().await["status"], "expired");
    assert_refused(creator.ask(Method::GET, &video).await, 410, "gone").await;
}

async fn the_sweeper_removes_bytes_and_only_those_that_are_due(server: Server) {
    let (submitted, awaiting) = (server.create().await, server.create().await);
    let video = submitted.submit_video(b"abc").await;
    awaiting.upload(b"abc").await;
    server.later(HOUR / 2);
    let young = server.create().await;
    let kept = young.submit_video(b"kept").await;
    server.later(HOUR / 2);

    let report = sweep(&server.app).await.expect("a sweep");
    assert_eq!(
        report,
        SweepReport {
            expired: 2,
            removed: 2,
            failed: 0
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
            .text()
            .await
            .expect("bytes"),
        "kept"
    );
}

/// A body that sends one piece and ends when it is told to.
fn body_in_two_pieces() -> (Body, oneshot::Sender<()>) {
    let (end, ended) = oneshot::channel();
    let second = stream::once(async move {
        let _ = ended.await;
        Ok::<_, std::io::Error>(Bytes::from_static(b"second"))
    });
    let first = stream::iter([Ok(Bytes::from_static(b"first"))]);
    (Body::wrap_stream(first.chain(second)), end)
}

async fn an_upload_that_outlives_its_request_leaves_nothing(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces();
    let answer = during(creator.append(&take, 0, body, true), async {
        wait_until(async || creator.state().await.takes[0].offset == 5).await;
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
    let (body, end) = body_in_two_pieces();
    let answer = during(creator.append(&take, 0, body, true), async {
        wait_until(async || creator.state().await.takes[0].offset == 5).await;
        assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
        assert!(server.objects().is_empty());
        end.send(()).expect("an upload under way");
    })
    .await;
    assert_refused(answer, 404, "not_found").await;
    server.objects_become(0).await;
}

async fn a_deleted_video_stops_in_mid_stream(server: Server) {
    // More than the sockets of both sides hold.
    const LARGE: usize = 60_000_000;
    let creator = server.create().await;
    let video = creator.submit_video(&noise(LARGE)).await;
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

async fn orphans_go_when_they_are_old_and_nothing_else_does(server: Server) {
    const MINUTE: i64 = 60 * 1000;
    let creator = server.create().await;
    let take = creator.upload(b"kept").await;
    let (request, take_id) = (
        RequestId::parse(creator.id()),
        TakeId::parse(take_id(&take)),
    );
    let orphan = ObjectKey::random(&request.expect("an id"), &take_id.expect("an id"));
    let bytes = vec![Bytes::from_static(b"orphan")];
    server.app.blobs.put(&orphan, bytes).await.expect("a put");

    server.later(14 * MINUTE);
    assert_eq!(orphans::remove(&server.app).await.expect("a search"), 0);
    assert_eq!(server.objects().len(), 2);
    server.later(2 * MINUTE);
    assert_eq!(orphans::remove(&server.app).await.expect("a search"), 1);
    assert_eq!(server.objects().len(), 1);
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
}

fn take_id(take: &str) -> &str {
    take.rsplit('/').next().expect("an id")
}
