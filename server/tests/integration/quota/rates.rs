//! Rate limits: creations and reads are refused with `Retry-After`, uploads are delayed.

use futures_util::future::join_all;
use reqwest::header::RETRY_AFTER;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::json;
use server::config::{QuotaArgs, RateLimit};
use server::service::workers::sweeper::sweep;

use crate::support::{
    CLIP, CLIP_LENGTH, HOUR, OBJECT_OVERHEAD, Server, assert_refused, noise, on_each_storage,
    unlimited_quotas, wait_until,
};

on_each_storage! {
    the_creation_limit_holds_across_nodes_and_restarts
    concurrent_creations_do_not_exceed_the_limit
    each_client_behind_a_trusted_proxy_has_its_own_limit
    a_network_may_have_its_own_limit
    a_refused_creation_is_not_charged
    a_creator_beyond_max_creator_bytes_is_refused
    reads_deletions_and_streams_count_against_the_read_limit
    uploads_are_throttled_and_never_refused
    expired_rate_limit_rows_are_removed
    rate_limits_tolerate_clock_skew_below_five_minutes
}

const SECOND: i64 = 1000;

fn rate(text: &str) -> RateLimit {
    text.parse().expect("an allowance")
}

fn quotas_with_create_limit(text: &str) -> QuotaArgs {
    QuotaArgs {
        create_limit: rate(text),
        ..unlimited_quotas()
    }
}

fn creation_call(server: &Server) -> RequestBuilder {
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 48 });
    server.request(Method::POST, "/v1/requests").json(&body)
}

async fn create(server: &Server) -> Response {
    creation_call(server).send().await.expect("an answer")
}

async fn create_for(server: &Server, address: &str) -> Response {
    let creation_call = creation_call(server).header("X-Forwarded-For", address);
    creation_call.send().await.expect("an answer")
}

/// Asserts that a request was refused for this many seconds.
async fn assert_rate_limited(answer: Response, seconds: u64) {
    assert_eq!(answer.headers()[RETRY_AFTER], seconds.to_string());
    assert_refused(answer, 429, "rate_limited").await;
}

async fn the_creation_limit_holds_across_nodes_and_restarts(server: Server) {
    let server = server
        .with_quotas(quotas_with_create_limit("60/hour:3"))
        .await;
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    if server.has_shared_stores() {
        let other = server.another_node().await;
        assert_eq!(create(&other).await.status(), StatusCode::CREATED);
    } else {
        assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    }
    let server = server.restart().await;
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    assert_rate_limited(create(&server).await, 60).await;
    server.advance_clock(30 * SECOND);
    assert_rate_limited(create(&server).await, 30).await;
    assert_eq!(server.live_requests().await, 3);
    server.advance_clock(30 * SECOND);
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    assert_rate_limited(create(&server).await, 60).await;
    // A clock that is set back cancels the debt.
    server.advance_clock(-100 * HOUR);
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    server.advance_clock(100 * HOUR);
    // A long pause earns no more than the burst.
    server.advance_clock(HOUR);
    for _ in 0..3 {
        assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    }
    assert_rate_limited(create(&server).await, 60).await;
}

async fn concurrent_creations_do_not_exceed_the_limit(server: Server) {
    let server = server
        .with_quotas(quotas_with_create_limit("1/hour:10"))
        .await;
    let other = match server.has_shared_stores() {
        true => Some(server.another_node().await),
        false => None,
    };
    let nodes = [&server, other.as_ref().unwrap_or(&server)];
    let concurrent = (0..60).map(|number| create(nodes[number % 2]));
    let answers = join_all(concurrent).await;
    let created = |it: &&Response| it.status() == StatusCode::CREATED;
    assert_eq!(answers.iter().filter(created).count(), 10);
    // Nor through a node whose clock is slightly behind.
    server.advance_clock(-20);
    assert_eq!(
        create(&server).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );
}

async fn each_client_behind_a_trusted_proxy_has_its_own_limit(server: Server) {
    let behind = |trusted: &str| QuotaArgs {
        trusted_proxies: vec![trusted.parse().expect("a network")],
        ..quotas_with_create_limit("1/hour:1")
    };
    let server = server.with_quotas(behind("127.0.0.0/8")).await;
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
        assert_rate_limited(create_for(&server, again).await, 3600).await;
    }
    // Forwarding headers of an untrusted client are ignored.
    let server = server.with_quotas(behind("10.0.0.0/8")).await;
    let answer = create_for(&server, "198.51.100.3").await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    assert_rate_limited(create_for(&server, "198.51.100.4").await, 3600).await;
}

async fn a_network_may_have_its_own_limit(server: Server) {
    let network = "127.0.0.0/8".parse().expect("a network");
    let quotas = QuotaArgs {
        create_limit_for: vec![(network, rate("off"))],
        // Creations count against it, too.
        read_limit_for: vec![(network, rate("1/hour:4"))],
        read_limit: rate("1/hour:1"),
        ..quotas_with_create_limit("1/hour:1")
    };
    let server = server.with_quotas(quotas).await;
    let creator = server.create_request().await;
    server.create_request().await;
    creator.status().await;
    creator.status().await;
    let path = format!("/v1/requests/{}", creator.id());
    assert_rate_limited(creator.send_authorized(Method::GET, &path).await, 3600).await;
}

async fn a_refused_creation_is_not_charged(server: Server) {
    let server = server
        .with_quotas(quotas_with_create_limit("1/hour:1"))
        .await;
    for _ in 0..3 {
        let body = json!({ "prompt": "", "expires_in_hours": 1 });
        assert_refused(server.post("/v1/requests", &body).await, 400, "bad_request").await;
    }
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    for _ in 0..3 {
        assert_rate_limited(create(&server).await, 3600).await;
    }
}

async fn a_creator_beyond_max_creator_bytes_is_refused(server: Server) {
    let quotas = QuotaArgs {
        max_creator_bytes: 2 * (CLIP_LENGTH + OBJECT_OVERHEAD),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let (first, second) = (server.create_request().await, server.create_request().await);
    first.upload(CLIP).await;
    let take = second.create_take().await;
    // One byte too many, in a take that was created while there was space.
    let more = [CLIP, &noise(1)].concat();
    let answer = second.append(&take, 0, more, true).await;
    assert_refused(answer, 507, "insufficient_storage").await;
    assert_eq!(server.objects().len(), 1);
    let answer = second.append(&take, 0, CLIP.to_vec(), true).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_rate_limited(create(&server).await, 3600).await;
    assert_refused(first.begin_take().await, 507, "insufficient_storage").await;
    assert_eq!(second.delete().await, StatusCode::NO_CONTENT);
    assert_eq!(create(&server).await.status(), StatusCode::CREATED);
    first.create_take().await;
}

async fn reads_deletions_and_streams_count_against_the_read_limit(server: Server) {
    let creator = server.create_request().await;
    let video = creator.submit_video(CLIP).await;
    let (id, token) = (
        creator.id().to_owned(),
        creator.created.access_token.clone(),
    );
    let quotas = QuotaArgs {
        read_limit: rate("6/minute:3"),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    let path = format!("/v1/requests/{id}");
    let send = async |method: Method, path: &str| {
        let sent = server.request(method, path).bearer_auth(&token).send();
        sent.await.expect("an answer")
    };
    let waits = server.request(Method::GET, &path).bearer_auth(&token);
    // A long poll counts once.
    let waited = waits.header("prefer", "wait=1").send().await;
    assert_eq!(waited.expect("an answer").status(), StatusCode::OK);
    assert_eq!(send(Method::GET, &video).await.status(), StatusCode::OK);
    // Failed authentication counts, too.
    let wrong_token = server
        .request(Method::GET, &path)
        .bearer_auth("vidence_guess");
    assert_refused(
        wrong_token.send().await.expect("an answer"),
        401,
        "unauthorized",
    )
    .await;
    for (method, path) in [
        (Method::GET, &path),
        (Method::DELETE, &path),
        (Method::GET, &video),
    ] {
        assert_rate_limited(send(method, path).await, 10).await;
    }
    server.advance_clock(10 * SECOND);
    let deleted = send(Method::DELETE, &path).await;
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
}

async fn uploads_are_throttled_and_never_refused(server: Server) {
    let creator = server.create_request().await;
    let take = creator.create_take().await;
    let (page, token) = (creator.link_path("/state"), creator.created.clone());
    let quotas = QuotaArgs {
        read_limit: rate("1/hour:1"),
        ..unlimited_quotas()
    };
    let server = server.with_quotas(quotas).await;
    // Uploads have ten times the read limit.
    for _ in 0..10 {
        assert_eq!(server.get(&page).await.status(), StatusCode::OK);
    }
    let creator = server.creator(&token);
    let append = creator.append(&take, 0, CLIP.to_vec(), true);
    let then = async {
        wait_until(async || server.app.quotas.throttled() == 1).await;
        assert_eq!(server.objects().len(), 0);
        server.advance_clock(HOUR / 10);
    };
    let append = tokio::join!(append, then).0;
    assert_eq!(append.status(), StatusCode::NO_CONTENT);
}

async fn expired_rate_limit_rows_are_removed(server: Server) {
    let server = server
        .with_quotas(quotas_with_create_limit("60/hour:2"))
        .await;
    create(&server).await;
    server.advance_clock(59 * SECOND);
    sweep(&server.app).await.expect("a sweep");
    create(&server).await;
    create(&server).await;
    assert_rate_limited(create(&server).await, 1).await;
    server.advance_clock(HOUR);
    sweep(&server.app).await.expect("a sweep");
    let now = server.app.clock.now();
    assert_eq!(server.app.db.quotas_forget(now).await.expect("rows"), 0);
    create(&server).await;
    let later = now + HOUR;
    assert_eq!(server.app.db.quotas_forget(later).await.expect("rows"), 1);
}

/// Clocks of nodes differ slightly.
/// A larger difference cancels the debt, so that a clock set back locks out no client.
async fn rate_limits_tolerate_clock_skew_below_five_minutes(server: Server) {
    let server = server
        .with_quotas(quotas_with_create_limit("60/hour:1"))
        .await;
    for (behind, refilled) in [(4 * 60 * SECOND, false), (6 * 60 * SECOND, true)] {
        assert_eq!(create(&server).await.status(), StatusCode::CREATED);
        server.advance_clock(-behind);
        let created = create(&server).await.status() == StatusCode::CREATED;
        assert_eq!(created, refilled, "{behind} ms behind");
        server.advance_clock(behind + HOUR);
    }
}
