//! The file of the private key.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tracing::warn;

use super::key::{InvalidKey, NoRandomness, ReceiptKey, random_seed, to_pem};
use crate::disk;

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file can't be read or written.
    #[error("can't use the key of receipts {}", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// The file holds no such key.
    #[error("can't use the key of receipts {}", .0.display())]
    Invalid(PathBuf, #[source] InvalidKey),
    /// No key can be made.
    #[error("can't make a key of receipts")]
    NoRandomness(#[from] NoRandomness),
}

/// Reads the key in this file, and says if others may read it.
pub fn read(file: &Path) -> Result<(ReceiptKey, Option<String>), KeyFileError> {
    let (pem, mode) =
        read_with_mode(file).map_err(|error| KeyFileError::Io(file.to_owned(), error))?;
    let warning = is_shared(mode).then(|| {
        format!(
            "others than its owner may read or change the key of receipts {} (mode {:o}), and sign with it",
            file.display(),
            mode & 0o777,
        )
    });
    let key = ReceiptKey::from_pem(&pem);
    let key = key.map_err(|error| KeyFileError::Invalid(file.to_owned(), error))?;
    Ok((key, warning))
}

/// Reads the key in this file, and warns if others may read it.
pub fn read_and_warn(file: &Path) -> Result<ReceiptKey, KeyFileError> {
    let (key, warning) = read(file)?;
    if let Some(warning) = warning {
        warn!("{warning}");
    }
    Ok(key)
}

fn read_with_mode(file: &Path) -> io::Result<(Vec<u8>, u32)> {
    let mut file = File::open(file)?;
    let mut pem = Vec::new();
    file.read_to_end(&mut pem)?;
    Ok((pem, file.metadata()?.permissions().mode()))
}

/// Whether others than the owner of a file may do anything with it.
pub(super) const fn is_shared(mode: u32) -> bool {
    mode & 0o077 != 0
}

/// Reads the key in this file, or makes one if there is none. The caller has locked the folder.
///
/// The file is complete and durable, and for its owner alone, before it has its name: a receipt that was given away must
/// stay verifiable after a crash.
pub fn create_or_read(file: &Path) -> Result<ReceiptKey, KeyFileError> {
    match read_and_warn(file) {
        Err(KeyFileError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
            let pem = to_pem(&random_seed()?);
            disk::create_private(file, pem.as_bytes())
                .map_err(|error| KeyFileError::Io(file.to_owned(), error))?;
            read_and_warn(file)
        }
        key => key,
    }
}
