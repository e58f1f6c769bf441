//! Counters of calls and failures.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Failures that are printed; others are only counted.
const PRINTED: usize = 20;

/// Counters of a run.
#[derive(Default)]
pub struct Counters {
    calls: Mutex<BTreeMap<&'static str, u64>>,
    failed: AtomicUsize,
    lifecycles: AtomicUsize,
    expired: AtomicUsize,
}

impl Counters {
    /// Counts a call.
    pub fn count_call(&self, what: &'static str) {
        let mut calls = self.calls.lock().expect("not poisoned");
        *calls.entry(what).or_default() += 1;
    }

    /// Number of calls.
    pub fn calls(&self) -> u64 {
        let calls = self.calls.lock().expect("not poisoned");
        calls.values().sum()
    }

    /// Counts the end of a lifecycle, and prints a failure.
    pub fn count_lifecycle(&self, outcome: anyhow::Result<()>) {
        self.lifecycles.fetch_add(1, Ordering::Relaxed);
        if let Err(error) = outcome
            && self.failed.fetch_add(1, Ordering::Relaxed) < PRINTED
        {
            eprintln!("a lifecycle failed: {error:#}");
        }
    }

    /// Counts a request that was left to expire.
    pub fn count_expired(&self) {
        self.expired.fetch_add(1, Ordering::Relaxed);
    }

    pub fn failed(&self) -> usize {
        self.failed.load(Ordering::Relaxed)
    }

    pub fn lifecycles(&self) -> usize {
        self.lifecycles.load(Ordering::Relaxed)
    }

    /// One line with the number of each call and of expired requests.
    pub fn summary(&self) -> String {
        let calls = self.calls.lock().expect("not poisoned");
        let counts: Vec<String> = calls
            .iter()
            .map(|(what, count)| format!("{what} {count}"))
            .collect();
        format!(
            "{} requests, of which {} were left to expire; answers: {}",
            self.lifecycles(),
            self.expired.load(Ordering::Relaxed),
            counts.join(", ")
        )
    }
}
