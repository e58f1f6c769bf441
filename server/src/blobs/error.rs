//! Why the store did not do as it was told.

use std::error::Error;
use std::io;

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
    /// Reading, writing or removing failed.
    #[error("the blob store failed: {0}")]
    Io(io::ErrorKind),
    /// Anything else.
    #[error("the blob store failed")]
    Other,
}

impl From<io::Error> for BlobError {
    fn from(error: io::Error) -> Self {
        Self::Io(error.kind())
    }
}

impl From<object_store::Error> for BlobError {
    fn from(error: object_store::Error) -> Self {
        let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
        while let Some(error) = cause {
            if let Some(error) = error.downcast_ref::<io::Error>() {
                return Self::Io(error.kind());
            }
            cause = error.source();
        }
        Self::Other
    }
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
}
