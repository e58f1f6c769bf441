//! Use cases of Vidence, without HTTP and SQL.
//!
//! REST, MCP and the recording page call the same use cases, so each rule is implemented once.

mod app_state;
pub mod check;
mod error;
pub mod moderation;
pub mod observability;
pub mod quota;
mod removal;
pub mod requests;
pub mod sealing;
pub mod state;
pub mod submission;
pub mod uploads;
pub mod videos;
pub mod workers;

pub use app_state::{AppParts, AppState, Coordination, Shutdown};
pub(crate) use error::json as json_error;
pub use error::{Error, ErrorKind, INTERNAL, TRANSCRIPT_RETRY, whole_seconds};
pub use observability::{queried::SnapshotCaches, readiness::ReadinessProbe};
pub use quota::storage_usage::StorageUsage;
pub use sealing::Sealer;
pub use state::changes::Changes;
pub use state::memory_budget::{MemoryBudget, Reservation};
pub use state::poisoned::PoisonedTakes;
pub use state::removal_locks::RemovalLocks;
pub use state::transfers::Transfers;
pub use state::upload_locks::UploadLocks;
pub use uploads::checksum::{Algorithm, Checksum};
pub use workers::job_statuses::JobStatuses;
