//! Which calls fail, and how.

use std::collections::{BTreeSet, VecDeque};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rustix::io::Errno;

use crate::environment::failing_disk::FailingDisk;
use test_support::scale::seeded_rng;

/// How a disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// One call finds it full.
    FullOnce,
    /// One call finds it broken.
    BrokenOnce,
    /// It is full from one call on, until it gets room.
    FullFrom,
}

/// One run: the fault, and the number of the call with which it begins.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub fault: Fault,
    pub call: u64,
}

impl Case {
    /// Of these calls so many that fail, for each fault: first one call of each kind.
    pub fn sample(calls: &[String], count: usize) -> VecDeque<Self> {
        let faults = [Fault::FullOnce, Fault::BrokenOnce, Fault::FullFrom];
        let faults = faults.into_iter().zip(0..);
        let cases = faults.flat_map(|(fault, number)| {
            let sample = sample(calls, count, &mut seeded_rng(number));
            sample.into_iter().map(move |call| Self { fault, call })
        });
        cases.collect()
    }

    /// From now on calls are counted, and fail as this says.
    pub fn begin(self, disk: &FailingDisk) {
        match self.fault {
            Fault::FullOnce => disk.fail_once(self.call, Errno::NOSPC),
            Fault::BrokenOnce => disk.fail_once(self.call, Errno::IO),
            Fault::FullFrom => disk.fail_from(self.call, Errno::NOSPC),
        }
    }
}

/// From now on calls are counted, and none fails.
pub fn count_calls(disk: &FailingDisk) {
    disk.fail_from(u64::MAX, Errno::NOSPC);
}

/// Kinds of the calls since they were counted.
pub fn counted_calls(disk: &FailingDisk) -> Vec<String> {
    (1..=disk.calls()).map(|it| kind(&disk.call(it))).collect()
}

/// Kind of a call: without the ids in its path.
pub fn kind(call: &str) -> String {
    let (name, path) = call.split_once(' ').unwrap_or_default();
    let place = match path.strip_prefix("/blobs") {
        Some(below) => ["blobs", "request", "take", "object"][below.matches('/').count().min(3)],
        None => path.trim_start_matches('/'),
    };
    format!("{name} {place}")
}

fn sample(calls: &[String], count: usize, rng: &mut StdRng) -> Vec<u64> {
    let mut numbers: Vec<usize> = (0..calls.len()).collect();
    numbers.shuffle(rng);
    let mut kinds = BTreeSet::new();
    let (firsts, others): (Vec<usize>, Vec<usize>) = numbers
        .into_iter()
        .partition(|it| kinds.insert(&calls[*it]));
    let sample = firsts.into_iter().chain(others).take(count);
    sample.map(|it| it as u64 + 1).collect()
}
