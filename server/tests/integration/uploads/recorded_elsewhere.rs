//! The page state tells whether another device is recording for the same link.

use app::api::{GROWING_SECONDS, PageState};
use server::clock::Millis;

use crate::support::{CLIP, Creator, Server, on_each_storage};
use test_support::on_postgres_s3;

on_postgres_s3! {
    a_recording_through_one_node_shows_on_another
}

on_each_storage! {
    a_growing_take_shows_on_every_page_but_its_own
    an_idle_or_complete_take_shows_on_no_page
}

const GROWING_WINDOW: Millis = GROWING_SECONDS as Millis * 1000;

/// Whether the page that uploads `take` sees another recording.
async fn is_recorded_elsewhere(node: &Server, creator: &Creator<'_>, take: &str) -> bool {
    let id = take.rsplit('/').next().expect("an id");
    let answer = node
        .get(&creator.link_path(&format!("/state?take={id}")))
        .await;
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let state: PageState = answer.json().await.expect("a state");
    state.recorded_elsewhere
}

async fn a_growing_take_shows_on_every_page_but_its_own(server: Server) {
    let (creator, visitor) = (server.create_request().await, server.create_request().await);
    visitor.create_take().await;
    assert!(!creator.page_state().await.recorded_elsewhere);
    let phone = creator.create_take().await;
    assert!(creator.page_state().await.recorded_elsewhere);
    assert!(!is_recorded_elsewhere(&server, &creator, &phone).await);
    let sqlite = creator.create_take().await;
    assert!(is_recorded_elsewhere(&server, &creator, &phone).await);
    assert!(is_recorded_elsewhere(&server, &creator, &sqlite).await);
}

async fn an_idle_or_complete_take_shows_on_no_page(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    server.advance_clock(GROWING_WINDOW - 1);
    assert!(creator.page_state().await.recorded_elsewhere);
    server.advance_clock(1);
    assert!(!creator.page_state().await.recorded_elsewhere);
    creator.append(&take, 0, &CLIP[..100], false).await;
    assert!(creator.page_state().await.recorded_elsewhere);
    // A clock set back doesn't prolong it.
    server.advance_clock(-GROWING_WINDOW);
    assert!(!creator.page_state().await.recorded_elsewhere);
    server.advance_clock(GROWING_WINDOW);
    creator.append(&take, 100, &CLIP[100..], true).await;
    assert!(!creator.page_state().await.recorded_elsewhere);
}

async fn a_recording_through_one_node_shows_on_another() {
    let a = Server::postgres_s3().await;
    let b = a.another_node().await;
    let creator = a.create_request().await;
    let sqlite = creator.upload(CLIP).await;
    assert!(!is_recorded_elsewhere(&b, &creator, &sqlite).await);
    creator.create_take().await;
    assert!(is_recorded_elsewhere(&b, &creator, &sqlite).await);
}
