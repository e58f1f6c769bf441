//! Counts for the operator: none of them decides anything.

use diesel::dsl::{count_star, min, sql};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;

use super::schema::{requests, sealings};
use super::{Db, DbError, RequestState, SealingState, query};
use crate::clock::Millis;

/// Work on complete takes that somebody should do.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Which work.
    pub state: SealingState,
    /// On how many takes.
    pub count: i64,
    /// Since when there is some. `None`: nobody knows of all of it.
    pub since: Option<Millis>,
}

/// How much of a pool of connections is used.
#[derive(Clone, Copy, Debug)]
pub struct PoolUse {
    /// Which one.
    pub name: &'static str,
    /// Connections that somebody has.
    pub used: usize,
    /// As many as there can be.
    pub limit: usize,
    /// Callers who wait for one.
    pub waiting: usize,
}

/// What a pool says of itself; the type in which it does has no name here.
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
    /// Whether it answers at all.
    pub async fn ping(&self) -> Result<(), DbError> {
        query!(self, |conn| {
            let one = diesel::select(sql::<BigInt>("CAST(1 AS BIGINT)"));
            one.get_result::<i64>(conn).await?;
            Ok(())
        })
    }

    /// How many requests there are in each state whose bytes aren't removed. The others stay for good, and
    /// counting them would take longer every day.
    pub async fn requests_by_state(&self) -> Result<Vec<(RequestState, i64)>, DbError> {
        query!(self, |conn| Ok(requests::table
            .filter(requests::bytes_gone.eq(false))
            .group_by(requests::state)
            .select((requests::state, count_star()))
            .load(conn)
            .await?))
    }

    /// When the first of those requests was over that have expired and whose bytes aren't removed.
    pub async fn requests_overdue_since(&self, now: Millis) -> Result<Option<Millis>, DbError> {
        query!(self, |conn| Ok(requests::table
            .filter(requests::bytes_gone.eq(false))
            .filter(requests::expires_at.le(now))
            .select(min(requests::expires_at))
            .first(conn)
            .await?))
    }

    /// What work there is on complete takes, whether somebody is at it or not.
    pub async fn sealings_waiting(&self) -> Result<Vec<Work>, DbError> {
        query!(self, |conn| {
            let rows: Vec<(SealingState, i64, Option<Millis>)> = sealings::table
                .filter(sealings::state.eq_any([SealingState::Due, SealingState::StillsDue]))
                .group_by(sealings::state)
                .select((sealings::state, count_star(), min(sealings::due_at)))
                .load(conn)
                .await?;
            let work = rows.into_iter().map(|(state, count, since)| Work {
                state,
                count,
                since: since.filter(|it| *it > 0),
            });
            Ok(work.collect())
        })
    }

    /// How much of its pools is used.
    pub fn pools(&self) -> Vec<PoolUse> {
        match self {
            Self::Sqlite { read, write, .. } => {
                vec![pool_use!("read", read), write.in_use()]
            }
            Self::Postgres(pool) => vec![pool_use!("postgres", pool)],
        }
    }
}
