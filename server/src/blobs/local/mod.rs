//! A folder as the blob store: `{request}/{take}/{chunk}`.
//!
//! `object_store` writes files and syncs them; [`read`] reads them. Folders are created and removed here, because
//! `object_store` doesn't do that durably: it syncs no removal, and of two writers that need the same new folder the
//! second one doesn't wait until the folder's entry in its parent is synced.

pub(super) mod read;

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object_store::local::LocalFileSystem;
use tokio::sync::Semaphore;

use super::{Backend, BlobError, Blobs, DiskSpace, Inodes, ObjectKey};
use crate::blobs::data_dir;
use crate::id::{RequestId, TakeId};

/// The most concurrent reads that wait for the disk: enough to keep it busy.
const MAX_DISK_READS: usize = 16;

/// The lock file. Its owner may remove partially written files.
const LOCK_FILE: &str = "lock";

/// A folder that is locked for this process, unless it was opened by [`LocalFolder::open_unlocked`].
#[derive(Debug)]
pub(super) struct LocalFolder {
    root: PathBuf,
    /// Permits for reads that wait for the disk.
    disk_reads: Semaphore,
    _lock: Option<File>,
}

impl Blobs {
    /// Opens and locks the folder `root`, and removes the files that a crash left partially written. Creates the folder
    /// for its owner alone if it doesn't exist.
    pub fn open_local(root: &Path) -> Result<Self, BlobError> {
        Self::in_folder(root, LocalFolder::open(root))
    }

    /// Opens the folder `root` without locking it or removing anything. A server may be writing to it.
    pub fn open_local_unlocked(root: &Path) -> Result<Self, BlobError> {
        Self::in_folder(root, LocalFolder::open_unlocked(root))
    }

    fn in_folder(root: &Path, folder: io::Result<LocalFolder>) -> Result<Self, BlobError> {
        let folder = folder.map_err(|source| BlobError::Open {
            place: root.display().to_string(),
            source,
        })?;
        // Not the default. Makes a put sync the file, rename it into place and sync its folder.
        let store = LocalFileSystem::new_with_prefix(root)?.with_fsync(true);
        Ok(Self {
            store: Arc::new(store),
            backend: Backend::Local(Arc::new(folder)),
            streams: Arc::default(),
        })
    }
}

impl LocalFolder {
    fn open(root: &Path) -> io::Result<Self> {
        data_dir::open(root, LOCK_FILE)?;
        if let Some(parent) = root.parent() {
            sync(parent)?;
        }
        let lock = data_dir::lock(root, LOCK_FILE)?;
        let lock = lock.ok_or_else(|| io::Error::other("another vidence uses it"))?;
        remove_partial_files(root)?;
        Ok(Self {
            root: root.to_owned(),
            disk_reads: Semaphore::new(MAX_DISK_READS),
            _lock: Some(lock),
        })
    }

    fn open_unlocked(root: &Path) -> io::Result<Self> {
        if !root.join(LOCK_FILE).is_file() {
            let message = "this is no blob folder of vidence";
            return Err(io::Error::new(ErrorKind::NotFound, message));
        }
        Ok(Self {
            root: root.to_owned(),
            disk_reads: Semaphore::new(MAX_DISK_READS),
            _lock: None,
        })
    }

    /// Opens an object for reading. May wait for the disk.
    fn open_object(&self, key: &ObjectKey) -> io::Result<File> {
        File::open(self.root.join(key.as_str()))
    }

    /// Opens an object for reading without waiting for the disk. `None`: the kernel hasn't cached the path, or can't
    /// tell.
    #[cfg(target_os = "linux")]
    fn open_cached_object(&self, key: &ObjectKey) -> io::Result<Option<File>> {
        use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
        use rustix::io::Errno;
        let (path, flags) = (
            self.root.join(key.as_str()),
            OFlags::RDONLY | OFlags::CLOEXEC,
        );
        match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::CACHED) {
            Ok(file) => Ok(Some(file.into())),
            // The call would wait, or the kernel or a seccomp filter doesn't support it.
            Err(Errno::AGAIN | Errno::NOSYS | Errno::INVAL | Errno::PERM) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open_cached_object(&self, _: &ObjectKey) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Checks that the folder still exists.
    pub(super) fn ping(&self) -> io::Result<()> {
        self.root.join(LOCK_FILE).metadata().map(drop)
    }

    /// The space of the folder's file system.
    pub(super) fn space(&self) -> io::Result<DiskSpace> {
        let disk = rustix::fs::statvfs(&self.root)?;
        Ok(DiskSpace {
            total: disk.f_blocks.saturating_mul(disk.f_frsize),
            available: disk.f_bavail.saturating_mul(disk.f_frsize),
            // Some file systems, such as btrfs, create inodes as needed.
            inodes: (disk.f_files > 0).then_some(Inodes {
                total: disk.f_files,
                available: disk.f_favail,
            }),
        })
    }

    /// Creates the folder of a take, durably.
    pub(super) fn prepare_take(&self, request: &RequestId, take: &TakeId) -> io::Result<()> {
        let request = self.root.join(request.as_str());
        let take = request.join(take.as_str());
        fs::create_dir_all(&take)?;
        sync(&request)?;
        sync(&self.root)
    }

    /// Removes a take's folder and its contents, durably.
    pub(super) fn remove_take(&self, request: &RequestId, take: &TakeId) -> io::Result<()> {
        let request = self.root.join(request.as_str());
        remove_all(&request.join(take.as_str()))?;
        match sync(&request) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            synced => synced,
        }
    }

    /// Removes a request's folder and its contents, durably.
    pub(super) fn remove_request(&self, request: &RequestId) -> io::Result<()> {
        remove_all(&self.root.join(request.as_str()))?;
        sync(&self.root)
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn remove_all(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Removes files that a crash left partially written. Others stay: the folder may hold files that aren't Vidence's.
///
/// `LocalFileSystem` writes to `name#digits` and then renames the file. It hides such files from its listing.
fn remove_partial_files(root: &Path) -> io::Result<()> {
    for request in id_folders(root)? {
        for take in id_folders(&request)? {
            for entry in fs::read_dir(take)? {
                let entry = entry?;
                if is_partial(&entry.file_name().to_string_lossy()) {
                    fs::remove_file(entry.path())?;
                }
            }
        }
    }
    Ok(())
}

/// The folders in `folder` whose names are ids.
fn id_folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let ours = RequestId::parse(&entry.file_name().to_string_lossy()).is_some();
        if ours && entry.file_type()?.is_dir() {
            found.push(entry.path());
        }
    }
    Ok(found)
}

fn is_partial(name: &str) -> bool {
    name.split_once('#').is_some_and(|(object, count)| {
        let counts = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
        counts && TakeId::parse(object).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_crash_left_half_written_goes_at_the_next_start_and_nothing_else() {
        let root = tempfile::tempdir().expect("a folder");
        Blobs::open_local(root.path())
            .map(drop)
            .expect("ours from now on");
        let id = || TakeId::random().to_string();
        let take = root.path().join(id()).join(id());
        fs::create_dir_all(&take).expect("folders");
        let (whole, partial) = (take.join(id()), take.join(format!("{}#12", id())));
        let foreign = [
            root.path().join("#notes#"),
            take.join("c#1"),
            root.path().join("a#1"),
        ];
        for file in foreign.iter().chain([&whole, &partial]) {
            fs::write(file, b"x").expect("a file");
        }

        Blobs::open_local(root.path()).expect("a store");
        assert!(!partial.exists());
        assert!(whole.exists());
        assert!(foreign.iter().all(|file| file.exists()));
    }

    #[test]
    fn a_folder_has_one_owner() {
        let root = tempfile::tempdir().expect("a folder");
        let first = Blobs::open_local(root.path()).expect("a store");
        assert!(Blobs::open_local(root.path()).is_err());
        drop(first);
        Blobs::open_local(root.path())
            .map(drop)
            .expect("free again");
    }
}
