//! Takedowns by the operator's subcommand: everything is removed, and every client gets an error that says so.

use std::fs;
use std::path::PathBuf;

use bytes::Bytes;
use reqwest::{Method, StatusCode};
use server::attach;
use server::blobs::ObjectKey;
use server::config::QuotaArgs;
use server::id::{RequestId, TakeId};
use server::service::moderation::takedown::{TakedownOutcome, take_down};
use server::service::workers::sweeper::sweep;

use super::reports::report;
use crate::support::binary::{open_reports, stdout_of, vidence};
use crate::support::{
    CLIP, CLIP_LENGTH, Creator, HOUR, Server, assert_cut_short, assert_refused, body_in_two_pieces,
    clip, on_each_storage, unlimited_quotas, wait_until,
};

on_each_storage! {
    an_expired_request_can_be_taken_down
    a_takedown_needs_no_running_server
    an_unknown_request_cannot_be_taken_down
    all_open_requests_of_a_network_are_taken_down
    a_takedown_closes_the_reports_of_its_request
    objects_written_during_a_takedown_are_removed
    ; over_http2
    a_takedown_cancels_an_append_and_removes_its_bytes
    a_takedown_resets_a_stream_and_removes_the_video
    a_takedown_ends_a_long_poll
}

async fn a_takedown_cancels_an_append_and_removes_its_bytes(server: Server) {
    let (creator, other) = (server.create_request().await, server.create_request().await);
    other.upload(CLIP).await;
    let take = creator.create_take().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let takedown = async {
        wait_until(async || creator.page_state().await.takes[0].offset == CLIP_LENGTH).await;
        let output = stdout_of(&server, &["takedown", creator.id()]).await;
        assert!(output.contains("Taken down."), "{output}");
        let removed = format!("recordings: 1, bytes: {CLIP_LENGTH}.");
        assert!(output.contains(&removed), "{output}");
        assert_eq!(server.objects().len(), 1, "the other one's");
    };
    // The append is cancelled and answered before its body ends.
    let (answer, ()) = tokio::join!(creator.append(&take, 0, body, true), takedown);
    drop(end);
    assert_refused(answer, 410, "taken_down").await;
    // Nothing is written afterwards.
    sweep(&server.app).await.expect("a sweep");
    assert_eq!(server.objects().len(), 1, "the other one's");
    for path in ["/state", "/takes"] {
        let method = if path == "/takes" {
            Method::POST
        } else {
            Method::GET
        };
        let sent = server.request(method, &creator.link_path(path));
        let sent = sent.header("Content-Type", "video/webm").send().await;
        assert_refused(sent.expect("an answer"), 410, "taken_down").await;
    }
    assert_refused(creator.submit(&take).await, 410, "taken_down").await;
}

/// Takes a request down as another process does: its rows, then its objects.
async fn take_down_elsewhere(server: &Server, id: &RequestId) {
    let store = server.config().store.clone();
    let other_process = attach(store).await.expect("stores");
    let (db, clock) = (&other_process.db, &other_process.clock);
    let taken_down = db.request_take_down(id.clone(), clock).await;
    assert!(taken_down.expect("rows").is_some());
    let removed = other_process.blobs.remove_request(id).await;
    removed.expect("no bytes");
}

/// The folder of a request's objects.
fn blob_folder(server: &Server, creator: &Creator<'_>) -> PathBuf {
    let data_dir = &server.config().store.data_dir;
    data_dir.join("blobs").join(creator.id())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_append_after_a_takedown_leaves_no_folder() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let folder = blob_folder(&server, &creator);
    let (answer, ()) = tokio::join!(creator.append(&take, 0, body, true), async {
        wait_until(async || creator.page_state().await.takes[0].offset == CLIP_LENGTH).await;
        // Removes the objects before the last ones are written.
        let id = RequestId::parse(creator.id()).expect("an id");
        take_down_elsewhere(&server, &id).await;
        assert!(!fs::exists(&folder).expect("blobs"));
        // An error: the server has noticed already, and has ended the upload.
        let _ = end.send(());
    });
    assert_refused(answer, 410, "taken_down").await;
    wait_until(async || !fs::exists(&folder).expect("blobs")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_creation_during_a_takedown_leaves_no_folder() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let folder = blob_folder(&server, &creator);
    let id = RequestId::parse(creator.id()).expect("an id");
    let gate = server.app.coordination.removal_locks.exclusive(&id).await;
    let begun = creator.post_take().header("Content-Type", "video/webm");
    // The creation waits for the lock, unless it begins so late that it already sees the takedown.
    let (answer, ()) = tokio::join!(begun.send(), async {
        take_down_elsewhere(&server, &id).await;
        drop(gate);
    });
    assert_refused(answer.expect("an answer"), 410, "taken_down").await;
    wait_until(async || !fs::exists(&folder).expect("blobs")).await;
}

/// As by a node that doesn't know of the takedown yet, and stops between an object and its row.
async fn objects_written_during_a_takedown_are_removed(server: Server) {
    let creator = server.create_request().await;
    let take = creator.upload(CLIP).await;
    let id = RequestId::parse(creator.id()).expect("an id");
    let take = take.rsplit('/').next().and_then(TakeId::parse);
    let take = take.expect("an id");
    let blobs = &server.app.blobs;
    // The second removal waits for it, however slow the disk is. The first one doesn't.
    let writing = server.app.coordination.removal_locks.shared(&id).await;
    let late = async {
        wait_until(async || server.objects().is_empty()).await;
        // The first removal may still be at the folders: a write in it fails, or is removed with them.
        wait_until(async || {
            let key = ObjectKey::random(&id, &take);
            let bytes = vec![Bytes::from_static(b"late")];
            let prepared = blobs.prepare_take(&id, &take).await.is_ok();
            prepared && blobs.put(&key, bytes).await.is_ok() && !server.objects().is_empty()
        })
        .await;
        drop(writing);
    };
    let (outcome, ()) = tokio::join!(take_down(&server.app, &id), late);
    assert!(matches!(outcome, Ok(TakedownOutcome::TakenDown(_))));
    assert!(server.objects().is_empty());
}

async fn a_takedown_resets_a_stream_and_removes_the_video(server: Server) {
    // More than the socket buffers of both sides hold.
    const LARGE_VIDEO_BYTES: usize = 60_000_000;
    let creator = server.create_request().await;
    let video = creator.submit_video(&clip(LARGE_VIDEO_BYTES)).await;
    let mut stream = creator.send_authorized(Method::GET, &video).await;
    let received = stream.chunk().await.expect("bytes").expect("some").len();

    let link = format!("{}{}?lang=de", server.base, creator.link_path(""));
    let output = stdout_of(&server, &["takedown", &link]).await;
    assert!(output.contains("Taken down."), "{output}");
    assert!(server.objects().is_empty());
    assert_cut_short(stream, received, LARGE_VIDEO_BYTES).await;

    // The creator gets the same answers as after a deletion.
    let request = format!("/v1/requests/{}", creator.id());
    for (method, path) in [
        (Method::GET, &request),
        (Method::DELETE, &request),
        (Method::GET, &video),
    ] {
        let answer = creator.send_authorized(method, path).await;
        assert_refused(answer, 404, "not_found").await;
    }
    // The link says that the request was taken down.
    for path in ["", "/report"] {
        let page = server.get(&creator.link_path(path)).await;
        assert_eq!(page.status(), StatusCode::GONE);
        let html = page.text().await.expect("HTML");
        assert!(html.contains("This request was taken down"), "{html}");
    }
    let again = stdout_of(&server, &["takedown", creator.id()]).await;
    assert!(again.contains("taken down before"), "{again}");
}

async fn a_takedown_ends_a_long_poll(server: Server) {
    let creator = server.create_request().await;
    let request = server.request(Method::GET, &format!("/v1/requests/{}", creator.id()));
    let request = request.bearer_auth(&creator.created.access_token);
    let waiting = async {
        let answer = request.header("Prefer", "wait=50").send().await;
        answer.expect("an answer")
    };
    let takedown = async {
        wait_until(async || server.app.coordination.changes.waiting() == 1).await;
        stdout_of(&server, &["takedown", creator.id()]).await;
    };
    let (answer, ()) = tokio::join!(waiting, takedown);
    assert_refused(answer, 404, "not_found").await;
}

async fn an_expired_request_can_be_taken_down(server: Server) {
    let creator = server.create_request().await;
    creator.upload(CLIP).await;
    server.advance_clock(HOUR);
    assert_eq!(
        server.get(&creator.link_path("")).await.status(),
        StatusCode::GONE
    );
    let output = stdout_of(&server, &["takedown", creator.id()]).await;
    assert!(output.contains("Taken down."), "{output}");
    assert!(server.objects().is_empty());
    let page = server.get(&creator.link_path("")).await;
    let html = page.text().await.expect("HTML");
    assert!(html.contains("This request was taken down"), "{html}");
}

async fn a_takedown_needs_no_running_server(mut server: Server) {
    let creator = server.create_request().await;
    let id = creator.id().to_owned();
    creator.upload(CLIP).await;
    server.shutdown().await;
    let output = stdout_of(&server, &["takedown", &id]).await;
    assert!(output.contains("Taken down."), "{output}");
    assert!(server.objects().is_empty());
    let server = server.restart().await;
    let page = server.get(&format!("/r/{id}")).await;
    assert_eq!(page.status(), StatusCode::GONE);
}

async fn is_gone(creator: &Creator<'_>) -> bool {
    let path = format!("/v1/requests/{}", creator.id());
    let answer = creator.send_authorized(Method::GET, &path).await;
    answer.status() == StatusCode::NOT_FOUND
}

async fn all_open_requests_of_a_network_are_taken_down(server: Server) {
    let quotas = QuotaArgs {
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let of = async |address| server.create_request_from(address).await;
    let (one, two) = (of("198.51.100.7").await, of("198.51.100.200").await);
    let (other, deleted) = (of("198.51.101.7").await, of("198.51.100.8").await);
    assert_eq!(deleted.delete().await, StatusCode::NO_CONTENT);
    two.submit_video(CLIP).await;
    let words = ["takedown", "--creator", "198.51.100.0/24"];
    let listed = stdout_of(&server, &[&words[..], &["--dry-run"]].concat()).await;
    for (creator, is_listed) in [
        (&one, true),
        (&two, true),
        (&other, false),
        (&deleted, false),
    ] {
        assert_eq!(listed.contains(creator.id()), is_listed, "{listed}");
        let gone = is_gone(creator).await;
        assert_eq!(gone, creator.id() == deleted.id(), "nothing is taken down");
    }
    assert!(listed.contains("from 198.51.100.200: "), "{listed}");
    let taken = stdout_of(&server, &words).await;
    assert!(taken.ends_with("2 taken down.\n"), "{taken}");
    for (creator, want) in [(&one, true), (&two, true), (&other, false)] {
        assert_eq!(is_gone(creator).await, want, "{}", creator.id());
    }
    let single = ["takedown", "--creator", "198.51.101.7"];
    let taken = stdout_of(&server, &single).await;
    assert!(taken.ends_with("1 taken down.\n"), "{taken}");
    for words in [&["takedown"][..], &["takedown", other.id(), "--dry-run"]] {
        let refused = vidence(words, &server.environment()).await;
        assert_eq!(refused.code, Some(2), "{refused:?}");
    }
}

async fn a_takedown_closes_the_reports_of_its_request(server: Server) {
    let (creator, other) = (server.create_request().await, server.create_request().await);
    let deleted = server.create_request().await;
    for request in [&creator, &other, &deleted] {
        report(request, "reason=danger").await;
    }
    assert_eq!(deleted.delete().await, StatusCode::NO_CONTENT);
    for request in [&creator, &deleted] {
        stdout_of(&server, &["takedown", request.id()]).await;
    }
    let left = open_reports(&server).await;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["request"], other.id());
}

async fn an_unknown_request_cannot_be_taken_down(server: Server) {
    let unknown = "0000000000000000000000";
    let complaint_output = vidence(&["takedown", unknown], &server.environment()).await;
    let complaint = complaint_output.failure(1);
    assert!(complaint.contains("no such request"), "{complaint}");
    let creator = server.create_request().await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let output = stdout_of(&server, &["takedown", creator.id()]).await;
    assert!(output.contains("Its creator has deleted it"), "{output}");
    let page = server.get(&creator.link_path("")).await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
}
