//! Byte stream of a connection that counts reads and writes, limits overhead and can be reset.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep_until};
use tokio_rustls::server::TlsStream;

use crate::fairness::address::Address;
use crate::fairness::overhead::FrameCounter;
use crate::fairness::scheduler::ScheduledTask;
use crate::idle_policy::Activity;
use crate::outbox::Outbox;

/// Bytes that a connection reads before it yields to other tasks, plus what its last read brings.
/// tokio interrupts a task after 128 reads, which may be megabytes of tiny frames.
const READ_PER_TURN: usize = 16 << 10;

/// Minimum that one read counts towards [`READ_PER_TURN`], in bytes.
/// Over TLS a read may bring few bytes of hundreds of records, each of which is decrypted by itself.
const MIN_READ_COST: usize = 2 << 10;

/// Overhead for which a connection doesn't pause, in bytes: the frames of half a megabyte of a body.
const FREE_OVERHEAD: usize = 1 << 10;

/// Activity of one connection, shared by its transport, its requests and the timer that closes it.
#[derive(Clone)]
pub(crate) struct Meter(Arc<Entries>);

struct Entries {
    activity: Mutex<Activity>,
    outbox: Outbox,
    address: Address,
    /// Notified when a frame or head begins to arrive that must end in time.
    begun: Notify,
}

impl Meter {
    pub(crate) fn new(address: Address) -> Self {
        // A random share of the spread, so that connections opened at the same moment time out one after the other.
        let activity = Activity::new(Instant::now(), rand::random());
        Self(Arc::new(Entries {
            activity: Mutex::new(activity),
            outbox: Outbox::default(),
            address,
            begun: Notify::new(),
        }))
    }

    /// Waits until a frame or head begins to arrive that must end in time.
    pub(crate) async fn begun(&self) {
        self.0.begun.notified().await;
    }

    /// Locks the activity. The lock is held only to count.
    /// A panic meanwhile leaves the counts valid, so poisoning is ignored.
    pub(crate) fn activity(&self) -> MutexGuard<'_, Activity> {
        let activity = self.0.activity.lock();
        activity.unwrap_or_else(PoisonError::into_inner)
    }

    /// Response bytes that the connection has accepted and may still hold.
    pub(crate) fn outbox(&self) -> &Outbox {
        &self.0.outbox
    }

    /// Adds a task to the scheduler of the client's address.
    pub(crate) fn schedule(&self) -> ScheduledTask {
        self.0.address.scheduler.add()
    }
}

#[cfg(test)]
impl Default for Meter {
    fn default() -> Self {
        Self::new(Address::unlimited())
    }
}

/// A byte stream over TCP whose unsent bytes can be discarded.
pub(crate) trait Transport: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    /// The TCP connection that carries this stream.
    fn tcp(&self) -> &TcpStream;
}

impl Transport for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Transport for Box<TlsStream<TcpStream>> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

/// Transport that reports its reads and writes to a [`Meter`].
pub(crate) struct MeteredIo<IO: Transport> {
    io: IO,
    meter: Meter,
    /// Bytes that were read and counted, and are returned by the next reads.
    unread: Bytes,
    /// Bytes that were read since the connection last yielded.
    in_turn: usize,
    /// `None` over HTTP/1.
    frames: Option<FrameCounter>,
    /// Overhead bytes since the last pause: those that never become a request.
    overhead: usize,
    /// Timer of the current pause: no bytes are read before it ends.
    pause: Option<Pin<Box<Sleep>>>,
}

impl<IO: Transport> MeteredIo<IO> {
    pub(crate) fn new(io: IO, meter: Meter) -> Self {
        Self {
            io,
            meter,
            unread: Bytes::new(),
            in_turn: 0,
            frames: None,
            overhead: 0,
            pause: None,
        }
    }

    /// An HTTP/2 connection, from its preface on.
    pub(crate) fn http2(io: IO, meter: Meter) -> Self {
        let mut this = Self::new(io, meter);
        this.frames = Some(FrameCounter::default());
        this
    }

    /// Counts bytes that were read, and pauses reading if the address exceeds its overhead limit.
    fn arrived(&mut self, bytes: &[u8]) {
        let now = Instant::now();
        self.in_turn += bytes.len().max(MIN_READ_COST);
        self.meter.activity().read(bytes.len(), now);
        if let Some(frames) = &mut self.frames {
            let overhead = frames.overhead(bytes);
            let is_unfinished = frames.is_unfinished();
            if self.meter.activity().is_unfinished(is_unfinished, now) {
                self.meter.0.begun.notify_one();
            }
            self.overhead += overhead;
            let until = self.meter.0.address.read(overhead, now);
            // A connection with little overhead, such as an upload, isn't delayed by others of its address.
            if let Some(until) = until.filter(|_| self.overhead > FREE_OVERHEAD) {
                self.pause = Some(Box::pin(sleep_until(until.into())));
                self.overhead = 0;
            }
        }
    }

    /// Puts bytes back; the next reads return them first.
    pub(crate) fn unread(&mut self, bytes: &[u8]) {
        self.unread = [bytes, &self.unread].concat().into();
    }

    /// Whether bytes were put back that no read has returned yet.
    pub(crate) fn has_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    fn written(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => self.meter.activity().wrote(bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.meter.activity().blocked(),
        }
        written
    }
}

impl<IO: Transport> AsyncRead for MeteredIo<IO> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.unread.is_empty() {
            let length = self.unread.len().min(into.remaining());
            into.put_slice(&self.unread.split_to(length));
            return Poll::Ready(Ok(()));
        }
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
            self.arrived(arrived);
        }
        read
    }
}

impl<IO: Transport> AsyncWrite for MeteredIo<IO> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.meter.outbox().check_write()?;
        let written = Pin::new(&mut self.io).poll_write(cx, from);
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.meter.outbox().check_write()?;
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, from);
        self.written(written)
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
        self.meter.activity().closing();
        self.meter.outbox().check_write()?;
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

impl<IO: Transport> Drop for MeteredIo<IO> {
    /// Ends a reset connection with RST instead of FIN: the kernel discards what it hasn't sent.
    fn drop(&mut self) {
        if self.meter.outbox().is_reset() {
            // This fails if the client has closed the connection first.
            let _ = self.io.tcp().set_zero_linger();
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

    #[test]
    fn those_who_come_in_one_moment_leave_one_after_the_other() {
        let timeouts = Timeouts::default();
        let now = Instant::now() + timeouts.unused;
        let left: Vec<bool> = (0..100)
            .map(|_| {
                let judged = Meter::default().activity().evaluate(
                    now + timeouts.spread / 2,
                    false,
                    &timeouts,
                );
                matches!(judged, Decision::Idle)
            })
            .collect();
        let left = left.iter().filter(|it| **it).count();
        assert!((20..80).contains(&left), "{left} of 100 have left half way");
    }

    #[tokio::test]
    async fn a_connection_reads_a_bounded_amount_before_other_tasks_run() -> Result<()> {
        const SENT: usize = 4 * READ_PER_TURN;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let mut caller = TcpStream::connect(listener.local_addr()?).await?;
        let (tcp, _) = listener.accept().await?;
        let sending = tokio::spawn(async move { caller.write_all(&[0; SENT]).await });
        let mut io = MeteredIo::new(tcp, Meter::default());
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
    async fn few_bytes_at_a_time_are_no_longer_turn() -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let mut caller = TcpStream::connect(listener.local_addr()?).await?;
        let (tcp, _) = listener.accept().await?;
        caller.write_all(&[0; 100]).await?;
        let mut io = MeteredIo::new(tcp, Meter::default());
        io.io.readable().await?;
        for _ in 0..READ_PER_TURN / MIN_READ_COST {
            assert!(poll!(Box::pin(io.read_u8())).is_ready());
        }
        assert!(poll!(Box::pin(io.read_u8())).is_pending());
        Ok(())
    }
}
