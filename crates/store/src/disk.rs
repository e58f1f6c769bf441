//! Whether a disk takes writes, and files that a crash leaves whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::SystemTime;

/// Whether the file system of a folder is read-only. An error: it can be neither read nor written.
///
/// Linux makes a file system read-only when it has failed. Not all file systems show that in their options, and
/// everything can still be opened and read, so only a write tells. This one sets the time of the folder's last
/// modification: it takes no space, and changes nothing that anyone reads.
pub(crate) fn is_read_only(folder: &Path) -> io::Result<bool> {
    match File::open(folder)?.set_modified(SystemTime::now()) {
        Err(error) if error.kind() == ErrorKind::ReadOnlyFilesystem => Ok(true),
        // A disk that is full, or a folder of another user, whose files this program may well write.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::StorageFull | ErrorKind::PermissionDenied
            ) =>
        {
            Ok(false)
        }
        // Such as a failed device.
        written => written.map(|()| false),
    }
}

/// Creates a file with these contents, for its owner alone and durably: after a crash it is whole, or not there.
pub fn create_private(file: &Path, contents: &[u8]) -> io::Result<()> {
    let partial = file.with_extension("new");
    match fs::remove_file(&partial) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        // A crash has left it.
        _ => {}
    }
    let mut writer = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&partial)?;
    writer.write_all(contents)?;
    writer.sync_all()?;
    fs::rename(&partial, file)?;
    File::open(file.parent().unwrap_or(Path::new(".")))?.sync_all()
}
