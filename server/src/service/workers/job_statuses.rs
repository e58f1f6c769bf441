//! When each periodic job succeeded last.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use crate::clock::Millis;

/// Status of each periodic job by name. Cheap to clone.
#[derive(Clone, Default)]
pub struct JobStatuses(Arc<Mutex<BTreeMap<&'static str, JobStatus>>>);

/// Status of one periodic job.
#[derive(Clone, Copy, Debug)]
pub struct JobStatus {
    /// Time of its last success; of its first start if it hasn't succeeded yet.
    pub since: Instant,
    /// Time of its last success by the clock. `None`: it hasn't succeeded yet.
    pub succeeded_at: Option<Millis>,
}

impl JobStatuses {
    pub(super) fn begin(&self, name: &'static str) {
        self.0.lock().entry(name).or_insert_with(|| JobStatus {
            since: Instant::now(),
            succeeded_at: None,
        });
    }

    pub(super) fn succeeded(&self, name: &'static str, at: Millis) {
        let status = JobStatus {
            since: Instant::now(),
            succeeded_at: Some(at),
        };
        self.0.lock().insert(name, status);
    }

    /// Status of each job that has begun.
    pub fn all(&self) -> BTreeMap<&'static str, JobStatus> {
        self.0.lock().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_as_old_as_its_last_success_or_its_first_start() {
        let jobs = JobStatuses::default();
        assert!(jobs.all().is_empty());
        let status = || jobs.all()["sweep"];
        jobs.begin("sweep");
        let first = status();
        assert_eq!(first.succeeded_at, None);
        jobs.begin("sweep");
        assert_eq!(status().since, first.since, "it hasn't succeeded since");
        jobs.succeeded("sweep", 7);
        let success = status();
        assert_eq!(success.succeeded_at, Some(7));
        assert!(success.since >= first.since);
        jobs.begin("sweep");
        assert_eq!(status().since, success.since);
        assert_eq!(status().succeeded_at, Some(7));
    }
}
