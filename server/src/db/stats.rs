//! Counts for metrics and the readiness probe. No decision depends on them.

use diesel::dsl::{count_star, min, sql};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;

use super::schema::{requests, sealings};
use super::{Db, DbError, RequestState, SealingState, query};
use crate::clock::Millis;

/// The takes in one queue of the sealing worker.
#[derive(Clone, Copy, Debug)]
pub struct SealingBacklog {
    /// The state that these takes have in common.
    pub state: SealingState,
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
    /// Checks that the database answers a query.
    pub async fn ping(&self) -> Result<(), DbError> {
        query!(self, |conn| {
            let one = diesel::select(sql::<BigInt>("CAST(1 AS BIGINT)"));
            one.get_result::<i64>(conn).await?;
            Ok(())
        })
    }

    /// Counts the requests that aren't purged, by state. The number of purged ones only grows, and counting them would
    /// take ever longer.
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

    /// The queues of the sealing worker, including takes that are being worked on.
    pub async fn sealings_waiting(&self) -> Result<Vec<SealingBacklog>, DbError> {
        query!(self, |conn| {
            let rows: Vec<(SealingState, i64, Option<Millis>)> = sealings::table
                .filter(sealings::state.eq_any([SealingState::Due, SealingState::StillsDue]))
                .group_by(sealings::state)
                .select((sealings::state, count_star(), min(sealings::due_at)))
                .load(conn)
                .await?;
            let queues = rows
                .into_iter()
                .map(|(state, count, since)| SealingBacklog {
                    state,
                    count,
                    since: since.filter(|it| *it > 0),
                });
            Ok(queues.collect())
        })
    }

    /// The use of each pool.
    pub fn pools(&self) -> Vec<PoolUse> {
        match self {
            Self::Sqlite { read, write, .. } => {
                vec![pool_use!("read", read), write.in_use()]
            }
            Self::Postgres(pool) => vec![pool_use!("postgres", pool)],
        }
    }
}
