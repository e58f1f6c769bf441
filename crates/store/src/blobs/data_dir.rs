//! A private folder with a lock file: prompts and videos are only for the folder's owner.

use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{self, Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Creates a folder and its parents durably, or makes an existing folder private (mode 0700).
/// Returns the created folders, the innermost first.
///
/// A non-empty folder that others may access must contain one of the files `marks`, which show that it is Vidence's: with
/// `--data-dir /tmp` by mistake, this function must not lock other users out of that folder.
pub fn open(dir: &Path, marks: &[&str]) -> io::Result<Vec<PathBuf>> {
    const OTHERS: u32 = 0o077;
    let created = create(dir)?;
    if fs::metadata(dir)?.permissions().mode() & OTHERS == 0 {
        return Ok(created);
    }
    // Not a symbolic link: `/var/lock` is one.
    let is_file = |mark| fs::symlink_metadata(dir.join(mark)).is_ok_and(|it| it.is_file());
    if !marks.iter().any(is_file) && !is_empty(dir)? {
        let message = "it holds other things and is open to other users; name an empty folder, or close it to them";
        return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, message));
    }
    fs::set_permissions(dir, Permissions::from_mode(0o700))?;
    Ok(created)
}

fn create(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let dir = path::absolute(dir)?;
    let missing = dir.ancestors().take_while(|it| !it.exists());
    let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    DirBuilder::new().recursive(true).mode(0o700).create(&dir)?;
    for parent in missing.iter().filter_map(|it| it.parent()) {
        File::open(parent)?.sync_all()?;
    }
    Ok(missing)
}

/// Locks the file `mark` in a folder until the returned file is closed.
/// `None`: another process holds the lock.
///
/// Retries for two seconds: a child process that a vidence was starting when it ended, such as a decoder, holds its
/// files until it executes its own program.
pub fn lock(dir: &Path, mark: &str) -> io::Result<Option<File>> {
    const TIMEOUT: Duration = Duration::from_secs(2);
    const PAUSE: Duration = Duration::from_millis(20);
    let file = File::create(dir.join(mark))?;
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if began.elapsed() > TIMEOUT => return Ok(None),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
        }
    }
}

/// Whether a folder is empty, except for `lost+found` of a new file system.
fn is_empty(dir: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(dir)? {
        if entry?.file_name() != "lost+found" {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(dir: &Path) -> u32 {
        let metadata = fs::metadata(dir).expect("a folder");
        metadata.permissions().mode() & 0o777
    }

    #[test]
    fn an_empty_folder_becomes_private_and_a_used_one_keeps_its_mode() {
        let root = tempfile::tempdir().expect("a folder");
        let dir = root.path().join("a/b");
        let created = open(&dir, &["other", "mark"]).expect("a new folder");
        assert_eq!(created, [dir.clone(), root.path().join("a")]);
        assert_eq!(mode(&dir), 0o700);

        let open_to_all = Permissions::from_mode(0o755);
        fs::set_permissions(&dir, open_to_all.clone()).expect("permissions");
        let created = open(&dir, &["other", "mark"]).expect("an empty folder");
        assert!(created.is_empty());
        assert_eq!(mode(&dir), 0o700);

        fs::write(dir.join("theirs"), b"").expect("a file");
        fs::set_permissions(&dir, open_to_all).expect("permissions");
        open(&dir, &["other", "mark"]).expect_err("another owner's");
        assert_eq!(mode(&dir), 0o755);
        fs::create_dir(dir.join("mark")).expect("a folder");
        open(&dir, &["other", "mark"]).expect_err("no mark of ours");
        fs::remove_dir(dir.join("mark")).expect("no folder");
        fs::write(dir.join("mark"), b"").expect("a file");
        open(&dir, &["other", "mark"]).expect("ours");
        assert_eq!(mode(&dir), 0o700);
    }
}
