//! What was asked and what went wrong, counted.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Failures that are told in full. The others are counted.
const TOLD: usize = 20;

/// Counts of a run.
#[derive(Default)]
pub struct Tally {
    answers: Mutex<BTreeMap<&'static str, u64>>,
    failed: AtomicUsize,
    stories: AtomicUsize,
    expired: AtomicUsize,
}

impl Tally {
    /// Something was asked, and answered.
    pub fn answered(&self, what: &'static str) {
        let mut answers = self.answers.lock().expect("no panic elsewhere");
        *answers.entry(what).or_default() += 1;
    }

    /// How much was answered.
    pub fn answers(&self) -> u64 {
        let answers = self.answers.lock().expect("no panic elsewhere");
        answers.values().sum()
    }

    /// A request has come to its end, as it should or not.
    pub fn ended(&self, ended: anyhow::Result<()>) {
        self.stories.fetch_add(1, Ordering::Relaxed);
        if let Err(error) = ended
            && self.failed.fetch_add(1, Ordering::Relaxed) < TOLD
        {
            eprintln!("not as it should be: {error:#}");
        }
    }

    /// A request was left to itself, and its time is over.
    pub fn expired(&self) {
        self.expired.fetch_add(1, Ordering::Relaxed);
    }

    pub fn failed(&self) -> usize {
        self.failed.load(Ordering::Relaxed)
    }

    pub fn stories(&self) -> usize {
        self.stories.load(Ordering::Relaxed)
    }

    /// What was answered how often, and how many requests ended by time.
    pub fn summary(&self) -> String {
        let answers = self.answers.lock().expect("no panic elsewhere");
        let counts: Vec<String> = answers
            .iter()
            .map(|(what, count)| format!("{what} {count}"))
            .collect();
        format!(
            "{} requests, of which {} were left to expire; answers: {}",
            self.stories(),
            self.expired.load(Ordering::Relaxed),
            counts.join(", ")
        )
    }
}
