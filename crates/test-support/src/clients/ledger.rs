//! The ledger of what the server has acknowledged, kept outside of it as the oracle of a test.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::recordings::content::Content;

/// A take, and what the server has acknowledged of it.
#[derive(Clone, Debug)]
pub struct Record {
    /// Id of its request.
    pub request: String,
    /// Access token of the request.
    pub token: String,
    /// Path of the take.
    pub take: String,
    /// Expected bytes.
    pub content: Content,
    /// Highest acknowledged offset.
    pub acknowledged: u64,
    /// Whether the server acknowledged it as complete.
    pub complete: bool,
    /// Its last acknowledged state.
    pub outcome: Outcome,
}

/// The last state of a take that the server has acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It can be continued or submitted.
    Open,
    /// Acknowledged as submitted.
    Submitted,
    /// Discarded by its uploader or the request's creator.
    Discarded,
    /// Acknowledged as deleted with its request.
    Deleted,
    /// Acknowledged to the operator as taken down.
    TakenDown,
}

/// Index of a record in its ledger.
#[derive(Clone, Copy, Debug)]
pub struct RecordId(usize);

/// The acknowledgements of one test, which must never be taken back.
#[derive(Default)]
pub struct Ledger {
    inner: Mutex<Inner>,
    attempts: AtomicU64,
}

#[derive(Default)]
struct Inner {
    records: Vec<Record>,
    appends: Vec<Append>,
}

/// An acknowledged append.
#[derive(Clone, Copy, Debug)]
pub struct Append {
    /// When its sender began to send it.
    pub sent: Instant,
    /// When its sender had the answer.
    pub answered: Instant,
    /// Its length in bytes.
    pub length: u64,
}

impl Ledger {
    /// Records a created take.
    pub fn record_take(
        &self,
        request: &str,
        token: &str,
        take: &str,
        content: Content,
    ) -> RecordId {
        let mut inner = self.inner.lock().expect("not poisoned");
        inner.records.push(Record {
            request: request.to_owned(),
            token: token.to_owned(),
            take: take.to_owned(),
            content,
            acknowledged: 0,
            complete: false,
            outcome: Outcome::Open,
        });
        RecordId(inner.records.len() - 1)
    }

    /// Records an acknowledged offset, and asserts that no earlier acknowledgement is taken back.
    pub fn record_offset(&self, record_id: RecordId, offset: u64, complete: bool) {
        self.update(record_id, |it| {
            let before = (it.acknowledged, it.complete);
            assert!(
                offset >= it.acknowledged && complete >= it.complete,
                "taken back: {before:?}, now {:?}: {it:?}",
                (offset, complete)
            );
            assert!(
                !it.complete || offset == it.acknowledged,
                "a complete take grew to {offset}: {it:?}"
            );
            it.acknowledged = offset;
            it.complete = complete;
        });
    }

    /// Counts an attempted append.
    pub fn count_attempt(&self) {
        self.attempts.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of attempted appends.
    pub fn attempts(&self) -> u64 {
        self.attempts.load(Ordering::Relaxed)
    }

    /// Records an acknowledged append.
    pub fn record_append(&self, sent: Instant, length: u64) {
        let answered = Instant::now();
        let append = Append {
            sent,
            answered,
            length,
        };
        let mut inner = self.inner.lock().expect("not poisoned");
        inner.appends.push(append);
    }

    /// Records the possible writers of the bytes from `start` on.
    pub fn record_writers(&self, record_id: RecordId, start: u64, seeds: Vec<u64>) {
        self.update(record_id, |it| {
            it.content.continue_with_any_of(start, seeds)
        });
    }

    /// Records the last state of a take.
    pub fn record_outcome(&self, record_id: RecordId, outcome: Outcome) {
        self.update(record_id, |it| it.outcome = outcome);
    }

    /// Copy of one record.
    pub fn get(&self, record_id: RecordId) -> Record {
        self.inner.lock().expect("not poisoned").records[record_id.0].clone()
    }

    /// Copies of all records.
    pub fn records(&self) -> Vec<Record> {
        self.inner.lock().expect("not poisoned").records.clone()
    }

    /// How many records have this outcome.
    pub fn count(&self, outcome: Outcome) -> u64 {
        let records = self.records();
        records.iter().filter(|it| it.outcome == outcome).count() as u64
    }

    /// All acknowledged appends.
    pub fn appends(&self) -> Vec<Append> {
        self.inner.lock().expect("not poisoned").appends.clone()
    }

    fn update(&self, record_id: RecordId, update: impl FnOnce(&mut Record)) {
        update(&mut self.inner.lock().expect("not poisoned").records[record_id.0]);
    }
}
