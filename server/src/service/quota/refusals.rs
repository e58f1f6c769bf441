//! What is refused by a limit, and how it is counted.

use metrics::counter;

use crate::telemetry::names::REFUSALS;

/// The limit that refuses a request or a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalReason {
    /// Rate of creations of one address.
    CreateRate,
    /// Rate of reads, deletions and streams of one address.
    ReadRate,
    /// Rate of abuse reports of one address.
    ReportRate,
    /// Rate of all calls of one address.
    CallRate,
    /// Stored bytes of the requests that one address has created.
    CreatorBytes,
    /// Open connections of one address.
    Connections,
    /// Stored bytes of all, or the space on the disk.
    StoreFull,
}

impl RefusalReason {
    /// The value of the metric's label: one of [`crate::telemetry::names::REFUSAL_REASONS`].
    pub fn word(self) -> &'static str {
        match self {
            Self::CreateRate => "create_rate",
            Self::ReadRate => "read_rate",
            Self::ReportRate => "report_rate",
            Self::CallRate => "call_rate",
            Self::CreatorBytes => "creator_bytes",
            Self::Connections => "connections",
            Self::StoreFull => "store_full",
        }
    }

    /// Counts one refusal.
    pub fn count(self) {
        counter!(REFUSALS, "reason" => self.word()).increment(1);
    }
}
