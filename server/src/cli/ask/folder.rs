//! The folder of one request: its token while it is open, and the evidence afterwards.
//! Only its owner may read it.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::cli::terminal::shell;

/// What is needed to go on with a request: a file of this name, until the request is deleted.
const REQUEST: &str = "request.json";

/// What was asked, byte for byte: a receipt has the digest of it.
pub(super) const PROMPT: &str = "prompt.txt";

/// The extension of a file that isn't whole.
const PARTIAL: &str = "part";

/// A request that was created.
// No `Debug`, which could log the token.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Ticket {
    pub server: String,
    pub id: String,
    pub submission_url: String,
    pub access_token: String,
    /// By the server's clock, in RFC 3339.
    pub expires_at: String,
    /// The same moment by this machine's clock, which may go wrong.
    #[serde(default)]
    pub until: Option<String>,
    /// The name of the video's file, once it is saved.
    #[serde(default)]
    pub saved: Option<String>,
}

impl Ticket {
    /// When the request ends, by this machine's clock.
    pub fn end(&self) -> anyhow::Result<Timestamp> {
        let end = self.until.as_ref().unwrap_or(&self.expires_at);
        end.parse().context("request.json has no time")
    }
}

pub(super) struct Folder {
    path: PathBuf,
    /// Locked as long as it is open: two commands would write into the same files.
    _lock: File,
}

impl Folder {
    /// Makes a folder that doesn't exist yet.
    pub fn create(path: &Path) -> io::Result<Self> {
        // An empty one is what a command leaves that was interrupted before it had anything to store. One that is still at
        // work has locked it.
        if let Ok(_lock) = lock(path) {
            let _ = fs::remove_dir(path);
        }
        DirBuilder::new().mode(0o700).create(path)?;
        let folder = Self {
            path: path.to_owned(),
            _lock: lock(path)?,
        };
        if let Some(parent) = path.parent() {
            sync(if parent.as_os_str().is_empty() {
                Path::new(".")
            } else {
                parent
            })?;
        }
        Ok(folder)
    }

    /// Opens the folder of a request that goes on.
    pub fn open(path: &Path) -> io::Result<(Self, Ticket)> {
        let lock = lock(path)?;
        let ticket = serde_json::from_slice(&fs::read(path.join(REQUEST))?)?;
        let folder = Self {
            path: path.to_owned(),
            _lock: lock,
        };
        Ok((folder, ticket))
    }

    /// Removes a folder in which no evidence was stored, so that the same command can be given again.
    pub fn discard(&self) {
        let own = |name: &str| [self.path.join(name), self.partial(name)];
        let own = [own(REQUEST), own(PROMPT)].concat();
        let entries = fs::read_dir(&self.path).into_iter().flatten();
        let mut others = entries.filter(|it| it.as_ref().is_ok_and(|it| !own.contains(&it.path())));
        if others.next().is_some() {
            return;
        }
        for file in own {
            // There may be none.
            let _ = fs::remove_file(file);
        }
        // What is left is empty; and the error that led here is the one to tell.
        let _ = fs::remove_dir(&self.path);
    }

    /// Stores what is needed to go on.
    pub fn note(&self, ticket: &Ticket) -> io::Result<()> {
        self.write(REQUEST, &serde_json::to_vec_pretty(ticket)?)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The command that goes on with its request, from any other folder.
    pub fn resume_command(&self) -> String {
        self.command("--resume")
    }

    /// The command that withdraws its request.
    pub fn cancel_command(&self) -> String {
        self.command("--cancel")
    }

    fn command(&self, option: &str) -> String {
        let path = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        let path = path.display().to_string();
        format!(
            "{} ask {option} {}",
            shell::this_program_trusting(),
            shell::word(&path)
        )
    }

    /// Whether its request may still be open.
    pub fn is_open(&self) -> bool {
        self.has(REQUEST)
    }

    /// What was asked. `None`: it isn't stored here.
    pub fn prompt(&self) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.path.join(PROMPT)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// Removes a file that was begun, and whose rest doesn't come: a full disk needs the room.
    pub fn abandon(&self, name: &str) {
        // The error that led here is the one to tell.
        let _ = fs::remove_file(self.partial(name));
    }

    /// Stores a file durably, in place of one of this name.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.begin(name)?;
        file.write_all(bytes)?;
        self.finish(name, &file, name)
    }

    /// Begins a file, which is there once it is [finished](Self::finish).
    pub fn begin(&self, name: &str) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600);
        options.open(self.partial(name))
    }

    /// Makes a whole file, which was begun as `begun`, durable, and gives it its name.
    pub fn finish(&self, begun: &str, file: &File, name: &str) -> io::Result<()> {
        file.sync_all()?;
        fs::rename(self.partial(begun), self.path.join(name))?;
        sync(&self.path)
    }

    /// Whether there is a file of this name.
    pub fn has(&self, name: &str) -> bool {
        self.path.join(name).is_file()
    }

    /// Gives a file another name.
    pub fn rename(&self, name: &str, other: &str) -> io::Result<()> {
        fs::rename(self.path.join(name), self.path.join(other))?;
        sync(&self.path)
    }

    /// Forgets the token of a request that is over, and what was saved of a file that is never whole.
    pub fn forget(&self) -> io::Result<()> {
        fs::remove_file(self.path.join(REQUEST))?;
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if path.extension().is_some_and(|it| it == PARTIAL) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    fn partial(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.{PARTIAL}"))
    }
}

/// Locks a folder, until the file is closed.
fn lock(folder: &Path) -> io::Result<File> {
    let file = File::open(folder)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another command is using it")),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn ticket() -> Ticket {
        Ticket {
            server: "http://127.0.0.1:3000/".to_owned(),
            id: "kX3bT9cQ2mZr8VnLw5YpHd".to_owned(),
            submission_url: "http://127.0.0.1:3000/r/kX3bT9cQ2mZr8VnLw5YpHd".to_owned(),
            access_token: "vidence_secret".to_owned(),
            expires_at: "2026-11-22T09:30:00Z".to_owned(),
            until: None,
            saved: None,
        }
    }

    #[test]
    fn the_token_file_is_private_and_deleted_after_use() {
        let parent = tempfile::tempdir().expect("a folder");
        let path = parent.path().join("evidence");
        let folder = Folder::create(&path).expect("a folder");
        folder.note(&ticket()).expect("room");
        let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&path.join(REQUEST))), (0o700, 0o600));
        assert!(Folder::open(&path).is_err(), "one command at a time");
        drop(folder);
        let (again, read) = Folder::open(&path).expect("a folder");
        assert_eq!(read.access_token, ticket().access_token);
        again.begin("video").expect("a file");
        again.forget().expect("a file");
        assert_eq!(fs::read_dir(&path).expect("a folder").count(), 0);
        drop(again);
        assert!(Folder::open(&path).is_err());
        fs::remove_dir(&path).expect("an empty folder");
    }

    #[test]
    fn only_an_empty_folder_that_no_command_uses_is_taken() {
        let parent = tempfile::tempdir().expect("a folder");
        let path = parent.path().join("evidence");
        fs::create_dir(&path).expect("a folder");
        let used = Folder::create(&path).expect("what an interrupted command left");
        assert!(Folder::create(&path).is_err(), "it is in use");
        used.write("video.webm", b"film").expect("room");
        drop(used);
        assert!(Folder::create(&path).is_err(), "it isn't overwritten");
    }

    #[test]
    fn a_file_is_named_only_when_complete() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = Folder::create(&parent.path().join("new")).expect("a folder");
        let mut file = folder.begin("video").expect("a file");
        file.write_all(b"half").expect("room");
        assert!(!folder.path().join("video.webm").exists());
        folder.finish("video", &file, "video.webm").expect("a name");
        let whole = fs::read(folder.path().join("video.webm"));
        assert_eq!(whole.expect("a file"), b"half");
    }
}
