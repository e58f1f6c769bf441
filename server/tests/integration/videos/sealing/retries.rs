//! A seal job that fails is tried again: forever while a store is away, and five times otherwise.

use std::fs;

use reqwest::{Method, StatusCode};
use server::clock::Millis;
use server::config::LimitArgs;
use server::db::{SealingState, SealingStatus};
use server::id::TakeId;
use server::service::workers::sweeper::sweep;

use crate::support::scrape::{AdminServer, assert_grown};
use crate::support::{
    CLIP, CLIP_LENGTH, LIVE_WEBM, OBJECT_OVERHEAD, Server, clip, generous_limits, on_each_storage,
    take_id, wait_until,
};

on_each_storage! {
    a_take_is_sealed_after_a_long_outage_of_its_store
    a_take_is_sealed_when_there_is_room_again
    a_take_whose_bytes_have_changed_is_not_sealed
}

/// Delay after the first try. It is longer than a lease.
const DELAY: Millis = 30_000;

/// Delay after the second try, and the longest one.
const MAX_DELAY: Millis = 60_000;

const FAILURES: &str = "vidence_sealing_failures_total";

const GIVEN_UP: &str = "vidence_sealing_given_up_total";

async fn job(server: &Server, take: &TakeId) -> SealingStatus {
    let job = server.app.db.sealing_get(take).await;
    job.expect("rows").expect("the job of a complete take")
}

/// Waits until the job has failed and is put off by `delay`.
async fn fail_attempt(server: &Server, take: &TakeId, delay: Millis) -> SealingStatus {
    let due = server.app.clock.now() + delay;
    wait_until(async || job(server, take).await.leased_until == due).await;
    job(server, take).await
}

/// Lets `delay` pass, and wakes both queues: an empty take is refused at once.
async fn pass(server: &Server, delay: Millis) {
    server.advance_clock(delay);
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let answer = creator.append(&take, 0, "", true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

/// Lets sealing fail more often than a job may for reasons of its own, and asserts that no failure counts as a try.
async fn fail_often(server: &Server, take: &TakeId) {
    const TIMES: u8 = 7;
    let admin = AdminServer::start(server).await;
    fail_attempt(server, take, DELAY).await;
    let before = admin.scrape().await;
    for _ in 0..TIMES {
        pass(server, DELAY).await;
        let job = fail_attempt(server, take, DELAY).await;
        assert_eq!((job.state, job.tries), (SealingState::Due, 0));
    }
    let after = admin.scrape().await;
    for (name, work, by) in [
        (FAILURES, "seal", f64::from(TIMES)),
        (FAILURES, "stills", 0.0),
        (GIVEN_UP, "seal", 0.0),
    ] {
        assert_grown(&before, &after, name, &[("work", work)], by);
    }
}

async fn a_take_is_sealed_after_a_long_outage_of_its_store(server: Server) {
    let creator = server.create_request().await;
    let path = creator.create_take().await;
    creator.append(&path, 0, CLIP, false).await;
    let object = server.objects().pop().expect("an object");
    let bytes = fs::read(&object).expect("an object");
    fs::remove_file(&object).expect("an object");
    creator.append(&path, CLIP_LENGTH, "", true).await;
    fail_often(&server, &take_id(&path)).await;
    fs::write(&object, bytes).expect("the object again");
    server.advance_clock(DELAY);
    assert_eq!(creator.submit(&path).await.status(), StatusCode::OK);
}

async fn a_take_whose_bytes_have_changed_is_not_sealed(server: Server) {
    // As many small ones are compacted first.
    for pieces in [1, 70] {
        let creator = server.create_request().await;
        let path = creator.create_take().await;
        let before = server.objects();
        let recording = clip(70 * 100);
        for (index, piece) in recording.chunks(recording.len() / pieces).enumerate() {
            let at = index * piece.len();
            let answer = creator
                .append(&path, at as u64, piece.to_vec(), false)
                .await;
            assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        }
        let objects = server.objects();
        let object = objects.iter().find(|it| !before.contains(it));
        let object = object.expect("an object");
        let bytes = fs::read(object).expect("an object");
        let mut changed = bytes.clone();
        *changed.last_mut().expect("a byte") ^= 1;
        fs::write(object, changed).expect("other bytes");
        creator
            .append(&path, recording.len() as u64, "", true)
            .await;
        let job = fail_attempt(&server, &take_id(&path), DELAY).await;
        assert_eq!((job.state, job.tries), (SealingState::Due, 1));
        fs::write(object, bytes).expect("the object again");
        server.advance_clock(DELAY);
        let video = creator.submit_take(&path).await;
        let video = creator.send_authorized(Method::GET, &video).await;
        assert!(
            video.bytes().await.expect("a video") == recording,
            "{pieces} pieces"
        );
    }
}

async fn a_take_is_sealed_when_there_is_room_again(server: Server) {
    const FILLER: usize = 100_000;
    let bytes = (LIVE_WEBM.len() + FILLER) as u64;
    let limits = LimitArgs {
        // As much as the two recordings count, and less than an index.
        max_stored_bytes: Some(bytes + 3 * OBJECT_OVERHEAD),
        ..generous_limits()
    };
    let server = server.with_limits(limits).await;
    let filler = server.create_request().await;
    let open = filler.create_take().await;
    let answer = filler.append(&open, 0, clip(FILLER), false).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let creator = server.create_request().await;
    let path = creator.upload(LIVE_WEBM).await;
    fail_often(&server, &take_id(&path)).await;
    assert_eq!(filler.delete().await, StatusCode::NO_CONTENT);
    sweep(&server.app).await.expect("a sweep");
    server.advance_clock(DELAY);
    assert_eq!(creator.submit(&path).await.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn stills_are_given_up_after_five_failures_of_the_decoder() {
    let server = Server::without_decoders().await;
    let admin = AdminServer::start(&server).await;
    let before = admin.scrape().await;
    let creator = server.create_request().await;
    let path = creator.upload(LIVE_WEBM).await;
    let take = take_id(&path);
    for tries in 1..=5 {
        let delay = if tries == 1 { DELAY } else { MAX_DELAY };
        let job = fail_attempt(&server, &take, delay).await;
        assert_eq!((job.state, job.tries), (SealingState::StillsDue, tries));
        pass(&server, delay).await;
    }
    wait_until(async || job(&server, &take).await.state == SealingState::Done).await;
    let why = job(&server, &take).await.no_stills.expect("a reason");
    assert_eq!(why, "making them failed too often");
    let after = admin.scrape().await;
    for (name, work, by) in [
        (FAILURES, "stills", 5.0),
        (FAILURES, "seal", 0.0),
        (GIVEN_UP, "stills", 1.0),
        (GIVEN_UP, "seal", 0.0),
    ] {
        assert_grown(&before, &after, name, &[("work", work)], by);
    }
    assert_eq!(creator.submit(&path).await.status(), StatusCode::OK);
}
