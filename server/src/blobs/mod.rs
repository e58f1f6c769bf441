//! Where bytes lie: immutable objects under random keys.
//!
//! An object is written once, whole, and is durable when [`Blobs::put`] returns. Nothing is appended to
//! or replaced, so a late or losing writer can leave an object that nobody names, and no other harm.

mod local;

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};

use crate::id::{RequestId, TakeId};

/// The store behind the service. Cheap to clone.
#[derive(Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
}

/// Why the store did not do as it was told.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// The folder can't be used.
    #[error("the blob folder {place} can't be used")]
    Open {
        /// Which one.
        place: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Any other failure, disk and network alike.
    #[error("the blob store failed")]
    Store(#[from] object_store::Error),
}

/// The name of one object: `{request}/{take}/{random}`. Random, so that two writers of the same bytes
/// never meet; under request and take, so that both can be removed by prefix.
#[derive(Clone, Debug)]
pub struct ObjectKey(Path);

impl ObjectKey {
    /// A fresh name for the next chunk of a take.
    pub fn random(request: &RequestId, take: &TakeId) -> Self {
        // The same alphabet and strength as an id.
        Self(take_prefix(request, take).join(TakeId::random().as_str()))
    }

    /// The name as a manifest keeps it.
    pub fn from_manifest(key: &str) -> Self {
        Self(Path::from(key))
    }

    /// The name for a manifest to keep.
    pub fn as_str(&self) -> &str {
        self.0.as_ref()
    }
}

fn request_prefix(request: &RequestId) -> Path {
    Path::from(request.as_str())
}

fn take_prefix(request: &RequestId, take: &TakeId) -> Path {
    request_prefix(request).join(take.as_str())
}

impl Blobs {
    /// Writes an object. When this returns, the bytes and their name survive a power cut.
    pub async fn put(&self, key: &ObjectKey, bytes: Vec<Bytes>) -> Result<(), BlobError> {
        let payload: PutPayload = bytes.into_iter().collect();
        self.store.put(&key.0, payload).await?;
        Ok(())
    }

    /// Reads a part of an object into memory: keep it to a mebibyte or so.
    pub async fn read(&self, key: &ObjectKey, range: Range<u64>) -> Result<Bytes, BlobError> {
        Ok(self.store.get_range(&key.0, range).await?)
    }

    /// Removes an object. One that isn't there counts as removed.
    pub async fn remove(&self, key: &ObjectKey) -> Result<(), BlobError> {
        ignore_missing(self.store.delete(&key.0).await)
    }

    /// Removes every object of a take, named by a manifest or not.
    pub async fn remove_take(&self, request: &RequestId, take: &TakeId) -> Result<(), BlobError> {
        self.remove_below(&take_prefix(request, take)).await
    }

    /// Removes every object of a request, named by a manifest or not.
    pub async fn remove_request(&self, request: &RequestId) -> Result<(), BlobError> {
        self.remove_below(&request_prefix(request)).await
    }

    async fn remove_below(&self, prefix: &Path) -> Result<(), BlobError> {
        let names = self.store.list(Some(prefix)).map_ok(|found| found.location);
        let mut removals = self.store.delete_stream(names.boxed());
        while let Some(removal) = removals.next().await {
            ignore_missing(removal.map(drop))?;
        }
        Ok(())
    }
}

fn ignore_missing(removal: Result<(), object_store::Error>) -> Result<(), BlobError> {
    match removal {
        Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
