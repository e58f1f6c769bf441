//! A connection whose bytes are counted.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::activity::{Activity, SPREAD};

/// What a connection is doing, known to whoever moves its bytes, answers its requests and judges it.
#[derive(Clone)]
pub(super) struct Ledger(Arc<Mutex<Activity>>);

impl Ledger {
    pub(super) fn new() -> Self {
        let longer = SPREAD.mul_f64(rand::random());
        let activity = Activity::new(Instant::now(), longer);
        Self(Arc::new(Mutex::new(activity)))
    }

    /// Never held for longer than it takes to count; a panic meanwhile leaves counts as good as before.
    pub(super) fn open(&self) -> MutexGuard<'_, Activity> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells of what it reads and writes.
pub(super) struct Counted<IO> {
    io: IO,
    ledger: Ledger,
    /// Read, counted, and not used.
    unread: Bytes,
}

impl<IO> Counted<IO> {
    pub(super) fn new(io: IO, ledger: Ledger) -> Self {
        Self {
            io,
            ledger,
            unread: Bytes::new(),
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

impl<IO: AsyncRead + Unpin> AsyncRead for Counted<IO> {
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
        let before = into.filled().len();
        let read = Pin::new(&mut self.io).poll_read(cx, into);
        let bytes = into.filled().len() - before;
        if bytes > 0 {
            self.ledger.open().read(bytes, Instant::now());
        }
        read
    }
}

impl<IO: AsyncWrite + Unpin> AsyncWrite for Counted<IO> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(cx, from);
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, from);
        self.written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(cx);
        match flushed {
            // Only once nothing is left to be written is it called.
            Poll::Ready(_) => self.ledger.open().flushed(Instant::now()),
            Poll::Pending => self.ledger.open().blocked(),
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.ledger.open().closing();
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn those_who_come_in_one_moment_leave_one_after_the_other() {
        let longer: BTreeSet<_> = (0..100).map(|_| Ledger::new().open().longer()).collect();
        assert!(longer.len() > 90);
        assert!(longer.iter().all(|it| *it < SPREAD));
        assert!(longer.last() > Some(&(SPREAD / 2)));
    }
}
