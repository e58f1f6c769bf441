//! Locations of data: the layout of the data folder, and where the settings place the blob store.

use std::path::{Path, PathBuf};

use crate::config::{BlobUrl, StoreArgs};

/// The lock file of the data folder.
pub(crate) const LOCK_FILE: &str = "lock";

const DATABASE_FILE: &str = "vidence.db";

/// The files that mark a folder as a data folder: of a backup the lock isn't a part.
pub(crate) const MARKS: [&str; 2] = [LOCK_FILE, DATABASE_FILE];

/// The SQLite file in a data folder.
pub(crate) fn database_file(data_dir: &Path) -> PathBuf {
    data_dir.join(DATABASE_FILE)
}

/// The private key of receipts in a data folder.
pub(crate) fn receipt_key_file(data_dir: &Path) -> PathBuf {
    data_dir.join("receipt-key.pem")
}

/// The blob store: the one that the settings name, or a folder in the data folder.
pub(crate) fn blob_url(store: &StoreArgs) -> BlobUrl {
    let default = || BlobUrl::Folder(store.data_dir.join("blobs"));
    store.blob_url.clone().unwrap_or_else(default)
}
