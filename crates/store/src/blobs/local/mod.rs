//! A folder as the blob store: `{request}/{take}/{chunk}`.
//!
//! Objects are written and read by [`write`](self::write) and [`read`], and listed and removed by `object_store`.
//! Folders are created and removed here, because `object_store` doesn't do that durably: it syncs no removal.

pub(super) mod read;
mod write;

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use object_store::local::LocalFileSystem;
use tokio::sync::Semaphore;

use super::{Backend, BlobError, Blobs, DiskSpace, Inodes, ObjectKey};
use crate::blobs::data_dir;
use crate::clock::Millis;
use crate::disk;
use crate::id::{RequestId, TakeId};

/// The most concurrent reads that wait for the disk: enough to keep it busy.
const MAX_DISK_READS: usize = 16;

/// Other calls at a time, of the 512 threads for blocking work.
const MAX_CALLS: usize = 128;

/// The lock file.
const LOCK_FILE: &str = "lock";

/// A folder that is locked for this process, unless it was opened by [`LocalFolder::open_unlocked`].
#[derive(Debug)]
pub(super) struct LocalFolder {
    root: PathBuf,
    /// Permits for reads that wait for the disk.
    disk_reads: Arc<Semaphore>,
    /// Permits for other calls. A disk that hangs must leave threads for the database.
    pub(super) calls: Arc<Semaphore>,
    _lock: Option<File>,
}

impl Blobs {
    /// Opens and locks the folder `root`. Creates it for its owner alone if it doesn't exist.
    pub fn open_local(root: &Path) -> Result<Self, BlobError> {
        // Lists would end at that folder, which is for root alone.
        if root.join("lost+found").exists() {
            return Err(BlobError::WholeDisk(root.to_owned()));
        }
        Self::in_folder(root, LocalFolder::open(root))
    }

    /// Opens the folder `root` without locking it. A server may be writing to it.
    pub fn open_local_unlocked(root: &Path) -> Result<Self, BlobError> {
        Self::in_folder(root, LocalFolder::open_unlocked(root))
    }

    /// Whether the folder `root` has been opened as a blob store.
    pub fn has_been_opened(root: &Path) -> bool {
        root.join(LOCK_FILE).is_file()
    }

    fn in_folder(root: &Path, folder: io::Result<LocalFolder>) -> Result<Self, BlobError> {
        let folder = folder.map_err(|source| BlobError::Open {
            place: root.display().to_string(),
            source,
        })?;
        let store = LocalFileSystem::new_with_prefix(root)?;
        Ok(Self {
            store: Arc::new(store),
            backend: Backend::Local(Arc::new(folder)),
            streams: Arc::default(),
        })
    }
}

impl LocalFolder {
    fn open(root: &Path) -> io::Result<Self> {
        data_dir::open(root, &[LOCK_FILE])?;
        if let Some(parent) = root.parent() {
            sync(parent)?;
        }
        let lock = data_dir::lock(root, LOCK_FILE)?;
        let lock = lock.ok_or_else(|| io::Error::other("another vidence uses it"))?;
        Ok(Self {
            root: root.to_owned(),
            disk_reads: Arc::new(Semaphore::new(MAX_DISK_READS)),
            calls: Arc::new(Semaphore::new(MAX_CALLS)),
            _lock: Some(lock),
        })
    }

    fn open_unlocked(root: &Path) -> io::Result<Self> {
        if !Blobs::has_been_opened(root) {
            let message = "this is no blob folder of vidence";
            return Err(io::Error::new(ErrorKind::NotFound, message));
        }
        Ok(Self {
            root: root.to_owned(),
            disk_reads: Arc::new(Semaphore::new(MAX_DISK_READS)),
            calls: Arc::new(Semaphore::new(MAX_CALLS)),
            _lock: None,
        })
    }

    /// Opens an object for reading. May wait for the disk.
    fn open_object(&self, key: &ObjectKey) -> io::Result<File> {
        File::open(self.root.join(key.as_str()))
    }

    /// Opens an object for reading without waiting for the disk.
    /// `None`: the kernel hasn't cached the path, or can't tell.
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

    /// Checks that the folder still exists. `false`: it can't be written to.
    pub(super) fn ping(&self) -> io::Result<bool> {
        self.root.join(LOCK_FILE).metadata()?;
        Ok(!disk::is_read_only(&self.root)?)
    }

    /// The present time by the clock of the file system, which may be another machine's.
    /// On a full disk it may be the time of an earlier call.
    pub(super) fn now(&self) -> io::Result<Millis> {
        use rustix::fs::{Timespec, Timestamps, UTIME_NOW, futimens};
        use rustix::io::Errno;
        let lock = File::options()
            .write(true)
            .open(self.root.join(LOCK_FILE))?;
        let now = || Timespec {
            tv_sec: 0,
            tv_nsec: UTIME_NOW,
        };
        let touch = Timestamps {
            last_access: now(),
            last_modification: now(),
        };
        match futimens(&lock, &touch) {
            // Some file systems need a new block for it.
            Ok(()) | Err(Errno::NOSPC | Errno::DQUOT) => {}
            Err(error) => return Err(error.into()),
        }
        let modified = Timestamp::try_from(lock.metadata()?.modified()?);
        Ok(modified.map_err(io::Error::other)?.as_millisecond())
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
        let take = self.root.join(request.as_str()).join(take.as_str());
        self.create_take_folder(&take)
    }

    fn create_take_folder(&self, take: &Path) -> io::Result<()> {
        fs::create_dir_all(take)?;
        let folders = take.ancestors().skip(1);
        folders.take(2).try_for_each(sync)
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

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn the_root_of_a_disk_is_refused_as_blob_folder() {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir(root.path().join("lost+found")).expect("a folder");
        let refused = Blobs::open_local(root.path());
        assert!(matches!(refused, Err(BlobError::WholeDisk(_))));
        let folder = root.path().join("videos");
        Blobs::open_local(&folder).expect("a folder on it");
    }
}
