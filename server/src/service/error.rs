//! Errors of the use cases.

use std::time::Duration;

use crate::blobs::BlobError;
use crate::db::{DbError, Refusal};

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

/// Error of a use case.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The call has no access token.
    #[error("send the request's token as `Authorization: Bearer …`")]
    NoToken,
    /// The access token belongs to no request.
    #[error("this token belongs to no request")]
    UnknownToken,
    /// The access token belongs to another request.
    #[error("this token grants no access here")]
    Forbidden,
    /// The request, take or video never existed, or was deleted.
    #[error("there is nothing here, or it was deleted")]
    NotFound,
    /// The video has no still at this time.
    #[error("there is no picture of this moment; {}", pictures(.there))]
    NoPicture {
        /// Times of the existing stills in milliseconds.
        there: Vec<u64>,
    },
    /// The request has expired.
    #[error("this has expired and is no longer served")]
    Gone,
    /// The operator of the server has taken the request down.
    #[error("this was taken down by the operator of this service")]
    TakenDown,
    /// The request has the maximum number of stored reports.
    #[error("this was reported often enough")]
    ReportedOften,
    /// A value is out of bounds. The message names the field and the bound.
    #[error("{0}")]
    Invalid(String),
    /// The client exceeds a rate limit.
    #[error("too many requests; come back in {} s", whole_seconds(*.wait))]
    TooOften {
        /// Time until a retry may succeed.
        wait: Duration,
    },
    /// The storage quota of the creator is exhausted, so another request is refused.
    #[error(
        "your requests hold as many bytes as one address may store; delete one, or come back in {} s",
        whole_seconds(*.wait)
    )]
    CreatorStorageFull {
        /// Time until the first of the creator's requests expires.
        wait: Duration,
    },
    /// The storage quota of the creator is exhausted, so bytes for a request are refused.
    #[error("the storage quota of this request's creator is exhausted")]
    CreatorQuotaExceeded,
    /// The request has its video already.
    #[error("a video was already submitted")]
    AlreadySubmitted,
    /// The offset of an append isn't the end of the take.
    #[error("the upload stands at {committed} bytes, not at {given}")]
    OffsetMismatch {
        /// Length of the take in bytes.
        committed: u64,
        /// Offset of the append.
        given: u64,
    },
    /// A newer request for the same take ended this append. Bytes that had arrived are committed.
    #[error("a newer request ended this one; the upload stands at {committed} bytes")]
    Superseded {
        /// Length of the take in bytes.
        committed: u64,
    },
    /// The declared length contradicts the bytes, or an earlier declaration.
    #[error("this doesn't agree with the declared length of the upload")]
    InconsistentLength,
    /// The bytes don't have the declared digest. None of them is committed.
    #[error("the bytes don't have the digest that was announced")]
    ChecksumMismatch,
    /// The disk failed to store this take: nothing more can be appended.
    #[error("this upload can't go on; begin a new one")]
    TakeFailed,
    /// The take is complete, so nothing can be appended.
    #[error("the upload is complete at {committed} bytes")]
    TakeComplete {
        /// Length of the take in bytes.
        committed: u64,
    },
    /// The limit of bytes per take, or for all takes of one request, is exceeded.
    #[error("more than the {most} bytes that may be stored for this")]
    TooLarge {
        /// The limit in bytes.
        most: u64,
    },
    /// The request has the maximum number of takes.
    #[error("this request has {most} recordings already; discard one first")]
    TooManyTakes {
        /// The maximum number of takes.
        most: u32,
    },
    /// The disk, or the server's share of it, is full.
    #[error("there is no room for this now; try again later")]
    NoRoom,
    /// The submitted take isn't completely uploaded.
    #[error("the recording is not completely uploaded yet")]
    TakeIncomplete,
    /// The submitted take is empty.
    #[error("the recording is empty")]
    TakeEmpty,
    /// The submitted take can't become a video.
    #[error("{}", refused(*.0))]
    Unplayable(Refusal),
    /// The submitted take is still being sealed.
    #[error("the video is still being made ready; ask again")]
    StillSealing,
    /// The decoder is unavailable, so stills can't be made now.
    #[error("the decoder is unavailable")]
    DecoderUnavailable,
    /// The bytes are in no supported container format.
    #[error("send a WebM, Matroska, MP4 or QuickTime video")]
    UnsupportedMediaType,
    /// The client's connection broke. Bytes that had arrived are committed.
    #[error("the upload was interrupted")]
    Interrupted,
    /// The database failed.
    #[error(transparent)]
    Db(DbError),
    /// The object store failed.
    #[error(transparent)]
    Blobs(BlobError),
    /// A task of the server panicked.
    #[error("a task died")]
    TaskPanicked(#[from] tokio::task::JoinError),
    /// The commit came so late that its object might be taken for an orphan.
    ///
    /// The time runs from the first byte of an object, or of an append with a digest, to the row that names it.
    #[error("this took too long: bytes with a digest must arrive within five minutes")]
    TooSlow,
    /// The commit came too late as in [`Error::TooSlow`], but the store was slow, and not the client.
    #[error("the store was too slow")]
    StoreTooSlow,
    /// The take has the maximum number of objects.
    #[error("this upload came in too many small pieces")]
    TooManyPieces,
    /// A deletion couldn't be recorded on a full disk, even after its bytes were removed.
    ///
    /// Clients see an internal error, because they sent nothing that takes space.
    #[error("there is no room to write down a deletion")]
    NotDeleted,
    /// Stored data contradicts itself.
    #[error("stored data is inconsistent")]
    Corrupt,
}

/// Rounds a wait up to whole seconds, at least one, so that it is over after that time.
pub fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis()
        .div_ceil(1000)
        .max(1)
        .try_into()
        .unwrap_or(u64::MAX)
}

/// Message to clients for an internal error. The cause is only in the operator's log.
pub const INTERNAL: &str = "something went wrong on our side; try again";

fn pictures(there: &[u64]) -> String {
    let there: Vec<_> = there.iter().map(u64::to_string).collect();
    match there.join(", ") {
        none if none.is_empty() => "there are none, or none yet".to_owned(),
        moments => format!("there are some at {moments} ms"),
    }
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
            Self::NotFound | Self::NoPicture { .. } => (K::NotFound, "not_found"),
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
            Self::Unplayable(why) => (K::Unprocessable, why.word()),
            Self::TooOften { .. } | Self::CreatorStorageFull { .. } => {
                (K::RateLimited, "rate_limited")
            }
            Self::ReportedOften => (K::RateLimited, "reported_often"),
            Self::StillSealing => (K::Unavailable, "still_sealing"),
            Self::StoreTooSlow => (K::Unavailable, "unavailable"),
            Self::NoRoom | Self::CreatorQuotaExceeded => {
                (K::InsufficientStorage, "insufficient_storage")
            }
            Self::Db(_)
            | Self::Blobs(_)
            | Self::TaskPanicked(_)
            | Self::Corrupt
            | Self::DecoderUnavailable
            | Self::NotDeleted => (K::Internal, "internal_error"),
        }
    }

    /// Time until the same request would succeed, if known.
    pub fn wait(&self) -> Option<Duration> {
        match self {
            Self::TooOften { wait } | Self::CreatorStorageFull { wait } => Some(*wait),
            Self::StillSealing => Some(Duration::from_secs(1)),
            _ => None,
        }
    }

    /// The same time in seconds for `Retry-After`: RFC 9110, section 10.2.3.
    pub fn retry_after(&self) -> Option<u64> {
        self.wait().map(whole_seconds)
    }

    /// Whether the cause is only logged for the operator, and withheld from the client.
    pub fn is_internal(&self) -> bool {
        self.kind() == ErrorKind::Internal || matches!(self, Self::StoreTooSlow)
    }

    /// Whether a retry may succeed soon.
    pub(super) fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::StillSealing
                | Self::Db(_)
                | Self::Blobs(_)
                | Self::NoRoom
                | Self::TaskPanicked(_)
        )
    }
}

fn refused(why: Refusal) -> &'static str {
    match why {
        Refusal::Unreadable => "the file is damaged or incomplete, so it can't be played",
        Refusal::NoVideo => "there is no video in the recording",
        Refusal::NoFrame => "there is no picture in the recording",
    }
}

impl From<DbError> for Error {
    fn from(error: DbError) -> Self {
        match error.is_full() {
            true => Self::NoRoom,
            false => Self::Db(error),
        }
    }
}

impl From<BlobError> for Error {
    fn from(error: BlobError) -> Self {
        match error {
            BlobError::Full => Self::NoRoom,
            error => Self::Blobs(error),
        }
    }
}
