//! From settings to a running server, and back down again.

use std::fs::File;
use std::future::Future;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use net::ListenerConfig;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{info, warn};

use crate::allocator;
use crate::attach::{self, Stores};
use crate::blobs::{BlobError, Blobs};
use crate::clock::Clock;
use crate::config::{BlobUrl, Config, Drain, MOST_INLINE_BYTES, StoreArgs};
use crate::data_dir;
use crate::db::{Db, DbError};
use crate::service::state::{changes, transfers};
use crate::service::workers::{orphan_gc, sweeper};
use crate::service::{
    AppParts, AppState, Coordination, Gauges, JobStatuses, Limits, PublicUrl, Readiness, Sealer,
    Shutdown, StorageUsage, sealing,
};
use stills::Decoders;

/// How long what had arrived may take to be committed once connections are cut.
const LAST_WRITES: Duration = Duration::from_secs(5);

/// How long a sweep under way may take to end once the server stops.
const LAST_SWEEP: Duration = Duration::from_secs(5);

/// Whoever holds this file's lock has the data folder.
pub(crate) const LOCK: &str = "lock";

/// Why the server can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder can't be used.
    #[error("the data folder {} can't be used", .0.display())]
    DataDir(PathBuf, #[source] io::Error),
    /// Another server has it.
    #[error("the data folder {} is in use by another vidence", .0.display())]
    Locked(PathBuf),
    /// Nobody knows where this very program lies, or ffmpeg.
    #[error("what makes stills can't be found")]
    Decoders(#[source] io::Error),
    /// See there.
    #[error(transparent)]
    Db(#[from] DbError),
    /// See there.
    #[error(transparent)]
    Blobs(#[from] BlobError),
}

/// A data folder that is ours alone for as long as this lives. With database and bucket elsewhere there
/// is none.
pub struct DataDir {
    _lock: Option<File>,
}

/// Opens what the settings name, for this process alone. `public_url` is used when they don't name one.
pub async fn open(
    config: &Config,
    clock: Clock,
    public_url: PublicUrl,
) -> Result<(AppState, DataDir), StartError> {
    let store = &config.store;
    let all_elsewhere = store.database_url.is_some() && store.blob_url.is_some();
    let lock = DataDir {
        _lock: (!all_elsewhere)
            .then(|| lock(&store.data_dir))
            .transpose()?,
    };
    let db = database(store).await?;
    let blobs = match blob_url(store) {
        BlobUrl::Folder(folder) => Blobs::open_local(&folder)?,
        BlobUrl::Bucket(place) => Blobs::open_bucket(&place, &store.bucket_access).await?,
    };
    if store.database_url.is_none() {
        db.sealings_release_all().await?;
    }
    let app = assemble(config, db, blobs, clock, public_url).await?;
    Ok((app, lock))
}

/// Takes the stores as they are, while a server may be running on them, as another node would: nothing is locked
/// or brought up to date, and nothing that looks half-done is touched.
pub async fn attach(store: StoreArgs) -> Result<AppState, StartError> {
    let Stores { db, blobs, clock } = attach::open(&store).await?;
    let config = Config::for_stores(store);
    let nowhere = PublicUrl::new(&format!("http://{}", config.listen));
    assemble(&config, db, blobs, clock, nowhere).await
}

async fn database(store: &StoreArgs) -> Result<Db, DbError> {
    install_tls_provider();
    match &store.database_url {
        Some(url) => Db::open_postgres(url, store.database_connections).await,
        None => Db::open_sqlite(&database_file(&store.data_dir)).await,
    }
}

/// Before the first TLS of this process.
pub(crate) fn install_tls_provider() {
    // Fails when it was done before, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// SQLite's, in a data folder.
pub(crate) fn database_file(data_dir: &Path) -> PathBuf {
    data_dir.join("vidence.db")
}

pub(crate) fn blob_url(store: &StoreArgs) -> BlobUrl {
    let folder = || BlobUrl::Folder(store.data_dir.join("blobs"));
    store.blob_url.clone().unwrap_or_else(folder)
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
        operator: config.law.operator(),
        quotas,
        trusted_proxies: config.quotas.proxies(),
        storage_limits: Limits::from(&config.limits),
        storage_usage: StorageUsage::default(),
        one_disk,
        form_prefix_timeout: FORM_PREFIX_TIMEOUT,
        mcp_inline_bytes: config.mcp_inline_bytes.min(MOST_INLINE_BYTES),
        mcp_origins: config.mcp_origins.clone(),
        coordination: Coordination::new(config.limits.upload_memory),
        shutdown: Shutdown::default(),
        tasks: TaskTracker::new(),
        sweeper: Arc::default(),
        sealer: Sealer::default(),
        decoders: Decoders::find(config.ffmpeg.as_deref()).map_err(StartError::Decoders)?,
        jobs: JobStatuses::default(),
        readiness: Readiness::default(),
        gauges: Gauges::default(),
    }))
}

/// As long as the head of a request may take.
const FORM_PREFIX_TIMEOUT: Duration = Duration::from_secs(15);

fn same_disk(one: &Path, other: &Path) -> bool {
    let disk = |folder: &Path| folder.metadata().ok().map(|it| it.dev());
    disk(one).is_some() && disk(one) == disk(other)
}

/// Opens the folder for its owner alone, and locks it.
fn lock(dir: &Path) -> Result<File, StartError> {
    let unusable = |error| StartError::DataDir(dir.to_owned(), error);
    data_dir::open(dir, LOCK).map_err(unusable)?;
    let locked = data_dir::lock(dir, LOCK).map_err(unusable)?;
    locked.ok_or_else(|| StartError::Locked(dir.to_owned()))
}

/// Serves until `shutdown`, then lets requests and uploads under way end as `drain` says.
pub async fn run(
    app: AppState,
    router: Router,
    entrance: ListenerConfig,
    drain: Drain,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let (stopping, ending) = (app.shutdown.stopping.clone(), app.shutdown.ended.clone());
    let trimming = tokio::spawn(allocator::give_back());
    // What arrives while connections end is sealed, and streams of what is over are cut, until none is left.
    let news = tokio::spawn(changes::run(app.clone(), ending.clone()));
    let expiries = tokio::spawn(transfers::run(app.clone(), ending.clone()));
    let sweeper = tokio::spawn(sweeper::run(app.clone(), ending.clone()));
    let searcher = tokio::spawn(orphan_gc::run(app.clone(), ending.clone()));
    let sealer = tokio::spawn(sealing::run(app.clone(), ending.clone()));
    let cut = CancellationToken::new();
    let (draining, told) = (app.shutdown.draining.clone(), stopping.clone());
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
    app.shutdown.ended.cancel();
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
