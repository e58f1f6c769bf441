//! Why the store did not do as it was told.

use std::error::Error;
use std::io;

use rustix::io::Errno;

/// A failure of disk or network. Says what kind, and never where: paths hold the ids of live links, and
/// errors end in logs.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// The folder can't be used.
    #[error("the blob folder {place} can't be used")]
    Open {
        /// Which one, as the operator named it.
        place: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The bucket can't be used.
    #[error("the bucket {place} can't be used")]
    Bucket {
        /// Which one, as the operator named it.
        place: String,
        /// Why. Only ever told at the start, before there are keys to keep secret.
        #[source]
        source: object_store::Error,
    },
    /// The disk is full. Nothing was written.
    #[error("the blob store is full")]
    Full,
    /// The disk took bytes and failed to make them durable.
    #[error("the blob store failed to keep what it was given: {0}")]
    NotDurable(io::ErrorKind),
    /// Reading, writing or removing failed.
    #[error("the blob store failed: {0}")]
    Io(io::ErrorKind),
    /// Which objects hold the bytes can't be looked up.
    #[error("the manifest can't be read")]
    Manifest(#[source] Box<dyn Error + Send + Sync>),
    /// Objects that should hold the bytes aren't named.
    #[error("the manifest has a gap")]
    Gap,
    /// What was being read is over: deleted, or expired.
    #[error("a stream was cut: its time is over")]
    Cut,
    /// Anything else.
    #[error("the blob store failed")]
    Other,
}

impl From<io::Error> for BlobError {
    fn from(error: io::Error) -> Self {
        Self::from_kind(error.kind())
    }
}

impl From<object_store::Error> for BlobError {
    fn from(error: object_store::Error) -> Self {
        io_error(&error).map_or(Self::Other, |error| Self::from_kind(error.kind()))
    }
}

impl BlobError {
    /// Whatever needs a block of the disk may find none: a new folder does, and on some file systems a removal.
    fn from_kind(kind: io::ErrorKind) -> Self {
        match kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            kind => Self::Io(kind),
        }
    }

    /// What a failed write to a folder means.
    pub(super) fn from_write(error: object_store::Error) -> Self {
        use io::ErrorKind as K;
        match io_error(&error) {
            Some(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => {
                Self::NotDurable(error.kind())
            }
            Some(error) => match error.kind() {
                K::FileTooLarge => Self::Full,
                // Nothing was promised: too many open files, say, of which there are fewer in a moment.
                kind => Self::from_kind(kind),
            },
            None => Self::Other,
        }
    }
}

/// The failure of the system below, wherever `object_store` has wrapped it.
fn io_error(error: &object_store::Error) -> Option<&io::Error> {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
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
    fn a_full_disk_is_one_whatever_was_to_be_done_there() {
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
    fn a_full_disk_is_no_broken_one_and_a_busy_system_neither() {
        for (errno, want) in [
            (Errno::NOSPC, "full"),
            (Errno::DQUOT, "full"),
            (Errno::IO, "failed to keep"),
            (Errno::MFILE, "failed:"),
            (Errno::ACCESS, "failed:"),
        ] {
            let error = object_store::Error::Generic {
                store: "folder",
                source: Box::new(io::Error::from(errno)),
            };
            let shown = BlobError::from_write(error).to_string();
            assert!(shown.contains(want), "{errno}: {shown}");
        }
    }
}
