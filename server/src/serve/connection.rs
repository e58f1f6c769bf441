//! One connection, from its first byte to its end.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{Response, Version};
use futures_util::future::BoxFuture;
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use metrics::counter;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tower::Service as _;
use tracing::{debug, trace};

use super::activity::Verdict;
use super::body::{Arriving, FellSilent, Leaving, SILENCE, Silence, UnderWay};
use super::io::{Counted, Ledger};
use super::places::Places;
use super::tls::Tls;
use crate::telemetry::names::CONNECTIONS_CLOSED;

/// For a TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Method, target and headers of a request, all together, in bytes.
const MOST_HEAD: u32 = 32 << 10;

/// What hyper reads and writes at a time, in bytes. A head over HTTP/1 must fit, too.
const BUFFER: usize = 64 << 10;

/// Requests that one HTTP/2 connection may have under way.
const STREAMS: u32 = 100;

/// What may lie here of bodies over HTTP/2 that nobody has read yet, in bytes: of one, and of a connection's
/// together. It also bounds how fast an upload is: so much for each trip to the sender and back.
const WINDOW: u32 = 512 << 10;
const WINDOWS: u32 = 1 << 20;

/// How often we ask whether the other side of an HTTP/2 connection is still there, and for how long we wait.
const PING: Duration = Duration::from_secs(60);
const PONG: Duration = Duration::from_secs(20);

/// What a connection needs to know of the server.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) router: Router,
    /// Answers those who speak plain HTTP where TLS is spoken.
    pub(super) plain: Router,
    pub(super) tls: Option<Tls>,
    pub(super) places: Places,
    /// No more requests.
    pub(super) stopping: CancellationToken,
    /// Not even the end of those under way.
    pub(super) cut: CancellationToken,
}

impl Server {
    /// Serves a connection to its end.
    pub(super) async fn serve(self, tcp: TcpStream, peer: SocketAddr) {
        let ledger = Ledger::new();
        // Until it says something it has no buffers, and one in ten thousand costs next to nothing.
        if !self.speaks(&tcp, &ledger).await {
            return;
        }
        match &self.tls {
            Some(tls) if begins_tls(&tcp).await => {
                let accepted = Box::pin(timeout(HANDSHAKE, tls.accept(tcp))).await;
                match accepted {
                    Ok(Ok(stream)) => self.speak(stream, peer, ledger, self.router.clone()).await,
                    Ok(Err(error)) => trace!(error = &error as &dyn std::error::Error, "no TLS"),
                    Err(_) => trace!("no TLS in time"),
                }
            }
            Some(_) => self.speak(tcp, peer, ledger, self.plain.clone()).await,
            None => self.speak(tcp, peer, ledger, self.router.clone()).await,
        }
    }

    /// Waits for the first byte.
    async fn speaks(&self, tcp: &TcpStream, ledger: &Ledger) -> bool {
        loop {
            let next = match ledger.open().judge(Instant::now(), false) {
                Verdict::Look(next) => next,
                verdict => {
                    closed(verdict);
                    return false;
                }
            };
            tokio::select! {
                readable = tcp.readable() => return readable.is_ok(),
                () = sleep_until(next.into()) => {}
                () = self.places.crowded() => {
                    let verdict = ledger.open().judge(Instant::now(), true);
                    if verdict == Verdict::Idle {
                        closed(verdict);
                        return false;
                    }
                }
                () = self.stopping.cancelled() => return false,
            }
        }
    }

    async fn speak<IO>(&self, io: IO, peer: SocketAddr, ledger: Ledger, router: Router)
    where
        IO: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let io = TokioIo::new(Counted::new(io, ledger.clone()));
        let answers = Answers {
            router,
            peer,
            ledger: ledger.clone(),
        };
        let builder = builder();
        // On the heap: only connections that speak have this.
        let mut served = Box::pin(builder.serve_connection(io, answers));
        let mut stopping = Box::pin(self.stopping.cancelled());
        let mut is_stopping = false;
        let mut is_crowded = false;
        loop {
            let next = match ledger.open().judge(Instant::now(), is_crowded) {
                Verdict::Look(next) => next,
                verdict => {
                    closed(verdict);
                    return;
                }
            };
            is_crowded = false;
            tokio::select! {
                ended = served.as_mut() => {
                    if let Err(error) = ended {
                        trace!(error = &*error as &dyn std::error::Error, "a connection broke");
                    }
                    return;
                }
                () = &mut stopping, if !is_stopping => {
                    is_stopping = true;
                    served.as_mut().graceful_shutdown();
                }
                () = self.cut.cancelled() => return,
                () = self.places.crowded() => is_crowded = true,
                () = sleep_until(next.into()) => {}
            }
        }
    }
}

/// Written down of one that may not go on.
fn closed(verdict: Verdict) {
    let why = match verdict {
        Verdict::Stalled => "stalled",
        Verdict::Idle | Verdict::Look(_) => "idle",
    };
    debug!(why, "a connection was closed");
    counter!(CONNECTIONS_CLOSED, "why" => why).increment(1);
}

/// The first byte of a handshake: RFC 8446, section 5.1.
async fn begins_tls(tcp: &TcpStream) -> bool {
    const HANDSHAKE_RECORD: u8 = 22;
    let mut first = [0];
    tcp.peek(&mut first).await.is_ok() && first[0] == HANDSHAKE_RECORD
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        // Told apart from idling, which hyper doesn't, by the connection's own judge.
        .header_read_timeout(None)
        .max_buf_size(BUFFER);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(MOST_HEAD)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOWS)
        .keep_alive_interval(PING)
        .keep_alive_timeout(PONG);
    builder
}

/// Answers the requests of one connection.
struct Answers {
    router: Router,
    peer: SocketAddr,
    ledger: Ledger,
}

impl Service<Request<Incoming>> for Answers {
    type Response = Response<Leaving>;
    type Error = FellSilent;
    type Future = BoxFuture<'static, Result<Response<Leaving>, FellSilent>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let under_way = UnderWay::begin(self.ledger.clone(), request.version() >= Version::HTTP_2);
        let silence = Silence::default();
        let mut request = match request.body().is_end_stream() {
            true => request.map(|_| Body::empty()),
            false => request.map(|body| Body::new(Arriving::new(body, silence.clone(), SILENCE))),
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
            Ok(answer.map(|body| Leaving::new(body, under_way)))
        })
    }
}
