//! A folder to be filled: empty, and ours alone meanwhile. Unless it is kept it becomes again what it was.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::BackupError;
use crate::private_dir;
use crate::start::LOCK;

/// One that is empty again, or gone if it wasn't there, when this is dropped: half a copy of people's videos is
/// nothing that anybody should find.
pub(super) struct Place {
    dir: PathBuf,
    /// Folders that weren't there, the innermost first.
    made: Vec<PathBuf>,
    kept: bool,
    _lock: File,
}

impl Place {
    /// Takes a folder that is empty, or makes one. What isn't empty stays as it is, and what is somebody's, too.
    pub(super) fn take(dir: &Path) -> Result<Self, BackupError> {
        let unusable = |error| BackupError::Folder(dir.to_owned(), error);
        let must_be_empty = || match contents(dir).map_err(unusable)?.is_empty() {
            true => Ok(()),
            false => Err(BackupError::NotEmpty(dir.to_owned())),
        };
        must_be_empty()?;
        let made = private_dir::open(dir, LOCK).map_err(unusable)?;
        let lock = private_dir::lock(dir, LOCK).map_err(unusable)?;
        let lock = lock.ok_or_else(|| BackupError::InUse(dir.to_owned()))?;
        // Whoever had it until now may have filled it.
        must_be_empty()?;
        Ok(Self {
            dir: dir.to_owned(),
            made,
            kept: false,
            _lock: lock,
        })
    }

    /// Lets what is in it stay.
    pub(super) fn keep(mut self) {
        self.kept = true;
    }

    fn undo(&self) -> io::Result<()> {
        for path in contents(&self.dir)? {
            match path.symlink_metadata()?.is_dir() {
                true => fs::remove_dir_all(path)?,
                false => fs::remove_file(path)?,
            }
        }
        if !self.made.is_empty() {
            fs::remove_file(self.dir.join(LOCK))?;
        }
        self.made.iter().try_for_each(fs::remove_dir)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        if let Err(error) = self.undo() {
            // Why this is done is told elsewhere, and who reads that believes that nothing stays.
            let dir = self.dir.display();
            let _ = writeln!(io::stderr(), "remove what is left in {dir}: {error}");
        }
    }
}

/// Besides its lock, and what fresh file systems are born with.
fn contents(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if name != LOCK && name != "lost+found" {
            found.push(entry.path());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What somebody puts there.
    fn fill(dir: &Path) {
        fs::create_dir(dir.join("some")).expect("a folder");
        for name in ["some/file", "another"] {
            fs::write(dir.join(name), b"x").expect("a file");
        }
    }

    #[test]
    fn what_is_not_kept_is_as_it_was() {
        let root = tempfile::tempdir().expect("a folder");
        let new = root.path().join("a/b");
        let place = Place::take(&new).expect("a new folder");
        fill(&new);
        drop(place);
        assert!(!root.path().join("a").exists());

        let there = root.path().join("there");
        fs::create_dir_all(there.join("lost+found")).expect("folders");
        let place = Place::take(&there).expect("an empty folder");
        fill(&there);
        drop(place);
        assert!(there.join("lost+found").exists());
        assert!(contents(&there).expect("entries").is_empty());

        let place = Place::take(&there).expect("an empty folder");
        fill(&there);
        place.keep();
        assert!(there.join("some/file").exists());
    }

    #[test]
    fn what_is_somebodys_stays_as_it_is() {
        let root = tempfile::tempdir().expect("a folder");
        let theirs = Place::take(root.path()).expect("an empty folder");
        let refused = Place::take(root.path());
        assert!(matches!(refused, Err(BackupError::InUse(_))));
        fill(root.path());
        let refused = Place::take(root.path());
        assert!(matches!(refused, Err(BackupError::NotEmpty(_))));
        assert!(root.path().join("some/file").exists());
        theirs.keep();
    }
}
