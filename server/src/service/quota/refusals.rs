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
    /// Rate of abuse reports of one address, or their number for one request.
    ReportRate,
    /// Rate of all calls of one address.
    CallRate,
    /// Calls in progress of one address.
    CallsInProgress,
    /// Bodies that arrive, of one address or in all.
    Bodies,
    /// Stored bytes of the requests that one address has created.
    CreatorBytes,
    /// Open connections of one address.
    Connections,
    /// Stored bytes of all, or the space on the disk.
    StoreFull,
}

impl RefusalReason {
    /// All reasons, in the order of their declaration.
    pub const ALL: [Self; 9] = [
        Self::CreateRate,
        Self::ReadRate,
        Self::ReportRate,
        Self::CallRate,
        Self::CallsInProgress,
        Self::Bodies,
        Self::CreatorBytes,
        Self::Connections,
        Self::StoreFull,
    ];

    /// The value of the metric's label: one of [`crate::telemetry::names::REFUSAL_REASONS`].
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CreateRate => "create_rate",
            Self::ReadRate => "read_rate",
            Self::ReportRate => "report_rate",
            Self::CallRate => "call_rate",
            Self::CallsInProgress => "calls_in_progress",
            Self::Bodies => "bodies",
            Self::CreatorBytes => "creator_bytes",
            Self::Connections => "connections",
            Self::StoreFull => "store_full",
        }
    }

    /// Counts one refusal in the metrics. One that a client's own limit makes is counted by
    /// [`super::RefusalLog::record`] instead.
    pub(in crate::service) fn count(self) {
        counter!(REFUSALS, "reason" => self.as_str()).increment(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::names::REFUSAL_REASONS;

    #[test]
    fn each_reason_is_a_known_label_at_its_own_place() {
        let words = RefusalReason::ALL.map(RefusalReason::as_str);
        assert_eq!(words, REFUSAL_REASONS);
        for (place, reason) in RefusalReason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, place, "{reason:?}");
        }
    }
}
