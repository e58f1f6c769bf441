//! One connection, from its first byte to its end.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use metrics::counter;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{debug, trace};

use crate::connection_limit::Places;
use crate::fairness::address::Address;
use crate::http::response_memory::ResponseMemory;
use crate::http::windows::WindowBudget;
use crate::http::{Answers, Http1, Http2};
use crate::idle_policy::{Decision, GOODBYE, Timeouts};
use crate::metered_io::{Meter, MeteredIo, Transport};
use crate::metric_names::CONNECTIONS_CLOSED;
use crate::tls::{Spoken, Tls};

/// What a connection over HTTP/2 begins with, as far as no other one does: RFC 9113, section 3.4.
const PREFACE: &[u8] = b"PRI ";

/// Between two looks at the beginning of what arrives byte by byte.
const PAUSE: Duration = Duration::from_millis(50);

/// What a connection needs to know of the server.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) router: Router,
    /// Answers those who speak plain HTTP where TLS is spoken.
    pub(crate) plain: Router,
    pub(crate) tls: Option<Tls>,
    pub(crate) places: Places,
    /// What responses over HTTP/2 hold.
    pub(crate) memory: ResponseMemory,
    /// What requests over HTTP/2 may buffer.
    pub(crate) windows: WindowBudget,
    pub(crate) timeouts: Timeouts,
    /// No more requests.
    pub(crate) stopping: CancellationToken,
    /// Not even the end of those under way.
    pub(crate) cut: CancellationToken,
}

/// Why a connection is no longer waited with.
enum Over {
    /// It has ended by itself, or is no longer worth having.
    Ended,
    /// It has nothing to do, and may lay down what it holds.
    Resting,
}

impl Server {
    /// Serves a connection to its end.
    pub(crate) async fn serve(self, tcp: TcpStream, peer: SocketAddr, address: Address) {
        let ledger = Meter::new(address);
        // Until it says something it has no buffers, and one in ten thousand costs next to nothing.
        if !self.waited_for(&ledger, first_byte(&tcp)).await {
            return;
        }
        // On the heap, as all that only connections have that speak.
        match &self.tls {
            Some(tls) if begins_tls(&tcp).await => {
                let handshake = async { ledger.schedule().run(tls.accept(tcp)).await };
                match Box::pin(self.in_time(handshake)).await {
                    Some(Spoken::Http1(io)) => {
                        Box::pin(self.speak_http1(io, peer, ledger, &self.router)).await;
                    }
                    Some(Spoken::Http2(io)) => {
                        Box::pin(self.speak_http2(io, peer, ledger, &self.router)).await;
                    }
                    None => {}
                }
            }
            Some(_) => Box::pin(self.speak_http1(tcp, peer, ledger, &self.plain)).await,
            None => match Box::pin(self.in_time(begins_http2(&tcp))).await {
                Some(false) => {
                    Box::pin(self.speak_http1(tcp, peer, ledger, &self.router)).await;
                }
                Some(true) => {
                    Box::pin(self.speak_http2(tcp, peer, ledger, &self.router)).await;
                }
                None => {}
            },
        }
    }

    /// Waits for the first byte of something. `false`: it isn't worth it any longer.
    async fn waited_for<E>(
        &self,
        ledger: &Meter,
        first_byte: impl Future<Output = Result<(), E>>,
    ) -> bool {
        let mut first_byte = std::pin::pin!(first_byte);
        let mut is_crowded = false;
        loop {
            let next = match ledger
                .open()
                .evaluate(Instant::now(), is_crowded, &self.timeouts)
            {
                Decision::Look(next) => next,
                verdict => {
                    closed(verdict);
                    return false;
                }
            };
            is_crowded = false;
            tokio::select! {
                // What has arrived comes before the end.
                biased;
                arrived = &mut first_byte => return arrived.is_ok(),
                () = sleep_until(next.into()) => {}
                () = self.places.crowded() => is_crowded = true,
                () = self.stopping.cancelled() => return false,
            }
        }
    }

    /// What comes before the first request. `None`: it doesn't.
    async fn in_time<T>(&self, beginning: impl Future<Output = std::io::Result<T>>) -> Option<T> {
        tokio::select! {
            begun = timeout(self.timeouts.handshake, beginning) => match begun {
                Ok(Ok(begun)) => return Some(begun),
                Ok(Err(error)) => trace!(error = &error as &dyn std::error::Error, "no beginning"),
                Err(_) => closed(Decision::Stalled),
            },
            () = self.cut.cancelled() => {}
        }
        None
    }

    async fn speak_http1<IO>(&self, io: IO, peer: SocketAddr, ledger: Meter, router: &Router)
    where
        IO: Transport,
    {
        let mut io = MeteredIo::new(io, ledger.clone());
        loop {
            let answers = Answers::new(router.clone(), peer, ledger.clone(), self.timeouts);
            let mut served = Http1::new(io, answers);
            match self.drive(&mut served, &ledger).await {
                Over::Ended => return,
                Over::Resting => io = served.into_io(),
            }
            // The beginning of a request, or what somebody sends after one: hyper goes on with that, and it has
            // as long as any head.
            if io.has_unread() {
                ledger.open().read(1, Instant::now());
                continue;
            }
            // Hyper's buffers are sixteen kilobytes, and an idle connection needs one byte.
            let mut first = [0];
            let first_byte = async { io.read_exact(&mut first).await.map(drop) };
            if !self.waited_for(&ledger, first_byte).await {
                // Over TLS the end is a word: RFC 8446, section 6.1. Who can't be told has gone.
                let _ = timeout(GOODBYE, io.shutdown()).await;
                return;
            }
            io.unread(&first);
        }
    }

    async fn speak_http2<IO>(&self, io: IO, peer: SocketAddr, ledger: Meter, router: &Router)
    where
        IO: Transport,
    {
        ledger.open().multiplex();
        let answers = Answers::new(router.clone(), peer, ledger.clone(), self.timeouts);
        let io = MeteredIo::http2(io, ledger.clone());
        let windows = self.windows.open(peer.ip());
        let mut served = Http2::new(io, answers, self.memory.clone(), &windows);
        // It never rests: what it would lay down, the state of its headers, both sides must keep.
        self.drive(&mut served, &ledger).await;
    }

    /// Serves for as long as that is worth it. A connection that holds bytes that may no longer leave ends with a
    /// reset, which discards them.
    async fn drive<S>(&self, served: &mut S, ledger: &Meter) -> Over
    where
        S: Served,
    {
        let over = self.drive_on(served, ledger).await;
        if ledger.outbox().must_reset() {
            debug!("a connection held bytes that may no longer leave, and was reset");
            ledger.outbox().reset();
            return Over::Ended;
        }
        over
    }

    async fn drive_on<S>(&self, served: &mut S, ledger: &Meter) -> Over
    where
        S: Served,
    {
        let mut revoked = std::pin::pin!(ledger.outbox().revoked());
        let mut stopping = std::pin::pin!(self.stopping.cancelled());
        let mut task = ledger.schedule();
        let (mut is_stopping, mut is_crowded, mut is_told) = (false, false, false);
        loop {
            let now = Instant::now();
            let verdict = ledger.open().evaluate(now, is_crowded, &self.timeouts);
            let next = match verdict {
                Decision::Look(next) => next,
                // Over HTTP/2 a request may be on its way: who sent it must learn that it came too late.
                Decision::Idle if !is_told => {
                    closed(verdict);
                    is_told = true;
                    ledger.open().told(now);
                    served.let_end();
                    continue;
                }
                verdict => {
                    if !is_told {
                        closed(verdict);
                    }
                    return Over::Ended;
                }
            };
            let is_ending = is_stopping || is_told;
            if !is_ending && ledger.open().may_rest(now) {
                return Over::Resting;
            }
            is_crowded = false;
            tokio::select! {
                // Of what has arrived nothing is lost by an end that comes at the same moment; and of what is
                // revoked nothing more leaves.
                biased;
                () = &mut revoked => return Over::Ended,
                ended = task.run(served.ended()) => {
                    if let Err(error) = ended {
                        trace!(error = &error as &dyn std::error::Error, "a connection broke");
                    }
                    return Over::Ended;
                }
                () = &mut stopping, if !is_stopping => {
                    is_stopping = true;
                    served.let_end();
                }
                () = self.cut.cancelled() => return Over::Ended,
                () = self.places.crowded() => is_crowded = true,
                () = ledger.begun() => {}
                () = sleep_until(next.into()) => {}
            }
        }
    }
}

/// A connection as hyper serves it.
pub(crate) trait Served {
    /// Serves it to its end.
    fn ended(&mut self) -> impl Future<Output = hyper::Result<()>> + Send;

    /// Has it end with the requests that are under way.
    fn let_end(&mut self);
}

/// Written down of one that may not go on.
fn closed(verdict: Decision) {
    let why = match verdict {
        Decision::Stalled => "stalled",
        Decision::Idle | Decision::Look(_) => "idle",
    };
    debug!(why, "a connection was closed");
    counter!(CONNECTIONS_CLOSED, "why" => why).increment(1);
}

/// Waits for one and leaves it there. Not `readable`, which tokio takes for granted of what it has just accepted.
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
        sleep(PAUSE).await;
    }
}

/// The first byte of a handshake: RFC 8446, section 5.1.
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
    async fn who_says_nothing_has_not_begun() -> Result<()> {
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
