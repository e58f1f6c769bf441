//! Sealing: an index in front of the recorded bytes, digests, metadata.

mod leases;
mod order;
mod retries;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{HeaderMap, RANGE};
use reqwest::{Method, Response, StatusCode};
use server::db::{Db, Queue, Seal, SealingState};
use server::id::RequestId;
use server::service::workers::orphan_gc;
use server::service::workers::sweeper::sweep;
use sha2::{Digest, Sha256};

use crate::support::{
    AUDIO_ONLY_WEBM, CLIP, Creator, GEOTAGGED_MOV, HOUR, LIVE_MP4, LIVE_WEBM, SEEKABLE_WEBM,
    Server, WEBM_HEADER, assert_refused, on_each_storage, take_id, wait_until,
};
use test_support::on_postgres_s3;

on_postgres_s3! {
    a_stopped_nodes_sealing_job_is_taken_over
}

on_each_storage! {
    a_live_recording_comes_back_seekable_and_whole
    ranges_span_index_and_recording
    a_seekable_video_is_served_unchanged
    an_unplayable_take_is_422_and_another_may_follow
    a_truncated_recording_is_served_to_its_last_whole_element
    an_index_is_no_orphan_and_is_removed_with_its_request
    a_rejected_take_is_removed_with_its_index
    the_page_state_has_the_sealing_result_of_each_take
}

async fn seal_of(db: &Db, take: &str) -> Option<Seal> {
    db.seal_get(&take_id(take)).await.expect("rows")
}

/// Uploads a take and waits for its seal.
async fn sealed(server: &Server, creator: &Creator<'_>, recording: &[u8]) -> (String, Seal) {
    let take = creator.upload(recording).await;
    wait_until(async || seal_of(&server.app.db, &take).await.is_some()).await;
    let seal = seal_of(&server.app.db, &take).await.expect("a seal");
    (take, seal)
}

async fn range_of(creator: &Creator<'_>, path: &str, range: &str) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(RANGE, range.parse().expect("a range"));
    creator.send_with_headers(Method::GET, path, headers).await
}

async fn a_live_recording_comes_back_seekable_and_whole(server: Server) {
    for (recording, media_type, extension) in [
        (LIVE_WEBM, "video/webm", "webm"),
        (LIVE_MP4, "video/mp4", "mp4"),
    ] {
        let creator = server.create_request().await;
        let path = creator.submit_video(recording).await;
        let answer = creator.send_authorized(Method::GET, &path).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let headers = answer.headers().clone();
        let served = answer.bytes().await.expect("bytes");
        assert!(served.ends_with(recording), "a recorded byte is missing");
        assert!(served.len() > recording.len(), "behind an index");

        assert_eq!(headers["content-type"], media_type);
        assert_eq!(headers["content-length"], served.len().to_string());
        let digest = STANDARD.encode(Sha256::digest(&served));
        assert_eq!(headers["repr-digest"], format!("sha-256=:{digest}:"));
        let id = path.rsplit('/').next().expect("an id");
        let name = format!("inline; filename=\"{id}.{extension}\"");
        assert_eq!(headers["content-disposition"], name);
        assert!(
            headers["last-modified"]
                .to_str()
                .expect("text")
                .ends_with("GMT")
        );
        assert!(headers["etag"].to_str().expect("text").starts_with('"'));
        assert!(seconds(&served) > 0.0);
    }
}

/// Duration that a player shows, from the index in front.
fn seconds(served: &[u8]) -> f64 {
    let container = match media::sniff(served) {
        media::Sniffed::Known(container) => container,
        other => panic!("{other:?}"),
    };
    let mut reader = media::Reader::new(container);
    reader.feed(served);
    let sealed = reader.finish().expect("a video");
    assert!(sealed.index.is_empty(), "it can be sought already");
    sealed.summary.duration.as_secs_f64()
}

async fn ranges_span_index_and_recording(server: Server) {
    let creator = server.create_request().await;
    let path = creator.submit_video(LIVE_WEBM).await;
    let whole = creator.send_authorized(Method::GET, &path).await;
    let whole = whole.bytes().await.expect("bytes");
    let (seam, length) = (whole.len() - LIVE_WEBM.len(), whole.len());
    for (from, to) in [
        (0, 1),
        (seam - 1, seam),
        (seam, seam + 1),
        (seam - 3, seam + 4),
        (0, length),
        (length - 1, length),
    ] {
        let answer = range_of(&creator, &path, &format!("bytes={from}-{}", to - 1)).await;
        assert_eq!(answer.status(), StatusCode::PARTIAL_CONTENT);
        // The digest of the whole representation: RFC 9530, section 3.
        assert!(answer.headers().contains_key("repr-digest"));
        assert!(
            answer.bytes().await.expect("bytes") == whole[from..to],
            "{from}-{to}"
        );
    }
}

async fn a_seekable_video_is_served_unchanged(server: Server) {
    for recording in [CLIP, SEEKABLE_WEBM] {
        let creator = server.create_request().await;
        let (take, seal) = sealed(&server, &creator, recording).await;
        assert!(seal.index_object.is_none());
        assert_eq!(seal.recording_sha256, seal.served_sha256);
        assert!(creator.submit_and_download(&take).await == recording);
    }
}

async fn an_unplayable_take_is_422_and_another_may_follow(server: Server) {
    let creator = server.create_request().await;
    for (file, code) in [(WEBM_HEADER, "unreadable"), (AUDIO_ONLY_WEBM, "no_video")] {
        let take = creator.upload(file).await;
        assert_refused(creator.submit(&take).await, 422, code).await;
        assert_refused(creator.submit(&take).await, 422, code).await;
    }
    assert_eq!(creator.status().await["status"], "awaiting_submission");
    creator.submit_video(LIVE_WEBM).await;
    assert_eq!(creator.status().await["status"], "submitted");
}

async fn a_truncated_recording_is_served_to_its_last_whole_element(server: Server) {
    let creator = server.create_request().await;
    let recording = &LIVE_WEBM[..LIVE_WEBM.len() * 2 / 3];
    let (take, seal) = sealed(&server, &creator, recording).await;
    let kept = usize::try_from(seal.recording_length).expect("small");
    assert!(
        kept < recording.len() && kept > recording.len() / 2,
        "{kept}"
    );
    assert_eq!(seal.recording_sha256, Sha256::digest(recording).to_vec());
    let served = creator.submit_and_download(&take).await;
    assert!(served.ends_with(&recording[..kept]));
    assert_eq!(seal.served_sha256, Sha256::digest(&served).to_vec());
}

async fn an_index_is_no_orphan_and_is_removed_with_its_request(server: Server) {
    let creator = server.create_request().await;
    let (take, seal) = sealed(&server, &creator, LIVE_WEBM).await;
    let index = seal.index_object.expect("an index");
    assert!(server.objects().iter().any(|it| it.ends_with(&index)));
    server.age_objects(HOUR / 2);
    orphan_gc::remove(&server.app).await.expect("a search");
    assert!(server.objects().iter().any(|it| it.ends_with(&index)));
    assert_eq!(creator.submit(&take).await.status(), StatusCode::OK);
    server.advance_clock(HOUR);
    sweep(&server.app).await.expect("a sweep");
    assert!(server.objects().is_empty());
}

async fn a_rejected_take_is_removed_with_its_index(server: Server) {
    let creator = server.create_request().await;
    let (_rejected, _) = sealed(&server, &creator, LIVE_WEBM).await;
    let path = creator.submit_video(CLIP).await;
    assert_eq!(server.objects().len(), 1);
    let answer = creator.send_authorized(Method::GET, &path).await;
    assert!(answer.bytes().await.expect("bytes") == CLIP);
}

/// A node without background jobs, which stops while it holds a lease.
async fn a_stopped_nodes_sealing_job_is_taken_over() {
    let server = Server::postgres_s3().await;
    let dead = server.passive_node().await;
    let creator = server.create_request().await;
    let link = RequestId::parse(creator.id()).expect("an id");
    let clock = &server.app.clock;
    let (take, lease) = loop {
        let take = creator.create_take().await;
        let id = take_id(&take);
        append_to_node(&dead, link.as_str(), id.as_str(), LIVE_WEBM).await;
        let claim = dead.db.lease_claim(Queue::Seal, &id, 15_000, clock);
        // The other node looks for jobs now and then, and may have been first.
        if let Some(lease) = claim.await.expect("rows") {
            break (take, lease);
        }
    };

    let submission = creator.submit(&take);
    let answer = crate::support::during(submission, async {
        assert!(seal_of(&server.app.db, &take).await.is_none());
        server.advance_clock(15_000);
    })
    .await;
    assert_eq!(answer.status(), StatusCode::OK);

    // The stopped node tries to renew its lease.
    let late = dead.db.lease_renew(&lease, 15_000, clock).await;
    assert!(!late.expect("rows"));
}

pub async fn append_to_node(
    node: &server::service::AppState,
    link: &str,
    take: &str,
    recording: &'static [u8],
) {
    use server::id::{RequestId, TakeId};
    use server::service::uploads::append::{Append, End, append};
    let request = RequestId::parse(link).expect("an id");
    let take = TakeId::parse(take).expect("an id");
    let piece = Append {
        offset: 0,
        end: End::Here,
        length: None,
        checksum: None,
    };
    let body = futures_util::stream::iter([Ok::<_, std::io::Error>(recording.into())]);
    append(node, &request, &take, piece, body)
        .await
        .expect("room");
}

async fn the_page_state_has_the_sealing_result_of_each_take(server: Server) {
    let creator = server.create_request().await;
    creator.create_take().await;
    let audio_less = creator.upload(AUDIO_ONLY_WEBM).await;
    wait_until(async || {
        let sealing = server.app.db.sealing_get(&take_id(&audio_less)).await;
        let sealing = sealing.expect("rows");
        sealing.is_some_and(|it| it.state == SealingState::Refused)
    })
    .await;
    sealed(&server, &creator, LIVE_WEBM).await;
    let (located, _) = sealed(&server, &creator, GEOTAGGED_MOV).await;

    let state = creator.page_state().await;
    // The clock is manual, so the order is undefined; the geotagged recording is the smaller one.
    let mut takes: Vec<_> = state.takes.iter().collect();
    takes.sort_by_key(|it| it.offset);
    let states = takes
        .iter()
        .map(|it| (it.complete, it.sealed, it.has_location));
    let want = [
        (false, false, false),
        (true, false, false),
        (true, true, false),
        (true, true, false),
    ];
    assert_eq!(states.collect::<Vec<_>>(), want);
    // Only the sender of a file sees that it says where it was filmed.
    let state = creator.link_path(&format!("/state?take={}", take_id(&located).as_str()));
    let state: app::api::PageState = server.get(&state).await.json().await.expect("JSON");
    assert!(state.take.is_some_and(|it| it.has_location));
    let submitted: app::api::PageState = creator.submit(&located).await.json().await.expect("JSON");
    assert_eq!(submitted.status, app::api::RequestStatus::Submitted);
    assert!(submitted.takes.is_empty() && submitted.take.is_none());
}
