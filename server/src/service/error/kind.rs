//! What each failure means for a client: kind, code, and time until a retry.

use std::time::Duration;

use super::{Error, whole_seconds};

/// When it is worth asking for a transcript again: one of a minute takes some ten seconds.
pub const TRANSCRIPT_RETRY: Duration = Duration::from_secs(5);

/// When it is worth trying a read-only disk again: its operator has to repair it.
const READ_ONLY_RETRY: Duration = Duration::from_secs(60);

/// When it is worth asking again while a store is away: it restarts, or another one takes over.
const STORE_RETRY: Duration = Duration::from_secs(5);

/// What a failure means for a client. `http` maps it to a status, `mcp` to advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The call contradicts itself or the interface.
    Invalid,
    /// The access token is missing or unknown.
    Unauthorized,
    /// The access token belongs to another request.
    Forbidden,
    /// The request, take or video doesn't exist, or was deleted.
    NotFound,
    /// The state of the request or take doesn't allow the call.
    Conflict,
    /// The request has expired or was taken down.
    Gone,
    /// A limit of bytes, chunks, takes or time is exceeded.
    TooLarge,
    /// The bytes are no supported video.
    UnsupportedMediaType,
    /// The bytes are complete and can't be used.
    Unprocessable,
    /// The client exceeds a rate limit.
    RateLimited,
    /// The server can't do it yet.
    Unavailable,
    /// The storage is full or a quota is exhausted.
    InsufficientStorage,
    /// The server failed.
    Internal,
}

impl Error {
    /// What the failure means for the client.
    pub fn kind(&self) -> ErrorKind {
        self.classify().0
    }

    /// Stable code for programs, the same over REST and MCP.
    pub fn code(&self) -> &'static str {
        self.classify().1
    }

    /// The only table of failures: the kind and code of each.
    fn classify(&self) -> (ErrorKind, &'static str) {
        use ErrorKind as K;
        match self {
            Self::Invalid(_) => (K::Invalid, "bad_request"),
            Self::InconsistentLength => (K::Invalid, "inconsistent_length"),
            Self::ChecksumMismatch => (K::Invalid, "digest_mismatch"),
            Self::Interrupted => (K::Invalid, "interrupted"),
            Self::NoToken | Self::UnknownToken => (K::Unauthorized, "unauthorized"),
            Self::Forbidden => (K::Forbidden, "forbidden"),
            Self::NotFound | Self::NoPicture { .. } | Self::NoReceipt | Self::NoTranscript(_) => {
                (K::NotFound, "not_found")
            }
            Self::TranscriptPending => (K::Conflict, "transcript_pending"),
            Self::AlreadySubmitted => (K::Conflict, "already_submitted"),
            Self::OffsetMismatch { .. } => (K::Conflict, "offset_mismatch"),
            Self::TakeComplete { .. } => (K::Conflict, "take_complete"),
            Self::Superseded { .. } => (K::Conflict, "superseded"),
            Self::TakeIncomplete => (K::Conflict, "take_incomplete"),
            Self::Gone => (K::Gone, "gone"),
            Self::TakenDown => (K::Gone, "taken_down"),
            Self::TooLarge { .. } => (K::TooLarge, "too_large"),
            Self::TooManyPieces => (K::TooLarge, "too_many_pieces"),
            Self::TooManyTakes { .. } => (K::TooLarge, "too_many_takes"),
            Self::TooSlow => (K::TooLarge, "too_slow"),
            Self::UnsupportedMediaType => (K::UnsupportedMediaType, "unsupported_media_type"),
            Self::TakeFailed => (K::Unprocessable, "take_failed"),
            Self::TakeEmpty => (K::Unprocessable, "take_empty"),
            Self::Unplayable(why) => (K::Unprocessable, why.as_str()),
            Self::TooOften { .. } | Self::CreatorStorageFull { .. } => {
                (K::RateLimited, "rate_limited")
            }
            Self::ReportedOften => (K::RateLimited, "reported_often"),
            Self::StillSealing => (K::Unavailable, "still_sealing"),
            Self::StoreTooSlow => (K::Unavailable, "unavailable"),
            Self::NoRoom | Self::CreatorQuotaExceeded => {
                (K::InsufficientStorage, "insufficient_storage")
            }
            // The interface has one status for all of these; `wait` says when it is worth a retry.
            Self::Db(_)
            | Self::Blobs(_)
            | Self::ReadOnly
            | Self::TaskEnded
            | Self::Corrupt
            | Self::Damaged(_)
            | Self::DecoderUnavailable
            | Self::Transcriber(_)
            | Self::NotDeleted => (K::Internal, "internal_error"),
        }
    }

    /// Time until the same request would succeed, if known.
    pub fn wait(&self) -> Option<Duration> {
        match self {
            Self::TooOften { wait } | Self::CreatorStorageFull { wait } => Some(*wait),
            Self::StillSealing => Some(Duration::from_secs(1)),
            Self::TranscriptPending => Some(TRANSCRIPT_RETRY),
            Self::ReadOnly => Some(READ_ONLY_RETRY),
            Self::Db(error) if error.is_unavailable() => Some(STORE_RETRY),
            Self::Blobs(error) if error.is_unavailable() => Some(STORE_RETRY),
            _ => None,
        }
    }

    /// The same time in seconds for `Retry-After`: RFC 9110, section 10.2.3.
    pub fn retry_after(&self) -> Option<u64> {
        self.wait().map(whole_seconds)
    }

    /// Whether the cause is only logged for the operator, and withheld from the client.
    pub fn is_internal(&self) -> bool {
        match self {
            Self::Damaged(_) => false,
            Self::StoreTooSlow => true,
            _ => self.kind() == ErrorKind::Internal,
        }
    }

    /// Whether a retry may succeed soon.
    pub(in crate::service) fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::StillSealing
                | Self::Db(_)
                | Self::Blobs(_)
                | Self::NoRoom
                | Self::ReadOnly
                | Self::TaskEnded
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blobs::BlobError;
    use crate::db::DbError;

    #[test]
    fn a_busy_database_is_retryable_and_a_stopped_writer_is_not() {
        let busy = Error::Db(DbError::Busy);
        assert_eq!(busy.retry_after(), Some(5));
        let broken = Error::Db(DbError::WriterStopped);
        assert_eq!(broken.retry_after(), None);
        for error in [busy, broken] {
            // The cause is the operator's.
            assert!(error.is_internal());
            assert_eq!(
                (error.kind(), error.code()),
                (ErrorKind::Internal, "internal_error")
            );
        }
    }

    #[test]
    fn a_retry_may_succeed_after_a_failure_of_the_server_and_not_of_the_video() {
        for (failure, is_transient) in [
            (Error::StillSealing, true),
            (Error::Db(DbError::Busy), true),
            (Error::Blobs(BlobError::Full), true),
            (Error::NoRoom, true),
            (Error::ReadOnly, true),
            (Error::TaskEnded, true),
            (Error::TakeEmpty, false),
            (Error::TakeFailed, false),
            (Error::Corrupt, false),
            (Error::AlreadySubmitted, false),
            (Error::Gone, false),
        ] {
            assert_eq!(failure.is_transient(), is_transient, "{failure}");
        }
    }
}
