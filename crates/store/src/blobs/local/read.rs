//! Reading ranges of objects in a folder.
//!
//! Bytes in the page cache are read on the calling thread: that is a copy, which takes no longer than the next one,
//! into a socket. Bytes that the kernel would fetch from the disk are read on a thread for blocking work, by a limited
//! number of reads at a time. The same goes for opening files. A piece that consists of many files is read there, too,
//! because that many calls would delay other tasks of the calling thread.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use super::LocalFolder;
use crate::blobs::object_part::check;
use crate::blobs::streaming::pace::Piece;
use crate::blobs::{BlobError, ObjectKey, ObjectPart};
use net::Precedence;

/// The most objects of a piece that is read on the calling thread.
const MAX_INLINE_PARTS: usize = 4;

/// Reads the objects of one stream.
/// Keeps the last file open, because most pieces are of the same file as the previous one.
pub(in crate::blobs) struct FileReader {
    folder: Arc<LocalFolder>,
    open: Option<OpenFile>,
}

#[derive(Clone)]
struct OpenFile {
    key: ObjectKey,
    file: Arc<File>,
}

impl FileReader {
    pub(in crate::blobs) fn new(folder: Arc<LocalFolder>) -> Self {
        Self { folder, open: None }
    }

    /// Fills a piece with the bytes of these parts, whose total length is the piece's, and checks them.
    pub(in crate::blobs) async fn fill(
        &mut self,
        mut piece: Piece,
        parts: Vec<ObjectPart>,
    ) -> Result<Piece, BlobError> {
        let mut filled = 0;
        if parts.len() <= MAX_INLINE_PARTS {
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
            check(&parts, &piece.bytes)?;
            return Ok(piece);
        }
        let _precedence = Precedence::raise();
        // Never fails, because the semaphore is never closed. Held by the read itself, which goes on if its client hangs up.
        let permit = self.folder.disk_reads.clone().acquire_owned().await;
        let mut reader = Self {
            folder: self.folder.clone(),
            open: self.open.clone(),
        };
        let fetch = move || {
            let _permit = permit;
            reader.read(&parts, &mut piece.bytes, filled)?;
            check(&parts, &piece.bytes)?;
            Ok::<_, BlobError>((piece, reader.open))
        };
        let fetched = tokio::task::spawn_blocking(fetch).await;
        let (piece, open) = fetched.map_err(io::Error::other)??;
        self.open = open;
        Ok(piece)
    }

    /// Reads the beginning of a part, as far as it is in the page cache.
    /// Returns the number of bytes, perhaps 0.
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

    /// Reads the rest of these parts, of which `filled` bytes are read already. May wait for the disk.
    fn read(&mut self, parts: &[ObjectPart], bytes: &mut [u8], filled: usize) -> io::Result<()> {
        let mut start = 0;
        for part in parts {
            let end = start + part.length();
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

/// Reads from the page cache only.
/// `0`: the read would wait for the disk, or the file system can't tell.
#[cfg(target_os = "linux")]
fn read_cached(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    use rustix::io::{Errno, ReadWriteFlags, preadv2};
    let mut bytes = [io::IoSliceMut::new(bytes)];
    match preadv2(file, &mut bytes, at, ReadWriteFlags::NOWAIT) {
        // The read would wait, or the file system doesn't support the flag.
        Err(Errno::AGAIN | Errno::INTR | Errno::OPNOTSUPP | Errno::NOSYS) => Ok(0),
        read => Ok(read?),
    }
}

#[cfg(not(target_os = "linux"))]
fn read_cached(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Ok(0)
}
