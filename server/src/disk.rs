//! Whether a disk takes writes.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::SystemTime;

/// Whether the file system of a folder is read-only.
///
/// Linux makes a file system read-only when it has failed. Not all file systems show that in their options, and
/// everything can still be opened and read, so only a write tells. This one sets the time of the folder's last
/// modification: it takes no space, and changes nothing that anyone reads.
pub(crate) fn is_read_only(folder: &Path) -> io::Result<bool> {
    let written = File::open(folder)?.set_modified(SystemTime::now());
    Ok(written.is_err_and(|it| it.kind() == ErrorKind::ReadOnlyFilesystem))
}
