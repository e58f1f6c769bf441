//! The audit after a fault test: stored objects and rows against the ledger of acknowledgements.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use server::db::{Chunk, Db};
use server::id::TakeId;

use test_support::clients::ledger::{Ledger, Outcome, Record};

/// Object names in one query.
const BATCH: usize = 500;

/// Result of an audit.
#[derive(Debug, Default)]
pub struct Audit {
    /// Audited takes that must exist.
    pub takes: usize,
    /// Audited takes of which nothing may be left.
    pub removed: usize,
    /// Acknowledged bytes.
    pub acknowledged: u64,
    /// Acknowledged bytes that are missing.
    pub lost: u64,
    /// Objects with other bytes than were sent.
    pub differing: Vec<String>,
    /// Remains of what was acknowledged as removed.
    pub leftovers: Vec<String>,
    /// Other violations.
    pub violations: Vec<String>,
    /// Objects without a row. A kill during an upload may leave some, which the server removes later.
    pub orphans: Vec<String>,
}

impl Audit {
    /// Audits all objects, and all takes that weren't discarded.
    pub async fn run(db: &Db, files: Vec<PathBuf>, ledger: &Ledger) -> Self {
        let mut objects: BTreeMap<String, PathBuf> =
            files.into_iter().map(|file| (key(&file), file)).collect();
        let mut audit = Self::default();
        for record in ledger.records() {
            if record.outcome == Outcome::Discarded {
                continue;
            }
            let (_, id) = record.take.rsplit_once('/').expect("a path");
            let id = TakeId::parse(id).expect("an id");
            let chunks = manifest(db, &id).await;
            match record.outcome {
                Outcome::Deleted | Outcome::TakenDown => {
                    audit.check_removed(&record, &chunks, &objects)
                }
                _ => audit.check_take(&record, &chunks, &mut objects),
            }
        }
        // Objects of no known take.
        let left: Vec<String> = objects.into_keys().collect();
        for batch in left.chunks(BATCH) {
            let referenced = db.objects_named(batch.to_vec()).await.expect("rows");
            for key in batch {
                match referenced.contains(key) {
                    true => audit
                        .violations
                        .push(format!("{key} belongs to a take that is gone")),
                    false => audit.orphans.push(key.clone()),
                }
            }
        }
        audit
    }

    /// Counts rows and objects of a take whose removal is acknowledged.
    fn check_removed(
        &mut self,
        record: &Record,
        chunks: &[Chunk],
        objects: &BTreeMap<String, PathBuf>,
    ) {
        self.removed += 1;
        let folder = format!("{}/", record.request);
        let objects = objects.keys().filter(|it| it.starts_with(&folder)).count();
        if chunks.len() + objects > 0 {
            self.leftovers.push(format!(
                "{} chunks and {objects} objects of {record:?}",
                chunks.len()
            ));
        }
    }

    fn check_take(
        &mut self,
        record: &Record,
        chunks: &[Chunk],
        objects: &mut BTreeMap<String, PathBuf>,
    ) {
        let mut end = 0;
        for chunk in chunks {
            let (start, length) = (chunk.start, chunk.length);
            if start != end {
                self.violations
                    .push(format!("a manifest goes from {end} to {start}: {record:?}"));
            }
            let Some(file) = objects.remove(&chunk.object) else {
                self.violations
                    .push(format!("no object {}: {record:?}", chunk.object));
                break;
            };
            let found = fs::read(file).expect("a readable object");
            if found.len() as u64 != length {
                self.violations.push(format!(
                    "{} has {} bytes, not {length}: {record:?}",
                    chunk.object,
                    found.len()
                ));
                break;
            }
            if let Some(at) = record.content.first_difference(start, &found) {
                self.differing
                    .push(format!("{} at byte {at}: {record:?}", chunk.object));
            }
            end = start + length;
        }
        let wrong_length = record.complete && end != record.acknowledged;
        if wrong_length || (record.outcome == Outcome::Submitted && !record.complete) {
            self.violations.push(format!(
                "complete, or submitted, with {end} bytes: {record:?}"
            ));
        }
        self.takes += 1;
        self.acknowledged += record.acknowledged;
        self.lost += record.acknowledged.saturating_sub(end);
    }

    /// Asserts that nothing is violated, with at most this many orphans.
    pub fn assert_sound(&self, orphans: usize) {
        assert_eq!(self.lost, 0, "bytes are lost: {self:#?}");
        assert!(self.differing.is_empty(), "bytes differ: {self:#?}");
        assert!(self.leftovers.is_empty(), "not all is removed: {self:#?}");
        assert!(
            self.violations.is_empty(),
            "rows and objects contradict each other: {self:#?}"
        );
        assert!(self.orphans.len() <= orphans, "too many orphans: {self:#?}");
    }
}

/// The whole manifest, read in windows.
async fn manifest(db: &Db, id: &TakeId) -> Vec<Chunk> {
    let (mut chunks, mut at) = (Vec::new(), 0);
    loop {
        let window = db.take_chunks(id, at..u64::MAX).await.expect("a manifest");
        let Some(end) = window.last().map(|it| it.start + it.length) else {
            return chunks;
        };
        // A window behind the last chunk returns that chunk again.
        if end == at {
            return chunks;
        }
        chunks.extend(window);
        at = end;
    }
}

/// Key of an object: request, take and name, the last three parts of its path.
fn key(file: &std::path::Path) -> String {
    let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(3)..].join("/")
}
