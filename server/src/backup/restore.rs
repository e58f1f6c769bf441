//! Putting a backup back.

use std::fs;
use std::path::Path;

use super::{
    BackupError, Copying, Manifest, OBJECTS, ROWS, UNFINISHED, copy_file, each_object, is_empty,
    sync_folder,
};
use crate::blobs::Blobs;
use crate::config::{BlobUrl, StoreArgs};
use crate::db::Db;
use crate::private_dir;
use crate::start::{LOCK, StartError, blob_place, database_file};

/// Copies the backup in `dir` to where the settings say, where nothing may be, and looks at all of it first. If
/// anything of it is missing, or this fails, nothing stays.
pub(crate) async fn restore(store: &StoreArgs, dir: &Path) -> Result<Manifest, BackupError> {
    let (None, BlobUrl::Folder(folder)) = (&store.database_url, blob_place(store)) else {
        return Err(BackupError::Elsewhere);
    };
    let data_dir = &store.data_dir;
    let manifest = Manifest::read(dir)?;
    for (place, but) in [(data_dir, LOCK), (&folder, LOCK)] {
        let empty = is_empty(place, but);
        if !empty.map_err(|error| BackupError::Folder(place.clone(), error))? {
            return Err(BackupError::NotEmpty(place.clone()));
        }
    }
    let made = [data_dir, &folder].map(|place| (place.clone(), place.exists()));
    let _lock = lock(data_dir)?;
    let filled = fill(data_dir, &folder, dir, &manifest).await;
    if filled.is_err() {
        // Whatever becomes of this, the reason counts.
        for (place, was_there) in made {
            let _ = match was_there {
                true => empty(&place),
                false => fs::remove_dir_all(&place),
            };
        }
    }
    filled.map(|()| manifest)
}

fn lock(data_dir: &Path) -> Result<fs::File, StartError> {
    let unusable = |error| StartError::DataDir(data_dir.to_owned(), error);
    private_dir::open(data_dir, LOCK).map_err(unusable)?;
    let locked = private_dir::lock(data_dir, LOCK).map_err(unusable)?;
    locked.ok_or_else(|| StartError::Locked(data_dir.to_owned()))
}

async fn fill(
    data_dir: &Path,
    folder: &Path,
    dir: &Path,
    manifest: &Manifest,
) -> Result<(), BackupError> {
    let unusable = |error| BackupError::Folder(data_dir.to_owned(), error);
    let unfinished = data_dir.join(UNFINISHED);
    fs::create_dir(&unfinished).map_err(unusable)?;
    // To ask is to write, a log at least, and the backup stays as it is.
    let working = unfinished.join(ROWS);
    copy_file(&dir.join(ROWS), &working).map_err(unusable)?;
    let rows = Db::open_sqlite(&working).await?;
    let from = Blobs::open_local_beside(&dir.join(OBJECTS))?;
    let incomplete = || BackupError::NoBackup(dir.to_owned(), "an object is missing or not whole");
    let amount = each_object(&rows, |key, length| {
        let from = &from;
        async move {
            let there = from.length(&key).await? == Some(length);
            there.then_some(()).ok_or_else(incomplete)
        }
    })
    .await?;
    if !manifest.agrees(amount) {
        return Err(incomplete());
    }

    let to = Blobs::open_local(folder)?;
    let copying = Copying::new(&from, &to);
    each_object(&rows, |key, length| {
        let copying = &copying;
        async move {
            let copied = copying.copy(&key, length).await?;
            copied.then_some(()).ok_or_else(incomplete)
        }
    })
    .await?;
    // Their first object expects a folder that is there to stay.
    for (request, take) in rows.takes_empty().await? {
        to.prepare_take(&request, &take).await?;
    }
    drop(rows);
    let file = database_file(data_dir);
    let close = || {
        // Under its own name when it is whole, and when all that it names is there.
        let whole = unfinished.join("whole");
        copy_file(&dir.join(ROWS), &whole)?;
        fs::rename(&whole, &file)?;
        fs::remove_dir_all(&unfinished)?;
        sync_folder(data_dir)
    };
    close().map_err(unusable)
}

/// But for the lock, which is somebody's as long as it is held.
fn empty(place: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(place)? {
        let path = entry?.path();
        match path.is_dir() {
            true if path.ends_with("lost+found") => {}
            true => fs::remove_dir_all(path)?,
            false if path.ends_with(LOCK) => {}
            false => fs::remove_file(path)?,
        }
    }
    Ok(())
}
