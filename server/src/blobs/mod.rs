//! Where bytes lie: immutable objects under random keys.
//!
//! An object is written once, whole, and is durable when [`Blobs::put`] returns. Nothing is appended to
//! or replaced, so a late or losing writer can leave an object that nobody names, and no other harm.

mod bucket;
mod disk;
mod error;
mod local;
mod pacing;
mod pool;
mod read_ahead;

use std::fmt;
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

use pacing::StreamBudget;

pub use bucket::{BucketAccess, BucketPlace};
pub use error::BlobError;

/// The store behind the service. Cheap to clone.
#[derive(Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    place: Backend,
    streams: Arc<StreamBudget>,
}

/// What `object_store` leaves to us differs between the two.
#[derive(Clone)]
enum Backend {
    Folder(Arc<local::Folder>),
    Bucket,
}

/// The name of one object: `{request}/{take}/{random}`. Random, so that two writers of the same bytes
/// never meet; under request and take, so that all of either can be removed.
#[derive(Clone, PartialEq, Eq)]
pub struct ObjectKey(Path);

impl ObjectKey {
    const PARTS: usize = 3;

    /// A fresh name for the next chunk of a take.
    pub fn random(request: &RequestId, take: &TakeId) -> Self {
        // The same alphabet and strength as an id.
        let object = TakeId::random();
        Self(Path::from_iter([
            request.as_str(),
            take.as_str(),
            object.as_str(),
        ]))
    }

    /// The name as a manifest keeps it.
    pub fn from_manifest(key: &str) -> Self {
        Self(Path::from(key))
    }

    /// Whose it is: the request and the take, by the names that they should have. `None`: it has no such name.
    pub fn owner(&self) -> Option<(RequestId, TakeId)> {
        let mut parts = self.as_str().split('/');
        let (request, take) = (parts.next()?, parts.next()?);
        Some((RequestId::parse(request)?, TakeId::parse(take)?))
    }

    /// The name for a manifest to keep.
    pub fn as_str(&self) -> &str {
        self.0.as_ref()
    }
}

/// An object as the store lists it.
#[derive(Clone, Debug)]
pub struct StoredObject {
    /// Its name.
    pub key: ObjectKey,
    /// When it was written, by the store's clock.
    pub written_at: Millis,
    /// How many bytes it has.
    pub length: u64,
}

/// A part of an object.
#[derive(Clone, Debug)]
pub struct ObjectPart {
    /// Which object.
    pub key: ObjectKey,
    /// Which bytes of it.
    pub range: Range<u64>,
}

impl ObjectPart {
    fn length(&self) -> usize {
        usize::try_from(self.range.end - self.range.start).unwrap_or(usize::MAX)
    }
}

/// What streams hold in memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamMemory {
    /// How much it is now.
    pub used: usize,
    /// The most of it.
    pub limit: usize,
}

/// A disk, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// How large it is.
    pub total: u64,
    /// How much of it we may still use.
    pub available: u64,
    /// Its inodes. `None`: it has no fixed number of them.
    pub files: Option<Files>,
}

/// Files that a file system can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Files {
    /// How many in all.
    pub total: u64,
    /// How many more we may make.
    pub available: u64,
}

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ObjectKey(..)")
    }
}

impl Blobs {
    /// Makes room for a take, before its first object.
    pub async fn prepare_take(&self, request: &RequestId, take: &TakeId) -> Result<(), BlobError> {
        let Backend::Folder(folder) = &self.place else {
            return Ok(());
        };
        let (request, take) = (request.clone(), take.clone());
        blocking(folder, move |folder| folder.prepare_take(&request, &take)).await
    }

    /// Writes an object. When this returns, the bytes and their name survive a power cut.
    pub async fn put(&self, key: &ObjectKey, bytes: Vec<Bytes>) -> Result<(), BlobError> {
        let payload: PutPayload = bytes.into_iter().collect();
        let put = self.store.put(&key.0, payload).await;
        put.map(drop).map_err(|error| match self.place {
            Backend::Folder(_) => BlobError::from_write(error),
            // A request that failed, which says nothing about the disks behind it.
            Backend::Bucket => error.into(),
        })
    }

    /// Reads a part of an object into memory: keep it to a mebibyte or so.
    pub async fn read(&self, key: &ObjectKey, range: Range<u64>) -> Result<Bytes, BlobError> {
        Ok(self.store.get_range(&key.0, range).await?)
    }

    /// The bytes of these parts, in their order, in pieces of up to some hundred kilobytes. The next one may come
    /// only once those before it are let go: copy what has to stay. Parts are asked for as they are needed.
    pub fn stream(
        &self,
        parts: impl Stream<Item = Result<ObjectPart, BlobError>> + Send + 'static,
    ) -> BoxStream<'static, Result<Bytes, BlobError>> {
        let (parts, budget) = (parts.boxed(), self.streams.clone());
        match &self.place {
            Backend::Folder(folder) => {
                read_ahead::from_folder(folder.clone(), budget, parts).boxed()
            }
            Backend::Bucket => read_ahead::from_bucket(self.clone(), budget, parts).boxed(),
        }
    }

    /// How many bytes an object has. `None`: it isn't there.
    pub async fn length(&self, key: &ObjectKey) -> Result<Option<u64>, BlobError> {
        match self.store.head(&key.0).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes an object. One that isn't there counts as removed.
    pub async fn remove(&self, key: &ObjectKey) -> Result<(), BlobError> {
        match self.store.delete(&key.0).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes these objects; how many couldn't be. Those that aren't there count as removed.
    pub async fn remove_all(&self, keys: Vec<ObjectKey>) -> usize {
        let paths = stream::iter(keys.into_iter().map(|key| Ok(key.0)));
        let removed = self.store.delete_stream(paths.boxed());
        let failed = removed.filter(|removed| {
            let failed = matches!(removed, Err(error) if !matches!(error, object_store::Error::NotFound { .. }));
            ready(failed)
        });
        failed.count().await
    }

    /// Removes every object of a take, named by a manifest or not. When this returns, no power cut
    /// brings them back.
    pub async fn remove_take(&self, request: &RequestId, take: &TakeId) -> Result<(), BlobError> {
        let Backend::Folder(folder) = &self.place else {
            let take = Path::from_iter([request.as_str(), take.as_str()]);
            return self.remove_below(&take).await;
        };
        let (request, take) = (request.clone(), take.clone());
        blocking(folder, move |folder| folder.remove_take(&request, &take)).await
    }

    /// Removes every object of a request, likewise.
    pub async fn remove_request(&self, request: &RequestId) -> Result<(), BlobError> {
        let Backend::Folder(folder) = &self.place else {
            return self.remove_below(&Path::from(request.as_str())).await;
        };
        let request = request.clone();
        blocking(folder, move |folder| folder.remove_request(&request)).await
    }

    /// Every object that there is, half-written ones excepted.
    pub fn list(&self) -> impl Stream<Item = Result<StoredObject, BlobError>> + Send + Unpin {
        let objects = self.store.list(None).map_err(BlobError::from);
        objects.try_filter_map(|found| {
            // The folder holds its lock, too, and whatever somebody else has put there.
            let ours = found.location.parts_count() == ObjectKey::PARTS;
            let object = ours.then(|| StoredObject {
                written_at: found.last_modified.timestamp_millis(),
                length: found.size,
                key: ObjectKey(found.location),
            });
            ready(Ok(object))
        })
    }

    /// Whether the store answers at all.
    pub async fn ping(&self) -> Result<(), BlobError> {
        let Backend::Folder(folder) = &self.place else {
            // Nothing of ours has such a name: what is asked for is a word, whichever it is.
            return match self.store.head(&Path::from("nothing")).await {
                Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(error.into()),
            };
        };
        blocking(folder, local::Folder::ping).await
    }

    /// How much memory all streams hold.
    pub fn stream_memory(&self) -> StreamMemory {
        self.streams.memory()
    }

    /// How large the disk is. `None`: a bucket has no end that anybody knows.
    pub async fn space(&self) -> Result<Option<Space>, BlobError> {
        let Backend::Folder(folder) = &self.place else {
            return Ok(None);
        };
        blocking(folder, local::Folder::space).await.map(Some)
    }
}

async fn blocking<T: Send + 'static>(
    folder: &Arc<local::Folder>,
    work: impl FnOnce(&local::Folder) -> io::Result<T> + Send + 'static,
) -> Result<T, BlobError> {
    let folder = folder.clone();
    let done = tokio::task::spawn_blocking(move || work(&folder)).await;
    Ok(done.map_err(io::Error::other)??)
}
