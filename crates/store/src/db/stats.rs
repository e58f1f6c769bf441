//! Counts for metrics and the readiness probe. No decision depends on them.

use diesel::dsl::{count_star, min, sql};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use diesel_async::RunQueryDsl;

use super::schema::{reports, requests};
use super::sealing::leases::on_queue;
use super::{Db, DbError, LOOKUP_TIMEOUT, Queue, RequestState, query, read_postgres};
use crate::clock::Millis;

/// The takes in one queue of jobs.
#[derive(Clone, Copy, Debug)]
pub struct Backlog {
    /// The queue.
    pub queue: Queue,
    /// The number of takes.
    pub count: i64,
    /// The time since which the first of them waits. `None`: unknown for one of them.
    pub since: Option<Millis>,
}

/// The use of a connection pool.
#[derive(Clone, Copy, Debug)]
pub struct PoolUse {
    /// The pool's name.
    pub name: &'static str,
    /// Connections in use.
    pub used: usize,
    /// The largest number of connections.
    pub limit: usize,
    /// Callers that wait for a connection.
    pub waiting: usize,
}

/// The [`PoolUse`] of a pool. A macro, because the type of deadpool's status isn't exported.
macro_rules! pool_use {
    ($name:literal, $pool:expr) => {{
        let status = $pool.status();
        PoolUse {
            name: $name,
            used: status.size.saturating_sub(status.available),
            limit: status.max_size,
            waiting: status.waiting,
        }
    }};
}

impl Db {
    /// Checks that the database answers a query, on a connection that no call and no job waits for.
    /// `false`: it can only be read.
    pub async fn ping(&self) -> Result<bool, DbError> {
        match self {
            Self::Sqlite { lookup, write, .. } => {
                let one = diesel::select(sql::<BigInt>("1"));
                lookup.run(|conn| diesel::RunQueryDsl::get_result::<i64>(one, conn))??;
                Ok(!write.is_read_only().await)
            }
            Self::Postgres { probe, .. } => {
                // A standby, or a server that was set to it because its disk is full.
                let is_writable = "current_setting('transaction_read_only') = 'off'";
                read_postgres!(probe, LOOKUP_TIMEOUT, |conn| {
                    let asked = diesel::select(sql::<Bool>(is_writable));
                    Ok(asked.get_result(conn).await?)
                })
            }
        }
    }

    /// Counts the requests that aren't purged, by state.
    /// The number of purged ones only grows, and counting them would take ever longer.
    pub async fn requests_by_state(&self) -> Result<Vec<(RequestState, i64)>, DbError> {
        query!(self, |conn| Ok(requests::table
            .filter(requests::purged.eq(false))
            .group_by(requests::state)
            .select((requests::state, count_star()))
            .load(conn)
            .await?))
    }

    /// The earliest expiry among the requests that have expired and aren't purged.
    pub async fn requests_overdue_since(&self, now: Millis) -> Result<Option<Millis>, DbError> {
        query!(self, |conn| Ok(requests::table
            .filter(requests::purged.eq(false))
            .filter(requests::expires_at.le(now))
            .select(min(requests::expires_at))
            .first(conn)
            .await?))
    }

    /// The queues that aren't empty, including takes that are being worked on.
    /// One that moves on to another queue meanwhile may be counted twice, or not at all.
    pub async fn backlogs(&self) -> Result<Vec<Backlog>, DbError> {
        query!(self, |conn| {
            let mut backlogs = Vec::new();
            for queue in Queue::ALL {
                let (count, since): (i64, Option<Millis>) =
                    on_queue!(queue, |jobs, due| jobs::table
                        .filter(jobs::state.eq(due))
                        .select((count_star(), min(jobs::due_at)))
                        .first(conn)
                        .await?);
                let since = since.filter(|it| *it > 0);
                backlogs.push(Backlog {
                    queue,
                    count,
                    since,
                });
            }
            backlogs.retain(|it| it.count > 0);
            Ok(backlogs)
        })
    }

    /// The number of open reports, and the time of the oldest.
    pub async fn reports_backlog(&self) -> Result<(i64, Option<Millis>), DbError> {
        query!(self, |conn| Ok(reports::table
            .filter(reports::done_at.is_null())
            .select((count_star(), min(reports::reported_at)))
            .first(conn)
            .await?))
    }

    /// The use of each pool.
    pub fn pools(&self) -> Vec<PoolUse> {
        match self {
            Self::Sqlite { read, write, .. } => {
                vec![pool_use!("read", read.0), write.in_use()]
            }
            Self::Postgres { pool, .. } => vec![pool_use!("postgres", pool)],
        }
    }
}
