//! Configuration of hyper's HTTP/1.1 and HTTP/2 connections, and the service that calls the router.
//!
//! Not `auto` of hyper-util: it has one set of windows, chosen before the version is known (`windows`), and no limit on
//! the size of HTTP/1 heads other than that of the buffers.

pub(crate) mod delivery;
pub mod host_header;
pub(crate) mod request_body;
pub(crate) mod response_body;
pub(crate) mod response_memory;
pub(crate) mod streams;
pub(crate) mod windows;

use std::net::SocketAddr;
use std::pin::Pin;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::Response;
use futures_util::future::BoxFuture;
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio_util::sync::CancellationToken;
use tower::Service as _;

use self::streams::StreamExecutor;
use crate::http::request_body::{BodyTimeout, RequestBody, TimeoutFlag};
use crate::http::response_body::{RequestGuard, ResponseBody};
use crate::http::response_memory::ResponseMemory;
use crate::http::windows::Windows;
use crate::idle_policy::Timeouts;
use crate::metered_io::{Meter, MeteredIo};
use crate::revocation::Revocation;

/// Maximum size of a request's method, target and headers together, in bytes.
const MAX_HEAD: u16 = 32 << 10;

/// Maximum size of hyper's HTTP/1 buffers, in bytes.
const BUFFER: usize = 64 << 10;

/// Concurrent requests per HTTP/2 connection: more than a browser or an agent has at a time.
const MAX_STREAMS: u32 = 32;

/// Bytes of one HTTP/2 response that are buffered while the client doesn't read it.
const MAX_UNSENT: usize = 64 << 10;

/// Streams reset by the client before they were served, beyond which it gets ENHANCE_YOUR_CALM.
/// Protects against rapid reset (CVE-2023-44487).
const MAX_PENDING_RESETS: usize = 20;

/// Streams reset by the server for a client's errors, beyond which it gets ENHANCE_YOUR_CALM.
const MAX_ERROR_RESETS: usize = 1024;

/// Interval of HTTP/2 keep-alive pings, and how long the server waits for the acknowledgement.
const PING: Duration = Duration::from_secs(60);
const PONG: Duration = Duration::from_secs(20);

/// A connection that hyper serves.
/// On the heap, so that the task of a connection without a request is small.
type Connection<C> = Pin<Box<C>>;
type Http1 = http1::Connection<TokioIo<MeteredIo>, RouterService>;
type Http2 = http2::Connection<TokioIo<MeteredIo>, RouterService, StreamExecutor>;

/// An HTTP/1 connection.
pub(crate) fn http1(io: MeteredIo, service: RouterService) -> Connection<Http1> {
    let connection = http1::Builder::new()
        // hyper's timeout counts idle time as well; `idle_policy` has separate timeouts for the two.
        .header_read_timeout(None)
        .max_header_size(MAX_HEAD.into())
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(io), service);
    Box::pin(connection)
}

/// An HTTP/2 connection.
pub(crate) fn http2(
    io: MeteredIo,
    service: RouterService,
    memory: ResponseMemory,
    windows: &Windows,
) -> Connection<Http2> {
    let connection = http2::Builder::new(StreamExecutor::new(service.meter.clone(), memory))
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .max_send_buf_size(MAX_UNSENT)
        .max_header_list_size(MAX_HEAD.into())
        .max_pending_accept_reset_streams(MAX_PENDING_RESETS)
        .max_local_error_reset_streams(MAX_ERROR_RESETS)
        .initial_stream_window_size(windows.stream)
        .initial_connection_window_size(windows.connection)
        .keep_alive_interval(PING)
        .keep_alive_timeout(PONG)
        .serve_connection(TokioIo::new(io), service);
    Box::pin(connection)
}

/// Serves a connection until it closes. After `shutdown` the requests in progress are the last ones.
pub(crate) async fn serve<C: GracefulConnection>(
    mut connection: Connection<C>,
    shutdown: &CancellationToken,
) -> Result<(), C::Error> {
    tokio::select! {
        // Bytes that have arrived are served before a shutdown that begins at the same moment.
        biased;
        closed = &mut connection => closed,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    }
}

/// Serves the requests of one connection with the router.
pub(crate) struct RouterService {
    router: Router,
    peer: SocketAddr,
    meter: Meter,
    timeouts: Timeouts,
}

impl RouterService {
    pub(crate) fn new(router: Router, peer: SocketAddr, meter: Meter, timeouts: Timeouts) -> Self {
        Self {
            router,
            peer,
            meter,
            timeouts,
        }
    }
}

impl Service<Request<Incoming>> for RouterService {
    type Response = Response<ResponseBody>;
    type Error = BodyTimeout;
    type Future = BoxFuture<'static, Result<Response<ResponseBody>, BodyTimeout>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let has_body = !request.body().is_end_stream();
        let guard = RequestGuard::begin(self.meter.clone(), has_body);
        let timeout_flag = TimeoutFlag::default();
        let arriving = |body| {
            RequestBody::new(
                body,
                self.meter.clone(),
                timeout_flag.clone(),
                self.timeouts,
            )
        };
        let mut request = match has_body {
            true => request.map(|body| Body::new(arriving(body))),
            false => request.map(|_| Body::empty()),
        };
        // Limits per client use the address that the connection comes from.
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let answer = self.router.clone().call(request);
        Box::pin(async move {
            let Ok(answer) = answer.await;
            // The connection is cut: clients retry after a broken connection, and some never do after a 408.
            if timeout_flag.is_set() {
                return Err(BodyTimeout);
            }
            let (mut head, body) = answer.into_parts();
            let revocation = head.extensions.remove::<Revocation>();
            let body = ResponseBody::new(body, guard, streams::delivery(), revocation);
            Ok(Response::from_parts(head, body))
        })
    }
}
