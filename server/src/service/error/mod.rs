//! Errors of the use cases.

pub(crate) mod json;
mod kind;

use std::time::Duration;

use metrics::counter;
use tokio::task::JoinError;

use crate::blobs::BlobError;
use crate::db::{DbError, Refusal};
use crate::outbound::transcriber::TranscriberError;
use crate::telemetry::names::NO_ROOM;

pub use kind::{ErrorKind, TRANSCRIPT_RETRY};

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
    /// The video has no still at this time, or no picture of it can be decoded.
    #[error("there is no picture of this moment; {}", pictures(.there, .why.as_deref()))]
    NoPicture {
        /// Times of the existing stills in milliseconds.
        there: Vec<u64>,
        /// Why none can be decoded.
        why: Option<String>,
    },
    /// An earlier version of the server received the video, and noted too little for a receipt.
    #[error("there is no receipt of this video: an earlier version of the server received it")]
    NoReceipt,
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
    /// The disk is read-only, as after a failure of the file system.
    #[error(
        "the disk of this service is read-only now, so nothing can be stored or deleted; try again later"
    )]
    ReadOnly,
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
    /// The transcript of the video isn't made yet.
    #[error("the transcript isn't made yet; ask again")]
    TranscriptPending,
    /// The video has no transcript, and will have none.
    #[error("there is no transcript of this video: {0}")]
    NoTranscript(String),
    /// The transcriber failed.
    #[error(transparent)]
    Transcriber(#[from] TranscriberError),
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
    /// A task of the server panicked, or the server stopped before it.
    /// Without the message of the panic, which may quote a secret: the panic hook has logged the place.
    #[error("a task panicked, or the server stopped before it")]
    TaskEnded,
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
    /// Objects of a submitted video are missing, too short or changed.
    /// Told to the client, because a retry won't help.
    #[error(
        "the stored video is damaged: a part of it was lost or changed on the server, whose operator was told"
    )]
    Damaged(#[source] BlobError),
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

fn pictures(there: &[u64], why: Option<&str>) -> String {
    if let Some(why) = why {
        return why.to_owned();
    }
    let there: Vec<_> = there.iter().map(u64::to_string).collect();
    match there.join(", ") {
        none if none.is_empty() => "there are none, or none yet".to_owned(),
        moments => format!("there are some at {moments} ms"),
    }
}

fn refused(why: Refusal) -> &'static str {
    match why {
        Refusal::Unreadable => "the file is damaged or incomplete, so it can't be played",
        Refusal::NoVideo => "there is no video in the recording",
        Refusal::NoFrame => "there is no picture in the recording",
    }
}

impl From<JoinError> for Error {
    fn from(_: JoinError) -> Self {
        Self::TaskEnded
    }
}

impl From<DbError> for Error {
    fn from(error: DbError) -> Self {
        match error {
            DbError::ReadOnly => Self::ReadOnly,
            error if error.is_full() => no_room(),
            error => Self::Db(error),
        }
    }
}

/// A disk that is full, although the limits leave room.
fn no_room() -> Error {
    counter!(NO_ROOM).increment(1);
    Error::NoRoom
}

impl From<BlobError> for Error {
    fn from(error: BlobError) -> Self {
        match error {
            BlobError::Full => no_room(),
            BlobError::ReadOnly => Self::ReadOnly,
            error => Self::Blobs(error),
        }
    }
}
