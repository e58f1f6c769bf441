//! Locations of data: the layout of the data folder, and where the settings place the blob store.

use std::path::{Path, PathBuf};

use crate::config::{BlobUrl, StoreArgs};

/// The lock file of the data folder. It also marks the folder as Vidence's.
pub(crate) const LOCK_FILE: &str = "lock";

/// The SQLite file in a data folder.
pub(crate) fn database_file(data_dir: &Path) -> PathBuf {
    data_dir.join("vidence.db")
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
