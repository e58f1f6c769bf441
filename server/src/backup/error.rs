//! Why there is no backup, or nothing was restored.

use std::io;
use std::path::PathBuf;

use crate::blobs::BlobError;
use crate::db::DbError;
use crate::start::StartError;

/// Every way in which a backup or a restore fails. Nothing half-done stays, unless the process was killed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BackupError {
    /// The database or the videos aren't where this can copy them.
    #[error(
        "this copies a database file and a folder of videos, and yours lie elsewhere. Take the database first, with \
         pg_dump --format=custom, then copy or replicate the bucket: objects never change, and go only after \
         their rows, so of what the dump names only that is missing which was deleted, discarded or over by then. \
         To go back, restore the bucket first, then the database with pg_restore; then `vidence check --show-ids` \
         names what is missing: delete those requests, or take them down"
    )]
    Elsewhere,
    /// There is something already.
    #[error("{} isn't empty", .0.display())]
    NotEmpty(PathBuf),
    /// Somebody works in it.
    #[error("{} is in use by another vidence", .0.display())]
    InUse(PathBuf),
    /// Somebody wanted it to end.
    #[error("interrupted: nothing of it stays")]
    Interrupted,
    /// It can't be read or written.
    #[error("{} can't be used", .0.display())]
    Folder(PathBuf, #[source] io::Error),
    /// What should be a backup is none, or isn't whole.
    #[error("{} holds no complete backup: {}", .0.display(), .1)]
    NoBackup(PathBuf, &'static str),
    /// A row names an object that isn't there, and wasn't removed.
    #[error(
        "an object that the database names isn't there, or not whole: `vidence check` says more"
    )]
    Damaged,
    /// A row names an object by what can't be a name.
    #[error("the database names an object by what can't be a name")]
    Nameless,
    /// See there.
    #[error(transparent)]
    Start(#[from] StartError),
    /// See there.
    #[error(transparent)]
    Db(#[from] DbError),
    /// See there.
    #[error(transparent)]
    Blobs(#[from] BlobError),
}
