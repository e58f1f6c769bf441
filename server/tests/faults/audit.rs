//! After everything: what is stored, against what was acknowledged and what the manifest names.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use server::db::{Chunk, Db};
use server::id::TakeId;

use test_support::ledger::{Fate, Ledger, Record};

/// Names asked for in one query.
const BATCH: usize = 500;

/// What an audit found.
#[derive(Debug, Default)]
pub struct Audit {
    /// Takes that were looked at, but for those that were removed.
    pub takes: usize,
    /// Takes of which nothing may be left.
    pub removed: usize,
    /// Bytes that were acknowledged.
    pub acknowledged: u64,
    /// Bytes of those that aren't there.
    pub lost: u64,
    /// Objects that don't hold what was sent.
    pub differing: Vec<String>,
    /// Of requests that were removed. A server that was killed meanwhile removes the rest when it starts.
    pub left: Vec<String>,
    /// Whatever else is not as it must be.
    pub faults: Vec<String>,
    /// Objects that no manifest names. Where a server was killed in mid-upload there may be some; the
    /// server removes them when they are old.
    pub orphans: Vec<String>,
}

impl Audit {
    /// Looks at every object and at every take that wasn't thrown away.
    pub async fn of(db: &Db, files: Vec<PathBuf>, ledger: &Ledger) -> Self {
        let mut objects: BTreeMap<String, PathBuf> =
            files.into_iter().map(|file| (key(&file), file)).collect();
        let mut audit = Self::default();
        for record in ledger.records() {
            if record.fate == Fate::Discarded {
                continue;
            }
            let (_, id) = record.take.rsplit_once('/').expect("a path");
            let id = TakeId::parse(id).expect("an id");
            let chunks = manifest(db, &id).await;
            match record.fate {
                Fate::Deleted | Fate::TakenDown => audit.nothing(&record, &chunks, &objects),
                _ => audit.take(&record, &chunks, &mut objects),
            }
        }
        // What is left belongs to no take that we know.
        let left: Vec<String> = objects.into_keys().collect();
        for batch in left.chunks(BATCH) {
            let named = db.objects_named(batch.to_vec()).await.expect("rows");
            for key in batch {
                match named.contains(key) {
                    true => audit
                        .faults
                        .push(format!("{key} belongs to a take that is gone")),
                    false => audit.orphans.push(key.clone()),
                }
            }
        }
        audit
    }

    /// Of what is acknowledged as removed neither rows nor bytes are left.
    fn nothing(&mut self, record: &Record, chunks: &[Chunk], objects: &BTreeMap<String, PathBuf>) {
        self.removed += 1;
        let folder = format!("{}/", record.request);
        let objects = objects.keys().filter(|it| it.starts_with(&folder)).count();
        if chunks.len() + objects > 0 {
            self.left.push(format!(
                "{} chunks and {objects} objects of {record:?}",
                chunks.len()
            ));
        }
    }

    fn take(&mut self, record: &Record, chunks: &[Chunk], objects: &mut BTreeMap<String, PathBuf>) {
        let mut end = 0;
        for chunk in chunks {
            let (start, length) = (chunk.start.unsigned_abs(), chunk.length.unsigned_abs());
            if start != end {
                self.faults
                    .push(format!("a manifest goes from {end} to {start}: {record:?}"));
            }
            let Some(file) = objects.remove(&chunk.object) else {
                self.faults
                    .push(format!("no object {}: {record:?}", chunk.object));
                break;
            };
            let found = fs::read(file).expect("a readable object");
            if found.len() as u64 != length {
                self.faults.push(format!(
                    "{} has {} bytes, not {length}: {record:?}",
                    chunk.object,
                    found.len()
                ));
                break;
            }
            if let Some(at) = record.content.difference(start, &found) {
                self.differing
                    .push(format!("{} at byte {at}: {record:?}", chunk.object));
            }
            end = start + length;
        }
        let over = record.complete && end != record.acknowledged;
        if over || (record.fate == Fate::Submitted && !record.complete) {
            self.faults.push(format!(
                "complete, or submitted, with {end} bytes: {record:?}"
            ));
        }
        self.takes += 1;
        self.acknowledged += record.acknowledged;
        self.lost += record.acknowledged.saturating_sub(end);
    }

    /// Checks that everything is as it must be, with no more than so many orphans.
    pub fn assert_sound(&self, orphans: usize) {
        assert_eq!(self.lost, 0, "bytes are lost: {self:#?}");
        assert!(self.differing.is_empty(), "bytes differ: {self:#?}");
        assert!(self.left.is_empty(), "not all is removed: {self:#?}");
        assert!(self.faults.is_empty(), "{self:#?}");
        assert!(self.orphans.len() <= orphans, "too many orphans: {self:#?}");
    }
}

/// All of it, a window at a time.
async fn manifest(db: &Db, id: &TakeId) -> Vec<Chunk> {
    let (mut chunks, mut at) = (Vec::new(), 0);
    loop {
        let window = db.take_chunks(id, at..i64::MAX).await.expect("a manifest");
        let Some(end) = window.last().map(|it| it.start + it.length) else {
            return chunks;
        };
        // Behind the last one, that one is found again.
        if end == at {
            return chunks;
        }
        chunks.extend(window);
        at = end;
    }
}

/// Request, take and object: the last three parts of its path.
fn key(file: &std::path::Path) -> String {
    let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(3)..].join("/")
}
