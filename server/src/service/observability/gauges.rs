//! Gauges, queried when the metrics are scraped.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::blobs::DiskSpace;
use crate::clock::Millis;
use crate::db::{Backlog, PoolUse, Queue, RequestState};
use crate::service::observability::readiness;
use crate::service::observability::readiness::Availability;
use crate::service::quota::storage::{Limits, least_free_files, most_stored};
use crate::service::{AppState, Error};
use crate::telemetry::names::{
    BUILD, CLOCK_AHEAD, CONNECTIONS_LIMIT, DISK_FLOOR, DISK_FLOOR_FILES, DISK_FREE,
    DISK_FREE_FILES, DISK_SIZE, DRAINING, OVERDUE, POOL_LIMIT, POOL_USED, POOL_WAITING, READ_ONLY,
    READY, REPORTS_OLDEST, REPORTS_OPEN, REQUEST_COUNT, ROUND_AGE, ROUND_LAST, SEALING_QUEUE,
    SEALING_QUEUE_OLDEST, STORED, STORED_LIMIT, STREAM_MEMORY_LIMIT, STREAM_MEMORY_USED,
    THROTTLED_NOW, UPLOAD_MEMORY_LIMIT, UPLOAD_MEMORY_USED, WAITS,
};
use crate::telemetry::{Exposition, REVISION, VERSION, process_metrics};

/// Time for which queried values are cached, whatever the number of scrapes.
const REMEMBERED: Duration = Duration::from_secs(5);

/// Timeout of the queries: scrapers time out after ten seconds, and would then get no metrics at all.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Caches of the queried values: of the database, and of the disk with the videos, each of which may be away. Cheap to
/// clone.
#[derive(Clone, Default)]
pub struct Gauges {
    rows: Cache<Counted>,
    space: Cache<DiskSpace>,
}

type Cache<T> = Arc<Mutex<Option<Snapshot<T>>>>;

struct Snapshot<T> {
    /// Time after the queries by [`crate::clock::Clock::ticking`].
    at: Duration,
    /// `None`: the queries failed.
    found: Option<T>,
}

impl<T> Snapshot<T> {
    fn is_fresh(&self, now: Duration) -> bool {
        now.abs_diff(self.at) < REMEMBERED
    }
}

#[derive(Clone)]
struct Counted {
    requests: Vec<(RequestState, i64)>,
    overdue_since: Option<Millis>,
    work: Vec<Backlog>,
    /// The open reports, and the time of the oldest.
    reports: (i64, Option<Millis>),
}

/// Renders all metrics. Values whose queries fail or time out are left out.
pub async fn render(app: &AppState) -> Exposition {
    let (store, disk) = (app.clone(), app.clone());
    let (parts, counted, space) = tokio::join!(
        readiness::check(app),
        cached(
            app,
            &app.gauges.rows,
            async move { count(&store).await.ok() }
        ),
        cached(app, &app.gauges.space, async move {
            disk.blobs.space().await.ok().flatten()
        }),
    );
    let mut to = process_metrics();
    to.set_for(BUILD, &[("version", VERSION), ("revision", REVISION)], 1);
    let parts = [("database", parts.database), ("blobs", parts.blobs)];
    for (part, availability) in parts {
        to.set_for(READY, &[("part", part)], u8::from(availability.answers()));
    }
    for (part, availability) in parts {
        let is_read_only = availability == Availability::ReadOnly;
        to.set_for(READ_ONLY, &[("part", part)], u8::from(is_read_only));
    }
    to.set(DRAINING, u8::from(app.shutdown.draining.is_cancelled()));
    set_local_gauges(app, &mut to);
    if let Some(counted) = counted {
        let (now, confirmed) = (app.clock.now(), app.clock.confirmed());
        counted.write((now, confirmed), &mut to);
    }
    write_space(space, &app.storage_limits, &mut to);
    to
}

/// What was found within the last seconds, or else what `query` finds. `None`: nothing in time.
async fn cached<T: Clone + Send + 'static>(
    app: &AppState,
    cache: &Cache<T>,
    query: impl Future<Output = Option<T>> + Send + 'static,
) -> Option<T> {
    let last = timeout(TIMEOUT, cache.clone().lock_owned()).await;
    let mut last = last.ok()?;
    let now = app.clock.ticking();
    if let Some(last) = last.as_ref().filter(|it| it.is_fresh(now)) {
        return last.found.clone();
    }
    // In a task that keeps the lock until the queries have ended: a store that hangs gets no others beside them.
    let clock = app.clock.clone();
    let asking = tokio::spawn(async move {
        let found = query.await;
        *last = Some(Snapshot {
            at: clock.ticking(),
            found: found.clone(),
        });
        found
    });
    timeout(TIMEOUT, asking).await.ok()?.ok()?
}

async fn count(app: &AppState) -> Result<Counted, Error> {
    Ok(Counted {
        requests: app.db.requests_by_state().await?,
        overdue_since: app.db.requests_overdue_since(app.clock.confirmed()).await?,
        work: app.db.backlogs().await?,
        reports: app.db.reports_backlog().await?,
    })
}

/// Sets the gauges that need no query.
fn set_local_gauges(app: &AppState, to: &mut Exposition) {
    to.set(CLOCK_AHEAD, seconds(app.clock.unconfirmed()));
    to.set(
        CONNECTIONS_LIMIT,
        app.max_connections.load(Ordering::Relaxed),
    );
    to.set(WAITS, app.coordination.changes.waiting());
    to.set(THROTTLED_NOW, app.quotas.throttled());
    to.set(UPLOAD_MEMORY_USED, app.coordination.upload_memory.used());
    to.set(UPLOAD_MEMORY_LIMIT, app.coordination.upload_memory.limit());
    let memory = app.blobs.stream_memory();
    to.set(STREAM_MEMORY_USED, memory.used);
    to.set(STREAM_MEMORY_LIMIT, memory.limit);
    if let Some(stored) = app.storage_usage.stored() {
        to.set(STORED, stored);
    }
    let pools = app.db.pools();
    for (name, value) in [
        (POOL_USED, (|it| it.used) as fn(&PoolUse) -> usize),
        (POOL_LIMIT, |it| it.limit),
        (POOL_WAITING, |it| it.waiting),
    ] {
        for pool in &pools {
            to.set_for(name, &[("pool", pool.name)], value(pool));
        }
    }
    let rounds = app.jobs.all();
    for (work, round) in &rounds {
        if let Some(at) = round.succeeded_at {
            to.set_for(ROUND_LAST, &[("work", work)], seconds(at));
        }
    }
    for (work, round) in &rounds {
        let age = round.since.elapsed().as_secs_f64();
        to.set_for(ROUND_AGE, &[("work", work)], age);
    }
}

impl Counted {
    fn write(&self, (now, confirmed): (Millis, Millis), to: &mut Exposition) {
        for state in RequestState::ALL {
            let found = self.requests.iter().find(|it| it.0 == *state);
            let count = found.map_or(0, |it| it.1);
            to.set_for(REQUEST_COUNT, &[("state", state.word())], count);
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
fn write_space(space: Option<DiskSpace>, limits: &Limits, to: &mut Exposition) {
    if let Some(most) = most_stored(limits, space) {
        to.set(STORED_LIMIT, most);
    }
    if let Some(space) = space {
        to.set(DISK_FREE, space.available);
        to.set(DISK_SIZE, space.total);
        to.set(DISK_FLOOR, limits.free_bytes);
        if let Some((files, floor)) = space.inodes.zip(least_free_files(limits, space)) {
            to.set(DISK_FREE_FILES, files.available);
            to.set(DISK_FLOOR_FILES, floor);
        }
    }
}

fn seconds(millis: Millis) -> f64 {
    millis as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        video_bytes: 1,
        takes: 1,
        request_bytes: 1,
        stored_bytes: Some(50),
        free_bytes: 100,
        free_files: 10,
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

    #[test]
    fn queried_values_are_used_for_less_than_five_seconds() {
        let snapshot = Snapshot::<()> {
            at: Duration::from_secs(100),
            found: None,
        };
        for (now, fresh) in [
            (Duration::from_secs(100), true),
            (Duration::from_millis(104_999), true),
            (Duration::from_secs(105), false),
            (Duration::from_secs(95), false),
        ] {
            assert_eq!(snapshot.is_fresh(now), fresh, "{now:?}");
        }
    }
}
