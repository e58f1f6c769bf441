//! The id of a bucket and prefix, by which its database knows it.

use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutPayload};

use super::{BlobError, Blobs};

/// The object with the bucket's id, which a folder has in a file of this name.
const ID: &str = "id";

/// Bytes of an id that are read: all.
const MAX_ID_BYTES: u64 = 64;

impl Blobs {
    /// The id that a database knows this bucket and prefix by. `None`: it has none.
    pub async fn bucket_id(&self) -> Result<Option<String>, BlobError> {
        // It may be another program's object of any size.
        match self.store.get_range(&Path::from(ID), 0..MAX_ID_BYTES).await {
            Ok(id) => Ok(Some(String::from_utf8_lossy(&id).trim().to_owned())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives this bucket and prefix an id that has none; returns the one that it has then.
    /// Services that don't know the condition replace one that another node has stored meanwhile.
    pub async fn create_bucket_id(&self, id: &str) -> Result<String, BlobError> {
        let (path, object) = (Path::from(ID), PutPayload::from(format!("{id}\n")));
        let created = self.store.put_opts(&path, object, PutMode::Create.into());
        match created.await {
            Ok(_) => Ok(id.to_owned()),
            Err(object_store::Error::AlreadyExists { .. }) => {
                Ok(self.bucket_id().await?.unwrap_or_else(|| id.to_owned()))
            }
            Err(_) => {
                self.put_bucket_id(id).await?;
                Ok(id.to_owned())
            }
        }
    }

    /// Gives this bucket and prefix this id.
    pub async fn put_bucket_id(&self, id: &str) -> Result<(), BlobError> {
        let id = format!("{id}\n");
        self.store.put(&Path::from(ID), id.into()).await?;
        Ok(())
    }
}
