//! The id of a blob folder, in a file of its own: a folder that isn't mounted doesn't have it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use rand::distr::{Alphanumeric, SampleString};

const FILE: &str = "id";

/// As long as the other ids, which can't be guessed: here it need only differ.
const LENGTH: usize = 22;

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
    let id = Alphanumeric.sample_string(&mut rand::rng(), LENGTH);
    let partial = folder.join("id.new");
    let mut file = File::create(&partial)?;
    writeln!(file, "{id}")?;
    file.sync_all()?;
    fs::rename(&partial, folder.join(FILE))?;
    File::open(folder)?.sync_all()?;
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
        assert_eq!(id.len(), LENGTH);
        assert_eq!(read(folder.path()).expect("a file"), Some(id));
    }
}
