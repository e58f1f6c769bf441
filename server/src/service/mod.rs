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

/// Everything a use case needs. Cheap to clone, which happens several times a request.
#[derive(Clone)]
pub struct AppState(Arc<AppParts>);

/// What that is.
#[derive(Clone)]
pub struct AppParts {
    /// Rows.
    pub db: Db,
    /// Bytes.
    pub blobs: Blobs,
    /// Time.
    pub clock: Clock,
    /// Where people and programs reach this service.
    pub public_url: PublicUrl,
    /// Who runs it, and what they say.
    pub operator: Operator,
    /// Work that outlives the call that began it. A shutdown waits for it.
    pub tasks: TaskTracker,
    /// Keeps writers and removals apart.
    pub gates: RemovalLocks,
    /// Who writes which take.
    pub turns: UploadLocks,
    /// Takes to which nothing may be added any more.
    pub failed: PoisonedTakes,
    /// What is being sent and received.
    pub live: Transfers,
    /// Whether rows and bytes lie on the same disk: then removing bytes makes room for rows.
    pub one_disk: bool,
    /// Wakes the sweeper: there is something to remove.
    pub sweeper: Arc<Notify>,
    /// Makes videos of complete takes.
    pub sealer: Sealer,
    /// What makes stills of videos.
    pub decoders: Decoders,
    /// How often somebody may ask.
    pub quotas: Quotas,
    /// Who asks for others.
    pub proxies: TrustedProxies,
    /// Who waits for a request to move on.
    pub news: Changes,
    /// Cancelled when the server was told to stop: nobody should be sent here any more.
    pub draining: CancellationToken,
    /// Cancelled when the server is about to stop: nobody waits any longer.
    pub stopping: CancellationToken,
    /// Cancelled when all connections are over: nothing is begun any more that nobody asks for.
    pub ending: CancellationToken,
    /// How many bytes a video may have to be put into an answer.
    pub inline_bytes: u64,
    /// Whose web pages may use what isn't for all of them.
    pub origins: Vec<Origin>,
    /// How much may be stored.
    pub limits: Limits,
    /// How much is.
    pub usage: StorageUsage,
    /// How long a form's file may take to begin.
    pub form_prefix_timeout: Duration,
    /// What uploads may hold before it is durable.
    pub memory: MemoryBudget,
    /// Whether both stores answer.
    pub health: Readiness,
    /// How work goes that is done again and again.
    pub rounds: JobStatuses,
    /// Where things stand, for the operator.
    pub figures: Gauges,
}

impl Deref for AppState {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

/// Changes a part for this clone alone.
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

    /// Does something to its end, even if the caller hangs up and this future is dropped: for whatever
    /// must not stop half-way.
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
