//! Serves one connection: first byte, TLS handshake, protocol detection, requests, shutdown.
//!
//! By hand, because hyper-util's `GracefulShutdown` asks all connections to close, and not a single one that is idle.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use metrics::counter;
use tokio::net::TcpStream;
use tokio::time::{sleep, sleep_until, timeout};
use tokio_util::either::Either;
use tokio_util::sync::CancellationToken;
use tracing::{debug, trace};

use crate::connection_limit::ConnectionLimit;
use crate::fairness::address::Address;
use crate::http::response_memory::ResponseMemory;
use crate::http::windows::WindowBudget;
use crate::http::{self, RouterService};
use crate::idle_policy::{Decision, Timeouts};
use crate::metered_io::{Meter, MeteredIo, Transport};
use crate::metric_names::CONNECTIONS_CLOSED;
use crate::tls::Tls;

/// Start of the HTTP/2 connection preface; no HTTP/1 request begins with it.
/// RFC 9113, section 3.4.
const PREFACE: &[u8] = b"PRI ";

/// Interval between two peeks at a connection preface that arrives byte by byte.
const PEEK_INTERVAL: Duration = Duration::from_millis(50);

/// State that all connections of a listener share. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) router: Router,
    /// Router for clients that speak plain HTTP on a TLS port.
    pub(crate) plain: Router,
    pub(crate) tls: Option<Tls>,
    pub(crate) limit: ConnectionLimit,
    /// Memory budget of all HTTP/2 responses.
    pub(crate) memory: ResponseMemory,
    /// Receive-window budget of all HTTP/2 connections.
    pub(crate) windows: WindowBudget,
    pub(crate) timeouts: Timeouts,
    /// Cancelled when a shutdown begins: requests in progress finish, and no new ones are accepted.
    pub(crate) stopping: CancellationToken,
    /// Cancelled at the deadline of a shutdown: connections are dropped.
    pub(crate) cut: CancellationToken,
}

/// A connection whose protocol is known.
struct Negotiated<'a> {
    io: Transport,
    is_http2: bool,
    router: &'a Router,
}

impl Server {
    /// Serves a connection until it closes or must close.
    pub(crate) async fn serve(self, tcp: TcpStream, peer: SocketAddr, address: Address) {
        let meter = Meter::new(address.clone());
        let shutdown = self.stopping.child_token();
        let serving = std::pin::pin!(self.serve_http(tcp, peer, &meter, &shutdown));
        tokio::select! {
            // Revocation comes first, because revoked bytes must not leave. If bytes arrive at the same moment as a
            // timeout, the bytes take precedence.
            biased;
            () = meter.outbox().overdue() => debug!("reset a connection that held revoked bytes"),
            served = address.schedule(serving) => {
                if let Err(error) = served {
                    trace!(error = &*error, "connection failed");
                }
            }
            () = self.cut.cancelled() => {}
            () = self.enforce_timeouts(&meter, &shutdown) => {}
        }
    }

    /// Serves requests until the connection closes. After `shutdown` those in progress are the last ones.
    async fn serve_http(
        &self,
        tcp: TcpStream,
        peer: SocketAddr,
        meter: &Meter,
        shutdown: &CancellationToken,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        tokio::select! {
            biased;
            arrived = first_byte(&tcp) => arrived?,
            () = shutdown.cancelled() => return Ok(()),
        }
        meter.activity().begin_handshake(Instant::now());
        // The handshake is on the heap, to keep the task of an unused connection small.
        let negotiated = Box::pin(timeout(self.timeouts.handshake, self.negotiate(tcp))).await;
        let Ok(negotiated) = negotiated else {
            record_close(Decision::Stalled);
            return Ok(());
        };
        let Negotiated {
            io,
            is_http2,
            router,
        } = negotiated?;
        meter.activity().end_handshake(Instant::now());
        let service = RouterService::new(router.clone(), peer, meter.clone(), self.timeouts);
        let io = MeteredIo::new(io, meter.clone(), is_http2);
        if is_http2 {
            meter.activity().multiplex();
            let windows = self.windows.open(peer.ip());
            let connection = http::http2(io, service, self.memory.clone(), &windows);
            http::serve(connection, shutdown).await?;
        } else {
            http::serve(http::http1(io, service), shutdown).await?;
        }
        Ok(())
    }

    /// Runs the TLS handshake, or detects the version of HTTP.
    async fn negotiate(&self, tcp: TcpStream) -> std::io::Result<Negotiated<'_>> {
        let router = &self.router;
        let (io, is_http2, router) = match &self.tls {
            Some(tls) if begins_tls(&tcp).await => {
                let (stream, is_http2) = tls.accept(tcp).await?;
                (Either::Right(Box::new(stream)), is_http2, router)
            }
            Some(_) => (Either::Left(tcp), false, &self.plain),
            None => {
                let is_http2 = begins_http2(&tcp).await?;
                (Either::Left(tcp), is_http2, router)
            }
        };
        Ok(Negotiated {
            io,
            is_http2,
            router,
        })
    }

    /// Returns when the connection must close.
    /// An idle one is asked to, by `shutdown`, and has a moment for it.
    async fn enforce_timeouts(&self, meter: &Meter, shutdown: &CancellationToken) {
        let (mut is_crowded, mut is_told) = (false, false);
        loop {
            let now = Instant::now();
            let decision = meter.activity().evaluate(now, is_crowded, &self.timeouts);
            let next = match decision {
                Decision::RecheckAt(next) => next,
                // The moment of grace, which has passed.
                _ if is_told => return,
                // A request may be in flight over HTTP/2: GOAWAY tells the client that the server didn't process it.
                Decision::Idle => {
                    record_close(decision);
                    is_told = true;
                    meter.activity().announce_shutdown(now);
                    shutdown.cancel();
                    continue;
                }
                Decision::Stalled => return record_close(decision),
            };
            tokio::select! {
                () = sleep_until(next.into()) => is_crowded = false,
                () = self.limit.pressure() => is_crowded = true,
            }
        }
    }
}

fn record_close(decision: Decision) {
    let reason = match decision {
        Decision::Stalled => "stalled",
        Decision::Idle | Decision::RecheckAt(_) => "idle",
    };
    debug!(reason, "closed a connection");
    counter!(CONNECTIONS_CLOSED, "reason" => reason).increment(1);
}

/// Waits for a byte without consuming it.
/// `TcpStream::readable` doesn't work here: tokio assumes that a new connection is readable.
async fn first_byte(tcp: &TcpStream) -> std::io::Result<()> {
    tcp.peek(&mut [0]).await.map(drop)
}

async fn begins_http2(tcp: &TcpStream) -> std::io::Result<bool> {
    let mut first = [0; PREFACE.len()];
    loop {
        let length = tcp.peek(&mut first).await?;
        if length == 0 || first[..length] != PREFACE[..length] {
            return Ok(false);
        }
        if length == PREFACE.len() {
            return Ok(true);
        }
        sleep(PEEK_INTERVAL).await;
    }
}

/// Whether the first byte is that of a TLS handshake record (RFC 8446, section 5.1).
async fn begins_tls(tcp: &TcpStream) -> bool {
    const HANDSHAKE_RECORD: u8 = 22;
    let mut first = [0];
    tcp.peek(&mut first).await.is_ok() && first[0] == HANDSHAKE_RECORD
}

#[cfg(test)]
mod tests {
    use anyhow::Result;
    use futures_util::poll;
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_silent_connection_has_no_first_byte() -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let mut client = TcpStream::connect(listener.local_addr()?).await?;
        let (tcp, _) = listener.accept().await?;
        let mut first_byte = std::pin::pin!(first_byte(&tcp));
        assert!(poll!(&mut first_byte).is_pending());
        client.write_all(b"G").await?;
        first_byte.await?;
        let mut peeked = [0];
        tcp.peek(&mut peeked).await?;
        assert_eq!(&peeked, b"G");
        Ok(())
    }
}
