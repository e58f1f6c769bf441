//! Whether a disk takes writes.

use std::fs::File;
use std::io::{self, ErrorKind};
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
