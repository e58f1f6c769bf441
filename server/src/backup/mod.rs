//! A copy of a database file and a folder of videos, taken while a server runs, and putting it back.
//!
//! Rows first, then bytes. Objects never change and go only after their rows, so of what the copied rows name
//! only that is missing by the time it is copied whose row has gone meanwhile: it was deleted, or expired, or
//! given up. Then the copied rows follow. The other way round a take that grows would have rows without bytes.
//!
//! Not here: PostgreSQL and buckets, which have ways of their own.

mod error;
mod manifest;
mod place;
mod restore;
mod take;

pub(crate) use error::BackupError;
pub(crate) use manifest::Manifest;
pub(crate) use restore::restore;
pub(crate) use take::take;

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::{StreamExt, stream};
use tokio_util::sync::CancellationToken;

use crate::blobs::{Blobs, ObjectKey};
use crate::db::{Db, NamedObject, Naming};
use crate::id::TakeId;

/// The copy of the rows, in a backup.
const ROWS: &str = "vidence.db";

/// The folder of the objects, in a backup.
const OBJECTS: &str = "blobs";

/// Rows that are worked on, until they are as they stay. A folder: SQLite keeps a log beside its file.
const UNFINISHED: &str = "unfinished";

/// Rows that are read in one go.
const BATCH: i64 = 500;

/// Objects that are copied at a time: most of that is waiting for the disk to have one.
const AT_A_TIME: usize = 8;

/// How many objects and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amount {
    objects: u64,
    bytes: u64,
}

/// Does something with every object that rows name, several at a time, until told to stop. What fails says so to
/// all of it, and what is under way ends before this returns: else it would go on to write.
async fn each_object<F>(
    db: &Db,
    stop: &CancellationToken,
    work: impl Fn(ObjectKey, u64) -> F + Copy,
) -> Result<Amount, BackupError>
where
    F: Future<Output = Result<(), BackupError>>,
{
    let mut amount = Amount::default();
    for naming in Naming::ALL {
        let mut after = String::new();
        loop {
            let batch = db.objects_after(naming, &after, BATCH).await?;
            let Some(last) = batch.last() else {
                break;
            };
            after.clone_from(&last.object);
            let work = |NamedObject { object, length }| async move {
                if stop.is_cancelled() {
                    return Err(BackupError::Interrupted);
                }
                let length = length.max(0).unsigned_abs();
                let done = work(ObjectKey::from_manifest(&object), length).await;
                done.inspect_err(|_| stop.cancel()).map(|()| length)
            };
            let done = stream::iter(batch).map(work).buffer_unordered(AT_A_TIME);
            // As they end, so the first failure is the reason of the others.
            for length in done.collect::<Vec<_>>().await {
                amount.objects += 1;
                amount.bytes += length?;
            }
        }
    }
    Ok(amount)
}

/// Copying from one folder of objects to another.
struct Copying<'a> {
    from: &'a Blobs,
    to: &'a Blobs,
    /// Takes whose folders are made.
    made: Mutex<HashSet<TakeId>>,
}

impl<'a> Copying<'a> {
    fn new(from: &'a Blobs, to: &'a Blobs) -> Self {
        Self {
            from,
            to,
            made: Mutex::default(),
        }
    }

    /// Copies an object, durably once its take's folder is. `false`: it isn't there, or not whole.
    async fn copy(&self, key: &ObjectKey, length: u64) -> Result<bool, BackupError> {
        if self.from.length(key).await? != Some(length) {
            return Ok(false);
        }
        let bytes = match self.from.read(key, 0..length).await {
            Ok(bytes) => bytes,
            // It has gone since.
            Err(_) if self.from.length(key).await?.is_none() => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let (request, take) = key.owner().ok_or(BackupError::Nameless)?;
        let first = hold(&self.made).insert(take.clone());
        if first {
            self.to.prepare_take(&request, &take).await?;
        }
        self.to.put(key, vec![bytes]).await?;
        Ok(true)
    }
}

/// Inserting is one step: as good after a panic as before.
fn hold<T>(set: &Mutex<T>) -> MutexGuard<'_, T> {
    set.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Copies a file durably, to where none is.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let mut target = File::create_new(to)?;
    io::copy(&mut File::open(from)?, &mut target)?;
    target.sync_all()
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
