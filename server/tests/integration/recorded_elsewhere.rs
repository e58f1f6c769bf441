//! A page says so while another device records for the same link.

use app::api::{GROWING_SECONDS, PageState};
use server::clock::Millis;

use crate::support::{CLIP, Creator, Server, journeys};
use test_support::on_a_cluster;

on_a_cluster! {
    a_recording_on_one_node_shows_on_another
}

journeys! {
    a_take_that_grows_shows_on_every_page_but_its_own
    a_take_that_stopped_growing_or_is_complete_shows_nowhere
}

const GROWING: Millis = GROWING_SECONDS as Millis * 1000;

/// What the page is told that sends `take`.
async fn shows(node: &Server, creator: &Creator<'_>, take: &str) -> bool {
    let id = take.rsplit('/').next().expect("an id");
    let answer = node.get(&creator.page(&format!("/state?take={id}"))).await;
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let state: PageState = answer.json().await.expect("a state");
    state.recorded_elsewhere
}

async fn a_take_that_grows_shows_on_every_page_but_its_own(server: Server) {
    let (creator, stranger) = (server.create().await, server.create().await);
    stranger.begin().await;
    assert!(!creator.state().await.recorded_elsewhere);
    let phone = creator.begin().await;
    assert!(creator.state().await.recorded_elsewhere);
    assert!(!shows(&server, &creator, &phone).await);
    let laptop = creator.begin().await;
    assert!(shows(&server, &creator, &phone).await);
    assert!(shows(&server, &creator, &laptop).await);
}

async fn a_take_that_stopped_growing_or_is_complete_shows_nowhere(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    server.later(GROWING - 1);
    assert!(creator.state().await.recorded_elsewhere);
    server.later(1);
    assert!(!creator.state().await.recorded_elsewhere);
    // And again as soon as it grows.
    creator.append(&take, 0, &CLIP[..100], false).await;
    assert!(creator.state().await.recorded_elsewhere);
    // A clock that was set back makes nothing last longer.
    server.later(-GROWING);
    assert!(!creator.state().await.recorded_elsewhere);
    server.later(GROWING);
    creator.append(&take, 100, &CLIP[100..], true).await;
    assert!(!creator.state().await.recorded_elsewhere);
}

async fn a_recording_on_one_node_shows_on_another() {
    let a = Server::in_a_cluster().await;
    let b = a.another_node().await;
    let creator = a.create().await;
    let laptop = creator.upload(CLIP).await;
    assert!(!shows(&b, &creator, &laptop).await);
    creator.begin().await;
    assert!(shows(&b, &creator, &laptop).await);
}
