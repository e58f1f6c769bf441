//! The stores that the settings name, as they are: for whoever looks at them while a server may be running.

use crate::blobs::{BlobError, Blobs};
use crate::clock::Clock;
use crate::config::{BlobUrl, StoreArgs};
use crate::db::{Db, DbError, Tables};
use crate::private_dir;
use crate::start::{LOCK, StartError, blob_place, database_file, encrypt_by_ring};

/// Rows and bytes, of which nothing was locked, made or brought up to date.
pub(crate) struct Stores {
    pub(crate) db: Db,
    pub(crate) blobs: Blobs,
    pub(crate) clock: Clock,
}

/// Opens both.
pub(crate) async fn open(store: &StoreArgs) -> Result<Stores, StartError> {
    let db = database(store).await?;
    let clock = db.time().await?.map_or(Clock::System, Clock::anchored);
    Ok(Stores {
        blobs: blobs(store).await?,
        clock,
        db,
    })
}

async fn database(store: &StoreArgs) -> Result<Db, DbError> {
    encrypt_by_ring();
    match &store.database_url {
        Some(url) => Db::open_postgres_as_it_is(url, store.database_connections).await,
        None => Db::open_sqlite_as_it_is(&database_file(&store.data_dir)).await,
    }
}

async fn blobs(store: &StoreArgs) -> Result<Blobs, BlobError> {
    match blob_place(store) {
        BlobUrl::Folder(folder) => Blobs::open_local_beside(&folder),
        BlobUrl::Bucket(place) => Blobs::open_bucket(&place, &store.bucket_access).await,
    }
}

/// Which tables there are. Where there is no database there are none.
pub(crate) async fn tables(store: &StoreArgs) -> Result<Tables, StartError> {
    encrypt_by_ring();
    Ok(match &store.database_url {
        Some(url) => Db::tables_of_postgres(url).await?,
        None => Db::tables_of_sqlite(&database_file(&store.data_dir))?,
    })
}

/// Brings the tables up to date; as they were before that. No server needs to stop for it: what is run there
/// takes nothing away that the release before uses.
pub(crate) async fn migrate(store: &StoreArgs) -> Result<Tables, StartError> {
    encrypt_by_ring();
    let Some(url) = &store.database_url else {
        let dir = &store.data_dir;
        let unusable = |error| StartError::DataDir(dir.clone(), error);
        private_dir::open(dir, LOCK).map_err(unusable)?;
        return Ok(Db::migrate_sqlite(&database_file(dir)).await?);
    };
    Ok(Db::migrate_postgres(url).await?)
}
