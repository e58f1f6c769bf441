//! Composition root: builds the application state from the settings, runs the server, and shuts it down.

pub mod allocator;

use std::future::Future;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use net::ListenerConfig;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{info, warn};

use crate::blobs::Blobs;
use crate::clock::Clock;
use crate::config::public_url::PublicUrl;
use crate::config::{BlobUrl, Config, ServingArgs, StoreArgs};
use crate::db::{Db, DbError};
use crate::mcp::MAX_INLINE_BYTES;
use crate::outbound::report_webhook::ReportWebhook;
use crate::outbound::transcriber::Transcriber;
use crate::receipts::{self, InvalidKey, KeyFileError, ReceiptKey};
use crate::service::quota::{InProgress, Quotas};
use crate::service::workers::{
    change_poller, clock_sync, orphan_gc, refusal_reports, sweeper, transfer_expiry,
};
use crate::service::{
    AppParts, AppState, Coordination, JobStatuses, ReadinessProbe, Sealer, Shutdown,
    SnapshotCaches, StorageUsage, sealing,
};
use crate::storage::attach::{self, Stores};
use crate::storage::layout::{blob_url, receipt_key_file};
use crate::storage::{self, DataDir, StorageError};
use stills::Decoders;

/// Time to commit what had arrived of uploads once connections are cut.
const LAST_WRITES: Duration = Duration::from_secs(5);

/// Time for background jobs to end once the server stops.
const LAST_SWEEP: Duration = Duration::from_secs(5);

/// Time within which the file of a form must begin: as long as the head of a request may take.
const FORM_PREFIX_TIMEOUT: Duration = Duration::from_secs(15);

/// Why the server can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The path of this executable, which decodes stills in a child process, is unknown, or ffmpeg isn't there.
    #[error("the decoder of stills can't be found")]
    Decoders(#[source] io::Error),
    /// The client of the transcriber can't be made, because the system has no certificates.
    #[error("the client of the transcriber can't be made")]
    Transcriber(#[source] reqwest::Error),
    /// The client of the webhook of reports can't be made, for the same reason.
    #[error("the client of the webhook of reports can't be made")]
    ReportWebhook(#[source] reqwest::Error),
    /// The stores can't be opened.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The database can't be queried.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The file of the key of receipts that the settings name can't be used.
    #[error(transparent)]
    ReceiptKeyFile(KeyFileError),
    /// The key of receipts that the server makes itself can't be made, stored or read.
    #[error(transparent)]
    OwnReceiptKey(KeyFileError),
    /// The key of receipts in the database can't be used.
    #[error("the key of receipts in the database is damaged")]
    ReceiptKey(#[from] InvalidKey),
}

impl StartError {
    /// Whether the server can't start until a setting, or a file that it names, is changed.
    pub fn is_permanent(&self) -> bool {
        match self {
            Self::Decoders(_) | Self::ReceiptKeyFile(_) => true,
            Self::Storage(error) => error.is_permanent(),
            Self::Transcriber(_)
            | Self::ReportWebhook(_)
            | Self::Db(_)
            | Self::OwnReceiptKey(_)
            | Self::ReceiptKey(_) => false,
        }
    }
}

/// Opens what the settings name, for this process alone. `public_url` is used when they don't name one.
pub async fn open(
    config: &Config,
    clock: Clock,
    public_url: PublicUrl,
) -> Result<(AppState, DataDir), StartError> {
    let (db, blobs, data_dir) = storage::open(&config.store).await?;
    let mut app = assemble(config, db, blobs, clock, public_url).await?;
    if let Some(last) = app.db.known_time().await? {
        app.clock.resume(last);
    }
    let key = receipt_key(config, &app.db).await?;
    info!(key = key.id(), "receipts are signed by this key");
    app.receipt_key = Some(key);
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
    let quotas = Quotas::new(&config.quotas, &clock);
    let transcriber = config
        .transcripts
        .settings()
        .map(Transcriber::new)
        .transpose();
    let report_webhook = config.operator.report_webhook.clone();
    let report_webhook = report_webhook.map(ReportWebhook::new).transpose();
    Ok(AppState::new(AppParts {
        db,
        blobs,
        clock,
        public_url: config.public_url.clone().unwrap_or(public_url),
        receipt_key: None,
        operator: config.operator.operator(),
        quotas,
        max_connections: Arc::new(AtomicUsize::new(config.serving.max_connections)),
        in_progress: InProgress::new(
            config.serving.max_connections_per_address,
            config.limits.upload_memory,
        ),
        trusted_proxies: config.quotas.proxies(),
        storage_limits: config.limits.clone(),
        storage_usage: StorageUsage::default(),
        one_disk,
        form_prefix_timeout: FORM_PREFIX_TIMEOUT,
        mcp_inline_bytes: config.mcp_inline_bytes.min(MAX_INLINE_BYTES),
        mcp_origins: config.mcp_origins.clone(),
        coordination: Coordination::new(config.limits.upload_memory),
        shutdown: Shutdown::default(),
        tasks: TaskTracker::new(),
        sweeper: Arc::default(),
        sealer: Sealer::default(),
        transcriber: transcriber.map_err(StartError::Transcriber)?,
        report_webhook: report_webhook.map_err(StartError::ReportWebhook)?,
        decoder_turns: Arc::default(),
        decoders: Decoders::find(config.ffmpeg.as_deref()).map_err(StartError::Decoders)?,
        jobs: JobStatuses::default(),
        readiness: ReadinessProbe::default(),
        snapshot_caches: SnapshotCaches::default(),
    }))
}

/// The key that signs receipts: the one that the settings name, or else one that is made at the first start, in the
/// database where nodes share it, so that the same public key verifies the receipts of all, or in the data folder.
async fn receipt_key(config: &Config, db: &Db) -> Result<ReceiptKey, StartError> {
    if let Some(file) = &config.receipt_key {
        return receipts::read_and_warn(file).map_err(StartError::ReceiptKeyFile);
    }
    let own = StartError::OwnReceiptKey;
    let fresh = receipts::random_seed().map_err(|error| own(error.into()))?;
    match db.shared_receipt_seed(fresh.to_vec()).await? {
        Some(seed) => Ok(ReceiptKey::from_seed(&seed)?),
        None => receipts::create_or_read(&receipt_key_file(&config.store.data_dir)).map_err(own),
    }
}

fn same_disk(one: &Path, other: &Path) -> bool {
    let disk = |folder: &Path| folder.metadata().ok().map(|it| it.dev());
    disk(one).is_some() && disk(one) == disk(other)
}

/// Serves until `stop`, then shuts down in phases, whose times are in `times`.
///
/// 1. Draining: `/readyz` tells load balancers, and new connections are still accepted, for `drain_notice`.
/// 2. Stopping: no new connections; requests under way have until `drain` has passed.
/// 3. Ended: connections that are left are cut. What has arrived of their uploads is committed, and background jobs stop.
pub async fn run(
    app: AppState,
    router: Router,
    listener: ListenerConfig,
    times: ServingArgs,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let Shutdown {
        draining,
        stopping,
        ended,
    } = app.shutdown.clone();
    let most = listener.connections;
    app.max_connections.store(most, Ordering::Relaxed);
    let mut jobs = JoinSet::new();
    // Until the last connection has ended: recordings that arrive meanwhile are sealed, and transfers of what is
    // deleted or expired are cut.
    jobs.spawn(change_poller::run(app.clone(), ended.clone()));
    jobs.spawn(clock_sync::run(app.clone(), ended.clone()));
    jobs.spawn(transfer_expiry::run(app.clone(), ended.clone()));
    jobs.spawn(sweeper::run(app.clone(), ended.clone()));
    jobs.spawn(orphan_gc::run(app.clone(), ended.clone()));
    jobs.spawn(sealing::run(app.clone(), ended.clone()));
    jobs.spawn(refusal_reports::run(app.clone(), ended.clone()));
    if let Some(webhook) = app.report_webhook.clone() {
        let (public_url, ended) = (app.public_url.clone(), ended.clone());
        jobs.spawn(async move {
            let telling = webhook.run(public_url.as_str());
            ended.run_until_cancelled(telling).await;
            webhook.log_unsent();
        });
    }
    let trimming = tokio::spawn(allocator::trim_periodically());
    let waiting_for_stop = tokio::spawn({
        let stopping = stopping.clone();
        async move {
            stop.await;
            draining.cancel();
            if !times.drain_notice.is_zero() {
                info!("draining: new connections are still accepted");
                sleep(times.drain_notice).await;
            }
            info!("stopping: no new connections");
            stopping.cancel();
        }
    });
    let cut = CancellationToken::new();
    let mut drained = std::pin::pin!(async {
        let public_url = app.public_url.as_str();
        net::serve(listener, router, public_url, stopping.clone(), cut.clone()).await;
        ended.cancel();
        app.tasks.close();
        app.tasks.wait().await;
    });
    let deadline = async {
        stopping.cancelled().await;
        sleep(times.drain).await;
    };
    tokio::select! {
        () = &mut drained => {}
        () = deadline => {
            warn!("cutting connections that are still open");
            cut.cancel();
            if timeout(LAST_WRITES, drained).await.is_err() {
                warn!("stopping in the middle of a write");
            }
        }
    }
    waiting_for_stop.abort();
    trimming.abort();
    ended.cancel();
    // A sweep that is interrupted is continued by the next one.
    let jobs_ended = async { while jobs.join_next().await.is_some() {} };
    if timeout(LAST_SWEEP, jobs_ended).await.is_err() {
        warn!("stopping in the middle of a sweep");
    }
    Ok(())
}
