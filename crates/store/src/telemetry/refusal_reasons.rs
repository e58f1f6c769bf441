//! Why requests and connections are refused, as a label of metrics.

macro_rules! refusal_reasons {
    ($(#[doc = $doc:literal] $reason:ident = $label:literal,)*) => {
        /// The limit that refuses a request or a connection.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum RefusalReason {
            $(#[doc = $doc] $reason,)*
        }

        /// The labels of all reasons, in the order of their declaration.
        pub const REFUSAL_REASONS: [&str; [$($label),*].len()] = [$($label),*];
    };
}

refusal_reasons! {
    /// Rate of creations of one address.
    CreateRate = "create_rate",
    /// Rate of reads, deletions and streams of one address.
    ReadRate = "read_rate",
    /// Rate of abuse reports of one address, or their number for one request.
    ReportRate = "report_rate",
    /// Rate of all calls of one address.
    CallRate = "call_rate",
    /// Calls in progress of one address.
    CallsInProgress = "calls_in_progress",
    /// Bodies that arrive, of one address or in all.
    Bodies = "bodies",
    /// Stored bytes of the requests that one address has created.
    CreatorBytes = "creator_bytes",
    /// Open connections of one address.
    Connections = "connections",
    /// Stored bytes of all, or the space on the disk.
    StoreFull = "store_full",
}

impl RefusalReason {
    /// Its label.
    pub fn as_str(self) -> &'static str {
        REFUSAL_REASONS[self as usize]
    }
}
