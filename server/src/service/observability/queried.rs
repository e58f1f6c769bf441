//! Gauges of what is queried for a scrape: rows of the database, and space of the disk.

use crate::blobs::DiskSpace;
use crate::clock::Millis;
use crate::config::LimitArgs;
use crate::db::{Backlog, Queue, RequestState};
use crate::service::observability::cache::Cache;
use crate::service::quota::storage_limits::{max_stored_bytes, min_free_files};
use crate::telemetry::Exposition;
use crate::telemetry::names::{
    DISK_FLOOR, DISK_FLOOR_FILES, DISK_FREE, DISK_FREE_FILES, DISK_SIZE, OVERDUE, REPORTS_OLDEST,
    REPORTS_OPEN, REQUEST_COUNT, SEALING_QUEUE, SEALING_QUEUE_OLDEST, STORED_LIMIT,
};

/// Caches of the queried values: of the database, and of the disk with the videos, each of which may be away. Cheap to
/// clone.
#[derive(Clone, Default)]
pub struct Gauges {
    pub(super) rows: Cache<Counted>,
    pub(super) space: Cache<DiskSpace>,
}

#[derive(Clone)]
pub(super) struct Counted {
    pub requests: Vec<(RequestState, i64)>,
    pub overdue_since: Option<Millis>,
    pub work: Vec<Backlog>,
    /// The open reports, and the time of the oldest.
    pub reports: (i64, Option<Millis>),
}

impl Counted {
    pub fn write(&self, (now, confirmed): (Millis, Millis), to: &mut Exposition) {
        for state in RequestState::ALL {
            let found = self.requests.iter().find(|it| it.0 == *state);
            let count = found.map_or(0, |it| it.1);
            to.set_for(REQUEST_COUNT, &[("state", state.as_str())], count);
        }
        let overdue = self.overdue_since;
        let overdue = overdue.map_or(0, |since| confirmed - since);
        to.set(OVERDUE, seconds(overdue.max(0)));
        let waiting =
            Queue::ALL.map(|queue| (queue.work(), self.work.iter().find(|it| it.queue == queue)));
        for (name, waiting) in waiting {
            let count = waiting.map_or(0, |it| it.count);
            to.set_for(SEALING_QUEUE, &[("work", name)], count);
        }
        for (name, waiting) in waiting {
            let since = waiting.and_then(|it| it.since);
            let oldest = since.map_or(0, |since| now - since);
            to.set_for(
                SEALING_QUEUE_OLDEST,
                &[("work", name)],
                seconds(oldest.max(0)),
            );
        }
        let (open, since) = self.reports;
        to.set(REPORTS_OPEN, open);
        let oldest = since.map_or(0, |since| now - since);
        to.set(REPORTS_OLDEST, seconds(oldest.max(0)));
    }
}

/// `None`: a bucket, or a disk that doesn't answer.
pub(super) fn write_space(space: Option<DiskSpace>, limits: &LimitArgs, to: &mut Exposition) {
    if let Some(most) = max_stored_bytes(limits, space) {
        to.set(STORED_LIMIT, most);
    }
    if let Some(space) = space {
        to.set(DISK_FREE, space.available);
        to.set(DISK_SIZE, space.total);
        to.set(DISK_FLOOR, limits.min_free_bytes);
        if let Some((files, floor)) = space.inodes.zip(min_free_files(limits, space)) {
            to.set(DISK_FREE_FILES, files.available);
            to.set(DISK_FLOOR_FILES, floor);
        }
    }
}

/// Seconds of milliseconds.
pub(super) fn seconds(millis: Millis) -> f64 {
    millis as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: LimitArgs = LimitArgs {
        max_video_bytes: 1,
        max_takes: 1,
        max_request_bytes: 1,
        max_stored_bytes: Some(50),
        min_free_bytes: 100,
        min_free_files: 10,
        upload_memory: 0,
    };

    fn written(counted: &Counted, now: Millis, confirmed: Millis) -> Vec<String> {
        let mut to = Exposition::default();
        counted.write((now, confirmed), &mut to);
        write_space(None, &LIMITS, &mut to);
        let text = to.into_text();
        let values = text.lines().filter(|it| !it.starts_with('#'));
        values.map(str::to_owned).collect()
    }

    fn counted(overdue_since: Option<Millis>, due_since: Option<Millis>) -> Counted {
        Counted {
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
    fn a_backlog_shows_its_size_and_its_age_in_seconds() {
        let lines = written(&counted(Some(10_000), Some(9000)), 20_000, 12_500);
        for line in [
            format!("{REQUEST_COUNT}{{state=\"submitted\"}} 3"),
            format!("{REQUEST_COUNT}{{state=\"expired\"}} 0"),
            format!("{OVERDUE} 2.5"),
            format!("{SEALING_QUEUE}{{work=\"seal\"}} 2"),
            format!("{SEALING_QUEUE}{{work=\"stills\"}} 0"),
            format!("{SEALING_QUEUE}{{work=\"transcript\"}} 0"),
            format!("{SEALING_QUEUE_OLDEST}{{work=\"seal\"}} 11"),
            format!("{SEALING_QUEUE_OLDEST}{{work=\"stills\"}} 0"),
            format!("{REPORTS_OPEN} 2"),
            format!("{REPORTS_OLDEST} 11"),
            format!("{STORED_LIMIT} 50"),
        ] {
            assert!(lines.contains(&line), "{line} in {lines:#?}");
        }
    }

    #[test]
    fn no_age_is_negative_after_a_clock_stepped_back() {
        for counted in [counted(Some(10_000), Some(9000)), counted(None, None)] {
            let lines = written(&counted, 8000, 8000);
            for line in [
                format!("{OVERDUE} 0"),
                format!("{REPORTS_OLDEST} 0"),
                format!("{SEALING_QUEUE_OLDEST}{{work=\"seal\"}} 0"),
            ] {
                assert!(lines.contains(&line), "{line} in {lines:#?}");
            }
        }
    }
}
