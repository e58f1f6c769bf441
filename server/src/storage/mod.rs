//! Opening the database and the blob store: exclusively for a server, or beside one ([`attach`]).

pub(crate) mod attach;
mod folder_id;
pub(crate) mod layout;
pub(crate) mod tls;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use futures_util::TryStreamExt;
use tracing::warn;

use crate::blobs::data_dir;
use crate::blobs::{BlobError, Blobs, BucketLocation};
use crate::config::{BlobUrl, StoreArgs};
use crate::db::{Db, DbError};
use crate::id::FolderId;
use crate::telemetry::logging::AsDynError;
use layout::{LOCK_FILE, MARKS, blob_url, database_file};

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
    /// The folder isn't the one that has the objects of this database.
    /// What is written there would be hidden as soon as the right disk is mounted over it.
    #[error(
        "{} isn't the blob folder of this database: is its disk mounted? If you mean to begin with an empty one, make \
         it, only for the server's user, with a file \"id\" that says {id}",
        .folder.display()
    )]
    OtherFolder {
        /// The folder.
        folder: PathBuf,
        /// What its file says in the right one.
        id: String,
    },
    /// The bucket, or the prefix in it, isn't the one that has the objects of this database: what is deleted would stay in
    /// the right one.
    #[error(
        "{location} isn't the bucket of this database: does VIDENCE_BLOB_URL name another bucket or prefix than on the \
         other nodes? If you mean to begin with an empty one, put an object \"id\" there that says {id}"
    )]
    OtherBucket {
        /// The bucket and the prefix.
        location: BucketLocation,
        /// What its object says in the right one.
        id: String,
    },
    /// The database has recordings, and knows no bucket yet, but this one has no recording.
    #[error(
        "the database has recordings, and {0} has none: does VIDENCE_BLOB_URL name another bucket or prefix than before?"
    )]
    NewBucket(BucketLocation),
    /// The bucket has an object "id" of another program.
    #[error("{0} has an object \"id\" that isn't one of Vidence: give it a prefix of its own")]
    ForeignId(BucketLocation),
    /// The database has recordings, and knows no folder yet.
    /// Such a one, from before folders had ids, has a lock file.
    #[error(
        "the database has recordings, and {} is new: is its disk mounted? If you mean to begin with an empty one, make \
         it, only for the server's user, with a file \"lock\"",
        .0.display()
    )]
    NewFolder(PathBuf),
    /// The id of the blob folder can't be read or written.
    #[error("the id of the blob folder {} can't be read or written", .0.display())]
    FolderId(PathBuf, #[source] io::Error),
}

impl StorageError {
    /// Whether the stores can't be opened until a setting is changed.
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::DataDir(_, error) | Self::Blobs(BlobError::Open { source: error, .. }) => {
                error.kind() == io::ErrorKind::DirectoryNotEmpty
            }
            Self::Blobs(BlobError::HalfAKey | BlobError::WholeDisk(_))
            | Self::Db(DbError::Roots(_))
            | Self::NewBucket(_)
            | Self::ForeignId(_) => true,
            // A disk may be mounted, and a service come back. Nodes that start for the first time at once put their ids into the
            // bucket in turn, so even another bucket's may be right in a moment.
            _ => false,
        }
    }
}

/// The lock on the data folder, held until it is dropped. Empty if both stores are elsewhere.
pub struct DataDir {
    _lock: Option<File>,
}

/// Opens the stores for this server alone, and locks the data folder.
/// Applies pending migrations, and ends the leases of an earlier server with the same SQLite file.
pub(crate) async fn open(store: &StoreArgs) -> Result<(Db, Blobs, DataDir), StorageError> {
    let is_elsewhere = store.database_url.is_some() && store.blob_url.is_some();
    let lock = (!is_elsewhere).then(|| lock(&store.data_dir)).transpose()?;
    tls::install_provider();
    let db = match &store.database_url {
        Some(url) => Db::open_postgres(url, store.database_connections).await?,
        None => Db::open_sqlite(&database_file(&store.data_dir)).await?,
    };
    let blobs = match blob_url(store) {
        BlobUrl::Folder(folder) => open_folder(&db, &folder).await?,
        BlobUrl::Bucket(location) => {
            let blobs = Blobs::open_bucket(&location, &store.bucket_access).await?;
            identify_bucket(&db, &blobs, &location).await?;
            blobs.check_permissions(&location).await?;
            blobs
        }
    };
    if store.database_url.is_none() {
        db.leases_release_all().await?;
    }
    Ok((db, blobs, DataDir { _lock: lock }))
}

/// Refuses a folder that isn't the one whose id the database has. `false`: it has none yet.
async fn is_known(db: &Db, folder: &Path) -> Result<bool, StorageError> {
    let Some(id) = db.blob_folder_id().await? else {
        return Ok(false);
    };
    let found = folder_id::read(folder);
    let found = found.map_err(|error| StorageError::FolderId(folder.to_owned(), error))?;
    if found.as_ref() != Some(&id) {
        let folder = folder.to_owned();
        return Err(StorageError::OtherFolder { folder, id });
    }
    Ok(true)
}

/// Opens the blob folder of this database, which knows it by its id.
/// A database without one gets that of the folder.
async fn open_folder(db: &Db, folder: &Path) -> Result<Blobs, StorageError> {
    let unusable = |error| StorageError::FolderId(folder.to_owned(), error);
    if is_known(db, folder).await? {
        return Ok(Blobs::open_local(folder)?);
    }
    let found = folder_id::read(folder).map_err(unusable)?;
    if found.is_none() && !Blobs::has_been_opened(folder) && db.has_recordings().await? {
        return Err(StorageError::NewFolder(folder.to_owned()));
    }
    let blobs = Blobs::open_local(folder)?;
    let id = match found {
        Some(id) => id,
        // First the file: a crash before the row leaves nothing that would be refused.
        None => folder_id::create(folder).map_err(unusable)?,
    };
    db.store_blob_folder_id(id).await?;
    Ok(blobs)
}

/// Compares the id of a bucket with that of the database, which gets the bucket's at the first start.
///
/// Several nodes may start for the first time at once: the row of one of them stays, and the others put its id in place of
/// theirs.
async fn identify_bucket(
    db: &Db,
    blobs: &Blobs,
    location: &BucketLocation,
) -> Result<(), StorageError> {
    // The row first: its bucket has the id before it.
    if let Some(id) = db.blob_folder_id().await? {
        return is_same(blobs.bucket_id().await?, id, location);
    }
    let mine = match blobs.bucket_id().await? {
        Some(id) if FolderId::parse(&id).is_some() => id,
        Some(_) => return Err(StorageError::ForeignId(location.clone())),
        None if db.has_recordings().await? && blobs.list().try_next().await?.is_none() => {
            return Err(StorageError::NewBucket(location.clone()));
        }
        None => match blobs.create_bucket_id(FolderId::random().as_str()).await {
            Ok(id) => id,
            Err(error) => {
                // It may be full. Only a server makes room in it, and the next start tries again.
                warn!(
                    error = error.as_dyn(),
                    "could not write the id of the bucket"
                );
                return Ok(());
            }
        },
    };
    db.store_blob_folder_id(mine.clone()).await?;
    match db.blob_folder_id().await? {
        Some(first) if first != mine => Ok(blobs.put_bucket_id(&first).await?),
        _ => Ok(()),
    }
}

fn is_same(
    found: Option<String>,
    id: String,
    location: &BucketLocation,
) -> Result<(), StorageError> {
    match found.as_ref() == Some(&id) {
        true => Ok(()),
        false => Err(StorageError::OtherBucket {
            location: location.clone(),
            id,
        }),
    }
}

fn lock(dir: &Path) -> Result<File, StorageError> {
    prepare(dir)?;
    let lock = data_dir::lock(dir, LOCK_FILE).map_err(|error| unusable(dir, error))?;
    lock.ok_or_else(|| StorageError::Locked(dir.to_owned()))
}

/// Creates the data folder, or makes it private.
fn prepare(dir: &Path) -> Result<(), StorageError> {
    data_dir::open(dir, &MARKS).map_err(|error| unusable(dir, error))?;
    Ok(())
}

fn unusable(dir: &Path, error: io::Error) -> StorageError {
    StorageError::DataDir(dir.to_owned(), error)
}
