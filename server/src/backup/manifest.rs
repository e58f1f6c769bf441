//! What a backup says about itself. Written last: where there is one, all else is there.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Amount, BackupError, ROWS, sync_folder};
use crate::clock::{Millis, rfc3339};

const NAME: &str = "manifest.json";

/// Counts the ways in which backups are laid out.
const FORMAT: u32 = 1;

/// A backup, in numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: u32,
    /// The version of the program that took it.
    pub(crate) vidence: String,
    /// When its rows were true.
    pub(crate) made_at: String,
    /// Requests that were not over then.
    pub(crate) requests: u64,
    /// Objects of their recordings.
    pub(crate) objects: u64,
    /// Bytes of all objects.
    pub(crate) bytes: u64,
    /// SHA-256 of the database file, in hexadecimal.
    rows_sha256: String,
}

/// What every manifest says.
#[derive(Deserialize)]
struct Layout {
    format: u32,
}

impl Manifest {
    /// Of the backup in `dir`, whose rows are as they stay.
    pub(super) fn of(
        dir: &Path,
        made_at: Millis,
        requests: u64,
        amount: Amount,
    ) -> io::Result<Self> {
        Ok(Self {
            format: FORMAT,
            vidence: env!("CARGO_PKG_VERSION").to_owned(),
            made_at: rfc3339(made_at),
            requests,
            objects: amount.objects,
            bytes: amount.bytes,
            rows_sha256: sha256(&dir.join(ROWS))?,
        })
    }

    /// Makes the backup in `dir` complete.
    pub(super) fn write(&self, dir: &Path) -> io::Result<()> {
        let staged = dir.join("manifest.json.new");
        let mut file = File::create_new(&staged)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        sync_folder(dir)?;
        fs::rename(&staged, dir.join(NAME))?;
        sync_folder(dir)
    }

    /// What the backup in `dir` says, if its rows are those that were written.
    pub(super) fn read(dir: &Path) -> Result<Self, BackupError> {
        let none = |why| BackupError::NoBackup(dir.to_owned(), why);
        let unusable = |error| BackupError::Folder(dir.to_owned(), error);
        let text = match fs::read(dir.join(NAME)) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(none("manifest.json is missing"));
            }
            text => text.map_err(unusable)?,
        };
        let unreadable = |_| none("manifest.json can't be read");
        // First: of all else nobody knows how a later one says it.
        let laid_out: Layout = serde_json::from_slice(&text).map_err(unreadable)?;
        if laid_out.format > FORMAT {
            return Err(none("a newer vidence took it"));
        }
        let manifest: Self = serde_json::from_slice(&text).map_err(unreadable)?;
        match sha256(&dir.join(ROWS)) {
            Ok(sha256) if sha256 == manifest.rows_sha256 => Ok(manifest),
            Ok(_) => Err(none("vidence.db isn't what was written")),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(none("vidence.db is missing")),
            Err(error) => Err(unusable(error)),
        }
    }

    /// Whether that is what its rows name.
    pub(super) fn agrees(&self, amount: Amount) -> bool {
        (self.objects, self.bytes) == (amount.objects, amount.bytes)
    }
}

fn sha256(file: &Path) -> io::Result<String> {
    let mut reader = BufReader::with_capacity(64 << 10, File::open(file)?);
    let mut digest = Sha256::new();
    loop {
        let piece = reader.fill_buf()?;
        if piece.is_empty() {
            break;
        }
        digest.update(piece);
        let length = piece.len();
        reader.consume(length);
    }
    let digest = digest.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
