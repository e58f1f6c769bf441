//! State of the stores at a scrape, which the metrics endpoint names and renders.

use crate::blobs::{DiskSpace, StreamMemory};
use crate::db::PoolUse;
use crate::service::AppState;
use crate::service::observability::queried::{QueriedRows, RowCounts};
use crate::service::observability::readiness::StoreHealth;
use crate::service::quota::storage_limits::{max_stored_bytes, min_free_files};

/// State of the stores. `None`: unknown, or the query failed or timed out.
pub struct Snapshot {
    /// Availability of the stores.
    pub health: StoreHealth,
    /// Counts of rows.
    pub rows: Option<RowCounts>,
    /// Space of the disk. `None`, too: a bucket.
    pub space: Option<DiskSpace>,
    /// Stored bytes, once they are counted.
    pub stored_bytes: Option<u64>,
    /// Maximum of stored bytes, if there is a limit.
    pub max_stored_bytes: Option<u64>,
    /// Number of files that the disk must still be able to hold, if it has a fixed number.
    pub min_free_files: Option<u64>,
    /// Use of the connections to the database.
    pub pools: Vec<PoolUse>,
    /// Memory that streams use.
    pub stream_memory: StreamMemory,
}

impl Snapshot {
    /// Queries the stores, or reuses what was queried within the last seconds.
    pub async fn load(app: &AppState) -> Self {
        let (db, blobs) = (app.db.clone(), app.blobs.clone());
        let caches = &app.snapshot_caches;
        let confirmed = app.clock.confirmed();
        let (health, rows, space) = tokio::join!(
            app.store_health(),
            caches.rows.get(&app.clock, async move {
                QueriedRows::load(&db, confirmed).await.ok()
            }),
            caches.space.get(
                &app.clock,
                async move { blobs.space().await.ok().flatten() }
            ),
        );
        let limits = &app.storage_limits;
        let (now, confirmed) = (app.clock.now(), app.clock.confirmed());
        Self {
            health,
            rows: rows.map(|it| it.counts(now, confirmed)),
            space,
            stored_bytes: app.storage_usage.stored(),
            max_stored_bytes: max_stored_bytes(limits, space),
            min_free_files: space.and_then(|it| min_free_files(limits, it)),
            pools: app.db.pools(),
            stream_memory: app.blobs.stream_memory(),
        }
    }
}
