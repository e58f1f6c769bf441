//! Writing objects to a folder, durably.
//!
//! Not by `object_store`, which writes each buffer by a call of its own, and to a temporary name: a rename after the
//! sync of the file makes the file system commit a second time. Here an object has its key from the start. The server
//! reads an object only by a row that names it, so a half-written one that a crash leaves is an orphan.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, IoSlice, Write};

use bytes::Bytes;

use super::{LocalFolder, sync};
use crate::blobs::{BlobError, ObjectKey};

/// The most buffers of one system call (`IOV_MAX` of Linux and macOS).
const MAX_SLICES: usize = 1024;

impl LocalFolder {
    /// Writes an object and syncs it and its folder. After an error some of it may be there.
    pub(in crate::blobs) fn write_object(
        &self,
        key: &ObjectKey,
        bytes: &[Bytes],
    ) -> Result<(), BlobError> {
        let path = self.root.join(key.as_str());
        let take = path.parent().unwrap_or(&self.root);
        let create = || OpenOptions::new().write(true).create_new(true).open(&path);
        let created = match create() {
            // The take was removed meanwhile, which its writer learns from the rows.
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.create_take_folder(take)
                    .map_err(BlobError::from_write)?;
                create()
            }
            created => created,
        };
        let mut file = created.map_err(BlobError::from_write)?;
        write_all(&mut file, bytes).map_err(BlobError::from_write)?;
        file.sync_all().map_err(BlobError::from_write)?;
        sync(take).map_err(BlobError::from_write)
    }
}

/// Writes all buffers, as many at a time as a call takes.
fn write_all(file: &mut File, bytes: &[Bytes]) -> io::Result<()> {
    for bytes in bytes.chunks(MAX_SLICES) {
        let mut slices: Vec<_> = bytes.iter().map(|it| IoSlice::new(it)).collect();
        let mut left = &mut slices[..];
        // Removes empty buffers in front, which would look like a disk that takes nothing.
        IoSlice::advance_slices(&mut left, 0);
        while !left.is_empty() {
            match file.write_vectored(left) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => IoSlice::advance_slices(&mut left, written),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blobs::Blobs;
    use crate::id::{RequestId, TakeId};

    #[tokio::test]
    async fn an_object_is_all_of_its_buffers_in_order_and_written_once() {
        let root = tempfile::tempdir().expect("a folder");
        let blobs = Blobs::open_local(root.path()).expect("a store");
        let (request, take) = (RequestId::random(), TakeId::random());
        // More than one call, with empty buffers at both ends of each.
        let bytes: Vec<Bytes> = (0..3 * MAX_SLICES)
            .map(|n| match n % MAX_SLICES {
                0 | 1023 => Bytes::new(),
                _ => Bytes::from(n.to_string()),
            })
            .collect();
        let key = ObjectKey::random(&request, &take);
        // Without the take's folder, as after a removal.
        blobs.put(&key, bytes.clone()).await.expect("a put");
        let length = bytes.iter().map(Bytes::len).sum::<usize>() as u64;
        let read = blobs.read(&key, 0..length).await.expect("the object");
        assert_eq!(read, bytes.concat());
        assert!(blobs.put(&key, vec![Bytes::from("x")]).await.is_err());
        assert_eq!(blobs.length(&key).await.expect("an answer"), Some(length));
    }
}
