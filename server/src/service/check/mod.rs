//! Holds rows against bytes, while servers may be running: everything that a row names must be there.
//!
//! Rows and objects come and go meanwhile, in an order that makes it tellable: an object is there before its
//! row, and goes after it. So what seems to be missing is looked at again at the end, and counts if a row still
//! names it. Not here: mending. What is missing can't be made up, and orphans go by themselves.

mod digests;

use futures_util::{StreamExt, TryStreamExt, stream};

use super::Error;
use crate::blobs::{Blobs, ObjectKey};
use crate::clock::Clock;
use crate::db::{Db, NamedObject, ObjectTable};
use crate::id::RequestId;
use crate::service::workers::orphan_gc;

/// Rows that are read in one go.
const BATCH: i64 = 500;

/// Objects that the store is asked about at a time.
const AT_A_TIME: usize = 16;

/// What was found.
#[derive(Debug, Default)]
pub struct Report {
    /// Objects that rows name.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Videos whose bytes were read and have the digests that they had when they were sealed.
    pub read: u64,
    /// What isn't as it must be.
    pub faults: Vec<Finding>,
    /// Objects that no row names, and that are too old for one to come. No fault: a server removes them.
    pub orphans: u64,
    /// Their bytes.
    pub orphan_bytes: u64,
}

/// Something that isn't as it must be.
#[derive(Debug)]
pub enum Finding {
    /// A row names an object that isn't there.
    Missing(ObjectKey),
    /// An object has another length than its row says.
    WrongLength(ObjectKey),
    /// The rows of a take of this request contradict each other.
    Manifest(RequestId),
    /// A video of this request has other bytes than were sealed.
    Digest(RequestId),
    /// What the database says about itself.
    Database(String),
}

/// An object that isn't as its row says.
struct Suspect {
    key: ObjectKey,
    is_there: bool,
}

/// Looks at everything. `deep`: reads all videos, too.
pub async fn check(db: &Db, blobs: &Blobs, clock: &Clock, deep: bool) -> Result<Report, Error> {
    let mut report = Report::default();
    let said = db.integrity_faults().await?.into_iter();
    report.faults.extend(said.map(Finding::Database));
    let mut suspects = Vec::new();
    for naming in ObjectTable::ALL {
        look_at(db, blobs, naming, &mut report, &mut suspects).await?;
    }
    if deep {
        digests::compare(db, blobs, &mut report).await?;
    }
    look_for_orphans(db, blobs, clock, &mut report).await?;
    look_at_manifests(db, &mut report).await?;
    look_again(db, suspects, &mut report).await?;
    Ok(report)
}

/// Compares each object that a table names with what the store has.
async fn look_at(
    db: &Db,
    blobs: &Blobs,
    naming: ObjectTable,
    report: &mut Report,
    suspects: &mut Vec<Suspect>,
) -> Result<(), Error> {
    let mut after = String::new();
    loop {
        let batch = db.objects_after(naming, &after, BATCH).await?;
        let Some(last) = batch.last() else {
            return Ok(());
        };
        after.clone_from(&last.object);
        report.objects += batch.len() as u64;
        report.bytes += batch.iter().map(|it| it.length).sum::<u64>();
        let asked = stream::iter(batch).map(|object| compare(blobs, object));
        let odd = asked.buffer_unordered(AT_A_TIME);
        let odd = odd.try_filter_map(|it| std::future::ready(Ok(it)));
        suspects.extend(odd.try_collect::<Vec<_>>().await?);
    }
}

async fn compare(blobs: &Blobs, object: NamedObject) -> Result<Option<Suspect>, Error> {
    let key = ObjectKey::from_manifest(&object.object);
    let found = blobs.length(&key).await?;
    Ok((found != Some(object.length)).then_some(Suspect {
        key,
        is_there: found.is_some(),
    }))
}

/// One that is gone by now has lost its row first.
async fn look_again(db: &Db, suspects: Vec<Suspect>, report: &mut Report) -> Result<(), Error> {
    for suspect in suspects {
        let key = suspect.key.as_str().to_owned();
        if db.objects_named(vec![key]).await?.is_empty() {
            continue;
        }
        report.faults.push(match suspect.is_there {
            true => Finding::WrongLength(suspect.key),
            false => Finding::Missing(suspect.key),
        });
    }
    Ok(())
}

/// By one statement, and so of one moment.
async fn look_at_manifests(db: &Db, report: &mut Report) -> Result<(), Error> {
    let broken = db.broken_manifests().await?;
    let ids = broken.iter().filter_map(|it| RequestId::parse(it));
    report.faults.extend(ids.map(Finding::Manifest));
    Ok(())
}

async fn look_for_orphans(
    db: &Db,
    blobs: &Blobs,
    clock: &Clock,
    report: &mut Report,
) -> Result<(), Error> {
    let mut orphans = std::pin::pin!(orphan_gc::find(db, blobs, clock));
    while let Some(orphan) = orphans.try_next().await? {
        // One of a removal that is under way lost its row between the listing and the question.
        if blobs.length(&orphan.key).await?.is_some() {
            report.orphans += 1;
            report.orphan_bytes += orphan.length;
        }
    }
    Ok(())
}
