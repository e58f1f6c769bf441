//! A connection whose bytes are counted, and which can be reset.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::activity::{Activity, SPREAD};
use super::outbox::Outbox;
use super::turns::{Turn, Turns};

/// What a connection reads before it lets others have their turn, in bytes. tokio ends a turn after 128 reads, which may
/// be megabytes of tiny frames, and everybody else would wait for the last of them.
const TURN: usize = 16 << 10;

/// What a connection is doing and in whose turns, known to whoever moves its bytes, answers its requests and judges it.
#[derive(Clone)]
pub(super) struct Ledger(Arc<Entries>);

struct Entries {
    activity: Mutex<Activity>,
    outbox: Outbox,
    turns: Turns,
}

impl Ledger {
    pub(super) fn new(turns: Turns) -> Self {
        let longer = SPREAD.mul_f64(rand::random());
        let activity = Activity::new(Instant::now(), longer);
        Self(Arc::new(Entries {
            activity: Mutex::new(activity),
            outbox: Outbox::default(),
            turns,
        }))
    }

    /// Never held for longer than it takes to count; a panic meanwhile leaves counts as good as before.
    pub(super) fn open(&self) -> MutexGuard<'_, Activity> {
        let activity = self.0.activity.lock();
        activity.unwrap_or_else(PoisonError::into_inner)
    }

    /// What it has accepted of responses and may still hold.
    pub(super) fn outbox(&self) -> &Outbox {
        &self.0.outbox
    }

    /// One more who takes turns with the others of its address.
    pub(super) fn join(&self) -> Turn {
        self.0.turns.join()
    }
}

#[cfg(test)]
impl Default for Ledger {
    fn default() -> Self {
        Self::new(Turns::unlimited())
    }
}

/// A byte stream over TCP whose unsent bytes can be discarded.
pub(super) trait Transport: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    /// The connection below.
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

/// Tells of what it reads and writes.
pub(super) struct Counted<IO: Transport> {
    io: IO,
    ledger: Ledger,
    /// Read, counted, and not used.
    unread: Bytes,
    /// Bytes that were read in this turn.
    in_turn: usize,
}

impl<IO: Transport> Counted<IO> {
    pub(super) fn new(io: IO, ledger: Ledger) -> Self {
        Self {
            io,
            ledger,
            unread: Bytes::new(),
            in_turn: 0,
        }
    }

    /// Puts bytes back, before whatever comes next.
    pub(super) fn unread(&mut self, bytes: &[u8]) {
        self.unread = [bytes, &self.unread].concat().into();
    }

    /// Whether there are such bytes.
    pub(super) fn has_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    fn written(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => self.ledger.open().wrote(bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.ledger.open().blocked(),
        }
        written
    }
}

impl<IO: Transport> AsyncRead for Counted<IO> {
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
        if self.in_turn >= TURN {
            self.in_turn = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = into.filled().len();
        let read = Pin::new(&mut self.io).poll_read(cx, into);
        let bytes = into.filled().len() - before;
        if read.is_pending() {
            self.in_turn = 0;
        }
        if bytes > 0 {
            self.in_turn += bytes;
            self.ledger.open().read(bytes, Instant::now());
        }
        read
    }
}

impl<IO: Transport> AsyncWrite for Counted<IO> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.ledger.outbox().check_write()?;
        let written = Pin::new(&mut self.io).poll_write(cx, from);
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.ledger.outbox().check_write()?;
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, from);
        self.written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // TLS writes what it holds.
        self.ledger.outbox().check_write()?;
        let flushed = Pin::new(&mut self.io).poll_flush(cx);
        match flushed {
            // Only once nothing is left to be written is it called.
            Poll::Ready(_) => {
                self.ledger.open().flushed(Instant::now());
                self.ledger.outbox().flushed();
            }
            Poll::Pending => self.ledger.open().blocked(),
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.ledger.open().closing();
        self.ledger.outbox().check_write()?;
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

impl<IO: Transport> Drop for Counted<IO> {
    /// A reset connection ends with RST instead of FIN: the kernel discards what it hasn't sent.
    fn drop(&mut self) {
        if self.ledger.outbox().is_reset() {
            // Fails where the other side was faster.
            let _ = self.io.tcp().set_zero_linger();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use anyhow::Result;
    use futures_util::poll;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn those_who_come_in_one_moment_leave_one_after_the_other() {
        let longer: BTreeSet<_> = (0..100)
            .map(|_| Ledger::default().open().longer())
            .collect();
        assert!(longer.len() > 90);
        assert!(longer.iter().all(|it| *it < SPREAD));
        assert!(longer.last() > Some(&(SPREAD / 2)));
    }

    #[tokio::test]
    async fn who_sends_without_a_pause_takes_turns_with_others() -> Result<()> {
        const SENT: usize = 4 * TURN;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let mut caller = TcpStream::connect(listener.local_addr()?).await?;
        let (tcp, _) = listener.accept().await?;
        let sending = tokio::spawn(async move { caller.write_all(&[0; SENT]).await });
        let mut io = Counted::new(tcp, Ledger::default());
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
                read < turns * (TURN + 1000),
                "{read} bytes in {turns} turns"
            );
        }
        sending.await??;
        Ok(())
    }
}
