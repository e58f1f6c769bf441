//! The id of a blob folder, in a file of its own: a folder that isn't mounted doesn't have it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::disk;
use crate::id::FolderId;

const FILE: &str = "id";

/// Reads the id of this folder. `None`: there is no folder, or it has none.
pub(super) fn read(folder: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(folder.join(FILE)) {
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Gives this folder an id, durably, and returns it.
pub(super) fn create(folder: &Path) -> io::Result<String> {
    let id = FolderId::random().as_str().to_owned();
    disk::create_private(&folder.join(FILE), format!("{id}\n").as_bytes())?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_keeps_the_id_that_it_was_given() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read(&folder.path().join("none")).expect("no error"), None);
        assert_eq!(read(folder.path()).expect("no error"), None);
        let id = create(folder.path()).expect("an id");
        assert!(FolderId::parse(&id).is_some(), "{id}");
        assert_eq!(read(folder.path()).expect("a file"), Some(id));
    }
}
