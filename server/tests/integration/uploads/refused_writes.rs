//! What is refused after it was written leaves neither object nor folder behind.

use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use reqwest::{Method, StatusCode};
use server::config::LimitArgs;
use server::db::SealingState;
use server::id::RequestId;
use server::service::Error;
use server::service::uploads::append::{Append, End, append};

use crate::support::{
    CLIP, CLIP_LENGTH, Creator, HOUR, Server, assert_refused, during, generous_limits,
    on_each_storage, take_id, wait_until,
};

on_each_storage! {
    bytes_that_are_written_after_the_expiry_leave_no_object
    a_take_whose_bytes_made_room_meanwhile_is_not_submitted
    a_take_that_failed_is_as_if_it_were_not_there
}

async fn bytes_that_are_written_after_the_expiry_leave_no_object(server: Server) {
    let creator = server.create_request().await;
    let request = RequestId::parse(creator.id()).expect("an id");
    let path = creator.create_take().await;
    let answer = creator.append(&path, 0, CLIP, false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    // Without a sweeper, which would remove everything.
    let server = server.into_passive().await;
    let more = Append {
        offset: CLIP_LENGTH,
        end: End::Open,
        length: None,
        checksum: None,
    };
    let clock = server.app.clock.clone();
    let body = stream::once(async move {
        clock.advance(HOUR);
        Ok::<_, Infallible>(Bytes::from_static(b"more"))
    });
    let appended = append(&server.app, &request, &take_id(&path), more, body.boxed()).await;
    assert!(matches!(appended, Err(Error::Gone)));
    assert_eq!(server.objects().len(), 1, "what was committed before");
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_written_after_their_take_is_removed_leave_no_folder() {
    let server = Server::sqlite().await;
    let creator = server.create_request().await;
    let request = RequestId::parse(creator.id()).expect("an id");
    let take = take_id(&creator.create_take().await);
    let folder = take_folder(&creator).join(take.as_str());
    let piece = Append {
        offset: 0,
        end: End::Open,
        length: None,
        checksum: None,
    };
    let (app, owner, id) = (server.app.clone(), request.clone(), take.clone());
    // As another node does, on which this writer isn't known.
    let body = stream::once(async move {
        let deleted = app.db.take_delete_by_link(&owner, &id, &app.clock).await;
        assert!(deleted.expect("rows"));
        fs::remove_dir_all(folder).expect("a folder");
        Ok::<_, Infallible>(Bytes::from_static(CLIP))
    });
    let appended = append(&server.app, &request, &take, piece, body.boxed()).await;
    assert!(matches!(appended, Err(Error::NotFound)), "{appended:?}");
    assert_eq!(take_folders(&creator), 0);
}

/// Uploads a take, waits until nothing is done with it any more, and returns its path.
async fn upload_and_settle(creator: &Creator<'_>) -> String {
    let (app, path) = (&creator.server.app, creator.upload(CLIP).await);
    wait_until(async || {
        let sealing = app.db.sealing_get(&take_id(&path)).await.expect("rows");
        sealing.is_some_and(|it| it.state == SealingState::Done) && app.tasks.is_empty()
    })
    .await;
    path
}

/// On a full disk, a removal takes the bytes before the rows.
async fn a_take_whose_bytes_made_room_meanwhile_is_not_submitted(server: Server) {
    let creator = server.create_request().await;
    let request = RequestId::parse(creator.id()).expect("an id");
    let path = upload_and_settle(&creator).await;
    let (app, take) = (&server.app, take_id(&path));
    let removal = app.coordination.removal_locks.exclusive(&request).await;
    // The submission has found the take whole.
    let answer = during(creator.submit(&path), async {
        wait_until(async || !app.tasks.is_empty()).await;
        app.coordination.poisoned.add(&take);
        drop(removal);
    })
    .await;
    assert_refused(answer, 422, "take_failed").await;
    assert_eq!(creator.status().await["status"], "awaiting_submission");
}

/// The answer to HEAD has no body with a code, by which a client would know what to do.
async fn a_take_that_failed_is_as_if_it_were_not_there(server: Server) {
    let creator = server.create_request().await;
    let path = creator.create_take().await;
    let head = async || {
        let head = server.request(Method::HEAD, &path).send().await;
        head.expect("an answer").status()
    };
    assert_eq!(head().await, StatusCode::NO_CONTENT);
    server.app.coordination.poisoned.add(&take_id(&path));
    assert_eq!(head().await, StatusCode::NOT_FOUND);
    let append = creator.append(&path, 0, CLIP, false).await;
    assert_refused(append, 422, "take_failed").await;
}

/// The folder with the folders of this request's takes.
fn take_folder(creator: &Creator<'_>) -> PathBuf {
    let data_dir = &creator.server.config().store.data_dir;
    data_dir.join("blobs").join(creator.id())
}

/// The number of folders of takes of this request.
fn take_folders(creator: &Creator<'_>) -> usize {
    fs::read_dir(take_folder(creator))
        .expect("a folder")
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_take_beyond_the_limit_leaves_no_folder() {
    let limits = LimitArgs {
        max_takes: 1,
        ..generous_limits()
    };
    let server = Server::sqlite().await.with_limits(limits).await;
    let creator = server.create_request().await;
    creator.create_take().await;
    assert_refused(creator.begin_take().await, 413, "too_many_takes").await;
    assert_eq!(take_folders(&creator), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_take_that_a_submission_overtakes_leaves_no_folder() {
    let server = Server::sqlite().await;
    let app = &server.app;
    let creator = server.create_request().await;
    let request = RequestId::parse(creator.id()).expect("an id");
    let take = take_id(&upload_and_settle(&creator).await);
    // The creation has found the request open, and waits for this lock before it makes the folder.
    let lock = app.coordination.removal_locks.exclusive(&request).await;
    let answer = during(creator.begin_take(), async {
        wait_until(async || !app.tasks.is_empty()).await;
        let submitted = app
            .db
            .request_submit(&request, &take, None, false, &app.clock)
            .await;
        assert!(submitted.expect("rows").is_some());
        drop(lock);
    })
    .await;
    assert_refused(answer, 409, "already_submitted").await;
    assert_eq!(take_folders(&creator), 1, "the video's");
}
