//! The operator's listener with an address of its own: only `/metrics`, `/refusals`, `/healthz` and `/readyz`.

mod gauges;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::http::health;
use crate::http::layers::head;
use crate::service::AppState;
use crate::service::quota::RefusalReport;
use crate::telemetry::Exporter;
use crate::telemetry::names::CERTIFICATE_EXPIRY;
use net::{ListenerConfig, Timeouts, Tls};

/// The media type of Prometheus's text format.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Connections at a time: scrapers, probes and `vidence top` need a few.
/// They count among the file descriptors that are kept for other purposes than clients.
const CONNECTIONS: usize = 64;

/// Bytes of requests that HTTP/2 connections may have under way. None has a body.
const WINDOW_MEMORY: u64 = 1 << 20;

#[derive(Clone)]
struct Admin {
    app: AppState,
    exporter: Exporter,
    tls: Option<Tls>,
}

/// The body of `/refusals`: what limits of a client address refused within the last one or two minutes.
#[derive(Serialize, Deserialize)]
pub struct Refusals {
    /// Time from the first of these refusals, in seconds.
    pub seconds: u64,
    /// The networks with most refusals, the busiest first.
    pub networks: Vec<NetworkRefusals>,
    /// Refusals of all other networks.
    pub other_refusals: u64,
}

/// The refusals of one network.
#[derive(Serialize, Deserialize)]
pub struct NetworkRefusals {
    /// 24 bits of an IPv4 address, or 48 of an IPv6 one.
    pub network: String,
    /// Refusals for all reasons.
    pub refusals: u64,
    /// Refusals by reason, as in `vidence_refusals_total`.
    pub by_reason: BTreeMap<String, u64>,
}

impl From<RefusalReport> for Refusals {
    fn from(report: RefusalReport) -> Self {
        let networks = report.networks.into_iter();
        let networks = networks.map(|(network, counts)| NetworkRefusals {
            network: network.to_string(),
            refusals: counts.sum(),
            by_reason: counts.counts().map(|it| (it.0.to_owned(), it.1)).collect(),
        });
        Self {
            seconds: report.seconds,
            networks: networks.collect(),
            other_refusals: report.others,
        }
    }
}

/// Installs the metrics exporter and serves `listener` for as long as the returned future is polled.
///
/// `tls` is that of the server's own listener, whose certificate is watched; this one is plain HTTP.
/// Call it before anything that updates a gauge starts: a gauge is right only if it has seen each change.
pub fn serve(
    app: AppState,
    listener: TcpListener,
    tls: Option<Tls>,
) -> impl Future<Output = ()> + Send + 'static {
    let exporter = Exporter::install();
    let upkeep = exporter.clone();
    let router = Router::new()
        .route("/metrics", get(metrics))
        .route("/refusals", get(refusals))
        .with_state(Admin {
            app: app.clone(),
            exporter,
            tls,
        })
        .merge(health::router(app.clone()))
        .layer(from_fn(require_host));
    let listener = ListenerConfig {
        listener,
        tls: None,
        connections: CONNECTIONS,
        of_one_address: u32::MAX,
        proxies: app.trusted_proxies.clone(),
        window_memory: WINDOW_MEMORY,
        timeouts: Timeouts::default(),
        on_refused: Arc::new(|_| {}),
    };
    async move {
        // It goes on during a shutdown, which it reports, and its connections end with it.
        let cut = CancellationToken::new();
        let _cut = cut.clone().drop_guard();
        tokio::select! {
            () = net::serve(listener, router, "", CancellationToken::new(), cut) => {}
            () = upkeep.run_upkeep() => {}
        }
    }
}

async fn require_host(request: Request, next: Next) -> Response {
    match head::require(&request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

async fn metrics(State(Admin { app, exporter, tls }): State<Admin>) -> impl IntoResponse {
    let mut gauge_values = gauges::render(&app).await;
    let expiry = tls.and_then(|it| it.certificate_expiry());
    gauge_values.set_known(CERTIFICATE_EXPIRY, expiry.map(|it| it.as_secs()));
    let gauge_values = gauge_values.into_text();
    let headers = [(CONTENT_TYPE, TEXT), (CACHE_CONTROL, "no-store")];
    (headers, format!("{}{gauge_values}", exporter.render()))
}

/// Not a metric: networks are no labels, because a client could make any number of them.
async fn refusals(State(Admin { app, .. }): State<Admin>) -> impl IntoResponse {
    let refusals = Refusals::from(app.quotas.refusals.recent());
    ([(CACHE_CONTROL, "no-store")], Json(refusals))
}
