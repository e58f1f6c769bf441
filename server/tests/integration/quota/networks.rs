//! Limits of networks: a site with many IPv6 /64 networks has a few times the limit of one, and some may create nothing.

use reqwest::header::RETRY_AFTER;
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::json;
use server::config::{QuotaArgs, RateLimit, client_network};
use server::service::workers::sweeper::sweep;

use crate::support::{
    CLIP, CLIP_LENGTH, OBJECT_OVERHEAD, Server, assert_refused, on_each_storage, unlimited_quotas,
};

on_each_storage! {
    the_ipv6_networks_of_a_site_share_their_creation_limit
    a_refused_creation_is_charged_to_no_network
    a_network_with_its_own_limit_ignores_those_of_enclosing_networks
    the_ipv6_networks_of_a_site_share_their_read_limit
    the_ipv6_networks_of_a_site_share_their_storage_quota
    a_network_can_be_barred_from_creating
}

fn rate(text: &str) -> RateLimit {
    text.parse().expect("an allowance")
}

fn quotas_behind_proxy() -> QuotaArgs {
    QuotaArgs {
        trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
        ..unlimited_quotas()
    }
}

/// A request from this client address.
fn request_from(server: &Server, method: Method, path: &str, address: &str) -> RequestBuilder {
    let request = server.request(method, path);
    request.header("X-Forwarded-For", address)
}

async fn create(server: &Server, address: &str) -> Response {
    let body = json!({ "prompt": "Show the dent.", "expires_in_hours": 48 });
    let creation_call = request_from(server, Method::POST, "/v1/requests", address).json(&body);
    creation_call.send().await.expect("an answer")
}

/// Number of these addresses that may create a request, one after the other.
async fn create_all(server: &Server, addresses: impl Iterator<Item = String>) -> usize {
    let mut created = 0;
    for address in addresses {
        let answer = create(server, &address).await;
        created += usize::from(answer.status() == StatusCode::CREATED);
    }
    created
}

/// Addresses in this many /64 networks of `2001:db8:0:{site}00::/56`.
fn addresses_of_site(site: u8, networks: u8) -> impl Iterator<Item = String> {
    (0..networks).map(move |network| format!("2001:db8:0:{site:x}{network:02x}::1"))
}

async fn a_network_can_be_barred_from_creating(server: Server) {
    let refused = ["198.51.100.0/24", "2001:db8::/48", "2001:db8:2::5"];
    let refused = refused.map(|it| client_network(it).expect("a network"));
    let quotas = QuotaArgs {
        refuse_creations_from: refused.to_vec(),
        ..quotas_behind_proxy()
    };
    let server = server.with_quotas(quotas).await;
    for refused in [
        "198.51.100.9",
        "::ffff:198.51.100.9",
        "2001:db8:0:1::1",
        "2001:db8:2::5",
    ] {
        let answer = create(&server, refused).await;
        assert_eq!(answer.headers()[RETRY_AFTER], "86400", "{refused}");
        assert_refused(answer, 429, "rate_limited").await;
    }
    for other in ["198.51.101.9", "2001:db8:1::1", "2001:db8:2:1::5"] {
        let answer = create(&server, other).await;
        assert_eq!(answer.status(), StatusCode::CREATED, "{other}");
    }
    assert_eq!(server.live_requests().await, 3);
}

async fn the_ipv6_networks_of_a_site_share_their_creation_limit(server: Server) {
    let quotas = QuotaArgs {
        create_limit: rate("1/hour:1"),
        ..quotas_behind_proxy()
    };
    let server = server.with_quotas(quotas).await;
    assert_eq!(create_all(&server, addresses_of_site(1, 10)).await, 4);
    let answer = create(&server, "2001:db8:0:1ff::1").await;
    assert_eq!(answer.headers()[RETRY_AFTER], "900");
    // The /48 network has 16, of which 4 are used.
    for (site, want) in [(2, 4), (3, 4), (4, 4), (5, 0)] {
        assert_eq!(
            create_all(&server, addresses_of_site(site, 10)).await,
            want,
            "{site}"
        );
    }
    assert_eq!(
        create(&server, "2001:db8:1::1").await.status(),
        StatusCode::CREATED
    );
    // IPv4 addresses have limits of their own.
    for last in 1..10 {
        let answer = create(&server, &format!("192.0.2.{last}")).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
    }
}

async fn a_refused_creation_is_charged_to_no_network(server: Server) {
    let quotas = QuotaArgs {
        create_limit: rate("1/hour:1"),
        ..quotas_behind_proxy()
    };
    let server = server.with_quotas(quotas).await;
    assert_eq!(create_all(&server, addresses_of_site(1, 4)).await, 4);
    let fifth = "2001:db8:0:104::1";
    for _ in 0..5 {
        let refused = create(&server, fifth).await;
        assert_refused(refused, 429, "rate_limited").await;
    }
    assert_eq!(server.live_requests().await, 4);
    // Its own limit is untouched, and the site's next creation isn't delayed.
    server.advance_clock(15 * 60 * 1000);
    assert_eq!(create(&server, fifth).await.status(), StatusCode::CREATED);
}

async fn a_network_with_its_own_limit_ignores_those_of_enclosing_networks(server: Server) {
    let quotas = QuotaArgs {
        create_limit: rate("1/hour:1"),
        create_limit_for: vec![
            (
                "2001:db8:0:180::/57".parse().expect("a network"),
                rate("1/hour:3"),
            ),
            (
                "2001:db8:0:280::/64".parse().expect("a network"),
                rate("1/hour:30"),
            ),
        ],
        ..quotas_behind_proxy()
    };
    let server = server.with_quotas(quotas).await;
    assert_eq!(create_all(&server, addresses_of_site(1, 10)).await, 4);
    assert_eq!(create_all(&server, addresses_of_site(2, 10)).await, 4);
    let same = |address: &'static str| std::iter::repeat_n(address.to_owned(), 40);
    assert_eq!(create_all(&server, same("2001:db8:0:280::1")).await, 30);
    assert_eq!(create_all(&server, same("2001:db8:0:181::1")).await, 3);
    assert_eq!(create_all(&server, same("2001:db8:0:182::1")).await, 3);
    assert_eq!(create_all(&server, addresses_of_site(3, 10)).await, 4);
    assert_eq!(create_all(&server, addresses_of_site(4, 10)).await, 4);
    assert_eq!(create_all(&server, addresses_of_site(5, 10)).await, 0);
}

async fn the_ipv6_networks_of_a_site_share_their_read_limit(server: Server) {
    let quotas = QuotaArgs {
        read_limit: rate("1/hour:1"),
        ..quotas_behind_proxy()
    };
    let server = server.with_quotas(quotas).await;
    let mut admitted = 0;
    for address in addresses_of_site(1, 10) {
        let read = request_from(&server, Method::GET, "/v1/requests/nothing", &address);
        let read = read.bearer_auth("nothing").send().await.expect("an answer");
        admitted += usize::from(read.status() == StatusCode::UNAUTHORIZED);
    }
    assert_eq!(admitted, 4);
}

async fn the_ipv6_networks_of_a_site_share_their_storage_quota(server: Server) {
    let quotas = QuotaArgs {
        max_creator_bytes: CLIP_LENGTH + OBJECT_OVERHEAD,
        ..quotas_behind_proxy()
    };
    let server = server.with_quotas(quotas).await;
    let mut stored = 0;
    for address in addresses_of_site(1, 10) {
        let answer = create(&server, &address).await;
        if answer.status() != StatusCode::CREATED {
            assert_refused(answer, 429, "rate_limited").await;
            continue;
        }
        let created = answer.json().await.expect("a created request");
        let creator = server.creator(&created);
        let take = creator.create_take().await;
        let answer = creator.append(&take, 0, CLIP, false).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        stored += 1;
        sweep(&server.app).await.expect("a sweep");
    }
    assert_eq!(stored, 4);
    // A node that has just started learns of them by its first sweep.
    let server = server.restart().await;
    sweep(&server.app).await.expect("a sweep");
    let address = addresses_of_site(1, 11).last().expect("an address");
    assert_refused(create(&server, &address).await, 429, "rate_limited").await;
}
