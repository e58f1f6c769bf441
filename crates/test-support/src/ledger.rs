//! What the server has acknowledged, written down outside of it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::content::Content;

/// A take, and what its sender was told about it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The request that it answers.
    pub request: String,
    /// The request's secret.
    pub token: String,
    /// The take.
    pub take: String,
    /// What it should hold.
    pub content: Content,
    /// How many bytes were called safe.
    pub acknowledged: u64,
    /// Whether that was called all of it.
    pub complete: bool,
    /// What became of it.
    pub fate: Fate,
}

/// How a take ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is still there to be continued or submitted.
    Open,
    /// Its sender was told that it was submitted.
    Submitted,
    /// Its sender, or the request's creator, threw it away.
    Discarded,
    /// Its creator was told that the request is deleted.
    Deleted,
    /// The operator was told that the request is taken down.
    TakenDown,
}

/// Names a record of a ledger.
#[derive(Clone, Copy, Debug)]
pub struct Entry(usize);

/// The ledger. What is written into it can only grow.
#[derive(Default)]
pub struct Ledger {
    inner: Mutex<Inner>,
    tried: AtomicU64,
}

#[derive(Default)]
struct Inner {
    records: Vec<Record>,
    appends: Vec<Append>,
}

/// An append that was acknowledged.
#[derive(Clone, Copy, Debug)]
pub struct Append {
    /// When its sender began to send it.
    pub sent: Instant,
    /// When its sender had the answer.
    pub answered: Instant,
    /// How many bytes it brought.
    pub length: u64,
}

impl Ledger {
    /// Writes down that a take was begun.
    pub fn begun(&self, request: &str, token: &str, take: &str, content: Content) -> Entry {
        let mut inner = self.inner.lock().expect("no panic elsewhere");
        inner.records.push(Record {
            request: request.to_owned(),
            token: token.to_owned(),
            take: take.to_owned(),
            content,
            acknowledged: 0,
            complete: false,
            fate: Fate::Open,
        });
        Entry(inner.records.len() - 1)
    }

    /// Writes down that `offset` bytes were called safe, in answer to an append or a question, and
    /// checks that nothing said before is taken back.
    pub fn acknowledged(&self, entry: Entry, offset: u64, complete: bool) {
        self.change(entry, |it| {
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

    /// Counts an append, whatever becomes of it.
    pub fn tries(&self) {
        self.tried.fetch_add(1, Ordering::Relaxed);
    }

    /// How many appends there were.
    pub fn tried(&self) -> u64 {
        self.tried.load(Ordering::Relaxed)
    }

    /// Writes down that an append was acknowledged.
    pub fn appended(&self, sent: Instant, length: u64) {
        let answered = Instant::now();
        let append = Append {
            sent,
            answered,
            length,
        };
        let mut inner = self.inner.lock().expect("no panic elsewhere");
        inner.appends.push(append);
    }

    /// Writes down who may have written the bytes from `start` on.
    pub fn continued(&self, entry: Entry, start: u64, seeds: Vec<u64>) {
        self.change(entry, |it| it.content.continued(start, seeds));
    }

    /// Writes down what became of a take.
    pub fn ended(&self, entry: Entry, fate: Fate) {
        self.change(entry, |it| it.fate = fate);
    }

    /// A take as it stands.
    pub fn get(&self, entry: Entry) -> Record {
        self.inner.lock().expect("no panic elsewhere").records[entry.0].clone()
    }

    /// All of them.
    pub fn records(&self) -> Vec<Record> {
        self.inner
            .lock()
            .expect("no panic elsewhere")
            .records
            .clone()
    }

    /// Every append that was acknowledged.
    pub fn appends(&self) -> Vec<Append> {
        self.inner
            .lock()
            .expect("no panic elsewhere")
            .appends
            .clone()
    }

    fn change(&self, entry: Entry, change: impl FnOnce(&mut Record)) {
        change(&mut self.inner.lock().expect("no panic elsewhere").records[entry.0]);
    }
}
