//! Client addresses and rate limits.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Once;

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName};
use tracing::warn;

use crate::http::error::ApiError;
use crate::service::AppState;
use crate::service::quota::{self, ReadPermit};
use net::client_addr::ClientAddr;
use net::shares::SharePermit;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client's address: of the connection, or as the trusted proxies report it.
pub struct Client(pub ClientAddr);

impl FromRequestParts<AppState> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        // `attach_client` inserts it, except in tests that call a router directly.
        let attached = parts.extensions.get::<ClientAddr>().copied();
        let client =
            attached.unwrap_or_else(|| client_addr(app, &parts.extensions, &parts.headers));
        Ok(Self(client))
    }
}

fn client_addr(app: &AppState, extensions: &Extensions, headers: &HeaderMap) -> ClientAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    // Every connection has a peer address; requests without one share a single client address.
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |it| it.0.ip());
    warn_of_untrusted_proxy(app, peer, headers);
    app.trusted_proxies.client(peer, forwarded(headers))
}

/// Warns once about an untrusted proxy: all clients behind it share one rate limit.
fn warn_of_untrusted_proxy(app: &AppState, peer: IpAddr, headers: &HeaderMap) {
    static WARNED: Once = Once::new();
    if headers.contains_key(X_FORWARDED_FOR) && !app.trusted_proxies.trusts(peer) {
        WARNED.call_once(|| {
            warn!(
                "ignored X-Forwarded-For of an untrusted peer; name the proxy in --trusted-proxies"
            );
        });
    }
}

/// The addresses in `X-Forwarded-For`, last one first: each proxy appends its client's address.
///
/// An entry that is not ASCII or not an address becomes `None` and leaves the others valid.
fn forwarded(headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
    let lines = headers.get_all(X_FORWARDED_FOR).iter().rev();
    let listed = lines.flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b','));
    listed.map(|it| address(std::str::from_utf8(it).ok()?))
}

/// Parses an address, with or without a port, which some proxies add.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let address = bare.unwrap_or(text).parse();
    let with_port = || text.parse().map(|it: SocketAddr| it.ip());
    address.or_else(|_| with_port()).ok()
}

/// A client within its rate limit. This extractor comes before anything more expensive than counting.
pub struct Admitted(pub ReadPermit);

impl FromRequestParts<AppState> for Admitted {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let Ok(Client(client)) = Client::from_request_parts(parts, app).await;
        Ok(Self(quota::permit_read(app, client)?))
    }
}

/// Path prefixes of the programmatic interfaces, whose clients can handle a 429.
const FOR_PROGRAMS: [&str; 3] = ["/v1", "/videos", "/mcp"];

/// Whether a path is one of [`FOR_PROGRAMS`], or below.
pub fn is_for_programs(path: &str) -> bool {
    FOR_PROGRAMS.iter().any(|prefix| {
        let below = path.strip_prefix(prefix);
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Applies the client's overall rate limit and attaches its [`ClientAddr`].
///
/// Excess requests are refused with 429 on the paths of [`FOR_PROGRAMS`]; on all others they are delayed, unless
/// hundreds of the client's wait already. The limits of single routes, such as the one on reads, are lower.
/// Returns the permit of the call, to be kept until its response has been sent.
pub async fn attach_client(app: &AppState, request: &mut Request) -> Result<SharePermit, ApiError> {
    let client = client_addr(app, request.extensions(), request.headers());
    request.extensions_mut().insert(client);
    match is_for_programs(request.uri().path()) {
        true => quota::refuse_excess_calls(app, client)?,
        false => quota::delay_excess_calls(app, client).await?,
    }
    Ok(quota::begin_call(app, client)?)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn forwarded_addresses_are_read_from_the_right() {
        for (lines, want) in [
            (
                vec!["192.0.2.1, 198.51.100.1"],
                vec![Some("198.51.100.1"), Some("192.0.2.1")],
            ),
            (
                vec!["192.0.2.1", "198.51.100.1"],
                vec![Some("198.51.100.1"), Some("192.0.2.1")],
            ),
            (
                vec!["\u{e9}, 198.51.100.1"],
                vec![Some("198.51.100.1"), None],
            ),
            (vec!["198.51.100.1:4711"], vec![Some("198.51.100.1")]),
            (vec!["[2001:db8::1]:4711"], vec![Some("2001:db8::1")]),
            (vec!["[2001:db8::1]"], vec![Some("2001:db8::1")]),
            (vec!["198.51.100.1,"], vec![None, Some("198.51.100.1")]),
            (vec!["unknown"], vec![None]),
            (vec![], vec![]),
        ] {
            let value = |line: &&str| HeaderValue::from_bytes(line.as_bytes()).expect("a value");
            let headers = lines.iter().map(|line| (X_FORWARDED_FOR, value(line)));
            let listed: Vec<_> = forwarded(&headers.collect()).collect();
            let want = want
                .iter()
                .map(|it| it.map(|it| it.parse().expect("an address")));
            assert_eq!(listed, want.collect::<Vec<_>>(), "{lines:?}");
        }
    }
}
