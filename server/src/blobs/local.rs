//! A folder as the store.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use object_store::local::LocalFileSystem;

use super::{BlobError, Blobs};

impl Blobs {
    /// Opens the folder `dir`, creating it when it isn't there.
    ///
    /// The caller holds the data folder's lock: what a crash left half-written is removed here, and a
    /// second server would see its own writes vanish.
    pub fn open_local(dir: &Path) -> Result<Self, BlobError> {
        let unusable = |source| BlobError::Open {
            place: dir.display().to_string(),
            source,
        };
        fs::create_dir_all(dir).map_err(unusable)?;
        remove_staged(dir).map_err(unusable)?;
        // `with_fsync` is off by default. With it a put syncs the file, renames it into place and
        // syncs every folder that this touched, before it returns.
        let store = LocalFileSystem::new_with_prefix(dir)?
            .with_fsync(true)
            .with_automatic_cleanup(true);
        Ok(Self {
            store: Arc::new(store),
        })
    }
}

/// `LocalFileSystem` writes to `name#digits` before it renames, and hides such files from its listing.
fn remove_staged(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            remove_staged(&entry.path())?;
        } else if entry.file_name().to_string_lossy().contains('#') {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::blobs::ObjectKey;
    use crate::id::{RequestId, TakeId};

    fn files_below(dir: &Path) -> usize {
        fs::read_dir(dir)
            .expect("a readable folder")
            .map(|entry| entry.expect("an entry").path())
            .map(|path| if path.is_dir() { files_below(&path) } else { 1 })
            .sum()
    }

    #[tokio::test]
    async fn a_request_is_removed_with_all_its_objects_and_no_others() {
        let dir = tempfile::tempdir().expect("a folder");
        let blobs = Blobs::open_local(dir.path()).expect("a store");
        let (mine, other) = (RequestId::random(), RequestId::random());
        for request in [&mine, &mine, &other] {
            let key = ObjectKey::random(request, &TakeId::random());
            let bytes = vec![Bytes::from_static(b"ab"), Bytes::from_static(b"cd")];
            blobs.put(&key, bytes).await.expect("a put");
            assert_eq!(blobs.read(&key, 1..3).await.expect("a read"), "bc");
        }

        blobs.remove_request(&mine).await.expect("a removal");
        assert_eq!(files_below(dir.path()), 1);
        blobs.remove_request(&mine).await.expect("removing nothing");
    }

    #[tokio::test]
    async fn what_a_crash_left_half_written_is_gone_after_a_restart() {
        let dir = tempfile::tempdir().expect("a folder");
        let take = dir.path().join("request").join("take");
        fs::create_dir_all(&take).expect("folders");
        fs::write(take.join("whole"), b"x").expect("a file");
        fs::write(take.join("half#1"), b"x").expect("a file");

        Blobs::open_local(dir.path()).expect("a store");
        assert!(take.join("whole").exists());
        assert!(!take.join("half#1").exists());
    }
}
