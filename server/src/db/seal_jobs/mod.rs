//! Jobs of the sealing worker. A node leases a job, so that another one takes over when the node dies.

use diesel::dsl::min;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel_async::RunQueryDsl;

use super::schema::{sealings, takes};
use super::{Db, DbError, Refusal, SealingState, TakeState, query, query_row, transact};
use crate::clock::{Clock, Millis};
use crate::id::{RequestId, TakeId};
use net::client_addr::ClientAddr;

/// A row of `sealings`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = sealings, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Sealing {
    /// The complete take.
    pub take_id: TakeId,
    /// The remaining work.
    pub state: SealingState,
    /// The end of the lease. No other worker begins before it.
    pub leased_until: Millis,
    /// The number of leases so far. Only the owner of the newest one may write.
    pub epoch: i64,
    /// The number of times that the remaining work was begun and not finished.
    pub tries: i64,
    /// The encoded plan of the stills, with the index of the keyframes. Absent where an older version made the stills.
    pub moments: Option<Vec<u8>>,
    /// The reason why the take can't become a video.
    pub refusal: Option<Refusal>,
    /// The reason why there are no stills.
    pub no_stills: Option<String>,
    /// The time since which the job waits.
    pub due_at: Millis,
    /// When which bytes came, of a take that may be compacted and isn't sealed yet.
    pub arrivals: Option<Vec<u8>>,
}

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

impl Sealing {
    /// The job of a take that was just completed.
    pub(super) fn due(take: &TakeId, since: Millis) -> Self {
        Self {
            take_id: take.clone(),
            state: SealingState::Due,
            leased_until: 0,
            epoch: 0,
            tries: 0,
            moments: None,
            refusal: None,
            no_stills: None,
            due_at: since,
            arrivals: None,
        }
    }
}

/// The exclusive right to do a job, for a limited time. Only [`Db::sealing_claim`] creates one.
#[derive(Clone, Debug)]
pub struct Lease {
    pub(super) take_id: TakeId,
    pub(super) epoch: i64,
    /// The number of times that this work was begun and not finished, this one included.
    pub tries: i64,
    /// The encoded plan of the stills, if the job is to make them.
    pub moments: Vec<u8>,
    /// When which bytes came, if that was stored.
    pub arrivals: Option<Vec<u8>>,
}

/// The longest lease, in milliseconds. One that ends later was given before a clock stepped back, and is void.
pub const LONGEST_LEASE: Millis = 60_000;

/// Whether a row isn't leased.
macro_rules! is_free {
    ($now:expr) => {
        sealings::leased_until
            .le($now)
            .or(sealings::leased_until.gt($now + LONGEST_LEASE))
    };
}

/// An update of a job's row in this state, by the owner of its newest lease alone.
macro_rules! update_leased {
    ($held:expr, $work:expr) => {
        diesel::update($crate::db::schema::sealings::table.find(&$held.take_id))
            .filter($crate::db::schema::sealings::epoch.eq($held.epoch))
            .filter($crate::db::schema::sealings::state.eq($work))
    };
}

pub(super) use update_leased;

impl Db {
    /// At most `limit` creators of takes with an unleased job in this state, the longest waiting first.
    ///
    /// Reads every such row: about 15 ms for 10,000 of them.
    pub async fn sealings_creators(
        &self,
        work: SealingState,
        now: Millis,
        limit: i64,
    ) -> Result<Vec<Option<ClientAddr>>, DbError> {
        query!(self, |conn| {
            let creators: Vec<(Option<ClientAddr>, Option<Millis>)> = sealings::table
                .inner_join(takes::table)
                .filter(sealings::state.eq(work))
                .filter(is_free!(now))
                .group_by(takes::creator)
                .order(min(sealings::due_at))
                .limit(limit)
                .select((takes::creator, min(sealings::due_at)))
                .load(conn)
                .await?;
            Ok(creators.into_iter().map(|it| it.0).collect())
        })
    }

    /// The longest waiting take of this creator with an unleased job in this state.
    pub async fn sealing_due_of(
        &self,
        creator: Option<ClientAddr>,
        work: SealingState,
        now: Millis,
    ) -> Result<Option<(RequestId, TakeId)>, DbError> {
        let no_creator = creator.is_none().into_sql::<Bool>();
        let of_creator = takes::creator
            .eq(creator)
            .or(takes::creator.is_null().and(no_creator));
        query!(self, |conn| Ok(sealings::table
            .inner_join(takes::table)
            .filter(sealings::state.eq(work))
            .filter(is_free!(now))
            .filter(of_creator)
            .order(sealings::leased_until)
            .select((takes::request_id, takes::id))
            .first(conn)
            .await
            .optional()?))
    }

    /// How far the job of a complete take is.
    pub async fn sealing_get(&self, take: &TakeId) -> Result<Option<SealingStatus>, DbError> {
        let row = sealings::table.find(take);
        Ok(query_row!(self, get_result::<SealingStatus>(row)).optional()?)
    }

    /// The encoded plan of a take's stills. `None`: there is none, or the take is deleted.
    pub async fn sealing_plan(&self, take: &TakeId) -> Result<Option<Vec<u8>>, DbError> {
        query!(self, |conn| {
            let row = sealings::table.find(take).select(sealings::moments);
            let plan: Option<Option<Vec<u8>>> = row.first(conn).await.optional()?;
            Ok(plan.flatten())
        })
    }

    /// Leases a take's job in this state for `lease` milliseconds. `None`: another worker has it, or it is done.
    pub async fn sealing_claim(
        &self,
        take: &TakeId,
        work: SealingState,
        lease: Millis,
        clock: &Clock,
    ) -> Result<Option<Lease>, DbError> {
        let (take, clock) = (take.clone(), clock.clone());
        transact!(self, |conn| {
            let now = clock.now();
            let claimed: Option<Sealing> = diesel::update(sealings::table.find(&take))
                .filter(sealings::state.eq(work))
                .filter(is_free!(now))
                .set((
                    sealings::leased_until.eq(now + lease),
                    sealings::epoch.eq(sealings::epoch + 1),
                    sealings::tries.eq(sealings::tries + 1),
                ))
                .returning(Sealing::as_returning())
                .get_result(conn)
                .await
                .optional()?;
            Ok(claimed.map(|row| Lease {
                take_id: row.take_id,
                epoch: row.epoch,
                tries: row.tries,
                moments: row.moments.unwrap_or_default(),
                arrivals: row.arrivals,
            }))
        })
    }

    /// Extends a lease. `false`: it is lost, or the take is deleted.
    pub async fn sealing_renew(
        &self,
        held: &Lease,
        lease: Millis,
        clock: &Clock,
    ) -> Result<bool, DbError> {
        let (held, clock) = (held.clone(), clock.clone());
        transact!(self, |conn| {
            let kept = diesel::update(sealings::table.find(&held.take_id))
                .filter(sealings::epoch.eq(held.epoch))
                .set(sealings::leased_until.eq(clock.now() + lease))
                .execute(conn)
                .await?;
            Ok(kept == 1)
        })
    }

    /// Releases a lease for a retry that begins after `wait` milliseconds. `counts`: whether this was one of the tries.
    pub async fn sealing_release(
        &self,
        held: &Lease,
        wait: Millis,
        counts: bool,
        clock: &Clock,
    ) -> Result<(), DbError> {
        let (held, clock) = (held.clone(), clock.clone());
        transact!(self, |conn| {
            diesel::update(sealings::table.find(&held.take_id))
                .filter(sealings::epoch.eq(held.epoch))
                .set((
                    sealings::leased_until.eq(clock.now() + wait.min(LONGEST_LEASE)),
                    sealings::tries.eq(sealings::tries - i64::from(!counts)),
                ))
                .execute(conn)
                .await?;
            Ok(())
        })
    }

    /// Creates the job of a complete take that has none, because an older version completed it. `false`: there is no
    /// such take.
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
                .values(Sealing::due(&take, since))
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

    /// Ends all leases, when a server with a database of its own starts: their owners no longer run.
    pub async fn sealings_release_all(&self) -> Result<(), DbError> {
        transact!(self, |conn| {
            diesel::update(sealings::table.filter(sealings::leased_until.gt(0)))
                .set(sealings::leased_until.eq(0))
                .execute(conn)
                .await?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
