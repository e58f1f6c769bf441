//! Jobs of the sealing worker on a complete take: sealing it, then its stills.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::clock::Millis;
use crate::db::schema::{sealings, takes};
use crate::db::{Db, DbError, Lease, Refusal, SealingState, TakeState, query, query_row, transact};
use crate::id::TakeId;

/// How far the job of a take is, without its plan, which may be long.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = sealings, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct SealingStatus {
    /// The remaining work.
    pub state: SealingState,
    /// The end of the lease.
    pub leased_until: Millis,
    /// The number of times that the remaining work was begun and not finished.
    pub tries: i64,
    /// The reason why the take can't become a video.
    pub refusal: Option<Refusal>,
    /// The reason why there are no stills.
    pub no_stills: Option<String>,
    /// When which bytes came, until the take is sealed.
    pub arrivals: Option<Vec<u8>>,
}

/// The columns of a new row of this table of jobs. Its other columns are NULL.
macro_rules! new_job {
    ($table:ident, $due:expr, $take:expr, $since:expr) => {{
        use $crate::db::schema::$table as jobs;
        let never: $crate::clock::Millis = 0;
        (
            jobs::take_id.eq($take),
            jobs::state.eq($due),
            jobs::leased_until.eq(never),
            jobs::epoch.eq(0_i64),
            jobs::tries.eq(0_i64),
            jobs::due_at.eq($since),
        )
    }};
}

pub(in crate::db) use new_job;

/// An update of a job's row in this state, by the owner of its newest lease alone.
macro_rules! update_leased {
    ($held:expr, $work:expr) => {
        diesel::update($crate::db::schema::sealings::table.find(&$held.take_id))
            .filter($crate::db::schema::sealings::epoch.eq($held.epoch))
            .filter($crate::db::schema::sealings::state.eq($work))
    };
}

pub(in crate::db) use update_leased;

impl Db {
    /// How far the job of a complete take is.
    pub async fn sealing_get(&self, take: &TakeId) -> Result<Option<SealingStatus>, DbError> {
        let row = sealings::table.find(take);
        Ok(query_row!(self, get_result::<SealingStatus>(row)).optional()?)
    }

    /// The encoded plan of a take's stills. `None`: there is none, or the take is deleted.
    pub async fn sealing_plan(&self, take: &TakeId) -> Result<Option<Vec<u8>>, DbError> {
        let take = take.clone();
        query!(self, |conn| {
            let row = sealings::table.find(take).select(sealings::moments);
            let plan: Option<Option<Vec<u8>>> = row.first(conn).await.optional()?;
            Ok(plan.flatten())
        })
    }

    /// Creates the job of a complete take that has none, because an older version completed it.
    /// `false`: there is no such take.
    pub async fn sealing_ensure(&self, take: &TakeId, since: Millis) -> Result<bool, DbError> {
        let take = take.clone();
        transact!(self, |conn| {
            let complete = takes::table
                .find(&take)
                .filter(takes::state.eq(TakeState::Complete));
            if complete.count().get_result::<i64>(conn).await? == 0 {
                return Ok(false);
            }
            diesel::insert_into(sealings::table)
                .values(new_job!(sealings, SealingState::Due, &take, since))
                .on_conflict_do_nothing()
                .execute(conn)
                .await?;
            Ok(true)
        })
    }

    /// Stores when which bytes came, before a compaction forgets it. `false`: the lease is lost.
    pub async fn sealing_keep_arrivals(
        &self,
        held: &Lease,
        arrivals: Vec<u8>,
    ) -> Result<bool, DbError> {
        let held = held.clone();
        transact!(self, |conn| {
            let kept = update_leased!(held, SealingState::Due)
                .set(sealings::arrivals.eq(Some(arrivals)))
                .execute(conn)
                .await?;
            Ok(kept == 1)
        })
    }

    /// Ends a job: the take can't become a video. `false`: the lease is lost.
    pub async fn sealing_refuse(&self, held: &Lease, refusal: Refusal) -> Result<bool, DbError> {
        let held = held.clone();
        transact!(self, |conn| {
            let refused = update_leased!(held, SealingState::Due)
                .set((
                    sealings::state.eq(SealingState::Refused),
                    sealings::refusal.eq(refusal),
                ))
                .execute(conn)
                .await?;
            Ok(refused == 1)
        })
    }
}

#[cfg(test)]
mod tests;
