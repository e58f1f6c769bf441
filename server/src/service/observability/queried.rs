//! What is queried for a scrape: rows of the database, and space of the disk.

use crate::blobs::DiskSpace;
use crate::clock::Millis;
use crate::db::{Backlog, Db, DbError, Queue, RequestState};
use crate::service::observability::cache::Cache;

/// Caches of the queried values: of the database, and of the disk with the videos, each of which may be away. Cheap to
/// clone.
#[derive(Clone, Default)]
pub struct SnapshotCaches {
    pub(super) rows: Cache<QueriedRows>,
    pub(super) space: Cache<DiskSpace>,
}

/// Counts of rows. Ages are in milliseconds, and 0 where nothing waits.
#[derive(Debug, PartialEq, Eq)]
pub struct RowCounts {
    /// Requests in each stored state.
    pub requests: Vec<(&'static str, i64)>,
    /// Time for which the removal of a request has been overdue.
    pub overdue: Millis,
    /// Length of each queue of jobs by the name of the work, and the age of its oldest job.
    pub queues: [(&'static str, i64, Millis); Queue::ALL.len()],
    /// Open reports, and the age of the oldest.
    pub reports: (i64, Millis),
}

#[derive(Clone)]
pub(super) struct QueriedRows {
    requests: Vec<(RequestState, i64)>,
    overdue_since: Option<Millis>,
    work: Vec<Backlog>,
    /// The open reports, and the time of the oldest.
    reports: (i64, Option<Millis>),
}

impl QueriedRows {
    pub(super) async fn load(db: &Db, confirmed: Millis) -> Result<Self, DbError> {
        Ok(Self {
            requests: db.requests_by_state().await?,
            overdue_since: db.requests_overdue_since(confirmed).await?,
            work: db.backlogs().await?,
            reports: db.reports_backlog().await?,
        })
    }

    pub(super) fn counts(&self, now: Millis, confirmed: Millis) -> RowCounts {
        // A clock that stepped back makes nothing younger than new.
        let age = |now: Millis, since: Option<Millis>| since.map_or(0, |it| (now - it).max(0));
        let requests = RequestState::ALL.iter().map(|state| {
            let found = self.requests.iter().find(|it| it.0 == *state);
            (state.as_str(), found.map_or(0, |it| it.1))
        });
        let (open_reports, oldest_report) = self.reports;
        RowCounts {
            requests: requests.collect(),
            overdue: age(confirmed, self.overdue_since),
            queues: Queue::ALL.map(|queue| {
                let waiting = self.work.iter().find(|it| it.queue == queue);
                let oldest = age(now, waiting.and_then(|it| it.since));
                (queue.work(), waiting.map_or(0, |it| it.count), oldest)
            }),
            reports: (open_reports, age(now, oldest_report)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queried(overdue_since: Option<Millis>, due_since: Option<Millis>) -> QueriedRows {
        QueriedRows {
            requests: vec![(RequestState::Submitted, 3)],
            overdue_since,
            work: vec![Backlog {
                queue: Queue::Seal,
                count: 2,
                since: due_since,
            }],
            reports: (2, due_since),
        }
    }

    #[test]
    fn a_backlog_has_its_size_and_its_age() {
        let counts = queried(Some(10_000), Some(9000)).counts(20_000, 12_500);
        assert!(counts.requests.contains(&("submitted", 3)));
        assert!(counts.requests.contains(&("expired", 0)));
        assert_eq!(counts.overdue, 2500);
        let queues = [("seal", 2, 11_000), ("stills", 0, 0), ("transcript", 0, 0)];
        assert_eq!(counts.queues, queues);
        assert_eq!(counts.reports, (2, 11_000));
    }

    #[test]
    fn no_age_is_negative_after_a_clock_stepped_back() {
        for queried in [queried(Some(10_000), Some(9000)), queried(None, None)] {
            let counts = queried.counts(8000, 8000);
            let ages = (counts.overdue, counts.reports.1, counts.queues[0].2);
            assert_eq!(ages, (0, 0, 0));
        }
    }
}
