//! State that all use cases share.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use net::client_addr::TrustedProxies;
use stills::Decoders;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::blobs::Blobs;
use crate::clock::Clock;
use crate::config::public_url::{Origin, PublicUrl};
use crate::config::{LimitArgs, Operator};
use crate::db::Db;
use crate::outbound::report_webhook::ReportWebhook;
use crate::outbound::transcriber::Transcriber;
use crate::receipts::ReceiptKey;
use crate::service::Error;
use crate::service::observability::queried::SnapshotCaches;
use crate::service::observability::readiness::{ReadinessProbe, StoreHealth};
use crate::service::quota::storage_usage::StorageUsage;
use crate::service::quota::{InProgress, Quotas};
use crate::service::sealing::Sealer;
use crate::service::state::changes::Changes;
use crate::service::state::memory_budget::{MemoryBudget, Reservation};
use crate::service::state::poisoned::PoisonedTakes;
use crate::service::state::removal_locks::RemovalLocks;
use crate::service::state::transfers::Transfers;
use crate::service::state::upload_locks::UploadLocks;
use crate::service::videos::decoder_turns::DecoderTurns;
use crate::service::workers::job_statuses::JobStatuses;
use crate::telemetry::logging::request::inheriting;

/// State that all use cases share. Cheap to clone, which happens several times per request.
#[derive(Clone)]
pub struct AppState(Arc<AppParts>);

/// The parts of an [`AppState`].
#[derive(Clone)]
pub struct AppParts {
    /// Database of requests, takes and manifests.
    pub db: Db,
    /// Store of objects.
    pub blobs: Blobs,
    /// Clock of the server.
    pub clock: Clock,
    /// Public address of this service.
    pub public_url: PublicUrl,
    /// Signs receipts. `None` in commands that don't serve.
    pub receipt_key: Option<ReceiptKey>,
    /// Operator's name, contact and legal texts.
    pub operator: Operator,
    /// Rate limits by client address.
    pub quotas: Quotas,
    /// Calls in progress by client address.
    pub in_progress: InProgress,
    /// How many connections may be open, as far as open files allow.
    pub max_connections: Arc<AtomicUsize>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: TrustedProxies,
    /// Limits of the stored bytes. The memory of uploads is limited by [`Self::coordination`].
    pub storage_limits: LimitArgs,
    /// Accounts of the stored bytes.
    pub storage_usage: StorageUsage,
    /// Whether database and objects are on the same disk, so that removing objects makes room for rows.
    pub one_disk: bool,
    /// Time within which the file of a form must begin.
    pub form_prefix_timeout: Duration,
    /// Maximum size of a video that is embedded in a result of MCP, in bytes.
    pub mcp_inline_bytes: u64,
    /// Origins whose pages may call `/mcp`, besides the service's own.
    pub mcp_origins: Vec<Origin>,
    /// Locks, budgets and subscriptions of this node.
    pub coordination: Coordination,
    /// Phases of a shutdown.
    pub shutdown: Shutdown,
    /// Tasks that outlive the call that spawned them. A shutdown waits for them.
    pub tasks: TaskTracker,
    /// Wakes the sweeper.
    pub sweeper: Arc<Notify>,
    /// Seals complete takes.
    pub sealer: Sealer,
    /// Turns speech into text. `None`: no transcripts are made.
    pub transcriber: Option<Transcriber>,
    /// Tells the operator of reports. `None`: there is no webhook.
    pub report_webhook: Option<ReportWebhook>,
    /// Makes stills of videos.
    pub decoders: Decoders,
    /// Turns of calls that have pictures decoded.
    pub decoder_turns: Arc<DecoderTurns>,
    /// Status of the periodic jobs.
    pub jobs: JobStatuses,
    /// Cached readiness of both stores.
    pub readiness: ReadinessProbe,
    /// Cached values that are queried for a scrape.
    pub snapshot_caches: SnapshotCaches,
}

/// Locks, budgets and subscriptions that concurrent requests on one node share.
#[derive(Clone)]
pub struct Coordination {
    /// Locks that separate removals of a request's bytes from its writers.
    pub removal_locks: RemovalLocks,
    /// Locks that give each take one writer: the newest.
    pub upload_locks: UploadLocks,
    /// Takes to which nothing may be appended because the disk failed.
    pub poisoned: PoisonedTakes,
    /// Active transfers, which a deletion or an expiry cancels.
    pub transfers: Transfers,
    /// Notifies long polls when their request changes.
    pub changes: Changes,
    /// Memory budget for bytes that uploads buffer before they are durable.
    pub upload_memory: MemoryBudget,
}

impl Coordination {
    /// Creates empty state, with `upload_memory` bytes for the buffers of uploads.
    pub fn new(upload_memory: u64) -> Self {
        Self {
            removal_locks: RemovalLocks::default(),
            upload_locks: UploadLocks::default(),
            poisoned: PoisonedTakes::default(),
            transfers: Transfers::default(),
            changes: Changes::default(),
            upload_memory: MemoryBudget::new(upload_memory),
        }
    }
}

/// The phases of a shutdown, each cancelled when it begins.
#[derive(Clone, Default)]
pub struct Shutdown {
    /// The process was told to stop: `/readyz` reports it, and requests are still served.
    pub draining: CancellationToken,
    /// The server accepts no new connections, and answers long polls at once.
    pub stopping: CancellationToken,
    /// All connections have closed, and background jobs stop.
    pub ended: CancellationToken,
}

impl Deref for AppState {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

/// Changes a part of this clone only, and copies the parts if they are shared.
impl DerefMut for AppState {
    fn deref_mut(&mut self) -> &mut AppParts {
        Arc::make_mut(&mut self.0)
    }
}

impl AppState {
    /// Creates the state from its parts.
    pub fn new(parts: AppParts) -> Self {
        Self(Arc::new(parts))
    }

    /// Probes both stores, or returns the result of a moment ago.
    pub async fn store_health(&self) -> StoreHealth {
        self.readiness
            .probe(&self.clock, &self.db, &self.blobs)
            .await
    }

    /// Waits until `bytes` of the upload memory are free, and reserves them for a buffer that no upload holds.
    ///
    /// The caller must hold no other reservation, and must release this one in bounded time.
    pub async fn reserve_buffer(&self, bytes: usize) -> Reservation {
        self.coordination.upload_memory.reserve(bytes).await
    }

    /// Runs `work` to completion in a task, even if the client disconnects and this future is dropped.
    pub(in crate::service) async fn spawn_to_completion<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        self.tasks.spawn(inheriting(work)).await?
    }
}
