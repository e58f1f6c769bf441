//! Taking a backup.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use tokio_util::sync::CancellationToken;

use super::place::Place;
use super::{
    Amount, BATCH, BackupError, Copying, Manifest, OBJECTS, ROWS, UNFINISHED, each_object, hold,
    sync_folder,
};
use crate::beside::{self, Stores};
use crate::blobs::{Blobs, ObjectKey};
use crate::clock::{Clock, Millis};
use crate::config::{BlobUrl, StoreArgs};
use crate::db::{Chunk, Db, RequestState, TakeState};
use crate::id::{RequestId, TakeId};
use crate::start::blob_place;

/// Copies rows and bytes of what the settings name to `dir`, where nothing may be. If it fails, or is told to
/// stop, nothing stays.
pub(crate) async fn take(
    store: &StoreArgs,
    dir: &Path,
    stop: &CancellationToken,
) -> Result<Manifest, BackupError> {
    if store.database_url.is_some() || matches!(blob_place(store), BlobUrl::Bucket(_)) {
        return Err(BackupError::Elsewhere);
    }
    let live = beside::open(store).await?;
    let place = Place::take(dir)?;
    let made_at = live.clock.now();
    let rows = copy_rows(&live.db, dir).await?;
    let taken = copy_objects(&live, rows, made_at, dir, stop).await?;
    place.keep();
    Ok(taken)
}

/// The rows as of one moment, open so that they can follow what happens after it.
async fn copy_rows(live: &Db, dir: &Path) -> Result<Db, BackupError> {
    let unfinished = dir.join(UNFINISHED);
    fs::create_dir(&unfinished).map_err(|error| BackupError::Folder(dir.to_owned(), error))?;
    let path = unfinished.join(ROWS);
    live.copy_into(&path).await?;
    Ok(Db::open_sqlite(&path).await?)
}

/// All that these rows name and that is still there, and what the rows are without the rest.
async fn copy_objects(
    live: &Stores,
    rows: Db,
    made_at: Millis,
    dir: &Path,
    stop: &CancellationToken,
) -> Result<Manifest, BackupError> {
    let objects = Blobs::open_local(&dir.join(OBJECTS))?;
    // Takes of which something has gone meanwhile.
    let gone: Mutex<HashSet<(RequestId, TakeId)>> = Mutex::default();
    let copying = Copying::new(&live.blobs, &objects);
    each_object(&rows, stop, |key, length| {
        let (gone, copying) = (&gone, &copying);
        async move {
            if !copying.copy(&key, length).await? {
                hold(gone).insert(key.owner().ok_or(BackupError::Nameless)?);
            }
            Ok(())
        }
    })
    .await?;
    let gone = std::mem::take(&mut *hold(&gone));
    for (request, take) in gone {
        follow_take(live, &rows, &copying, &request, &take).await?;
    }
    let requests = forget_what_is_over(&live.db, &rows, &objects).await?;

    // Counted anew, and each looked at where it lies now.
    let amount = each_object(&rows, stop, |key, length| {
        let objects = &objects;
        async move {
            match objects.length(&key).await? == Some(length) {
                true => Ok(()),
                false => Err(BackupError::Damaged),
            }
        }
    })
    .await?;
    finish(dir, rows, made_at, requests, amount).await
}

/// A take of which an object is gone: the person discarded it or submitted another one, nobody came back to it,
/// or its request is over; or its sealing has rewritten its chunks.
async fn follow_take(
    live: &Stores,
    rows: &Db,
    copying: &Copying<'_>,
    request: &RequestId,
    take: &TakeId,
) -> Result<(), BackupError> {
    let mut known = manifest(rows, take).await?;
    while let Some(row) = live.db.take_get(request, take).await? {
        let now = manifest(&live.db, take).await?;
        // Only what is complete is rewritten; then it grows no more.
        if now == known || row.state != TakeState::Complete {
            return Err(BackupError::Damaged);
        }
        let added = now.iter().filter(|it| !known.contains(it));
        let mut all_there = true;
        for chunk in added {
            let key = ObjectKey::from_manifest(&chunk.object);
            all_there &= copying
                .copy(&key, chunk.length.max(0).unsigned_abs())
                .await?;
        }
        let removed = known.iter().filter(|it| !now.contains(it));
        let removed = removed.map(|it| ObjectKey::from_manifest(&it.object));
        copying.to.remove_all(removed.collect()).await;
        rows.chunks_copy(row, now.clone()).await?;
        known = now;
        if all_there {
            return Ok(());
        }
    }
    rows.take_drop(take).await?;
    Ok(copying.to.remove_take(request, take).await?)
}

fn end(chunk: &Chunk) -> i64 {
    chunk.start + chunk.length
}

/// All rows of a take, in their order.
async fn manifest(db: &Db, take: &TakeId) -> Result<Vec<Chunk>, BackupError> {
    let (mut chunks, mut at) = (Vec::new(), 0);
    loop {
        let window = db.take_chunks(take, at..i64::MAX).await?;
        match window.last() {
            // Behind the last one, that one is found again.
            Some(last) if end(last) > at => at = end(last),
            _ => return Ok(chunks),
        }
        chunks.extend(window);
    }
}

/// What was deleted, taken down or expired while this went on, or before and still had its bytes, must not come back:
/// its rows become what they are by now, and its bytes go. Returns how many requests are left that aren't over.
async fn forget_what_is_over(live: &Db, rows: &Db, objects: &Blobs) -> Result<u64, BackupError> {
    // An expiry was seen, whatever clock says so.
    let at_the_end_of_time = Clock::anchored(Millis::MAX);
    let (mut after, mut alive) = (String::new(), 0);
    loop {
        let batch = rows.requests_with_bytes_after(&after, BATCH).await?;
        let Some(last) = batch.last() else {
            return Ok(alive);
        };
        after = last.to_string();
        let over = live.requests_ended(&batch).await?;
        alive += (batch.len() - over.len()) as u64;
        for (request, state, taken_down_at) in over {
            let id = request.clone();
            match (state, taken_down_at) {
                (_, Some(at)) => drop(rows.request_take_down(id, &Clock::anchored(at)).await?),
                (RequestState::Deleted, None) => drop(rows.request_delete(id).await?),
                (_, None) => drop(rows.request_expire(id, &at_the_end_of_time).await?),
            }
            rows.request_forget_takes(request.clone()).await?;
            objects.remove_request(&request).await?;
            rows.request_bytes_gone(request).await?;
        }
    }
}

/// Copies the rows once more, so that nothing of what they forgot is left between them; then the manifest.
async fn finish(
    dir: &Path,
    rows: Db,
    made_at: Millis,
    requests: u64,
    amount: Amount,
) -> Result<Manifest, BackupError> {
    rows.copy_into(&dir.join(ROWS)).await?;
    drop(rows);
    let close = || {
        fs::File::open(dir.join(ROWS))?.sync_all()?;
        fs::remove_dir_all(dir.join(UNFINISHED))?;
        sync_folder(dir)?;
        let manifest = Manifest::of(dir, made_at, requests, amount)?;
        manifest.write(dir)?;
        Ok(manifest)
    };
    close().map_err(|error| BackupError::Folder(dir.to_owned(), error))
}

#[cfg(test)]
mod tests;
