//! Reading objects of a folder, piece by piece, at the pace of whoever takes them.
//!
//! What the kernel has in its cache is read at once, on the very thread that asks: a copy, no longer than
//! the next one, into a socket. What it would have to fetch is read on a thread for blocking work, and only
//! so much of that is asked of a disk at a time.
//!
//! As long as there is memory, pieces are large, and the next one is read while the last one is on its way: for
//! those who take them fast. Who has taken nothing yet, or takes it slowly, and everybody when there is no memory
//! left, gets on by one small piece at a time. So it takes more than slow ones to use all of it up.

mod kept;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::vec;

use bytes::Bytes;
use futures_util::{Stream, stream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use self::kept::Kept;
use super::local::Folder;
use super::{BlobError, ObjectPart, StreamMemory};

/// Of a piece. Fewer bytes cost more calls, more don't stay in the processor's cache between the two copies.
const LARGE: usize = 256 << 10;

/// Of a piece when memory is short, or not worth it.
const SMALL: usize = 64 << 10;

/// Whoever holds a large piece for longer takes less than a mebibyte a second, and doesn't need large ones. To be
/// found fast, which small ones tell, takes up to twice that: the kernel has room for two of them at a time.
const FAST: Duration = Duration::from_millis(250);

/// So many bytes of one answer must have been taken fast before pieces are large: more than sockets hold on both sides
/// for who reads nothing at all.
const PROVEN: usize = 512 << 10;

/// Large pieces that all streams hold together, at most: 32 MiB, two for each of 64.
const MOST_LARGE: usize = 128;

/// Pieces of memory that are kept for the next one: of large and of small ones.
const KEPT: (usize, usize) = (32, 64);

/// Reads that wait for the disk at a time: enough to keep it busy.
const AT_THE_DISK: usize = 16;

/// What all streams share.
#[derive(Debug)]
pub(super) struct Reading {
    large: Arc<Semaphore>,
    disk: Semaphore,
    kept: (Kept, Kept),
}

/// Where one stream is.
struct Place {
    folder: Arc<Folder>,
    parts: vec::IntoIter<ObjectPart>,
    open: Option<Open>,
    held: Arc<Held>,
}

/// The object that is being read, and what is still to be read of it.
struct Open {
    file: Arc<File>,
    from: u64,
    to: u64,
}

/// How many pieces of a stream somebody still holds, and for how long they do.
#[derive(Default)]
struct Held {
    pieces: AtomicUsize,
    fewer: Notify,
    /// Bytes of those that were let go since one was held for longer than [`FAST`], for its length.
    fast: AtomicUsize,
}

/// Bytes on their way. Tells when they are let go.
struct Piece {
    bytes: Vec<u8>,
    /// When it was given away, or is about to be.
    since: Instant,
    held: Arc<Held>,
    folder: Arc<Folder>,
    _large: Option<OwnedSemaphorePermit>,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            large: Arc::new(Semaphore::new(MOST_LARGE)),
            disk: Semaphore::new(AT_THE_DISK),
            kept: (Kept::new(LARGE, KEPT.0), Kept::new(SMALL, KEPT.1)),
        }
    }
}

/// The bytes of these parts, in their order.
pub(super) fn read(
    folder: Arc<Folder>,
    parts: Vec<ObjectPart>,
) -> impl Stream<Item = Result<Bytes, BlobError>> + Send {
    stream::try_unfold(Place::new(folder, parts), async |mut place| {
        let piece = place.next().await?;
        Ok(piece.map(|piece| (piece, place)))
    })
}

impl Place {
    fn new(folder: Arc<Folder>, parts: Vec<ObjectPart>) -> Self {
        Self {
            folder,
            parts: parts.into_iter(),
            open: None,
            held: Arc::default(),
        }
    }

    async fn next(&mut self) -> Result<Option<Bytes>, BlobError> {
        let Some((file, at, left)) = self.find()? else {
            return Ok(None);
        };
        let mut piece = self.room(left).await;
        let read = at_once(&file, &mut piece.bytes, at)?;
        if read < piece.bytes.len() {
            piece = self.fetch(file, piece, at, read).await?;
        }
        if let Some(open) = &mut self.open {
            open.from += piece.bytes.len() as u64;
        }
        piece.since = Instant::now();
        Ok(Some(Bytes::from_owner(piece)))
    }

    /// What comes next: a file, where in it, and how many bytes at most.
    fn find(&mut self) -> io::Result<Option<(Arc<File>, u64, usize)>> {
        loop {
            if let Some(Open { file, from, to }) = &self.open
                && from < to
            {
                let left = usize::try_from(to - from).unwrap_or(usize::MAX);
                return Ok(Some((file.clone(), *from, left)));
            }
            let Some(ObjectPart { key, range }) = self.parts.next() else {
                return Ok(None);
            };
            self.open = Some(Open {
                file: Arc::new(self.folder.open_object(&key)?),
                from: range.start,
                to: range.end,
            });
        }
    }

    /// Memory for at most `left` bytes, perhaps for fewer.
    async fn room(&self, left: usize) -> Piece {
        let reading = &self.folder.reading;
        let large = loop {
            // Before the look at how it goes, which the last one to be let go tells first.
            let held = self.held.pieces.load(Ordering::Acquire);
            let worth_it = left > SMALL && self.held.fast.load(Ordering::Relaxed) >= PROVEN;
            match worth_it.then(|| reading.large.clone().try_acquire_owned()) {
                Some(Ok(large)) => break Some(large),
                _ if held == 0 => break None,
                _ => self.held.fewer.notified().await,
            }
        };
        let length = left.min(if large.is_some() { LARGE } else { SMALL });
        let bytes = reading.take(length);
        self.held.pieces.fetch_add(1, Ordering::AcqRel);
        Piece {
            bytes,
            since: Instant::now(),
            held: self.held.clone(),
            folder: self.folder.clone(),
            _large: large,
        }
    }

    /// Fills what is left of a piece from the disk.
    async fn fetch(
        &self,
        file: Arc<File>,
        mut piece: Piece,
        at: u64,
        read: usize,
    ) -> Result<Piece, BlobError> {
        // Nobody closes it.
        let _turn = self.folder.reading.disk.acquire().await;
        let fetch = move || {
            let rest = piece.bytes.get_mut(read..).unwrap_or_default();
            file.read_exact_at(rest, at + read as u64)?;
            io::Result::Ok(piece)
        };
        let fetched = tokio::task::spawn_blocking(fetch).await;
        Ok(fetched.map_err(io::Error::other)??)
    }
}

impl Reading {
    /// What large pieces take, those that hold less than they could included.
    pub(super) fn memory(&self) -> StreamMemory {
        StreamMemory {
            used: (MOST_LARGE - self.large.available_permits()) * LARGE,
            limit: MOST_LARGE * LARGE,
        }
    }

    /// Memory for a piece, with whatever was in it.
    fn take(&self, length: usize) -> Vec<u8> {
        match length {
            SMALL => self.kept.1.take(length),
            0..SMALL => vec![0; length],
            _ => self.kept.0.take(length),
        }
    }

    fn give_back(&self, bytes: Vec<u8>) {
        match bytes.len() {
            SMALL => self.kept.1.give_back(bytes),
            0..SMALL => {}
            _ => self.kept.0.give_back(bytes),
        }
    }
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        match is_fast(self.bytes.len(), self.since.elapsed()) {
            true => self
                .held
                .fast
                .fetch_add(self.bytes.len(), Ordering::Relaxed),
            false => self.held.fast.swap(0, Ordering::Relaxed),
        };
        let bytes = std::mem::take(&mut self.bytes);
        self.folder.reading.give_back(bytes);
        self.held.pieces.fetch_sub(1, Ordering::AcqRel);
        self.held.fewer.notify_one();
    }
}

/// Whether somebody who held so many bytes for so long takes them fast. A short piece tells nothing but how long the
/// socket before it is full.
fn is_fast(length: usize, held: Duration) -> bool {
    held <= FAST.mul_f64(length.max(SMALL) as f64 / LARGE as f64)
}

/// Reads as much as there is in memory: perhaps nothing.
#[cfg(target_os = "linux")]
fn at_once(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    use rustix::io::{Errno, ReadWriteFlags, preadv2};
    let mut bytes = [io::IoSliceMut::new(bytes)];
    match preadv2(file, &mut bytes, at, ReadWriteFlags::NOWAIT) {
        // It would wait, or the file system knows no such question.
        Err(Errno::AGAIN | Errno::INTR | Errno::OPNOTSUPP | Errno::NOSYS) => Ok(0),
        read => Ok(read?),
    }
}

#[cfg(not(target_os = "linux"))]
fn at_once(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Ok(0)
}

#[cfg(test)]
mod tests;
