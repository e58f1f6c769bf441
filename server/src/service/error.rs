//! Errors of the use cases.

use std::time::Duration;

use crate::blobs::BlobError;
use crate::db::{DbError, Refusal};

/// What a failure means for a client. `http` maps it to a status, `mcp` to advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request contradicts itself or the interface.
    Invalid,
    /// A token is missing or unknown.
    Unauthorized,
    /// The token is another request's.
    Forbidden,
    /// The request, take or video doesn't exist, or no longer.
    NotFound,
    /// The state of the request or take doesn't allow it.
    Conflict,
    /// It has expired or was taken down.
    Gone,
    /// More bytes, pieces, takes or time than one may have.
    TooLarge,
    /// The bytes are no video.
    UnsupportedMediaType,
    /// The bytes are all there and can't be used.
    Unprocessable,
    /// More requests than one client may make for now.
    RateLimited,
    /// The server can't do it yet.
    Unavailable,
    /// There is no room for it.
    InsufficientStorage,
    /// The server failed.
    Internal,
}

/// Every way in which a use case fails.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No token came along.
    #[error("send the request's token as `Authorization: Bearer …`")]
    NoToken,
    /// The token belongs to no request.
    #[error("this token belongs to no request")]
    UnknownToken,
    /// A real token, for something else.
    #[error("this token grants no access here")]
    Forbidden,
    /// It never existed, or it was deleted.
    #[error("there is nothing here, or it was deleted")]
    NotFound,
    /// A video has no picture of this moment.
    #[error("there is no picture of this moment; {}", pictures(.there))]
    NoPicture {
        /// Moments of which there are some, in milliseconds.
        there: Vec<u64>,
    },
    /// Its time is over.
    #[error("this has expired and is no longer served")]
    Gone,
    /// Whoever runs the server has taken it down.
    #[error("this was taken down by the operator of this service")]
    TakenDown,
    /// A request has as many reports as are kept.
    #[error("this was reported often enough")]
    ReportedOften,
    /// A value is out of bounds. The text names the field and the bound.
    #[error("{0}")]
    Invalid(String),
    /// Somebody asks more often, or for more, than they may.
    #[error("too many requests; come back in {} s", whole_seconds(*.wait))]
    TooOften {
        /// When it would do.
        wait: Duration,
    },
    /// A creator has stored as much as they may.
    #[error(
        "your requests hold as many bytes as one address may store; delete one, or come back in {} s",
        whole_seconds(*.wait)
    )]
    CreatorStorageFull {
        /// When the first of them is over.
        wait: Duration,
    },
    /// Whoever asked for this has stored as much as they may.
    #[error("the storage quota of this request's creator is exhausted")]
    CreatorQuotaExceeded,
    /// The request has its video.
    #[error("a video was already submitted")]
    AlreadySubmitted,
    /// An append did not begin where the take ends.
    #[error("the upload stands at {committed} bytes, not at {given}")]
    OffsetMismatch {
        /// Where it ends.
        committed: u64,
        /// Where the append began.
        given: u64,
    },
    /// A newer request for the same take ended this append. What had arrived counts.
    #[error("a newer request ended this one; the upload stands at {committed} bytes")]
    Superseded {
        /// Where the take ends.
        committed: u64,
    },
    /// The length that was declared contradicts the bytes, or an earlier one.
    #[error("this doesn't agree with the declared length of the upload")]
    InconsistentLength,
    /// The bytes are not those whose digest was announced. None of them counts.
    #[error("the bytes don't have the digest that was announced")]
    ChecksumMismatch,
    /// The disk failed under this take: nothing more can be appended.
    #[error("this upload can't go on; begin a new one")]
    TakeFailed,
    /// An append to a take that is complete.
    #[error("the upload is complete at {committed} bytes")]
    TakeComplete {
        /// How long it is.
        committed: u64,
    },
    /// More bytes than one take, or all takes of one request, may have.
    #[error("more than the {most} bytes that may be stored for this")]
    TooLarge {
        /// How many may be.
        most: u64,
    },
    /// More takes than a request may have at a time.
    #[error("this request has {most} recordings already; discard one first")]
    TooManyTakes {
        /// How many may be.
        most: u32,
    },
    /// The disk, or our share of it, is full.
    #[error("there is no room for this now; try again later")]
    NoRoom,
    /// A submission of a take whose bytes are not all here.
    #[error("the recording is not completely uploaded yet")]
    TakeIncomplete,
    /// A submission of nothing.
    #[error("the recording is empty")]
    TakeEmpty,
    /// A submission of a take that can't become a video.
    #[error("{}", refused(*.0))]
    Unplayable(Refusal),
    /// A submission of a take that is still being made ready.
    #[error("the video is still being made ready; ask again")]
    StillSealing,
    /// Stills can't be made of a video right now.
    #[error("the decoder is unavailable")]
    DecoderUnavailable,
    /// The bytes are no video format that Vidence takes.
    #[error("send a WebM, Matroska, MP4 or QuickTime video")]
    UnsupportedMediaType,
    /// The sender's connection broke. What had arrived is committed.
    #[error("the upload was interrupted")]
    Interrupted,
    /// Rows can't be read or written.
    #[error(transparent)]
    Db(DbError),
    /// Bytes can't be read or written.
    #[error(transparent)]
    Blobs(BlobError),
    /// A task of ours panicked.
    #[error("a task died")]
    TaskPanicked(#[from] tokio::task::JoinError),
    /// Between the first byte of an object, or of an append with a digest, and the row that names it so
    /// much time has passed that what lies there may be taken for an orphan.
    #[error("this took too long: bytes with a digest must arrive within five minutes")]
    TooSlow,
    /// Likewise, through no fault of the sender's.
    #[error("the store was too slow")]
    StoreTooSlow,
    /// More objects than a take may consist of.
    #[error("this upload came in too many small pieces")]
    TooManyPieces,
    /// A deletion that not even the removal of its bytes made room for. For callers it is a failure like any
    /// other: they sent nothing that takes room.
    #[error("there is no room to write down a deletion")]
    NotDeleted,
    /// Stored data contradicts itself.
    #[error("stored data is inconsistent")]
    Corrupt,
}

/// Rounds up, so that after as many seconds the wait is over.
pub fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis()
        .div_ceil(1000)
        .max(1)
        .try_into()
        .unwrap_or(u64::MAX)
}

/// What callers are told of what failed on our side. What it was is for the operator's log.
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

    /// The one table of failures: what each means, and its code.
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

    /// Time until the same request would succeed, where that is known.
    pub fn wait(&self) -> Option<Duration> {
        match self {
            Self::TooOften { wait } | Self::CreatorStorageFull { wait } => Some(*wait),
            Self::StillSealing => Some(Duration::from_secs(1)),
            _ => None,
        }
    }

    /// The same in seconds, as `Retry-After` counts them: RFC 9110, section 10.2.3.
    pub fn retry_after(&self) -> Option<u64> {
        self.wait().map(whole_seconds)
    }

    /// Whether the cause is for the operator's log, and not for the client.
    pub fn is_internal(&self) -> bool {
        self.kind() == ErrorKind::Internal || matches!(self, Self::StoreTooSlow)
    }

    /// Whether the same may succeed a little later.
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
