//! A folder for its owner alone: prompts and videos are private.

use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{self, Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Makes a folder, with those above it, or shuts others out of one that is there: if it is for us. Marked
/// as ours it is by the file `mark`. `--data-dir /tmp` is a slip, and taking that folder from everybody
/// would be a worse one. Returns the folders that it made, which survive a power cut: the innermost first.
pub(crate) fn open(dir: &Path, mark: &str) -> io::Result<Vec<PathBuf>> {
    const OTHERS: u32 = 0o077;
    let made = make(dir)?;
    if fs::metadata(dir)?.permissions().mode() & OTHERS == 0 {
        return Ok(made);
    }
    // A file: `/var` holds a link of the most obvious name.
    let marked = fs::symlink_metadata(dir.join(mark)).is_ok_and(|it| it.is_file());
    if !marked && holds_anything(dir)? {
        let message = "it holds other things and is open to other users; name an empty folder";
        return Err(io::Error::other(message));
    }
    fs::set_permissions(dir, Permissions::from_mode(0o700))?;
    Ok(made)
}

fn make(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let dir = path::absolute(dir)?;
    let missing = dir.ancestors().take_while(|it| !it.exists());
    let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    DirBuilder::new().recursive(true).mode(0o700).create(&dir)?;
    for parent in missing.iter().filter_map(|it| it.parent()) {
        File::open(parent)?.sync_all()?;
    }
    Ok(missing)
}

/// Locks the file `mark` in a folder, for as long as it is open. `None`: another process has it, and keeps it.
///
/// For a moment one may have it that is on its way to becoming something else: whatever a vidence that has just
/// ended was starting, a decoder say, holds all its files until it has begun.
pub(crate) fn lock(dir: &Path, mark: &str) -> io::Result<Option<File>> {
    const PATIENCE: Duration = Duration::from_secs(2);
    const PAUSE: Duration = Duration::from_millis(20);
    let file = File::create(dir.join(mark))?;
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if began.elapsed() > PATIENCE => return Ok(None),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
        }
    }
}

/// Besides what a fresh file system is born with.
fn holds_anything(dir: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(dir)? {
        if entry?.file_name() != "lost+found" {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(dir: &Path) -> u32 {
        let metadata = fs::metadata(dir).expect("a folder");
        metadata.permissions().mode() & 0o777
    }

    #[test]
    fn an_empty_folder_becomes_private_and_somebody_elses_stays_as_it_is() {
        let root = tempfile::tempdir().expect("a folder");
        let dir = root.path().join("a/b");
        let made = open(&dir, "mark").expect("a new folder");
        assert_eq!(made, [dir.clone(), root.path().join("a")]);
        assert_eq!(mode(&dir), 0o700);

        let open_to_all = Permissions::from_mode(0o755);
        fs::set_permissions(&dir, open_to_all.clone()).expect("permissions");
        let made = open(&dir, "mark").expect("an empty folder");
        assert!(made.is_empty());
        assert_eq!(mode(&dir), 0o700);

        fs::write(dir.join("theirs"), b"").expect("a file");
        fs::set_permissions(&dir, open_to_all).expect("permissions");
        open(&dir, "mark").expect_err("somebody else's");
        assert_eq!(mode(&dir), 0o755);
        fs::create_dir(dir.join("mark")).expect("a folder");
        open(&dir, "mark").expect_err("no mark of ours");
        fs::remove_dir(dir.join("mark")).expect("no folder");
        fs::write(dir.join("mark"), b"").expect("a file");
        open(&dir, "mark").expect("ours");
        assert_eq!(mode(&dir), 0o700);
    }
}
