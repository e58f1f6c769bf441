//! Putting a backup back.

use std::fs;
use std::path::Path;

use tokio_util::sync::CancellationToken;

use super::place::Place;
use super::{
    BackupError, Copying, Manifest, OBJECTS, ROWS, UNFINISHED, copy_file, each_object, sync_folder,
};
use crate::blobs::Blobs;
use crate::config::{BlobUrl, StoreArgs};
use crate::db::Db;
use crate::start::{blob_place, database_file};

/// Copies the backup in `dir` to where the settings say, where nothing may be, and looks first whether all of it
/// is there. If anything is missing, or this fails or is told to stop, nothing stays.
pub(crate) async fn restore(
    store: &StoreArgs,
    dir: &Path,
    stop: &CancellationToken,
) -> Result<Manifest, BackupError> {
    let (None, BlobUrl::Folder(folder)) = (&store.database_url, blob_place(store)) else {
        return Err(BackupError::Elsewhere);
    };
    let manifest = Manifest::read(dir)?;
    // The videos may lie within the data folder: so they are undone before it.
    let data = Place::take(&store.data_dir)?;
    let videos = Place::take(&folder)?;
    fill(&store.data_dir, &folder, dir, &manifest, stop).await?;
    videos.keep();
    data.keep();
    Ok(manifest)
}

async fn fill(
    data_dir: &Path,
    folder: &Path,
    dir: &Path,
    manifest: &Manifest,
    stop: &CancellationToken,
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
    let amount = each_object(&rows, stop, |key, length| {
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

    // Locked already.
    let to = Blobs::open_local_beside(folder)?;
    let copying = Copying::new(&from, &to);
    each_object(&rows, stop, |key, length| {
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
