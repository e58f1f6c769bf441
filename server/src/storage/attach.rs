//! Opening the stores beside a running server, for commands.
//!
//! Nothing is locked, created or migrated, and partially written files stay: they may be the server's.

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::timeout;

use super::layout::{blob_url, database_file};
use super::tls;
use super::{StorageError, is_known, is_same, prepare};
use crate::blobs::Blobs;
use crate::clock::Clock;
use crate::config::{BlobUrl, StoreArgs};
use crate::db::{Db, DbError, MigrationState};

/// Time within which a bucket tells its id.
const BUCKET_TIMEOUT: Duration = Duration::from_secs(5);

/// The stores, and the clock that decides what has expired in them.
pub(crate) struct Stores {
    pub(crate) db: Db,
    pub(crate) blobs: Blobs,
    pub(crate) clock: Clock,
}

/// Opens both stores.
pub(crate) async fn open(store: &StoreArgs) -> Result<Stores, StorageError> {
    let db = database(store).await?;
    let clock = db
        .server_time()
        .await?
        .map_or(Clock::System, Clock::anchored);
    Ok(Stores {
        blobs: blobs(&db, store).await?,
        clock,
        db,
    })
}

async fn database(store: &StoreArgs) -> Result<Db, DbError> {
    tls::install_provider();
    match &store.database_url {
        Some(url) => Db::open_postgres_unmigrated(url, store.database_connections).await,
        None => Db::open_sqlite_unmigrated(&database_file(&store.data_dir)).await,
    }
}

async fn blobs(db: &Db, store: &StoreArgs) -> Result<Blobs, StorageError> {
    Ok(match blob_url(store) {
        BlobUrl::Folder(folder) => {
            // A takedown in an empty mount point would remove nothing, and say that it did.
            is_known(db, &folder).await?;
            Blobs::open_local_unlocked(&folder)?
        }
        BlobUrl::Bucket(location) => {
            let blobs = Blobs::bucket(&location, &store.bucket_access)?;
            // A takedown doesn't wait for a bucket that is away: the request is no longer served, and its bytes follow.
            if let Some(id) = db.blob_folder_id().await?
                && let Ok(Ok(found)) = timeout(BUCKET_TIMEOUT, blobs.bucket_id()).await
            {
                is_same(found, id, &location)?;
            }
            blobs
        }
    })
}

/// Reads the state of the database's schema. A missing database has no tables.
pub(crate) async fn migrations(store: &StoreArgs) -> Result<MigrationState, StorageError> {
    tls::install_provider();
    Ok(match &store.database_url {
        Some(url) => Db::migrations_of_postgres(url).await?,
        None => Db::migrations_of_sqlite(&database_file(&store.data_dir))?,
    })
}

/// The file of the database, if it would have to be created.
pub(crate) fn missing_database(store: &StoreArgs) -> Option<PathBuf> {
    let file = database_file(&store.data_dir);
    (store.database_url.is_none() && !file.exists()).then_some(file)
}

/// Applies pending migrations; returns the state of the schema before that.
///
/// Servers may keep running: a migration removes nothing that the previous release uses.
pub(crate) async fn migrate(store: &StoreArgs) -> Result<MigrationState, StorageError> {
    tls::install_provider();
    let Some(url) = &store.database_url else {
        let dir = &store.data_dir;
        prepare(dir)?;
        return Ok(Db::migrate_sqlite(&database_file(dir)).await?);
    };
    Ok(Db::migrate_postgres(url).await?)
}
