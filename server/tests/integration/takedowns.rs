//! An operator takes a request down, by a command beside the server: nothing of it is left, and all are told.

use std::fs;

use bytes::Bytes;
use reqwest::{Method, StatusCode};
use server::attach;
use server::blobs::ObjectKey;
use server::id::{RequestId, TakeId};
use server::service::moderation::takedown::{Outcome, take_down};
use server::service::workers::sweeper::sweep;

use crate::commands::{says, vidence};
use crate::support::{
    CLIP, CLIP_LENGTH, HOUR, Server, assert_refused, body_in_two_pieces, clip, during, journeys,
    wait_until,
};

journeys! {
    an_expired_request_can_be_taken_down
    a_takedown_needs_no_running_server
    only_what_there_is_can_be_taken_down
    what_a_writer_brings_late_goes_before_a_takedown_is_said_to_be_done
    ; over_http2
    a_takedown_cuts_an_upload_and_leaves_nothing_of_it
    a_takedown_cuts_a_stream_and_leaves_nothing_of_it
    who_waits_hears_of_a_takedown
}

async fn a_takedown_cuts_an_upload_and_leaves_nothing_of_it(server: Server) {
    let (creator, other) = (server.create().await, server.create().await);
    other.upload(CLIP).await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let takedown = async {
        wait_until(async || creator.state().await.takes[0].offset == CLIP_LENGTH).await;
        let said = says(&server, &["takedown", creator.id()]).await;
        assert!(said.contains("Taken down."), "{said}");
        let removed = format!("recordings: 1, bytes: {CLIP_LENGTH}.");
        assert!(said.contains(&removed), "{said}");
        assert_eq!(server.objects().len(), 1, "the other one's");
    };
    // Its sender needn't end it to hear so.
    let (answer, ()) = tokio::join!(creator.append(&take, 0, body, true), takedown);
    drop(end);
    assert_refused(answer, 410, "taken_down").await;
    // Nor does anything come late.
    sweep(&server.app).await.expect("a sweep");
    assert_eq!(server.objects().len(), 1, "the other one's");
    for path in ["/state", "/takes"] {
        let method = if path == "/takes" {
            Method::POST
        } else {
            Method::GET
        };
        let asked = server.request(method, &creator.page(path));
        let asked = asked.header("Content-Type", "video/webm").send().await;
        assert_refused(asked.expect("an answer"), 410, "taken_down").await;
    }
    assert_refused(creator.submit(&take).await, 410, "taken_down").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_writes_after_a_takedown_leaves_no_folder() {
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    let take = creator.begin().await;
    let (body, end) = body_in_two_pieces(CLIP, b"second");
    let store = server.config().store.clone();
    let folder = store.data_dir.join("blobs").join(creator.id());
    let answer = during(creator.append(&take, 0, body, true), async {
        wait_until(async || creator.state().await.takes[0].offset == CLIP_LENGTH).await;
        // As another process does, whose removal of the bytes is over before the last of them are written.
        let beside = attach(store).await.expect("stores");
        let id = RequestId::parse(creator.id()).expect("an id");
        let taken_down = beside.db.request_take_down(id.clone(), &beside.clock).await;
        assert!(taken_down.expect("rows").is_some());
        beside.blobs.remove_request(&id).await.expect("no bytes");
        assert!(!fs::exists(&folder).expect("blobs"));
        end.send(()).expect("an upload under way");
    });
    assert_refused(answer.await, 410, "taken_down").await;
    wait_until(async || !fs::exists(&folder).expect("blobs")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_begins_beside_a_takedown_leaves_no_folder() {
    let server = Server::on_a_laptop().await;
    let creator = server.create().await;
    let store = server.config().store.clone();
    let folder = store.data_dir.join("blobs").join(creator.id());
    let id = RequestId::parse(creator.id()).expect("an id");
    let gate = server.app.coordination.removal_locks.exclusive(&id).await;
    let begun = server.request(Method::POST, &creator.page("/takes"));
    let begun = async {
        let begun = begun.header("Content-Type", "video/webm").send();
        begun.await.expect("an answer")
    };
    // The one who begins has come as far as the gate before a second process is there.
    let answer = during(begun, async {
        let beside = attach(store).await.expect("stores");
        let taken_down = beside.db.request_take_down(id.clone(), &beside.clock).await;
        assert!(taken_down.expect("rows").is_some());
        beside.blobs.remove_request(&id).await.expect("no bytes");
        drop(gate);
    });
    assert_refused(answer.await, 410, "taken_down").await;
    wait_until(async || !fs::exists(&folder).expect("blobs")).await;
}

/// A node that knows of nothing yet, and loses its writer between an object and its row.
async fn what_a_writer_brings_late_goes_before_a_takedown_is_said_to_be_done(server: Server) {
    let creator = server.create().await;
    let take = creator.upload(CLIP).await;
    let id = RequestId::parse(creator.id()).expect("an id");
    let take = take.rsplit('/').next().and_then(TakeId::parse);
    let take = take.expect("an id");
    let blobs = &server.app.blobs;
    let late = async {
        wait_until(async || server.objects().is_empty()).await;
        blobs.prepare_take(&id, &take).await.expect("a folder");
        let bytes = vec![Bytes::from_static(b"late")];
        let key = ObjectKey::random(&id, &take);
        blobs.put(&key, bytes).await.expect("an object");
    };
    let (outcome, ()) = tokio::join!(take_down(&server.app, &id), late);
    assert!(matches!(outcome, Ok(Outcome::TakenDown(_))));
    assert!(server.objects().is_empty());
}

async fn a_takedown_cuts_a_stream_and_leaves_nothing_of_it(server: Server) {
    // More than the sockets of both sides hold.
    const LARGE: usize = 60_000_000;
    let creator = server.create().await;
    let video = creator.submit_video(&clip(LARGE)).await;
    let mut stream = creator.ask(Method::GET, &video).await;
    let mut received = stream.chunk().await.expect("bytes").expect("some").len();

    let link = format!("{}{}?lang=de", server.base, creator.page(""));
    let said = says(&server, &["takedown", &link]).await;
    assert!(said.contains("Taken down."), "{said}");
    assert!(server.objects().is_empty());
    let end = loop {
        match stream.chunk().await {
            Ok(Some(bytes)) => received += bytes.len(),
            end => break end,
        }
    };
    assert!(end.is_err(), "cut, not ended");
    assert!(received < LARGE, "{received}");

    // As after a deletion, for whoever asked.
    let request = format!("/v1/requests/{}", creator.id());
    for (method, path) in [
        (Method::GET, &request),
        (Method::DELETE, &request),
        (Method::GET, &video),
    ] {
        let answer = creator.ask(method, path).await;
        assert_refused(answer, 404, "not_found").await;
    }
    // And for whoever was asked.
    for path in ["", "/report"] {
        let page = server.get(&creator.page(path)).await;
        assert_eq!(page.status(), StatusCode::GONE);
        let html = page.text().await.expect("HTML");
        assert!(html.contains("This request was taken down"), "{html}");
    }
    let again = says(&server, &["takedown", creator.id()]).await;
    assert!(again.contains("taken down before"), "{again}");
}

async fn who_waits_hears_of_a_takedown(server: Server) {
    let creator = server.create().await;
    let request = server.request(Method::GET, &format!("/v1/requests/{}", creator.id()));
    let request = request.bearer_auth(&creator.created.access_token);
    let waiting = async {
        let answer = request.header("Prefer", "wait=50").send().await;
        answer.expect("an answer")
    };
    let takedown = async {
        wait_until(async || server.app.coordination.changes.waiting() == 1).await;
        says(&server, &["takedown", creator.id()]).await;
    };
    let (answer, ()) = tokio::join!(waiting, takedown);
    assert_refused(answer, 404, "not_found").await;
}

async fn an_expired_request_can_be_taken_down(server: Server) {
    let creator = server.create().await;
    creator.upload(CLIP).await;
    server.later(HOUR);
    assert_eq!(
        server.get(&creator.page("")).await.status(),
        StatusCode::GONE
    );
    let said = says(&server, &["takedown", creator.id()]).await;
    assert!(said.contains("Taken down."), "{said}");
    assert!(server.objects().is_empty());
    let page = server.get(&creator.page("")).await;
    let html = page.text().await.expect("HTML");
    assert!(html.contains("This request was taken down"), "{html}");
}

async fn a_takedown_needs_no_running_server(mut server: Server) {
    let creator = server.create().await;
    let id = creator.id().to_owned();
    creator.upload(CLIP).await;
    server.end().await;
    let said = says(&server, &["takedown", &id]).await;
    assert!(said.contains("Taken down."), "{said}");
    assert!(server.objects().is_empty());
    let server = server.restart().await;
    let page = server.get(&format!("/r/{id}")).await;
    assert_eq!(page.status(), StatusCode::GONE);
}

async fn only_what_there_is_can_be_taken_down(server: Server) {
    let unknown = "0000000000000000000000";
    let ran = vidence(&["takedown", unknown], &server.environment()).await;
    let complaint = ran.refused(1);
    assert!(complaint.contains("no such request"), "{complaint}");
    let creator = server.create().await;
    assert_eq!(creator.delete().await, StatusCode::NO_CONTENT);
    let said = says(&server, &["takedown", creator.id()]).await;
    assert!(said.contains("Its creator has deleted it"), "{said}");
    let page = server.get(&creator.page("")).await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
}
