//! Who has many IPv6 networks has no more than a few times what one of them may have.

use reqwest::header::RETRY_AFTER;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::json;
use server::config::QuotaArgs;
use server::service::quota::RateLimit;
use server::service::workers::sweeper::sweep;

use crate::support::{CLIP, CLIP_LENGTH, OBJECT_COST, Server, assert_refused, journeys, unlimited};

journeys! {
    the_networks_of_one_site_share_their_creations
    a_creation_that_is_refused_costs_no_network_anything
    a_network_with_a_limit_of_its_own_is_not_bound_by_those_around_it
    the_networks_of_one_site_share_their_reads
    the_networks_of_one_site_share_what_they_may_store
}

fn allowance(text: &str) -> RateLimit {
    text.parse().expect("an allowance")
}

fn behind_a_proxy() -> QuotaArgs {
    QuotaArgs {
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited()
    }
}

/// As a client with this address would ask.
fn ask(server: &Server, method: Method, path: &str, address: &str) -> RequestBuilder {
    let request = server.request(method, path);
    request.header("X-Forwarded-For", address)
}

async fn create(server: &Server, address: &str) -> Response {
    let wish = json!({ "prompt": "Show the dent.", "expires_in_hours": 48 });
    let creation = ask(server, Method::POST, "/v1/requests", address).json(&wish);
    creation.send().await.expect("an answer")
}

/// How many of these addresses may create one request each, one after the other.
async fn created(server: &Server, addresses: impl Iterator<Item = String>) -> usize {
    let mut created = 0;
    for address in addresses {
        let answer = create(server, &address).await;
        created += usize::from(answer.status() == StatusCode::CREATED);
    }
    created
}

/// Addresses in so many networks of 64 bits within the network `2001:db8:0:{site}00::/56`.
fn of_site(site: u8, networks: u8) -> impl Iterator<Item = String> {
    (0..networks).map(move |network| format!("2001:db8:0:{site:x}{network:02x}::1"))
}

async fn the_networks_of_one_site_share_their_creations(server: Server) {
    let quotas = QuotaArgs {
        create_limit: allowance("1/hour:1"),
        ..behind_a_proxy()
    };
    let server = server.rationed(quotas).await;
    assert_eq!(created(&server, of_site(1, 10)).await, 4);
    let answer = create(&server, "2001:db8:0:1ff::1").await;
    assert_eq!(answer.headers()[RETRY_AFTER], "900");
    // 16 in the whole network of 48 bits, 4 of which are used.
    for (site, want) in [(2, 4), (3, 4), (4, 4), (5, 0)] {
        assert_eq!(created(&server, of_site(site, 10)).await, want, "{site}");
    }
    assert_eq!(
        create(&server, "2001:db8:1::1").await.status(),
        StatusCode::CREATED
    );
    // Addresses of IPv4 are as they were.
    for last in 1..10 {
        let answer = create(&server, &format!("192.0.2.{last}")).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
    }
}

async fn a_creation_that_is_refused_costs_no_network_anything(server: Server) {
    let quotas = QuotaArgs {
        create_limit: allowance("1/hour:1"),
        ..behind_a_proxy()
    };
    let server = server.rationed(quotas).await;
    assert_eq!(created(&server, of_site(1, 4)).await, 4);
    let fifth = "2001:db8:0:104::1";
    for _ in 0..5 {
        let refused = create(&server, fifth).await;
        assert_refused(refused, 429, "rate_limited").await;
    }
    assert_eq!(server.live_requests().await, 4);
    // Its own allowance is untouched, and the site's is no further away.
    server.later(15 * 60 * 1000);
    assert_eq!(create(&server, fifth).await.status(), StatusCode::CREATED);
}

async fn a_network_with_a_limit_of_its_own_is_not_bound_by_those_around_it(server: Server) {
    let quotas = QuotaArgs {
        create_limit: allowance("1/hour:1"),
        create_limit_for: vec![
            (
                "2001:db8:0:180::/57".parse().expect("a network"),
                allowance("1/hour:3"),
            ),
            (
                "2001:db8:0:280::/64".parse().expect("a network"),
                allowance("1/hour:30"),
            ),
        ],
        ..behind_a_proxy()
    };
    let server = server.rationed(quotas).await;
    assert_eq!(created(&server, of_site(1, 10)).await, 4);
    assert_eq!(created(&server, of_site(2, 10)).await, 4);
    let same = |address: &'static str| std::iter::repeat_n(address.to_owned(), 40);
    assert_eq!(created(&server, same("2001:db8:0:280::1")).await, 30);
    assert_eq!(created(&server, same("2001:db8:0:181::1")).await, 3);
    assert_eq!(created(&server, same("2001:db8:0:182::1")).await, 3);
    assert_eq!(created(&server, of_site(3, 10)).await, 4);
    assert_eq!(created(&server, of_site(4, 10)).await, 4);
    assert_eq!(created(&server, of_site(5, 10)).await, 0);
}

async fn the_networks_of_one_site_share_their_reads(server: Server) {
    let quotas = QuotaArgs {
        read_limit: allowance("1/hour:1"),
        ..behind_a_proxy()
    };
    let server = server.rationed(quotas).await;
    let mut admitted = 0;
    for address in of_site(1, 10) {
        let read = ask(&server, Method::GET, "/v1/requests/nothing", &address);
        let read = read.bearer_auth("nothing").send().await.expect("an answer");
        admitted += usize::from(read.status() == StatusCode::UNAUTHORIZED);
    }
    assert_eq!(admitted, 4);
}

async fn the_networks_of_one_site_share_what_they_may_store(server: Server) {
    let quotas = QuotaArgs {
        max_creator_bytes: CLIP_LENGTH + OBJECT_COST,
        ..behind_a_proxy()
    };
    let server = server.rationed(quotas).await;
    let mut stored = 0;
    for address in of_site(1, 10) {
        let created = create(&server, &address).await;
        if created.status() != StatusCode::CREATED {
            assert_refused(created, 429, "rate_limited").await;
            continue;
        }
        let created = created.json().await.expect("a created request");
        let creator = crate::support::Creator {
            server: &server,
            created,
        };
        let take = creator.begin().await;
        let answer = creator.append(&take, 0, CLIP, false).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        stored += 1;
        sweep(&server.app).await.expect("a sweep");
    }
    assert_eq!(stored, 4);
}
