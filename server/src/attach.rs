//! The stores that the settings name, as they are: for whoever looks at them while a server may be running.

use crate::blobs::{BlobError, Blobs};
use crate::bootstrap::{LOCK, StartError, blob_url, database_file, install_tls_provider};
use crate::clock::Clock;
use crate::config::{BlobUrl, StoreArgs};
use crate::data_dir;
use crate::db::{Db, DbError, Tables};

/// Rows and bytes, of which nothing was locked, made or brought up to date.
pub(crate) struct Stores {
    pub(crate) db: Db,
    pub(crate) blobs: Blobs,
    pub(crate) clock: Clock,
}

/// Opens both.
pub(crate) async fn open(store: &StoreArgs) -> Result<Stores, StartError> {
    let db = database(store).await?;
    let clock = db
        .server_time()
        .await?
        .map_or(Clock::System, Clock::anchored);
    Ok(Stores {
        blobs: blobs(store).await?,
        clock,
        db,
    })
}

async fn database(store: &StoreArgs) -> Result<Db, DbError> {
    install_tls_provider();
    match &store.database_url {
        Some(url) => Db::open_postgres_unmigrated(url, store.database_connections).await,
        None => Db::open_sqlite_unmigrated(&database_file(&store.data_dir)).await,
    }
}

async fn blobs(store: &StoreArgs) -> Result<Blobs, BlobError> {
    match blob_url(store) {
        BlobUrl::Folder(folder) => Blobs::open_local_unlocked(&folder),
        BlobUrl::Bucket(place) => Blobs::open_bucket(&place, &store.bucket_access).await,
    }
}

/// Which tables there are. Where there is no database there are none.
pub(crate) async fn tables(store: &StoreArgs) -> Result<Tables, StartError> {
    install_tls_provider();
    Ok(match &store.database_url {
        Some(url) => Db::tables_of_postgres(url).await?,
        None => Db::tables_of_sqlite(&database_file(&store.data_dir))?,
    })
}

/// Brings the tables up to date; as they were before that. No server needs to stop for it: what is run there
/// takes nothing away that the release before uses.
pub(crate) async fn migrate(store: &StoreArgs) -> Result<Tables, StartError> {
    install_tls_provider();
    let Some(url) = &store.database_url else {
        let dir = &store.data_dir;
        let unusable = |error| StartError::DataDir(dir.clone(), error);
        data_dir::open(dir, LOCK).map_err(unusable)?;
        return Ok(Db::migrate_sqlite(&database_file(dir)).await?);
    };
    Ok(Db::migrate_postgres(url).await?)
}
