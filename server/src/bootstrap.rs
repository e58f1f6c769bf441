//! From settings to a running server, and back down again.

use std::future::Future;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use net::ListenerConfig;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{info, warn};

use crate::allocator;
use crate::blobs::Blobs;
use crate::clock::Clock;
use crate::config::{BlobUrl, Config, Drain, MAX_INLINE_BYTES, StoreArgs};
use crate::db::{Db, DbError};
use crate::service::state::{changes, transfers};
use crate::service::workers::{orphan_gc, sweeper};
use crate::service::{
    AppParts, AppState, Changes, Gauges, JobStatuses, Limits, MemoryBudget, PoisonedTakes,
    PublicUrl, Readiness, RemovalLocks, Sealer, StorageUsage, Transfers, UploadLocks, sealing,
};
use crate::storage::attach::{self, Stores};
use crate::storage::layout::blob_url;
use crate::storage::{self, DataDir, StorageError};
use stills::Decoders;

/// How long what had arrived may take to be committed once connections are cut.
const LAST_WRITES: Duration = Duration::from_secs(5);

/// How long a sweep under way may take to end once the server stops.
const LAST_SWEEP: Duration = Duration::from_secs(5);

/// Why the server can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Nobody knows where this very program lies, or ffmpeg.
    #[error("what makes stills can't be found")]
    Decoders(#[source] io::Error),
    /// The stores can't be opened.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The database can't be queried.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Opens what the settings name, for this process alone. `public_url` is used when they don't name one.
pub async fn open(
    config: &Config,
    clock: Clock,
    public_url: PublicUrl,
) -> Result<(AppState, DataDir), StartError> {
    let (db, blobs, data_dir) = storage::open(&config.store).await?;
    let app = assemble(config, db, blobs, clock, public_url).await?;
    Ok((app, data_dir))
}

/// Takes the stores as they are, while a server may be running on them, as another node would: nothing is locked
/// or brought up to date, and nothing that looks half-done is touched.
pub async fn attach(store: StoreArgs) -> Result<AppState, StartError> {
    let Stores { db, blobs, clock } = attach::open(&store).await?;
    let config = Config::for_stores(store);
    let nowhere = PublicUrl::new(&format!("http://{}", config.listen));
    assemble(&config, db, blobs, clock, nowhere).await
}

async fn assemble(
    config: &Config,
    db: Db,
    blobs: Blobs,
    clock: Clock,
    public_url: PublicUrl,
) -> Result<AppState, StartError> {
    let store = &config.store;
    let one_disk = match (&store.database_url, blob_url(store)) {
        (None, BlobUrl::Folder(folder)) => same_disk(&store.data_dir, &folder),
        _ => false,
    };
    let clock = match (clock, db.server_time().await?) {
        (Clock::System, Some(at)) => Clock::anchored(at),
        (clock, _) => clock,
    };
    let quotas = config.quotas.quotas(&clock);
    Ok(AppState::new(AppParts {
        db,
        blobs,
        clock,
        public_url: config.public_url.clone().unwrap_or(public_url),
        operator: config.operator.operator(),
        tasks: TaskTracker::new(),
        gates: RemovalLocks::default(),
        turns: UploadLocks::default(),
        failed: PoisonedTakes::default(),
        live: Transfers::default(),
        one_disk,
        sweeper: Arc::default(),
        sealer: Sealer::default(),
        decoders: Decoders::find(config.ffmpeg.as_deref()).map_err(StartError::Decoders)?,
        quotas,
        proxies: config.quotas.proxies(),
        news: Changes::default(),
        draining: CancellationToken::new(),
        stopping: CancellationToken::new(),
        ending: CancellationToken::new(),
        inline_bytes: config.mcp_inline_bytes.min(MAX_INLINE_BYTES),
        origins: config.mcp_origins.clone(),
        limits: Limits::from(&config.limits),
        usage: StorageUsage::default(),
        form_prefix_timeout: FORM_PREFIX_TIMEOUT,
        memory: MemoryBudget::new(config.limits.upload_memory),
        health: Readiness::default(),
        rounds: JobStatuses::default(),
        figures: Gauges::default(),
    }))
}

/// As long as the head of a request may take.
const FORM_PREFIX_TIMEOUT: Duration = Duration::from_secs(15);

fn same_disk(one: &Path, other: &Path) -> bool {
    let disk = |folder: &Path| folder.metadata().ok().map(|it| it.dev());
    disk(one).is_some() && disk(one) == disk(other)
}

/// Serves until `shutdown`, then lets requests and uploads under way end as `drain` says.
pub async fn run(
    app: AppState,
    router: Router,
    entrance: ListenerConfig,
    drain: Drain,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let (stopping, ending) = (app.stopping.clone(), app.ending.clone());
    let trimming = tokio::spawn(allocator::trim_periodically());
    // What arrives while connections end is sealed, and streams of what is over are cut, until none is left.
    let news = tokio::spawn(changes::run(app.clone(), ending.clone()));
    let expiries = tokio::spawn(transfers::run(app.clone(), ending.clone()));
    let sweeper = tokio::spawn(sweeper::run(app.clone(), ending.clone()));
    let searcher = tokio::spawn(orphan_gc::run(app.clone(), ending.clone()));
    let sealer = tokio::spawn(sealing::run(app.clone(), ending.clone()));
    let cut = CancellationToken::new();
    let (draining, told) = (app.draining.clone(), stopping.clone());
    let telling = async move {
        shutdown.await;
        draining.cancel();
        if !drain.notice.is_zero() {
            info!("about to stop: new connections are still taken");
            sleep(drain.notice).await;
        }
        info!("stopping: no new connections");
        told.cancel();
    };
    let telling = tokio::spawn(telling);
    let mut drained = std::pin::pin!(async {
        net::serve(
            entrance,
            router,
            app.public_url.as_str(),
            stopping.clone(),
            cut.clone(),
        )
        .await;
        ending.cancel();
        app.tasks.close();
        app.tasks.wait().await;
    });
    let deadline = async {
        stopping.cancelled().await;
        sleep(drain.deadline).await;
    };
    tokio::select! {
        () = &mut drained => {}
        () = deadline => {
            warn!("stopping without waiting longer for connections to end");
            cut.cancel();
            // What had arrived of an upload is committed, as when its sender hangs up.
            if timeout(LAST_WRITES, drained).await.is_err() {
                warn!("stopping in the middle of a write");
            }
        }
    }
    telling.abort();
    trimming.abort();
    app.ending.cancel();
    // A sweep under way may end, and could be killed as well: the next one goes on.
    if timeout(LAST_SWEEP, async {
        tokio::join!(sweeper, searcher, sealer, news, expiries)
    })
    .await
    .is_err()
    {
        warn!("stopping in the middle of a sweep");
    }
    Ok(())
}
