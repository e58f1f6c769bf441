//! Storage of bytes: immutable objects under random keys, in a folder or an S3 bucket.
//!
//! An object is written once, as a whole, and is durable when [`Blobs::put`] returns. No object of a take is appended to
//! or replaced, so a late or losing writer leaves at most an object that no row names.

mod bucket_id;
mod checksums;
pub mod data_dir;
mod error;
mod local;
mod object_key;
mod object_part;
mod s3;
mod streaming;

use std::future::ready;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};

use crate::clock::Millis;
use crate::id::{RequestId, TakeId};

use local::LocalFolder;
use streaming::pace::StreamBudget;

pub use checksums::Checksums;
pub use error::BlobError;
pub use object_key::ObjectKey;
pub use object_part::{KnownObject, ObjectPart};
pub use s3::{BucketAccess, BucketLocation};

/// An empty object of a bucket that belongs to no take: its date is the bucket's time, and it is there when nothing else
/// is.
const CLOCK: &str = "vidence-clock";

/// The blob store. Cheap to clone.
#[derive(Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    backend: Backend,
    streams: Arc<StreamBudget>,
}

/// The kind of store, for what `object_store` doesn't do the same way on both.
#[derive(Clone)]
enum Backend {
    Local(Arc<LocalFolder>),
    /// A bucket without the limit of concurrent requests, which uploads may have reached.
    S3(Arc<dyn ObjectStore>),
}

/// An object in a listing of the store.
#[derive(Clone, Debug)]
pub struct StoredObject {
    /// The object's key.
    pub key: ObjectKey,
    /// The time of its last modification, by the store's clock.
    pub written_at: Millis,
    /// The length in bytes.
    pub length: u64,
}

/// The memory for large pieces of streams, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamMemory {
    /// Memory in use.
    pub used: usize,
    /// The limit.
    pub limit: usize,
}

/// The space of a file system, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    /// The size.
    pub total: u64,
    /// The free space that this process may use.
    pub available: u64,
    /// The inodes. `None`: the file system has no fixed number of them.
    pub inodes: Option<Inodes>,
}

/// The inodes of a file system, and so the files that it can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inodes {
    /// All inodes.
    pub total: u64,
    /// The free inodes that this process may use.
    pub available: u64,
}

impl Blobs {
    /// Prepares the store for a take's objects. To be called before the first one is written.
    pub async fn prepare_take(&self, request: &RequestId, take: &TakeId) -> Result<(), BlobError> {
        match &self.backend {
            Backend::Local(folder) => {
                let (request, take) = (request.clone(), take.clone());
                blocking(folder, move |folder| folder.prepare_take(&request, &take)).await
            }
            Backend::S3(_) => Ok(()),
        }
    }

    /// Writes an object. When this returns, the object survives a power failure.
    pub async fn put(&self, key: &ObjectKey, bytes: Vec<Bytes>) -> Result<(), BlobError> {
        match &self.backend {
            Backend::Local(folder) => {
                let key = key.clone();
                blocking(folder, move |folder| folder.write_object(&key, &bytes)).await
            }
            Backend::S3(_) => {
                let payload: PutPayload = bytes.into_iter().collect();
                // A failed request says nothing about the service's disks.
                Ok(self.store.put(&key.0, payload).await.map(drop)?)
            }
        }
    }

    /// Reads a range of an object into memory. For ranges of up to about a mebibyte.
    pub(super) async fn read(
        &self,
        key: &ObjectKey,
        range: Range<u64>,
    ) -> Result<Bytes, BlobError> {
        Ok(self.store.get_range(&key.0, range).await?)
    }

    /// Reads a whole object of this length into memory, and verifies it if its key has a digest.
    ///
    /// [`BlobError::Changed`]: it isn't what was stored under this key, also at a second look.
    pub async fn read_whole(&self, key: &ObjectKey, length: u64) -> Result<Bytes, BlobError> {
        for _ in 0..2 {
            let bytes = self.read(key, 0..length).await?;
            // Something else than the disk may have changed it on its way.
            // A store returns what there is of a range.
            if bytes.len() as u64 == length && key.allows(&bytes) {
                return Ok(bytes);
            }
        }
        Err(BlobError::Changed)
    }

    /// Streams the bytes of these parts in order, in pieces of up to 256 KiB.
    /// Of a known object only bytes that agree with its checksums; others end the stream with [`BlobError::Changed`].
    ///
    /// The next piece may come only after the previous ones are dropped: copy bytes that must stay. Parts are polled as
    /// they are needed.
    pub fn stream(
        &self,
        parts: impl Stream<Item = Result<ObjectPart, BlobError>> + Send + 'static,
    ) -> BoxStream<'static, Result<Bytes, BlobError>> {
        let (parts, budget) = (parts.boxed(), self.streams.clone());
        match &self.backend {
            Backend::Local(folder) => streaming::from_folder(folder.clone(), budget, parts).boxed(),
            Backend::S3(_) => streaming::from_bucket(self.clone(), budget, parts).boxed(),
        }
    }

    /// The length of an object in bytes. `None`: it doesn't exist.
    pub async fn length(&self, key: &ObjectKey) -> Result<Option<u64>, BlobError> {
        match self.store.head(&key.0).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes an object. Removing a missing object succeeds.
    pub async fn remove(&self, key: &ObjectKey) -> Result<(), BlobError> {
        match self.store.delete(&key.0).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes these objects; returns the number of failures. Removing a missing object succeeds.
    pub async fn remove_all(&self, keys: Vec<ObjectKey>) -> usize {
        let paths = stream::iter(keys.into_iter().map(|key| Ok(key.0)));
        let removed = self.store.delete_stream(paths.boxed());
        let is_there = |error: &_| !matches!(error, object_store::Error::NotFound { .. });
        let failed = removed.filter(|it| ready(it.as_ref().is_err_and(is_there)));
        failed.count().await
    }

    /// Removes all objects of a take, with or without a row.
    /// When this returns, the removal survives a power failure.
    pub async fn remove_take(&self, request: &RequestId, take: &TakeId) -> Result<(), BlobError> {
        match &self.backend {
            Backend::Local(folder) => {
                let (request, take) = (request.clone(), take.clone());
                blocking(folder, move |folder| folder.remove_take(&request, &take)).await
            }
            Backend::S3(_) => {
                let take = Path::from_iter([request.as_str(), take.as_str()]);
                self.remove_below(&take).await
            }
        }
    }

    /// Removes all objects of a request. See [`Blobs::remove_take`].
    pub async fn remove_request(&self, request: &RequestId) -> Result<(), BlobError> {
        match &self.backend {
            Backend::Local(folder) => {
                let request = request.clone();
                blocking(folder, move |folder| folder.remove_request(&request)).await
            }
            Backend::S3(_) => self.remove_below(&Path::from(request.as_str())).await,
        }
    }

    /// Lists all objects. In a folder also those that are still being written.
    pub fn list(&self) -> impl Stream<Item = Result<StoredObject, BlobError>> + Send + Unpin {
        let objects = self.store.list(None).map_err(BlobError::from);
        objects.try_filter_map(|found| {
            // A store also holds its lock file, or its clock and its id, and perhaps another program's objects: what is listed may be
            // removed as an orphan.
            let written_at = found.last_modified.timestamp_millis();
            let segments = found.location.parts_count();
            let key = ObjectKey(found.location);
            let ours = segments == ObjectKey::SEGMENTS && key.owner().is_some();
            ready(Ok(ours.then_some(StoredObject {
                written_at,
                length: found.size,
                key,
            })))
        })
    }

    /// The present time by the clock that tells [`StoredObject::written_at`], to a second.
    /// Writes to the store.
    pub async fn now(&self) -> Result<Millis, BlobError> {
        match &self.backend {
            Backend::Local(folder) => blocking(folder, LocalFolder::now).await,
            Backend::S3(_) => {
                // All nodes write the same one: if another's write comes between, its time is as good.
                let clock = Path::from(CLOCK);
                self.store.put(&clock, PutPayload::new()).await?;
                let written = self.store.head(&clock).await?;
                Ok(written.last_modified.timestamp_millis())
            }
        }
    }

    /// Checks that the store answers. `false`: its disk is read-only. A bucket doesn't tell.
    pub async fn ping(&self) -> Result<bool, BlobError> {
        match &self.backend {
            Backend::Local(folder) => blocking(folder, LocalFolder::ping).await,
            Backend::S3(bucket) => {
                let clock = Path::from(CLOCK);
                match bucket.head(&clock).await {
                    // A rule of the bucket may have removed it. Where the bucket itself is missing, this fails.
                    Err(object_store::Error::NotFound { .. }) => {
                        bucket.put(&clock, PutPayload::new()).await?;
                    }
                    found => drop(found?),
                }
                Ok(true)
            }
        }
    }

    /// The memory that streams use.
    pub fn stream_memory(&self) -> StreamMemory {
        self.streams.memory()
    }

    /// The space on the folder's disk. `None`: a bucket's space is unknown.
    pub async fn space(&self) -> Result<Option<DiskSpace>, BlobError> {
        match &self.backend {
            Backend::Local(folder) => blocking(folder, LocalFolder::space).await.map(Some),
            Backend::S3(_) => Ok(None),
        }
    }
}

async fn blocking<T: Send + 'static, E: Send + 'static>(
    folder: &Arc<LocalFolder>,
    work: impl FnOnce(&LocalFolder) -> Result<T, E> + Send + 'static,
) -> Result<T, BlobError>
where
    BlobError: From<E>,
{
    let folder = folder.clone();
    // Never fails, because the semaphore is never closed. Held by the work itself, which goes on if nothing waits for it.
    let permit = folder.calls.clone().acquire_owned().await;
    let done = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work(&folder)
    });
    let done = done.await;
    Ok(done.map_err(io::Error::other)??)
}
