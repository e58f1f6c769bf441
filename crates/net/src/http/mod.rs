//! HTTP/1.1 and HTTP/2, as hyper serves them.

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
use tower::Service as _;

use self::streams::StreamExecutor;
use crate::connection::Served;
use crate::http::request_body::{FellSilent, RequestBody, Silence};
use crate::http::response_body::{ResponseBody, UnderWay};
use crate::http::response_memory::ResponseMemory;
use crate::http::windows::Windows;
use crate::idle_policy::Timeouts;
use crate::metered_io::{Meter, MeteredIo, Transport};
use crate::revocation::Revocation;

/// Method, target and headers of a request, all together, in bytes.
const MOST_HEAD: u16 = 32 << 10;

/// What hyper reads and writes at a time, in bytes.
const BUFFER: usize = 64 << 10;

/// Requests that one HTTP/2 connection may have under way: more than a browser or an agent has at a time.
const STREAMS: u32 = 32;

/// What may lie here of one answer over HTTP/2 that its caller doesn't read, in bytes.
const UNSENT: usize = 64 << 10;

/// Streams that a client reset before they were served, beyond which it is told to calm down (CVE-2023-44487).
const MOST_RESET: usize = 20;

/// Likewise, streams that the server reset because of a client's errors.
const MOST_ERRORS: usize = 1024;

/// How often we ask whether the other side of an HTTP/2 connection is still there, and for how long we wait.
const PING: Duration = Duration::from_secs(60);
const PONG: Duration = Duration::from_secs(20);

/// A connection over HTTP/1.
pub(crate) struct Http1<IO: Transport>(Box<http1::Connection<TokioIo<MeteredIo<IO>>, Answers>>);

impl<IO: Transport> Http1<IO> {
    pub(crate) fn new(io: MeteredIo<IO>, answers: Answers) -> Self {
        let served = http1::Builder::new()
            // Told apart from idling, which hyper doesn't, by the connection's own judge.
            .header_read_timeout(None)
            .max_header_size(MOST_HEAD.into())
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(io), answers);
        Self(Box::new(served))
    }

    /// The connection without what hyper holds for it: between requests, with nothing left to write.
    pub(crate) fn into_io(self) -> MeteredIo<IO> {
        let parts = self.0.into_parts();
        let mut io = parts.io.into_inner();
        io.unread(&parts.read_buf);
        io
    }
}

impl<IO: Transport> Served for Http1<IO> {
    async fn ended(&mut self) -> hyper::Result<()> {
        (&mut *self.0).await
    }

    fn let_end(&mut self) {
        Pin::new(&mut *self.0).graceful_shutdown();
    }
}

/// A connection over HTTP/2.
pub(crate) struct Http2<IO: Transport>(Pin<Box<OverHttp2<IO>>>);

type OverHttp2<IO> = http2::Connection<TokioIo<MeteredIo<IO>>, Answers, StreamExecutor>;

impl<IO: Transport> Http2<IO> {
    pub(crate) fn new(
        io: MeteredIo<IO>,
        answers: Answers,
        memory: ResponseMemory,
        windows: &Windows,
    ) -> Self {
        let streams = StreamExecutor::new(answers.ledger.clone(), memory);
        let served = http2::Builder::new(streams)
            .timer(TokioTimer::new())
            .max_concurrent_streams(STREAMS)
            .max_send_buf_size(UNSENT)
            .max_header_list_size(MOST_HEAD.into())
            .max_pending_accept_reset_streams(MOST_RESET)
            .max_local_error_reset_streams(MOST_ERRORS)
            .initial_stream_window_size(windows.stream)
            .initial_connection_window_size(windows.connection)
            .keep_alive_interval(PING)
            .keep_alive_timeout(PONG)
            .serve_connection(TokioIo::new(io), answers);
        Self(Box::pin(served))
    }
}

impl<IO: Transport> Served for Http2<IO> {
    async fn ended(&mut self) -> hyper::Result<()> {
        self.0.as_mut().await
    }

    fn let_end(&mut self) {
        self.0.as_mut().graceful_shutdown();
    }
}

/// Answers the requests of one connection.
pub(crate) struct Answers {
    router: Router,
    peer: SocketAddr,
    ledger: Meter,
    timeouts: Timeouts,
}

impl Answers {
    pub(crate) fn new(router: Router, peer: SocketAddr, ledger: Meter, timeouts: Timeouts) -> Self {
        Self {
            router,
            peer,
            ledger,
            timeouts,
        }
    }
}

impl Service<Request<Incoming>> for Answers {
    type Response = Response<ResponseBody>;
    type Error = FellSilent;
    type Future = BoxFuture<'static, Result<Response<ResponseBody>, FellSilent>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let has_body = !request.body().is_end_stream();
        let under_way = UnderWay::begin(self.ledger.clone(), has_body);
        let silence = Silence::default();
        let arriving =
            |body| RequestBody::new(body, self.ledger.clone(), silence.clone(), self.timeouts);
        let mut request = match has_body {
            true => request.map(|body| Body::new(arriving(body))),
            false => request.map(|_| Body::empty()),
        };
        // Limits go by the address that a connection comes from.
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let answer = self.router.clone().call(request);
        Box::pin(async move {
            let Ok(answer) = answer.await;
            // Clients try again after a broken line, and some never do after a 408.
            if silence.is_told() {
                return Err(FellSilent);
            }
            let (mut head, body) = answer.into_parts();
            let revocation = head.extensions.remove::<Revocation>();
            let body = match streams::delivery() {
                Some(delivery) => ResponseBody::http2(body, under_way, delivery, revocation),
                None => ResponseBody::http1(body, under_way, revocation),
            };
            Ok(Response::from_parts(head, body))
        })
    }
}
