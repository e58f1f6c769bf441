//! What Vidence does, without HTTP and without SQL: REST, MCP and the recording page call the same use
//! cases, so every rule stands here once.

pub mod check;
mod error;
pub mod moderation;
pub mod observability;
pub mod quota;
pub mod requests;
pub mod sealing;
pub mod state;
pub mod submission;
pub mod uploads;
pub mod videos;
pub mod workers;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

use crate::blobs::Blobs;
use crate::clock::Clock;
use crate::db::Db;
use crate::id::{RequestId, VideoId};
use crate::origin::Origin;
use net::client_addr::TrustedProxies;
use quota::Quotas;
use stills::Decoders;

pub use error::{Error, ErrorKind, INTERNAL, whole_seconds};
pub use moderation::operator::{Contact, LegalText, Operator};
pub use observability::{gauges::Gauges, readiness::Readiness};
pub use quota::{storage::Limits, storage_usage::StorageUsage};
pub use sealing::Sealer;
pub use state::changes::Changes;
pub use state::memory_budget::{BufferReservation, MemoryBudget};
pub use state::poisoned::PoisonedTakes;
pub use state::removal_locks::RemovalLocks;
pub use state::transfers::Transfers;
pub use state::upload_locks::UploadLocks;
pub use uploads::checksum::{Algorithm, Checksum};
pub use workers::periodic::JobStatuses;

/// Everything that use cases need. Cheap to clone, which happens several times a request.
#[derive(Clone)]
pub struct AppState(Arc<AppParts>);

/// The parts of an [`AppState`].
#[derive(Clone)]
pub struct AppParts {
    /// Rows.
    pub db: Db,
    /// Objects.
    pub blobs: Blobs,
    /// Time.
    pub clock: Clock,
    /// Address at which people and programs reach this service.
    pub public_url: PublicUrl,
    /// Operator's name, contact and legal texts.
    pub operator: Operator,
    /// Rate limits by client address.
    pub quotas: Quotas,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: TrustedProxies,
    /// How much may be stored.
    pub storage_limits: Limits,
    /// How much is stored.
    pub storage_usage: StorageUsage,
    /// Whether rows and objects lie on the same disk: then removing objects makes room for rows.
    pub one_disk: bool,
    /// Time within which the file of a form must begin.
    pub form_prefix_timeout: Duration,
    /// Size up to which a video is embedded in an answer over MCP, in bytes.
    pub mcp_inline_bytes: u64,
    /// Origins whose pages may call `/mcp`, besides the service's own.
    pub mcp_origins: Vec<Origin>,
    /// What concurrent requests on this node coordinate by.
    pub coordination: Coordination,
    /// How far a shutdown has come.
    pub shutdown: Shutdown,
    /// Work that outlives the call that began it. A shutdown waits for it.
    pub tasks: TaskTracker,
    /// Wakes the sweeper.
    pub sweeper: Arc<Notify>,
    /// Seals complete takes.
    pub sealer: Sealer,
    /// Makes stills of videos.
    pub decoders: Decoders,
    /// Outcomes of periodic jobs.
    pub jobs: JobStatuses,
    /// Whether both stores answer.
    pub readiness: Readiness,
    /// Numbers that are queried for a scrape.
    pub gauges: Gauges,
}

/// What concurrent requests on one node coordinate by.
#[derive(Clone)]
pub struct Coordination {
    /// Keeps removals of a request's bytes apart from its writers.
    pub removal_locks: RemovalLocks,
    /// One writer a take: the newest.
    pub upload_locks: UploadLocks,
    /// Takes to which nothing may be appended any more.
    pub poisoned: PoisonedTakes,
    /// Transfers under way, which a deletion or an expiry cancels.
    pub transfers: Transfers,
    /// Notifies those that wait for a request to change.
    pub changes: Changes,
    /// Bounds what uploads buffer before it is durable.
    pub upload_memory: MemoryBudget,
}

impl Coordination {
    /// With so many bytes of memory for uploads.
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
    /// The process was told to stop: `/readyz` says so, and requests are still served.
    pub draining: CancellationToken,
    /// No new connections; requests that wait for a change are answered.
    pub stopping: CancellationToken,
    /// All connections have ended: background jobs stop.
    pub ended: CancellationToken,
}

impl Deref for AppState {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

/// Changes a part for this clone alone, copying the parts if they are shared.
impl DerefMut for AppState {
    fn deref_mut(&mut self) -> &mut AppParts {
        Arc::make_mut(&mut self.0)
    }
}

impl AppState {
    /// From its parts.
    pub fn new(parts: AppParts) -> Self {
        Self(Arc::new(parts))
    }

    /// Runs `work` to completion in a task, even if this future is dropped because the client disconnected.
    async fn spawn_to_completion<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        self.tasks.spawn(work.in_current_span()).await?
    }
}

/// The address of the service as the outside sees it, without a slash at the end.
#[derive(Clone, Debug)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Takes `https://host[:port]`.
    pub fn new(url: &str) -> Self {
        Self(url.to_owned())
    }

    /// The address itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The endpoint for agents that speak MCP.
    pub fn mcp(&self) -> String {
        format!("{}/mcp", self.0)
    }

    /// The page that a human opens.
    pub fn submission(&self, id: &RequestId) -> String {
        format!("{}/r/{id}", self.0)
    }

    /// The endpoint that streams a video.
    pub fn video(&self, id: &VideoId) -> String {
        format!("{}/v1/videos/{id}", self.0)
    }

    /// Where a picture of a video is: with `{at_ms}` for the moment that it shows.
    pub fn stills(&self, id: &VideoId) -> String {
        format!("{}/videos/{id}/stills/{{at_ms}}", self.0)
    }
}
