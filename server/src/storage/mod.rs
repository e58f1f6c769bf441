//! Opening the database and the blob store: exclusively for a server, or beside one ([`attach`]).

pub(crate) mod attach;
pub(crate) mod layout;
pub(crate) mod tls;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::blobs::data_dir;
use crate::blobs::{BlobError, Blobs};
use crate::config::{BlobUrl, StoreArgs};
use crate::db::{Db, DbError};
use layout::{LOCK_FILE, blob_url, database_file};

/// The reason why the stores can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The data folder can't be used.
    #[error("the data folder {} can't be used", .0.display())]
    DataDir(PathBuf, #[source] io::Error),
    /// Another server has locked the data folder.
    #[error("the data folder {} is in use by another vidence", .0.display())]
    Locked(PathBuf),
    /// The database can't be opened.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The blob store can't be opened.
    #[error(transparent)]
    Blobs(#[from] BlobError),
}

impl StorageError {
    /// Whether the stores can't be opened until a setting is changed.
    pub fn is_permanent(&self) -> bool {
        matches!(self, Self::Blobs(BlobError::HalfAKey))
    }
}

/// The lock on the data folder, held until it is dropped. Empty if both stores are elsewhere.
pub struct DataDir {
    _lock: Option<File>,
}

/// Opens the stores for this server alone, and locks the data folder. Applies pending migrations, and ends the leases
/// of an earlier server with the same SQLite file.
pub(crate) async fn open(store: &StoreArgs) -> Result<(Db, Blobs, DataDir), StorageError> {
    let is_elsewhere = store.database_url.is_some() && store.blob_url.is_some();
    let lock = (!is_elsewhere).then(|| lock(&store.data_dir)).transpose()?;
    tls::install_provider();
    let db = match &store.database_url {
        Some(url) => Db::open_postgres(url, store.database_connections).await?,
        None => Db::open_sqlite(&database_file(&store.data_dir)).await?,
    };
    let blobs = match blob_url(store) {
        BlobUrl::Folder(folder) => Blobs::open_local(&folder)?,
        BlobUrl::Bucket(location) => Blobs::open_bucket(&location, &store.bucket_access).await?,
    };
    if store.database_url.is_none() {
        db.leases_release_all().await?;
    }
    Ok((db, blobs, DataDir { _lock: lock }))
}

fn lock(dir: &Path) -> Result<File, StorageError> {
    prepare(dir)?;
    let lock = data_dir::lock(dir, LOCK_FILE).map_err(|error| unusable(dir, error))?;
    lock.ok_or_else(|| StorageError::Locked(dir.to_owned()))
}

/// Creates the data folder, or makes it private.
fn prepare(dir: &Path) -> Result<(), StorageError> {
    data_dir::open(dir, LOCK_FILE).map_err(|error| unusable(dir, error))?;
    Ok(())
}

fn unusable(dir: &Path, error: io::Error) -> StorageError {
    StorageError::DataDir(dir.to_owned(), error)
}
