//! Gauges, read and rendered when the metrics are scraped.

use std::sync::atomic::Ordering;

use crate::clock::Millis;
use crate::release::{REVISION, VERSION};
use crate::service::AppState;
use crate::service::observability::queried::RowCounts;
use crate::service::observability::readiness::Availability;
use crate::service::observability::snapshot::Snapshot;
use crate::telemetry::names::{
    BUILD, CLOCK_AHEAD, CONNECTIONS_LIMIT, DISK_FLOOR, DISK_FLOOR_FILES, DISK_FREE,
    DISK_FREE_FILES, DISK_SIZE, DRAINING, JOB_AGE, JOB_LAST_SUCCESS, OVERDUE, POOL_LIMIT,
    POOL_USED, POOL_WAITING, READ_ONLY, READY, REPORTS_OLDEST, REPORTS_OPEN, REQUEST_COUNT,
    SEALING_QUEUE, SEALING_QUEUE_OLDEST, STORED, STORED_LIMIT, STREAM_MEMORY_LIMIT,
    STREAM_MEMORY_USED, THROTTLED_NOW, UPLOAD_MEMORY_LIMIT, UPLOAD_MEMORY_USED, WAITS,
};
use crate::telemetry::{Exposition, process_metrics};

/// Renders all gauges. Values whose queries fail or time out are left out.
pub async fn render(app: &AppState) -> Exposition {
    let stores = Snapshot::load(app).await;
    let mut to = process_metrics();
    to.set_for(BUILD, &[("version", VERSION), ("revision", REVISION)], 1);
    let health = stores.health;
    let parts = [("database", health.database), ("blobs", health.blobs)];
    for (part, availability) in parts {
        to.set_for(READY, &[("part", part)], u8::from(availability.answers()));
    }
    for (part, availability) in parts {
        let is_read_only = availability == Availability::ReadOnly;
        to.set_for(READ_ONLY, &[("part", part)], u8::from(is_read_only));
    }
    to.set(DRAINING, u8::from(app.shutdown.draining.is_cancelled()));
    write_local_state(app, &mut to);
    write_use(&stores, &mut to);
    write_jobs(app, &mut to);
    if let Some(rows) = &stores.rows {
        write_rows(rows, &mut to);
    }
    write_space(&stores, app.storage_limits.min_free_bytes, &mut to);
    to
}

/// Writes what this process knows without its stores.
fn write_local_state(app: &AppState, to: &mut Exposition) {
    to.set(CLOCK_AHEAD, seconds(app.clock.unconfirmed()));
    to.set(
        CONNECTIONS_LIMIT,
        app.max_connections.load(Ordering::Relaxed),
    );
    to.set(WAITS, app.coordination.changes.waiting());
    to.set(THROTTLED_NOW, app.quotas.throttled());
    to.set(UPLOAD_MEMORY_USED, app.coordination.upload_memory.used());
    to.set(UPLOAD_MEMORY_LIMIT, app.coordination.upload_memory.limit());
}

/// Writes what the stores are used for.
fn write_use(stores: &Snapshot, to: &mut Exposition) {
    to.set(STREAM_MEMORY_USED, stores.stream_memory.used);
    to.set(STREAM_MEMORY_LIMIT, stores.stream_memory.limit);
    to.set_known(STORED, stores.stored_bytes);
    for pool in &stores.pools {
        to.set_for(POOL_USED, &[("pool", pool.name)], pool.used);
    }
    for pool in &stores.pools {
        to.set_for(POOL_LIMIT, &[("pool", pool.name)], pool.limit);
    }
    for pool in &stores.pools {
        to.set_for(POOL_WAITING, &[("pool", pool.name)], pool.waiting);
    }
}

fn write_jobs(app: &AppState, to: &mut Exposition) {
    let jobs = app.jobs.all();
    for (work, job) in &jobs {
        if let Some(at) = job.succeeded_at {
            to.set_for(JOB_LAST_SUCCESS, &[("work", work)], seconds(at));
        }
    }
    for (work, job) in &jobs {
        let age = job.since.elapsed().as_secs_f64();
        to.set_for(JOB_AGE, &[("work", work)], age);
    }
}

fn write_rows(rows: &RowCounts, to: &mut Exposition) {
    for (state, count) in &rows.requests {
        to.set_for(REQUEST_COUNT, &[("state", state)], count);
    }
    to.set(OVERDUE, seconds(rows.overdue));
    for (work, count, _) in rows.queues {
        to.set_for(SEALING_QUEUE, &[("work", work)], count);
    }
    for (work, _, oldest) in rows.queues {
        to.set_for(SEALING_QUEUE_OLDEST, &[("work", work)], seconds(oldest));
    }
    let (open, oldest) = rows.reports;
    to.set(REPORTS_OPEN, open);
    to.set(REPORTS_OLDEST, seconds(oldest));
}

/// Writes the limit of stored bytes, and the disk's space, of which uploads leave so much free.
fn write_space(stores: &Snapshot, min_free_bytes: u64, to: &mut Exposition) {
    to.set_known(STORED_LIMIT, stores.max_stored_bytes);
    if let Some(space) = stores.space {
        to.set(DISK_FREE, space.available);
        to.set(DISK_SIZE, space.total);
        to.set(DISK_FLOOR, min_free_bytes);
        if let Some((files, min_free)) = space.inodes.zip(stores.min_free_files) {
            to.set(DISK_FREE_FILES, files.available);
            to.set(DISK_FLOOR_FILES, min_free);
        }
    }
}

/// Seconds of milliseconds.
fn seconds(millis: Millis) -> f64 {
    millis as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_in_seconds() {
        let mut to = Exposition::default();
        let rows = RowCounts {
            requests: vec![("submitted", 3)],
            overdue: 2500,
            queues: [("seal", 2, 11_000), ("stills", 0, 0), ("transcript", 0, 0)],
            reports: (2, 11_000),
        };
        write_rows(&rows, &mut to);
        let text = to.into_text();
        for line in [
            format!("{REQUEST_COUNT}{{state=\"submitted\"}} 3"),
            format!("{OVERDUE} 2.5"),
            format!("{SEALING_QUEUE}{{work=\"seal\"}} 2"),
            format!("{SEALING_QUEUE_OLDEST}{{work=\"seal\"}} 11"),
            format!("{SEALING_QUEUE_OLDEST}{{work=\"stills\"}} 0"),
            format!("{REPORTS_OPEN} 2"),
            format!("{REPORTS_OLDEST} 11"),
        ] {
            assert!(text.lines().any(|it| it == line), "{line} in {text}");
        }
    }
}
