//! Serves one connection: first byte, TLS handshake, protocol detection, requests, shutdown.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use metrics::counter;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{debug, trace};

use crate::connection_limit::ConnectionLimit;
use crate::fairness::address::Address;
use crate::http::response_memory::ResponseMemory;
use crate::http::windows::WindowBudget;
use crate::http::{Http1, Http2, RouterService};
use crate::idle_policy::{Decision, SHUTDOWN_GRACE, Timeouts};
use crate::metered_io::{Meter, MeteredIo, Transport};
use crate::metric_names::CONNECTIONS_CLOSED;
use crate::tls::{Negotiated, Tls};

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

/// Why the server stopped driving a connection.
enum Outcome {
    /// The connection is closed, or must be.
    Closed,
    /// The connection has been idle for a moment, so hyper's buffers can be freed.
    Idle,
}

/// State of a connection's graceful shutdown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shutdown {
    /// No shutdown has begun; the connection serves requests.
    None,
    /// The server is stopping, and told the client with GOAWAY or `Connection: close`.
    ServerStopping,
    /// The idle timeout passed, and the server told the client. A request may have been in flight.
    IdleTimeout,
}

impl Server {
    /// Serves a connection until it closes.
    pub(crate) async fn serve(self, tcp: TcpStream, peer: SocketAddr, address: Address) {
        let meter = Meter::new(address);
        // A connection without a first byte has no buffers, so thousands of unused ones cost little.
        if !self.wait_for_activity(&meter, first_byte(&tcp)).await {
            return;
        }
        // The futures are boxed to keep the task of an unused connection small.
        match &self.tls {
            Some(tls) if begins_tls(&tcp).await => {
                let handshake = async { meter.schedule().run(tls.accept(tcp)).await };
                match Box::pin(self.within_handshake_timeout(handshake)).await {
                    Some(Negotiated::Http1(io)) => {
                        Box::pin(self.serve_http1(io, peer, meter, &self.router)).await;
                    }
                    Some(Negotiated::Http2(io)) => {
                        Box::pin(self.serve_http2(io, peer, meter, &self.router)).await;
                    }
                    None => {}
                }
            }
            Some(_) => Box::pin(self.serve_http1(tcp, peer, meter, &self.plain)).await,
            None => match Box::pin(self.within_handshake_timeout(begins_http2(&tcp))).await {
                Some(false) => {
                    Box::pin(self.serve_http1(tcp, peer, meter, &self.router)).await;
                }
                Some(true) => {
                    Box::pin(self.serve_http2(tcp, peer, meter, &self.router)).await;
                }
                None => {}
            },
        }
    }

    /// Waits for the first byte of a request.
    /// Returns `false` if a timeout, a shutdown or an error came first.
    async fn wait_for_activity<E>(
        &self,
        meter: &Meter,
        first_byte: impl Future<Output = Result<(), E>>,
    ) -> bool {
        let mut first_byte = std::pin::pin!(first_byte);
        let mut is_crowded = false;
        loop {
            let next = match meter
                .activity()
                .evaluate(Instant::now(), is_crowded, &self.timeouts)
            {
                Decision::RecheckAt(next) => next,
                decision => {
                    record_close(decision);
                    return false;
                }
            };
            is_crowded = false;
            tokio::select! {
                // If bytes arrive at the same moment as a timeout, the bytes take precedence.
                biased;
                arrived = &mut first_byte => return arrived.is_ok(),
                () = sleep_until(next.into()) => {}
                () = self.limit.pressure() => is_crowded = true,
                () = self.stopping.cancelled() => return false,
            }
        }
    }

    /// Runs a handshake or protocol detection within the handshake timeout.
    /// Returns `None` if it failed or timed out.
    async fn within_handshake_timeout<T>(
        &self,
        handshake: impl Future<Output = std::io::Result<T>>,
    ) -> Option<T> {
        tokio::select! {
            result = timeout(self.timeouts.handshake, handshake) => match result {
                Ok(Ok(value)) => return Some(value),
                Ok(Err(error)) => trace!(error = &error as &dyn std::error::Error, "handshake failed"),
                Err(_) => record_close(Decision::Stalled),
            },
            () = self.cut.cancelled() => {}
        }
        None
    }

    async fn serve_http1<IO>(&self, io: IO, peer: SocketAddr, meter: Meter, router: &Router)
    where
        IO: Transport,
    {
        let mut io = MeteredIo::new(io, meter.clone());
        loop {
            let service = RouterService::new(router.clone(), peer, meter.clone(), self.timeouts);
            let mut served = Http1::new(io, service);
            match self.drive(&mut served, &meter).await {
                Outcome::Closed => return,
                Outcome::Idle => io = served.into_io(),
            }
            // hyper had read bytes of the next request already, so it continues with them at once.
            if io.has_unread() {
                meter.activity().read(1, Instant::now());
                continue;
            }
            // hyper's buffers are 16 KiB; waiting for one byte needs none.
            let mut first = [0];
            let first_byte = async { io.read_exact(&mut first).await.map(drop) };
            if !self.wait_for_activity(&meter, first_byte).await {
                // Over TLS this sends close_notify (RFC 8446, section 6.1). The write fails if the client has gone,
                // which is fine.
                let _ = timeout(SHUTDOWN_GRACE, io.shutdown()).await;
                return;
            }
            io.unread(&first);
        }
    }

    async fn serve_http2<IO>(&self, io: IO, peer: SocketAddr, meter: Meter, router: &Router)
    where
        IO: Transport,
    {
        meter.activity().multiplex();
        let service = RouterService::new(router.clone(), peer, meter.clone(), self.timeouts);
        let io = MeteredIo::http2(io, meter.clone());
        let windows = self.windows.open(peer.ip());
        let mut served = Http2::new(io, service, self.memory.clone(), &windows);
        // An idle HTTP/2 connection keeps its buffers, because both sides need the state of header compression.
        self.drive(&mut served, &meter).await;
    }

    /// Drives a connection until it closes or can be parked.
    ///
    /// A connection that still buffers revoked bytes is reset, which discards them.
    async fn drive<C: HttpConnection>(&self, connection: &mut C, meter: &Meter) -> Outcome {
        let outcome = self.drive_until_closed_or_idle(connection, meter).await;
        if meter.outbox().must_reset() {
            debug!("reset a connection that held revoked bytes");
            meter.outbox().reset();
            return Outcome::Closed;
        }
        outcome
    }

    async fn drive_until_closed_or_idle<C: HttpConnection>(
        &self,
        connection: &mut C,
        meter: &Meter,
    ) -> Outcome {
        let mut revoked = std::pin::pin!(meter.outbox().revoked());
        let mut stopping = std::pin::pin!(self.stopping.cancelled());
        let mut task = meter.schedule();
        let mut shutdown = Shutdown::None;
        let mut is_crowded = false;
        loop {
            let now = Instant::now();
            let decision = meter.activity().evaluate(now, is_crowded, &self.timeouts);
            let next = match decision {
                Decision::RecheckAt(next) => next,
                // A request may be in flight over HTTP/2: GOAWAY tells the client that the server didn't process it.
                Decision::Idle if shutdown != Shutdown::IdleTimeout => {
                    record_close(decision);
                    shutdown = Shutdown::IdleTimeout;
                    meter.activity().announce_shutdown(now);
                    connection.start_shutdown();
                    continue;
                }
                decision => {
                    if shutdown != Shutdown::IdleTimeout {
                        record_close(decision);
                    }
                    return Outcome::Closed;
                }
            };
            if shutdown == Shutdown::None && meter.activity().may_park(now) {
                return Outcome::Idle;
            }
            is_crowded = false;
            tokio::select! {
                // Revocation comes first, because revoked bytes must not leave. Bytes that have arrived are served
                // before a shutdown that begins at the same moment.
                biased;
                () = &mut revoked => return Outcome::Closed,
                result = task.run(connection.run()) => {
                    if let Err(error) = result {
                        trace!(error = &error as &dyn std::error::Error, "connection failed");
                    }
                    return Outcome::Closed;
                }
                () = &mut stopping, if shutdown == Shutdown::None => {
                    shutdown = Shutdown::ServerStopping;
                    connection.start_shutdown();
                }
                () = self.cut.cancelled() => return Outcome::Closed,
                () = self.limit.pressure() => is_crowded = true,
                () = meter.begun() => {}
                () = sleep_until(next.into()) => {}
            }
        }
    }
}

/// An HTTP/1 or HTTP/2 connection that hyper serves.
pub(crate) trait HttpConnection {
    /// Serves requests until the connection closes.
    fn run(&mut self) -> impl Future<Output = hyper::Result<()>> + Send;

    /// Begins a graceful shutdown: tells the client that the requests in progress are the last ones.
    fn start_shutdown(&mut self);
}

fn record_close(decision: Decision) {
    let why = match decision {
        Decision::Stalled => "stalled",
        Decision::Idle | Decision::RecheckAt(_) => "idle",
    };
    debug!(why, "closed a connection");
    counter!(CONNECTIONS_CLOSED, "why" => why).increment(1);
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
        let mut caller = TcpStream::connect(listener.local_addr()?).await?;
        let (tcp, _) = listener.accept().await?;
        let mut first_byte = std::pin::pin!(first_byte(&tcp));
        assert!(poll!(&mut first_byte).is_pending());
        caller.write_all(b"G").await?;
        first_byte.await?;
        let mut still_there = [0];
        tcp.peek(&mut still_there).await?;
        assert_eq!(&still_there, b"G");
        Ok(())
    }
}
