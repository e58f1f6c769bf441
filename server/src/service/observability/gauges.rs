//! Gauges, queried when the metrics are scraped.

use std::sync::atomic::Ordering;

use super::queried::{Counted, seconds, write_space};
use crate::db::PoolUse;
use crate::service::observability::readiness::Availability;
use crate::service::{AppState, Error};
use crate::telemetry::names::{
    BUILD, CLOCK_AHEAD, CONNECTIONS_LIMIT, DRAINING, JOB_AGE, JOB_LAST_SUCCESS, POOL_LIMIT,
    POOL_USED, POOL_WAITING, READ_ONLY, READY, STORED, STREAM_MEMORY_LIMIT, STREAM_MEMORY_USED,
    THROTTLED_NOW, UPLOAD_MEMORY_LIMIT, UPLOAD_MEMORY_USED, WAITS,
};
use crate::telemetry::{Exposition, REVISION, VERSION, process_metrics};

/// Renders all metrics. Values whose queries fail or time out are left out.
pub async fn render(app: &AppState) -> Exposition {
    let (store, disk) = (app.clone(), app.clone());
    let (parts, counted, space) = tokio::join!(
        app.store_health(),
        app.gauges
            .rows
            .get(&app.clock, async move { count(&store).await.ok() }),
        app.gauges.space.get(&app.clock, async move {
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
