//! Who asks, and whether they ask too often.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};
use axum::middleware::Next;
use axum::response::Response;

use super::error::ApiError;
use crate::service::App;
use crate::service::quota::{self, Admission, Caller};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// By the connection, or by what our own proxies say.
pub(super) struct From(pub Caller);

impl FromRequestParts<App> for From {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        // Every connection has a peer; what is called without one are all one caller.
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |it| it.0.ip());
        Ok(Self(caller(app, peer, &parts.headers)))
    }
}

fn caller(app: &App, peer: IpAddr, headers: &HeaderMap) -> Caller {
    let lines = headers.get_all(X_FORWARDED_FOR).iter();
    let lines = lines.map(|line| line.to_str().unwrap_or_default());
    app.proxies.caller(peer, lines)
}

/// Somebody who hasn't asked too often: comes before everything that costs more than counting.
pub(super) struct Admitted(pub Admission);

impl FromRequestParts<App> for Admitted {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Ok(From(caller)) = From::from_request_parts(parts, app).await;
        Ok(Self(quota::admit(app, caller)?))
    }
}

/// For the routes of senders: they wait, and are never refused.
pub(super) async fn slow(
    State(app): State<App>,
    From(caller): From,
    request: Request,
    next: Next,
) -> Response {
    quota::slow(&app, caller).await;
    next.run(request).await
}
