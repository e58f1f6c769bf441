//! How and when a video came, as its metadata says.

use app::video_metadata::{Arrival, CapturedAs};
use reqwest::{Method, StatusCode};
use server::clock::rfc3339;
use server::db::Queue;
use server::id::RequestId;

use super::sealing::append_to_node;
use crate::support::{
    Creator, LIVE_MP4, LIVE_WEBM, Server, last_segment, on_each_storage, take_id, wait_until,
};
use crate::uploads::{form, tus};

on_each_storage! {
    bytes_sent_during_the_recording_are_reported_as_live
    a_recording_sent_afterwards_is_reported_as_such
    provenance_distinguishes_files_forms_and_other_clients
    compaction_keeps_when_bytes_came
}

/// How long the recordings of these tests are, in milliseconds, or a little more.
const DURATION: i64 = 2200;

/// Uploads a take in so many parts, while `duration` passes on the server's clock, and returns its path.
async fn upload_during(
    creator: &Creator<'_>,
    captured_as: &str,
    bytes: &[u8],
    parts: usize,
    duration: i64,
) -> String {
    let take = creator.create_take_as(captured_as).await;
    let each = duration / i64::try_from(parts).expect("few");
    let mut offset = 0;
    for part in bytes.chunks(bytes.len().div_ceil(parts)) {
        creator.server.advance_clock(each);
        let last = offset + part.len() == bytes.len();
        let answer = creator
            .append(&take, offset as u64, part.to_vec(), last)
            .await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        offset += part.len();
    }
    take
}

async fn bytes_sent_during_the_recording_are_reported_as_live(server: Server) {
    for recording in [LIVE_WEBM, LIVE_MP4] {
        let created_at = server.app.clock.now();
        let creator = server.create_request().await;
        server.advance_clock(60_000);
        let take = upload_during(&creator, "recorded", recording, 4, DURATION).await;
        let completed_at = server.app.clock.now();
        wait_until(async || creator.page_state().await.takes[0].sealed).await;
        server.advance_clock(7_000);
        let path = creator.submit_take(&take).await;
        let submitted_at = server.app.clock.now();
        server.advance_clock(60_000);

        let metadata = creator.metadata(&path).await;
        assert_eq!(metadata.captured_as, Some(CapturedAs::Recorded));
        let arrival = Arrival {
            first_byte_at: rfc3339(completed_at - DURATION / 4 * 3),
            last_byte_at: rfc3339(completed_at),
            while_recorded: true,
        };
        assert_eq!(metadata.arrival, Some(arrival));
        assert_eq!(metadata.request_created_at, Some(rfc3339(created_at)));
        assert_eq!(metadata.sealed_at, Some(rfc3339(completed_at)));
        assert_eq!(metadata.submitted_at, Some(rfc3339(submitted_at)));
    }
}

async fn a_recording_sent_afterwards_is_reported_as_such(server: Server) {
    for (parts, duration) in [(1, 0), (1, DURATION), (4, 0), (4, DURATION / 4)] {
        let creator = server.create_request().await;
        let take = upload_during(&creator, "recorded", LIVE_WEBM, parts, duration).await;
        let path = creator.submit_take(&take).await;
        let metadata = creator.metadata(&path).await;
        assert_eq!(metadata.captured_as, Some(CapturedAs::Recorded));
        let arrival = metadata.arrival.expect("times");
        // The only part of the second one came when the recording may just have ended, and so few seconds may come in
        // one piece.
        let live = (parts, duration) == (1, DURATION);
        assert_eq!(arrival.while_recorded, live, "{parts} in {duration} ms");
    }
}

async fn provenance_distinguishes_files_forms_and_other_clients(server: Server) {
    for (captured_as, want) in [
        ("file", CapturedAs::File),
        ("", CapturedAs::Client),
        ("authentic", CapturedAs::Client),
        ("tus", CapturedAs::Client),
        ("form", CapturedAs::Form),
    ] {
        let creator = server.create_request().await;
        let path = match captured_as {
            "tus" => {
                let length = LIVE_WEBM.len().to_string();
                let headers = [("upload-length", length.as_str()), tus::OFFSET_STREAM];
                let path = creator.link_path("/takes");
                let answer = tus::send(&server, Method::POST, &path, &headers, LIVE_WEBM).await;
                assert_eq!(answer.status(), StatusCode::CREATED);
                let take = answer.headers()["location"].to_str().expect("a URL");
                creator.submit_take(take).await
            }
            "form" => {
                let body = form::form("video", "video/webm", LIVE_WEBM);
                let (status, _) = form::post(&server, &creator, body).await;
                assert_eq!(status, StatusCode::OK);
                creator.video_path().await
            }
            _ => {
                let take = upload_during(&creator, captured_as, LIVE_WEBM, 4, DURATION).await;
                creator.submit_take(&take).await
            }
        };
        let metadata = creator.metadata(&path).await;
        assert_eq!(metadata.captured_as, Some(want), "{captured_as}");
        let arrival = metadata.arrival.expect("times");
        // Even if the times would fit.
        assert!(!arrival.while_recorded, "{captured_as}");
    }
}

async fn compaction_keeps_when_bytes_came(server: Server) {
    for (parts, duration, live) in [(100, DURATION, true), (100, DURATION / 4, false)] {
        let creator = server.create_request().await;
        let take = upload_during(&creator, "recorded", LIVE_WEBM, parts, duration).await;
        let completed_at = server.app.clock.now();
        let path = creator.submit_take(&take).await;
        let chunks = server
            .app
            .db
            .take_chunks(&take_id(&take), 0..u64::MAX)
            .await;
        let chunks = chunks.expect("rows");
        assert_eq!(chunks.len(), 1, "they are compacted");
        assert_eq!(chunks[0].committed_at, Some(completed_at));
        let arrival = creator.metadata(&path).await.arrival.expect("times");
        assert_eq!(arrival.last_byte_at, rfc3339(completed_at));
        assert_eq!(arrival.while_recorded, live);
    }
}

/// The rows tell only when the compacted objects came.
#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_that_died_after_its_compaction_has_kept_when_bytes_came() {
    const LEASE: i64 = 15_000;
    for live in [true, false] {
        let server = Server::sqlite().await;
        let creator = server.create_request().await;
        let take = creator.create_take_as("recorded").await;
        let (created, begun_at) = (creator.created.clone(), server.app.clock.now());
        let server = server.into_passive().await;
        let request = RequestId::parse(&created.id).expect("an id");
        append_to_node(
            &server.app,
            request.as_str(),
            last_segment(&take),
            LIVE_WEBM,
        )
        .await;
        let (db, clock) = (&server.app.db, &server.app.clock);
        let lease = db
            .lease_claim(Queue::Seal, &take_id(&take), LEASE, clock)
            .await;
        let lease = lease.expect("rows").expect("no other lease");
        let half = LIVE_WEBM.len() / 2;
        let lengths = [half, LIVE_WEBM.len() - half].map(|it| u32::try_from(it).expect("small"));
        let times = if live { [1_000, DURATION] } else { [10, 20] };
        let rows = lengths.into_iter().zip(times).flat_map(|(length, at)| {
            let at = (begun_at + at).to_le_bytes();
            length.to_le_bytes().into_iter().chain(at)
        });
        let kept = db.sealing_keep_arrivals(&lease, rows.collect()).await;
        assert!(kept.expect("rows"));

        let server = server.restart().await;
        let creator = server.creator(&created);
        let path = creator.submit_take(&take).await;
        let arrival = creator.metadata(&path).await.arrival.expect("times");
        assert_eq!(arrival.while_recorded, live);
        let job = server
            .app
            .db
            .sealing_get(&take_id(&take))
            .await
            .expect("rows");
        assert_eq!(job.expect("a row").arrivals, None, "no longer needed");
    }
}

/// As where a node of the release before has appended the rest of a take: it notes no times.
#[tokio::test(flavor = "multi_thread")]
async fn a_take_of_which_some_times_are_unknown_has_no_arrival() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let take = creator.create_take_as("recorded").await;
    let created = creator.created.clone();
    let server = server.into_passive().await;
    let request = RequestId::parse(&created.id).expect("an id");
    append_to_node(
        &server.app,
        request.as_str(),
        last_segment(&take),
        LIVE_WEBM,
    )
    .await;
    server
        .execute_sql("UPDATE chunks SET committed_at = NULL")
        .await;

    let server = server.restart().await;
    let creator = server.creator(&created);
    let path = creator.submit_take(&take).await;
    let metadata = creator.metadata(&path).await;
    assert_eq!(metadata.captured_as, Some(CapturedAs::Recorded));
    assert_eq!(metadata.arrival, None);
    assert!(metadata.submitted_at.is_some() && metadata.sealed_at.is_some());
}
