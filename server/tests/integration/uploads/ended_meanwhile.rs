//! Calls whose request expires, and is removed, between two of their steps.
//!
//! Another session holds a lock for which the second step waits, and deletes the rows meanwhile, as a sweep does.

use std::fs;

use reqwest::{Method, Response, StatusCode};
use test_support::on_postgres_s3;

use crate::support::sql::Blocker;
use crate::support::{CLIP, Creator, HOUR, Server, assert_refused, last_segment, wait_until};

on_postgres_s3! {
    a_take_that_is_removed_while_its_offset_is_read_is_gone
    a_take_that_is_removed_while_its_state_is_read_is_gone
    a_take_whose_bytes_are_removed_while_they_are_read_is_gone
}

/// Sends a request, and lets its request expire and this happen while `query` waits for the lock that the statements
/// take.
async fn ended_meanwhile(
    creator: &Creator<'_>,
    sending: impl Future<Output = Response>,
    (query, statements): (&str, &str),
    meanwhile: impl FnOnce(),
) -> Response {
    let url = creator.server.database_url().expect("PostgreSQL");
    let blocker = Blocker::begin(url, statements).await;
    let ending = async {
        blocker.wait_for_blocked(1, query).await;
        creator.server.advance_clock(HOUR);
        meanwhile();
        blocker.commit().await;
    };
    tokio::join!(sending, ending).0
}

async fn a_take_that_is_removed_while_its_offset_is_read_is_gone() {
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let sending = async {
        let sent = server.request(Method::HEAD, &take).send().await;
        sent.expect("an answer")
    };
    let claim = ("UPDATE \"takes\"", "DELETE FROM takes");
    let answer = ended_meanwhile(&creator, sending, claim, || {}).await;
    assert_eq!(answer.status(), StatusCode::GONE);
}

async fn a_take_that_is_removed_while_its_state_is_read_is_gone() {
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let state = format!("/state?take={}", last_segment(&take));
    let state = creator.link_path(&state);
    let list = (
        "\"takes\".\"request_id\" = $1",
        "LOCK TABLE takes; DELETE FROM takes",
    );
    let answer = ended_meanwhile(&creator, server.get(&state), list, || {}).await;
    assert_refused(answer, 410, "gone").await;
}

async fn a_take_whose_bytes_are_removed_while_they_are_read_is_gone() {
    let server = Server::postgres_s3().await;
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    // Too few to tell the container, so the next append reads them.
    let (first, rest) = CLIP.split_at(3);
    creator.append(&take, 0, first, false).await;
    wait_until(async || server.app.tasks.is_empty()).await;
    let sending = creator.append(&take, 3, rest, true);
    let manifest = ("\"chunks\".\"take_id\" = $1", "LOCK TABLE chunks");
    let answer = ended_meanwhile(&creator, sending, manifest, || {
        for object in server.objects() {
            fs::remove_file(object).expect("an object");
        }
    })
    .await;
    assert_refused(answer, 410, "gone").await;
}
