//! Reading ranges of objects in a folder.
//!
//! What the kernel has in its cache is read at once, on the very thread that asks: a copy, no longer than
//! the next one, into a socket. What it would have to fetch is read on a thread for blocking work, and only
//! so much of that is asked of a disk at a time. The same goes for opening files. A piece that is gathered
//! from many of them is read there, too: so many calls would hold up others on this thread.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use super::local::Folder;
use super::pacing::Piece;
use super::{BlobError, ObjectKey, ObjectPart};
use net::Precedence;

/// Objects that one piece is read from on the thread that asks.
const FEW: usize = 4;

/// Reads that wait for the disk at a time: enough to keep it busy.
pub(super) const AT_THE_DISK: usize = 16;

/// Reads the objects of one stream. Keeps the last file open: most pieces are of the same one as those before.
pub(super) struct FileReader {
    folder: Arc<Folder>,
    open: Option<OpenFile>,
}

#[derive(Clone)]
struct OpenFile {
    key: ObjectKey,
    file: Arc<File>,
}

impl FileReader {
    pub(super) fn new(folder: Arc<Folder>) -> Self {
        Self { folder, open: None }
    }

    /// Fills the piece with the bytes of these parts, which are as long as it.
    pub(super) async fn fill(
        &mut self,
        mut piece: Piece,
        parts: Vec<ObjectPart>,
    ) -> Result<Piece, BlobError> {
        let mut filled = 0;
        if parts.len() <= FEW {
            for part in &parts {
                let length = part.length();
                let read = self.read_cached(part, &mut piece.bytes[filled..filled + length])?;
                filled += read;
                if read < length {
                    break;
                }
            }
        }
        if filled == piece.bytes.len() {
            return Ok(piece);
        }
        let _precedence = Precedence::raise();
        // It is never closed.
        let _turn = self.folder.disk_turns.acquire().await;
        let mut reader = Self {
            folder: self.folder.clone(),
            open: self.open.clone(),
        };
        let fetch = move || {
            reader.read(&parts, &mut piece.bytes, filled)?;
            io::Result::Ok((piece, reader.open))
        };
        let fetched = tokio::task::spawn_blocking(fetch).await;
        let (piece, open) = fetched.map_err(io::Error::other)??;
        self.open = open;
        Ok(piece)
    }

    /// Reads as much of a part as there is in memory: perhaps nothing.
    fn read_cached(&mut self, part: &ObjectPart, bytes: &mut [u8]) -> io::Result<usize> {
        if self.open_file(&part.key).is_none() {
            let Some(file) = self.folder.open_cached_object(&part.key)? else {
                return Ok(0);
            };
            self.keep_open(&part.key, file);
        }
        match self.open_file(&part.key) {
            Some(file) => read_cached(&file, bytes, part.range.start),
            None => Ok(0),
        }
    }

    /// Reads what is left of these parts, of whose bytes `filled` are there already. May wait for the disk.
    fn read(&mut self, parts: &[ObjectPart], bytes: &mut [u8], filled: usize) -> io::Result<()> {
        let mut start = 0;
        for part in parts {
            let end = start + part.length();
            // Below `start` this one is done.
            let done = filled.clamp(start, end);
            if done < end {
                let file = match self.open_file(&part.key) {
                    Some(file) => file,
                    None => self.keep_open(&part.key, self.folder.open_object(&part.key)?),
                };
                let at = part.range.start + (done - start) as u64;
                file.read_exact_at(&mut bytes[done..end], at)?;
            }
            start = end;
        }
        Ok(())
    }

    fn open_file(&self, key: &ObjectKey) -> Option<Arc<File>> {
        let open = self.open.as_ref().filter(|it| it.key == *key);
        open.map(|it| it.file.clone())
    }

    fn keep_open(&mut self, key: &ObjectKey, file: File) -> Arc<File> {
        let file = Arc::new(file);
        self.open = Some(OpenFile {
            key: key.clone(),
            file: file.clone(),
        });
        file
    }
}

/// Reads what the kernel has in memory. `0`: it would have to wait for the disk, or to be asked otherwise.
#[cfg(target_os = "linux")]
fn read_cached(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    use rustix::io::{Errno, ReadWriteFlags, preadv2};
    let mut bytes = [io::IoSliceMut::new(bytes)];
    match preadv2(file, &mut bytes, at, ReadWriteFlags::NOWAIT) {
        // It would wait, or the file system knows no such question.
        Err(Errno::AGAIN | Errno::INTR | Errno::OPNOTSUPP | Errno::NOSYS) => Ok(0),
        read => Ok(read?),
    }
}

#[cfg(not(target_os = "linux"))]
fn read_cached(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Ok(0)
}
