//! Byte stream of a connection that counts reads and writes, limits overhead and can be reset.
//!
//! By hand, because hyper reports neither: which bytes of a response have left (`revocation`), whether a client takes what
//! is written (`idle_policy`), and how many bytes become no request (`fairness::overhead`).

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use parking_lot::{Mutex, MutexGuard};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep_until};
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

use crate::fairness::address::Address;
use crate::fairness::frames::FrameCounter;
use crate::idle_policy::Activity;
use crate::revocation::Outbox;

/// Bytes that a connection reads before it yields to other tasks, plus what its last read brings.
/// tokio interrupts a task after 128 reads, which may be megabytes of tiny frames.
const READ_PER_TURN: usize = 16 << 10;

/// Minimum that one read counts towards [`READ_PER_TURN`], in bytes.
/// Over TLS a read may bring few bytes of hundreds of records, each of which is decrypted by itself.
const MIN_READ_COST: usize = 2 << 10;

/// Overhead for which a connection doesn't pause, in bytes: the frames of half a megabyte of a body.
const FREE_OVERHEAD: usize = 1 << 10;

/// A byte stream over TCP, with or without TLS.
/// TLS is boxed, so that other connections need no room for it.
pub(crate) type Transport = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Activity of one connection, shared by its transport, its requests and the timer that closes it.
#[derive(Clone)]
pub(crate) struct Meter(Arc<Shared>);

struct Shared {
    activity: Mutex<Activity>,
    outbox: Outbox,
    address: Address,
}

impl Meter {
    pub(crate) fn new(address: Address) -> Self {
        // A random share of the spread, so that connections opened at the same moment time out one after the other.
        let activity = Activity::new(Instant::now(), rand::random());
        Self(Arc::new(Shared {
            activity: Mutex::new(activity),
            outbox: Outbox::default(),
            address,
        }))
    }

    /// Locks the activity, only to count.
    pub(crate) fn activity(&self) -> MutexGuard<'_, Activity> {
        self.0.activity.lock()
    }

    /// Response bytes that the connection has accepted and may still hold.
    pub(crate) fn outbox(&self) -> &Outbox {
        &self.0.outbox
    }

    /// The client's address, whose connections share limits.
    pub(crate) fn address(&self) -> &Address {
        &self.0.address
    }
}

#[cfg(test)]
impl Default for Meter {
    fn default() -> Self {
        Self::new(Address::default())
    }
}

/// Transport that reports its reads and writes to a [`Meter`].
pub(crate) struct MeteredIo {
    io: Transport,
    meter: Meter,
    /// Bytes that were read since the connection last yielded.
    in_turn: usize,
    /// `None` over HTTP/1.
    frames: Option<FrameCounter>,
    /// Overhead bytes since the last pause: those that never become a request.
    overhead: usize,
    /// Timer of the current pause: no bytes are read before it ends.
    pause: Option<Pin<Box<Sleep>>>,
}

impl MeteredIo {
    /// A connection before its first request; over HTTP/2, before its preface.
    pub(crate) fn new(io: Transport, meter: Meter, is_http2: bool) -> Self {
        Self {
            io,
            meter,
            in_turn: 0,
            frames: is_http2.then(FrameCounter::default),
            overhead: 0,
            pause: None,
        }
    }

    /// Counts bytes that were read, and pauses reading if the address exceeds its overhead limit.
    fn count_read(&mut self, bytes: &[u8]) {
        let now = Instant::now();
        self.in_turn += bytes.len().max(MIN_READ_COST);
        self.meter.activity().read(bytes.len(), now);
        if let Some(frames) = &mut self.frames {
            let overhead = frames.overhead(bytes);
            let is_unfinished = frames.is_unfinished();
            self.meter.activity().set_unfinished(is_unfinished, now);
            self.overhead += overhead;
            let until = self.meter.address().read_overhead(overhead, now);
            // A connection with little overhead, such as an upload, isn't delayed by others of its address.
            if let Some(until) = until.filter(|_| self.overhead > FREE_OVERHEAD) {
                self.pause = Some(Box::pin(sleep_until(until.into())));
                self.overhead = 0;
            }
        }
    }

    fn count_written(&self, written: &Poll<io::Result<usize>>) {
        match written {
            Poll::Ready(Ok(bytes)) => self.meter.activity().wrote(*bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.meter.activity().blocked(),
        }
    }
}

impl AsyncRead for MeteredIo {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.in_turn >= READ_PER_TURN {
            self.in_turn = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            (self.pause, self.in_turn) = (None, 0);
        }
        let before = into.filled().len();
        let read = Pin::new(&mut self.io).poll_read(cx, into);
        if read.is_pending() {
            self.in_turn = 0;
        }
        let arrived = &into.filled()[before..];
        if !arrived.is_empty() {
            self.count_read(arrived);
        }
        read
    }
}

impl AsyncWrite for MeteredIo {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.meter.outbox().check_write()?;
        let written = Pin::new(&mut self.io).poll_write(cx, from);
        self.count_written(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.meter.outbox().check_write()?;
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, from);
        self.count_written(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A flush makes TLS write the records that it buffers.
        self.meter.outbox().check_write()?;
        let flushed = Pin::new(&mut self.io).poll_flush(cx);
        match flushed {
            // hyper flushes only once its own write buffer is empty.
            Poll::Ready(_) => {
                self.meter.activity().flushed(Instant::now());
                self.meter.outbox().flushed();
            }
            Poll::Pending => self.meter.activity().blocked(),
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.meter.outbox().check_write()?;
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

impl Drop for MeteredIo {
    /// Ends a connection that holds revoked bytes with RST instead of FIN: the kernel discards what it hasn't sent.
    fn drop(&mut self) {
        if self.meter.outbox().is_overdue() {
            let tcp = match &self.io {
                Either::Left(tcp) => tcp,
                Either::Right(tls) => tls.get_ref().0,
            };
            // This fails if the client has closed the connection first.
            let _ = tcp.set_zero_linger();
        }
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Result;
    use futures_util::poll;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::idle_policy::{Decision, Timeouts};

    /// Both ends of a connection: the client's, and the server's.
    async fn connect() -> Result<(TcpStream, TcpStream)> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let client = TcpStream::connect(listener.local_addr()?).await?;
        Ok((client, listener.accept().await?.0))
    }

    #[test]
    fn connections_opened_together_time_out_one_after_the_other() {
        let timeouts = Timeouts::default();
        let half_way = Instant::now() + timeouts.unused + timeouts.spread / 2;
        let is_closed = |_: &i32| {
            let decision = Meter::default()
                .activity()
                .evaluate(half_way, false, &timeouts);
            decision == Decision::Idle
        };
        let closed = (0..100).filter(is_closed).count();
        assert!((20..80).contains(&closed), "{closed} of 100");
    }

    #[tokio::test]
    async fn a_connection_reads_a_bounded_amount_before_other_tasks_run() -> Result<()> {
        const SENT: usize = 4 * READ_PER_TURN;
        let (mut client, tcp) = connect().await?;
        let sending = tokio::spawn(async move { client.write_all(&[0; SENT]).await });
        let mut io = MeteredIo::new(Either::Left(tcp), Meter::default(), false);
        let mut all = vec![0; SENT];
        let (mut turns, mut read) = (1, 0);
        while read < SENT {
            let piece = &mut all[read..(read + 1000).min(SENT)];
            let mut reading = std::pin::pin!(io.read(piece));
            read += match poll!(&mut reading) {
                Poll::Ready(bytes) => bytes?,
                Poll::Pending => {
                    turns += 1;
                    reading.await?
                }
            };
            assert!(
                read < turns * (READ_PER_TURN + 1000),
                "{read} bytes in {turns} turns"
            );
        }
        sending.await??;
        Ok(())
    }

    #[tokio::test]
    async fn reads_of_few_bytes_count_as_more() -> Result<()> {
        let (mut client, tcp) = connect().await?;
        client.write_all(&[0; 100]).await?;
        tcp.readable().await?;
        let mut io = MeteredIo::new(Either::Left(tcp), Meter::default(), false);
        for _ in 0..READ_PER_TURN / MIN_READ_COST {
            assert!(poll!(Box::pin(io.read_u8())).is_ready());
        }
        assert!(poll!(Box::pin(io.read_u8())).is_pending());
        Ok(())
    }
}
