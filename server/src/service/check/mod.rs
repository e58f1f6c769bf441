//! Integrity check: compares rows with objects, while servers may be running.
//!
//! Rows and objects change meanwhile, in an order that makes the result certain: an object exists before its row, and
//! is removed after it. So a missing object is checked again at the end, and counts as missing if a row still names it.
//! The check repairs nothing: missing bytes can't be recreated, and servers remove orphans. It marks videos whose bytes
//! have changed, and changes nothing else.

mod digests;

use futures_util::{StreamExt, TryStreamExt, stream};

use super::Error;
use crate::blobs::{BlobError, Blobs, ObjectKey};
use crate::clock::Clock;
use crate::db::{Db, NamedObject, ObjectTable};
use crate::id::RequestId;
use crate::service::workers::orphan_gc;

/// Number of rows per query.
const BATCH: i64 = 500;

/// The most objects that can't be read of a store that isn't away.
const MAX_UNREADABLE: usize = 20;

/// Number of concurrent queries of the store.
const AT_A_TIME: usize = 16;

/// Result of an integrity check.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// Objects that rows name.
    pub objects: u64,
    /// Total size of these objects in bytes.
    pub bytes: u64,
    /// Videos that were read and have the digests of their seals.
    pub read: u64,
    /// Faults that were found.
    pub faults: Vec<Finding>,
    /// Objects that no row names, and that are too old to get one.
    ///
    /// They are no fault: a server removes them.
    pub orphans: u64,
    /// Total size of the orphans in bytes.
    pub orphan_bytes: u64,
    /// Why the check broke off; what it had found by then is above. `None`: it looked at everything.
    pub broken_off: Option<Error>,
}

/// A fault in the stored data.
#[derive(Debug)]
pub enum Finding {
    /// A row names an object that isn't there.
    Missing(ObjectKey),
    /// An object has another length than its row says.
    WrongLength(ObjectKey),
    /// The store fails for an object.
    Unreadable(ObjectKey),
    /// The store fails for a part of a video of this request.
    UnreadableVideo(RequestId),
    /// The rows of a take of this request contradict each other.
    Manifest(RequestId),
    /// A video of this request doesn't have the digests of its seal.
    Digest(RequestId),
    /// A picture doesn't have the digest in its key.
    /// A server notices that by itself, and serves none of it.
    Picture(ObjectKey),
    /// Message of the database's own integrity check.
    Database(String),
}

/// What is wrong with an object.
enum Fault {
    Missing,
    WrongLength,
    Changed,
    Unreadable(BlobError),
}

/// An object that isn't as its row says.
struct Suspect {
    key: ObjectKey,
    fault: Fault,
}

/// Checks all rows and objects.
/// `deep`: reads all videos and pictures, verifies their digests, and marks the videos that have changed.
pub async fn check(db: &Db, blobs: &Blobs, clock: &Clock, deep: bool) -> CheckReport {
    let (mut report, mut suspects) = (CheckReport::default(), Vec::new());
    let compared = compare_all(db, blobs, clock, deep, (&mut report, &mut suspects)).await;
    let rechecked = recheck_suspects(db, suspects, &mut report).await;
    report.broken_off = compared.and(rechecked).err();
    report
}

async fn compare_all(
    db: &Db,
    blobs: &Blobs,
    clock: &Clock,
    deep: bool,
    (report, suspects): (&mut CheckReport, &mut Vec<Suspect>),
) -> Result<(), Error> {
    // From the database alone, and so whatever the store does.
    let faults = db.integrity_faults().await?.into_iter();
    report.faults.extend(faults.map(Finding::Database));
    check_manifests(db, report).await?;
    for &table in ObjectTable::ALL {
        let is_picture = matches!(table, ObjectTable::Stills | ObjectTable::ContactSheets);
        let is_read = deep && is_picture;
        check_objects(db, blobs, table, is_read, (&mut *report, &mut *suspects)).await?;
    }
    if deep {
        digests::compare(db, blobs, clock, report).await?;
    }
    count_orphans(db, blobs, clock, report).await
}

/// Compares each object that a table names with the store. `is_read`: its bytes as well.
async fn check_objects(
    db: &Db,
    blobs: &Blobs,
    table: ObjectTable,
    is_read: bool,
    (report, suspects): (&mut CheckReport, &mut Vec<Suspect>),
) -> Result<(), Error> {
    let mut after = String::new();
    loop {
        let batch = db.objects_after(table, &after, BATCH).await?;
        let Some(last) = batch.last() else {
            return Ok(());
        };
        after.clone_from(&last.object);
        report.objects += batch.len() as u64;
        report.bytes += batch.iter().map(|it| it.length).sum::<u64>();
        let asked = stream::iter(batch).map(|object| compare(blobs, object, is_read));
        let odd = asked.buffer_unordered(AT_A_TIME);
        let mut odd = odd.filter_map(std::future::ready);
        while let Some(suspect) = odd.next().await {
            suspects.push(suspect);
            give_up_if_away(suspects)?;
        }
    }
}

async fn compare(blobs: &Blobs, object: NamedObject, is_read: bool) -> Option<Suspect> {
    let key = ObjectKey::from_manifest(&object.object);
    let fault = match blobs.length(&key).await {
        Ok(Some(length)) if length != object.length => Fault::WrongLength,
        Ok(Some(_)) if !is_read => return None,
        Ok(Some(length)) => match blobs.read_whole(&key, length).await {
            Ok(_) => return None,
            Err(BlobError::Changed) => Fault::Changed,
            Err(error) if error.is_damage() => Fault::Missing,
            Err(error) => Fault::Unreadable(error),
        },
        Ok(None) => Fault::Missing,
        Err(error) => Fault::Unreadable(error),
    };
    Some(Suspect { key, fault })
}

/// A bad sector makes a few objects unreadable.
/// Where many are, the store is away, and the check would say nothing.
fn give_up_if_away(suspects: &mut Vec<Suspect>) -> Result<(), Error> {
    let is_unreadable = |it: &&Suspect| matches!(it.fault, Fault::Unreadable(_));
    if suspects.iter().filter(is_unreadable).count() <= MAX_UNREADABLE {
        return Ok(());
    }
    match suspects.pop() {
        Some(Suspect {
            fault: Fault::Unreadable(error),
            ..
        }) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Reports suspects that a row still names. For others, the row was deleted before the object.
async fn recheck_suspects(
    db: &Db,
    suspects: Vec<Suspect>,
    report: &mut CheckReport,
) -> Result<(), Error> {
    for suspect in suspects {
        let key = suspect.key.as_str().to_owned();
        if db.objects_named(vec![key]).await?.is_empty() {
            continue;
        }
        report.faults.push(match suspect.fault {
            Fault::Missing => Finding::Missing(suspect.key),
            Fault::WrongLength => Finding::WrongLength(suspect.key),
            Fault::Changed => Finding::Picture(suspect.key),
            Fault::Unreadable(_) => Finding::Unreadable(suspect.key),
        });
    }
    Ok(())
}

/// Checks the manifests with one query, and so at one point in time.
async fn check_manifests(db: &Db, report: &mut CheckReport) -> Result<(), Error> {
    let broken = db.broken_manifests().await?;
    let ids = broken.iter().filter_map(|it| RequestId::parse(it));
    report.faults.extend(ids.map(Finding::Manifest));
    Ok(())
}

async fn count_orphans(
    db: &Db,
    blobs: &Blobs,
    clock: &Clock,
    report: &mut CheckReport,
) -> Result<(), Error> {
    let mut orphans = std::pin::pin!(orphan_gc::find(db, blobs, clock.confirmed()));
    while let Some(orphan) = orphans.try_next().await? {
        // An object of a removal in progress lost its row between the listing and the query.
        if !matches!(blobs.length(&orphan.key).await, Ok(None)) {
            report.orphans += 1;
            report.orphan_bytes += orphan.length;
        }
    }
    Ok(())
}
