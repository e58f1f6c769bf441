//! The sweeper leaves a take alone whose client comes back, even at the last moment.

use std::pin::pin;

use app::api::CreatedRequest;
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use reqwest::StatusCode;
use serde_json::json;
use server::db::Take;
use server::id::{RequestId, TakeId};
use server::service::uploads::append::{Append, End, append};
use server::service::workers::sweeper::sweep;
use tokio::sync::oneshot;

use crate::support::{CLIP, CLIP_LENGTH, HOUR, Server, on_each_storage, take_id, wait_until};

on_each_storage! {
    a_take_that_is_resumed_during_a_sweep_is_kept
    a_take_that_is_resumed_without_a_commit_yet_is_kept
    an_open_take_is_abandoned_from_its_limit_on_and_a_complete_one_never
    abandoned_takes_are_listed_oldest_first_and_in_batches
    a_take_is_deleted_by_its_own_link_while_that_is_open
}

/// Longer than an open take lasts without a write.
const TOO_LONG: i64 = 26 * HOUR;

/// Creates a request that outlives an abandoned take, and appends to a take of it.
async fn create_take(server: &Server, is_complete: bool) -> (RequestId, TakeId) {
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 48 });
    let created = server.post("/v1/requests", &body).await;
    let created: CreatedRequest = created.json().await.expect("a created request");
    let creator = server.creator(&created);
    let take = creator.create_take().await;
    let answer = creator.append(&take, 0, CLIP, is_complete).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let request = RequestId::parse(creator.id()).expect("an id");
    (request, take_id(&take))
}

async fn row(server: &Server, request: &RequestId, take: &TakeId) -> Option<Take> {
    server.app.db.take_get(request, take).await.expect("rows")
}

async fn a_take_that_is_resumed_during_a_sweep_is_kept(server: Server) {
    let (request, abandoned) = create_take(&server, false).await;
    // In a later hour: the sweeper begins with the older one.
    server.advance_clock(HOUR);
    let (resumed_request, resumed) = create_take(&server, false).await;
    // Without background jobs.
    let server = server.into_passive().await;
    server.advance_clock(TOO_LONG);
    let app = &server.app;
    // The sweep has listed both, and waits for this lock after it has deleted the older one's row.
    let lock = app.coordination.removal_locks.shared(&request).await;
    let resume = async {
        wait_until(async || row(&server, &request, &abandoned).await.is_none()).await;
        let claim = app
            .db
            .take_claim(&resumed_request, &resumed, None, None, &app.clock);
        assert!(claim.await.expect("rows").is_some());
        drop(lock);
    };
    let (report, ()) = tokio::join!(sweep(app), resume);
    assert_eq!(report.expect("a sweep").abandoned, 1);
    assert!(row(&server, &resumed_request, &resumed).await.is_some());
    assert_eq!(server.objects().len(), 1, "the resumed one's");
}

async fn a_take_that_is_resumed_without_a_commit_yet_is_kept(server: Server) {
    let (request, take) = create_take(&server, false).await;
    // Without background jobs.
    let server = server.into_passive().await;
    server.advance_clock(TOO_LONG);
    let more = Append {
        offset: CLIP_LENGTH,
        end: End::Open,
        length: None,
        checksum: None,
    };
    let (sender, body) = oneshot::channel::<Bytes>();
    let body = stream::once(body).boxed();
    let mut appending = pin!(append(&server.app, &request, &take, more, body));
    assert!(appending.as_mut().now_or_never().is_none());
    let report = sweep(&server.app).await.expect("a sweep");
    assert_eq!(report.abandoned, 0);
    let sent = sender.send(Bytes::from_static(b"more"));
    sent.expect("an append under way");
    let status = appending.await.expect("an append");
    assert_eq!(status.offset, CLIP_LENGTH + 4);
}

async fn an_open_take_is_abandoned_from_its_limit_on_and_a_complete_one_never(server: Server) {
    let db = &server.app.db;
    for is_complete in [true, false] {
        let (request, take) = create_take(&server, is_complete).await;
        let touched_at = row(&server, &request, &take)
            .await
            .expect("a row")
            .touched_at;
        for (before, is_abandoned) in [(touched_at, false), (touched_at + 1, !is_complete)] {
            let listed = db.takes_abandoned(before, 10).await.expect("rows");
            assert_eq!(listed.len(), usize::from(is_abandoned));
            let deleted = db.take_delete_if_abandoned(&take, before).await;
            assert_eq!(deleted.expect("rows"), is_abandoned);
        }
    }
}

async fn abandoned_takes_are_listed_oldest_first_and_in_batches(server: Server) {
    let mut takes = Vec::new();
    for _ in 0..3 {
        takes.push(create_take(&server, false).await);
        // A row has the hour of the last write.
        server.advance_clock(HOUR);
    }
    let before = server.app.clock.now();
    for limit in [0, 1, 2, 3, 4] {
        let listed = server.app.db.takes_abandoned(before, limit).await;
        let most = usize::try_from(limit).expect("small").min(takes.len());
        assert_eq!(listed.expect("rows"), takes[..most]);
    }
}

async fn a_take_is_deleted_by_its_own_link_while_that_is_open(server: Server) {
    let (request, take) = create_take(&server, false).await;
    let (other_request, other) = create_take(&server, false).await;
    let (db, clock) = (&server.app.db, &server.app.clock);
    let delete = async |request, take| db.take_delete_by_link(request, take, clock).await;
    assert!(!delete(&request, &other).await.expect("rows"));
    assert!(delete(&request, &take).await.expect("rows"));
    server.advance_clock(48 * HOUR);
    assert!(!delete(&other_request, &other).await.expect("rows"));
}
