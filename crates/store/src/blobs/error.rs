//! Failures of the blob store.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use object_store::client::{HttpError, HttpErrorKind};
use rustix::io::Errno;

/// Why objects can't be used or read.
///
/// Names the configured folder or bucket at most, and never a key: keys contain the ids of live links, and errors are
/// logged.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// The folder can't be opened.
    #[error("the blob folder {place} can't be used")]
    Open {
        /// The folder, as configured.
        place: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The bucket can't be opened.
    #[error("the bucket {place} can't be {use_of_it}")]
    Bucket {
        /// The bucket, as configured.
        place: String,
        /// What it was to be: "used", "written to" or the like.
        use_of_it: &'static str,
        /// The cause. May name paths, as this error occurs only at start-up, before there are keys.
        #[source]
        source: object_store::Error,
    },
    /// The folder is the root of a disk, with its `lost+found`.
    #[error("{} is a whole disk: name a folder on it by VIDENCE_BLOB_URL", .0.display())]
    WholeDisk(PathBuf),
    /// The credentials of the bucket are incomplete.
    #[error(
        "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together, and one of them isn't set"
    )]
    HalfAKey,
    /// The bucket can't be opened, and no credentials are set.
    #[error(
        "the bucket {place} can't be used: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY aren't set, and this machine has no \
         role in AWS"
    )]
    NoKey {
        /// The bucket, as configured.
        place: String,
        /// The cause, as in `Bucket`.
        #[source]
        source: object_store::Error,
    },
    /// The disk is full. Nothing was written.
    #[error("the blob store is full")]
    Full,
    /// The disk is read-only. Nothing was written.
    #[error("the blob store is read-only")]
    ReadOnly,
    /// The disk accepted bytes and failed to make them durable (`EIO`).
    #[error("the blob store failed to make bytes durable: {0}")]
    NotDurable(io::ErrorKind),
    /// A read, write or removal failed.
    #[error("the blob store failed: {0}")]
    Io(io::ErrorKind),
    /// The manifest can't be read.
    #[error("the manifest can't be read")]
    Manifest(#[source] Box<dyn Error + Send + Sync>),
    /// The manifest doesn't name all objects of the range.
    #[error("the manifest has a gap")]
    Gap,
    /// The bytes don't have the checksum or digest that they had when they were stored, or that the sealed video has.
    #[error("the bytes aren't those that were stored")]
    Changed,
    /// The request was deleted or expired during the stream.
    #[error("a stream was cut off: its request was deleted or has expired")]
    Cut,
    /// An error response of the S3 service that says no more, such as `SlowDown`.
    #[error("the blob store answered with an error")]
    Other,
}

impl From<io::Error> for BlobError {
    fn from(error: io::Error) -> Self {
        Self::from_kind(error.kind())
    }
}

/// Decides by the `io::Error` that `object_store` has wrapped, if any, and else by what it says of the S3 service.
///
/// A service that is full isn't recognized: `object_store` maps a few HTTP statuses to variants of its error, and its
/// other statuses and S3's error codes appear only in message text.
impl From<object_store::Error> for BlobError {
    fn from(error: object_store::Error) -> Self {
        let kind = match &error {
            object_store::Error::NotFound { .. } => Some(io::ErrorKind::NotFound),
            object_store::Error::PermissionDenied { .. }
            | object_store::Error::Unauthenticated { .. } => Some(io::ErrorKind::PermissionDenied),
            _ => cause::<HttpError>(&error).and_then(|it| match it.kind() {
                HttpErrorKind::Connect | HttpErrorKind::Request => {
                    Some(io::ErrorKind::NotConnected)
                }
                HttpErrorKind::Timeout => Some(io::ErrorKind::TimedOut),
                HttpErrorKind::Interrupted => Some(io::ErrorKind::ConnectionAborted),
                _ => None,
            }),
        };
        let kind = cause(&error).map(io::Error::kind).or(kind);
        kind.map_or(Self::Other, Self::from_kind)
    }
}

impl BlobError {
    /// Converts the kind of an I/O error.
    /// A full disk is possible for reads and removals, too: a new folder needs a block of the disk, and so does a
    /// removal on some file systems.
    fn from_kind(kind: io::ErrorKind) -> Self {
        match kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            kind => Self::Io(kind),
        }
    }

    /// Whether the service doesn't answer now, or is too busy to.
    /// An unexpected end isn't that: an object is too short, for good.
    pub fn is_unavailable(&self) -> bool {
        matches!(
            self,
            Self::Other
                | Self::Io(
                    io::ErrorKind::NotConnected
                        | io::ErrorKind::TimedOut
                        | io::ErrorKind::ConnectionAborted
                        | io::ErrorKind::ConnectionReset
                        | io::ErrorKind::BrokenPipe
                )
        )
    }

    /// Whether bytes are lost or changed that a row names.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Gap
                | Self::Changed
                | Self::Io(io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof)
        )
    }

    /// Whether a connection broke while the answer to a request was due.
    pub(super) fn is_broken_connection(&self) -> bool {
        matches!(
            self,
            Self::Io(
                io::ErrorKind::ConnectionAborted
                    | io::ErrorKind::ConnectionReset
                    | io::ErrorKind::BrokenPipe
                    | io::ErrorKind::UnexpectedEof
            )
        )
    }

    /// The error of a failed write to a folder.
    pub(super) fn from_write(error: io::Error) -> Self {
        match error.kind() {
            kind if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => {
                Self::NotDurable(kind)
            }
            io::ErrorKind::FileTooLarge => Self::Full,
            // Nothing was acknowledged. May be temporary, such as too many open files.
            kind => Self::from_kind(kind),
        }
    }
}

/// The first error of this type in the chain of causes.
fn cause<E: Error + 'static>(error: &object_store::Error) -> Option<&E> {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref() {
            return Some(error);
        }
        cause = error.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_its_kind_and_no_path() {
        let denied = io::Error::new(io::ErrorKind::PermissionDenied, "/data/blobs/secret");
        let error = object_store::Error::Generic {
            store: "folder",
            source: Box::new(denied),
        };
        let error = BlobError::from(error);
        let shown = format!("{error} {error:?}");
        assert!(shown.contains("permission denied"), "{shown}");
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn a_failure_of_a_bucket_names_its_kind_and_no_key() {
        let source = || "https://bucket/secret".into();
        let path = || "secret".to_owned();
        let timeout = HttpError::new_boxed(HttpErrorKind::Timeout, source());
        for (error, want) in [
            (
                object_store::Error::NotFound {
                    path: path(),
                    source: source(),
                },
                "not found",
            ),
            (
                object_store::Error::PermissionDenied {
                    path: path(),
                    source: source(),
                },
                "permission denied",
            ),
            (
                object_store::Error::Unauthenticated {
                    path: path(),
                    source: source(),
                },
                "permission denied",
            ),
            (
                object_store::Error::Generic {
                    store: "S3",
                    source: Box::new(timeout),
                },
                "timed out",
            ),
            (
                object_store::Error::Generic {
                    store: "S3",
                    source: source(),
                },
                "answered with an error",
            ),
        ] {
            let error = BlobError::from(error);
            let shown = format!("{error} {error:?}");
            assert!(shown.contains(want), "{want}: {shown}");
            assert!(!shown.contains("secret"), "{shown}");
        }
    }

    #[test]
    fn a_full_disk_is_recognized_for_every_operation() {
        for errno in [Errno::NOSPC, Errno::DQUOT] {
            let error = io::Error::from(errno);
            assert!(matches!(BlobError::from(error), BlobError::Full), "{errno}");
            let error = object_store::Error::Generic {
                store: "folder",
                source: Box::new(io::Error::from(errno)),
            };
            assert!(matches!(BlobError::from(error), BlobError::Full), "{errno}");
        }
        let error = BlobError::from(io::Error::from(Errno::ACCESS));
        assert!(matches!(error, BlobError::Io(_)), "{error}");
    }

    #[test]
    fn full_read_only_and_failing_disks_are_distinguished() {
        for (errno, want) in [
            (Errno::NOSPC, "full"),
            (Errno::DQUOT, "full"),
            (Errno::IO, "failed to make bytes durable"),
            (Errno::MFILE, "failed:"),
            (Errno::ACCESS, "failed:"),
            (Errno::ROFS, "read-only"),
        ] {
            let shown = BlobError::from_write(errno.into()).to_string();
            assert!(shown.contains(want), "{errno}: {shown}");
        }
    }
}
