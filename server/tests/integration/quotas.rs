//! Who asks too often is told when to come back; who sends is slowed down.

use futures_util::future::join_all;
use reqwest::header::RETRY_AFTER;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::json;
use server::config::QuotaArgs;
use server::service::quota::RateLimit;
use server::service::workers::sweeper::sweep;

use crate::support::{
    CLIP, CLIP_LENGTH, HOUR, OBJECT_COST, Server, assert_refused, journeys, noise, unlimited,
    wait_until,
};

journeys! {
    creations_are_counted_on_all_nodes_and_through_restarts
    whoever_races_gets_no_more
    each_address_behind_a_trusted_proxy_has_its_own_quota
    a_network_may_have_a_quota_of_its_own
    a_refused_creation_costs_nothing
    who_has_stored_as_much_as_they_may_creates_nothing_more
    reads_deletions_and_streams_are_counted
    who_sends_is_slowed_and_never_refused
    spent_quotas_are_forgotten
    a_debt_counts_while_clocks_differ_by_less_than_five_minutes
}

const SECOND: i64 = 1000;

fn allowance(text: &str) -> RateLimit {
    text.parse().expect("an allowance")
}

fn creations(text: &str) -> QuotaArgs {
    QuotaArgs {
        create_limit: allowance(text),
        ..unlimited()
    }
}

fn creation(server: &Server) -> RequestBuilder {
    let wish = json!({ "prompt": "Show the dent.", "expires_in_hours": 48 });
    server.request(Method::POST, "/v1/requests").json(&wish)
}

async fn create(server: &Server) -> Response {
    creation(server).send().await.expect("an answer")
}

async fn create_for(server: &Server, address: &str) -> Response {
    let creation = creation(server).header("X-Forwarded-For", address);
    creation.send().await.expect("an answer")
}

/// Checks that it was refused, and for how many seconds.
async fn assert_too_often(answer: Response, seconds: u64) {
    assert_eq!(answer.headers()[RETRY_AFTER], seconds.to_string());
    assert_refused(answer, 429, "rate_limited").await;
}

async fn creations_are_counted_on_all_nodes_and_through_restarts(server: Server) {
    let server = server.rationed(creations("60/hour:3")).await;
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    if server.is_in_a_cluster() {
        let other = server.another_node().await;
        assert_eq!(create(&other).await.status(), StatusCode::CREATED);
    } else {
        assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    }
    let server = server.restart().await;
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    assert_too_often(create(&server).await, 60).await;
    server.later(30 * SECOND);
    assert_too_often(create(&server).await, 30).await;
    assert_eq!(server.live_requests().await, 3);
    server.later(30 * SECOND);
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    assert_too_often(create(&server).await, 60).await;
    // A clock that was set right owes nobody anything.
    server.later(-100 * HOUR);
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    server.later(100 * HOUR);
    // A long silence saves up no more than the burst.
    server.later(HOUR);
    for _ in 0..3 {
        assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    }
    assert_too_often(create(&server).await, 60).await;
}

async fn whoever_races_gets_no_more(server: Server) {
    let server = server.rationed(creations("1/hour:10")).await;
    let other = match server.is_in_a_cluster() {
        true => Some(server.another_node().await),
        false => None,
    };
    let nodes = [&server, other.as_ref().unwrap_or(&server)];
    let racing = (0..60).map(|number| create(nodes[number % 2]));
    let answers = join_all(racing).await;
    let created = |it: &&Response| it.status() == StatusCode::CREATED;
    assert_eq!(answers.iter().filter(created).count(), 10);
    // Nor by way of a node whose clock is a little behind.
    server.later(-20);
    assert_eq!(
        create(&server).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );
}

async fn each_address_behind_a_trusted_proxy_has_its_own_quota(server: Server) {
    let behind = |trusted: &str| QuotaArgs {
        trusted_proxies: vec![trusted.parse().expect("a network")],
        ..creations("1/hour:1")
    };
    let server = server.rationed(behind("127.0.0.0/8")).await;
    for address in [
        "198.51.100.1",
        "198.51.100.2",
        "2001:db8::1",
        "2001:db8:0:1::1",
    ] {
        let answer = create_for(&server, &format!("192.0.2.1, {address}")).await;
        assert_eq!(answer.status(), StatusCode::CREATED, "{address}");
    }
    for again in ["198.51.100.1", "::ffff:198.51.100.2", "2001:db8::ffff:2"] {
        assert_too_often(create_for(&server, again).await, 3600).await;
    }
    // Who isn't trusted can't make anybody up.
    let server = server.rationed(behind("10.0.0.0/8")).await;
    let answer = create_for(&server, "198.51.100.3").await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    assert_too_often(create_for(&server, "198.51.100.4").await, 3600).await;
}

async fn a_network_may_have_a_quota_of_its_own(server: Server) {
    let network = "127.0.0.0/8".parse().expect("a network");
    let quotas = QuotaArgs {
        create_limit_for: vec![(network, allowance("off"))],
        // Creations count, too.
        read_limit_for: vec![(network, allowance("1/hour:4"))],
        read_limit: allowance("1/hour:1"),
        ..creations("1/hour:1")
    };
    let server = server.rationed(quotas).await;
    let creator = server.create().await;
    server.create().await;
    creator.status().await;
    creator.status().await;
    let path = format!("/v1/requests/{}", creator.id());
    assert_too_often(creator.ask(Method::GET, &path).await, 3600).await;
}

async fn a_refused_creation_costs_nothing(server: Server) {
    let server = server.rationed(creations("1/hour:1")).await;
    for _ in 0..3 {
        let wish = json!({ "prompt": "", "expires_in_hours": 1 });
        assert_refused(server.post("/v1/requests", &wish).await, 400, "bad_request").await;
    }
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    for _ in 0..3 {
        assert_too_often(create(&server).await, 3600).await;
    }
}

async fn who_has_stored_as_much_as_they_may_creates_nothing_more(server: Server) {
    let quotas = QuotaArgs {
        max_creator_bytes: 2 * (CLIP_LENGTH + OBJECT_COST),
        ..unlimited()
    };
    let server = server.rationed(quotas).await;
    let (first, second) = (server.create().await, server.create().await);
    first.upload(CLIP).await;
    let take = second.begin().await;
    // One byte more than there is room for, in takes that were begun when there was room.
    let more = [CLIP, &noise(1)].concat();
    let answer = second.append(&take, 0, more, true).await;
    assert_refused(answer, 507, "insufficient_storage").await;
    assert_eq!(server.objects().len(), 1);
    let answer = second.append(&take, 0, CLIP.to_vec(), true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_too_often(create(&server).await, 3600).await;
    let begun = server.request(Method::POST, &first.page("/takes"));
    let begun = begun.header("Upload-Complete", "?0").send().await;
    assert_refused(begun.expect("an answer"), 507, "insufficient_storage").await;
    assert_eq!(second.delete().await, StatusCode::NO_CONTENT);
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    first.begin().await;
}

async fn reads_deletions_and_streams_are_counted(server: Server) {
    let creator = server.create().await;
    let video = creator.submit_video(CLIP).await;
    let (id, token) = (
        creator.id().to_owned(),
        creator.created.access_token.clone(),
    );
    let quotas = QuotaArgs {
        read_limit: allowance("6/minute:3"),
        ..unlimited()
    };
    let server = server.rationed(quotas).await;
    let path = format!("/v1/requests/{id}");
    let ask = async |method: Method, path: &str| {
        let asked = server.request(method, path).bearer_auth(&token).send();
        asked.await.expect("an answer")
    };
    let waits = server.request(Method::GET, &path).bearer_auth(&token);
    // However long it waits, it counts once.
    let waited = waits.header("prefer", "wait=1").send().await;
    assert_eq!(waited.expect("an answer").status(), StatusCode::OK);
    assert_eq!(ask(Method::GET, &video).await.status(), StatusCode::OK);
    // Who guesses is counted as well.
    let guess = server
        .request(Method::GET, &path)
        .bearer_auth("vidence_guess");
    assert_refused(guess.send().await.expect("an answer"), 401, "unauthorized").await;
    for (method, path) in [
        (Method::GET, &path),
        (Method::DELETE, &path),
        (Method::GET, &video),
    ] {
        assert_too_often(ask(method, path).await, 10).await;
    }
    server.later(10 * SECOND);
    let deleted = ask(Method::DELETE, &path).await;
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
}

async fn who_sends_is_slowed_and_never_refused(server: Server) {
    let creator = server.create().await;
    let take = creator.begin().await;
    let (page, token) = (creator.page("/state"), creator.created.clone());
    let quotas = QuotaArgs {
        read_limit: allowance("1/hour:1"),
        ..unlimited()
    };
    let server = server.rationed(quotas).await;
    // Ten times as many as reads.
    for _ in 0..10 {
        assert_eq!(server.get(&page).await.status(), StatusCode::OK);
    }
    let creator = crate::support::Creator {
        server: &server,
        created: token,
    };
    let append = creator.append(&take, 0, CLIP.to_vec(), true);
    let then = async {
        wait_until(async || server.app.quotas.slowed() == 1).await;
        assert_eq!(server.objects().len(), 0);
        server.later(HOUR / 10);
    };
    let append = tokio::join!(append, then).0;
    assert_eq!(append.status(), StatusCode::NO_CONTENT);
}

async fn spent_quotas_are_forgotten(server: Server) {
    let server = server.rationed(creations("60/hour:2")).await;
    create(&server).await;
    server.later(59 * SECOND);
    sweep(&server.app).await.expect("a sweep");
    create(&server).await;
    create(&server).await;
    assert_too_often(create(&server).await, 1).await;
    server.later(HOUR);
    let now = server.app.clock.now();
    assert_eq!(server.app.db.quotas_forget(now).await.expect("rows"), 1);
    assert_eq!(server.app.db.quotas_forget(now).await.expect("rows"), 0);
}

/// Clocks of nodes differ a little; what no clock explains is forgiven, so that one that was set back locks nobody out.
async fn a_debt_counts_while_clocks_differ_by_less_than_five_minutes(server: Server) {
    let server = server.rationed(creations("60/hour:1")).await;
    for (behind, is_forgiven) in [(4 * 60 * SECOND, false), (6 * 60 * SECOND, true)] {
        assert_eq!(create(&server).await.status(), StatusCode::CREATED);
        server.later(-behind);
        let created = create(&server).await.status() == StatusCode::CREATED;
        assert_eq!(created, is_forgiven, "{behind} ms behind");
        server.later(behind + HOUR);
    }
}
