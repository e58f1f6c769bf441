//! Who does the work on complete takes: leases, so that a dead node's work is taken over.

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
    /// The take that is worked on.
    pub take_id: TakeId,
    /// What is left to do.
    pub state: SealingState,
    /// Nobody else begins before then.
    pub leased_until: Millis,
    /// Counts the leases. Only the newest holder may write.
    pub epoch: i64,
    /// How often what is left to do was begun and not ended.
    pub tries: i64,
    /// Of a sealed take without stills: what they are to be made of.
    pub moments: Option<Vec<u8>>,
    /// Why it can't become a video.
    pub refusal: Option<Refusal>,
    /// Why there are no stills.
    pub no_stills: Option<String>,
    /// Since when it waits.
    pub due_at: Millis,
}

impl Sealing {
    /// Of a take that was just completed.
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
        }
    }
}

/// The right to do the work on a take, for a while. Made by [`Db::sealing_claim`] alone.
#[derive(Clone, Debug)]
pub struct Lease {
    pub(super) take_id: TakeId,
    pub(super) epoch: i64,
    /// How often that was begun, this time included, and not ended.
    pub tries: i64,
    /// What stills are to be made of, when that is the work.
    pub moments: Vec<u8>,
}

/// No lease is longer than so many milliseconds: one that ends later was given before a clock stepped back.
pub const LONGEST_LEASE: Millis = 60_000;

/// Whether nobody holds the lease of a row.
macro_rules! is_free {
    ($now:expr) => {
        sealings::leased_until
            .le($now)
            .or(sealings::leased_until.gt($now + LONGEST_LEASE))
    };
}

impl Db {
    /// The creators of takes in this state that nobody works on and somebody should: at most `limit` of them, the
    /// one whose take has waited longest first. Looks at each such take: with 10,000 of them, for some 15 ms.
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

    /// The take of this creator in this state that nobody works on and somebody should: the one that waits longest.
    pub async fn sealing_due_of(
        &self,
        creator: Option<ClientAddr>,
        work: SealingState,
        now: Millis,
    ) -> Result<Option<(RequestId, TakeId)>, DbError> {
        let nobody = creator.is_none().into_sql::<Bool>();
        let of_creator = takes::creator
            .eq(creator)
            .or(takes::creator.is_null().and(nobody));
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

    /// Where the work on a complete take stands.
    pub async fn sealing_get(&self, take: &TakeId) -> Result<Option<Sealing>, DbError> {
        let row = sealings::table.find(take);
        Ok(query_row!(self, get_result::<Sealing>(row)).optional()?)
    }

    /// Leases the work on a take in this state for so many milliseconds. `None`: somebody else has it, or it
    /// is done.
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
            }))
        })
    }

    /// Holds on to a lease. `false`: it is lost, or the take is gone.
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

    /// Gives a lease back, for nobody to begin anew within `wait` milliseconds. `counts`: as a try.
    pub async fn sealing_put_off(
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

    /// Sees that there is work on a complete take: one that an older version completed has none yet.
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
                .values(Sealing::due(&take, since))
                .on_conflict_do_nothing()
                .execute(conn)
                .await?;
            Ok(true)
        })
    }

    /// Notes that a take can't become a video.
    pub async fn sealing_refuse(&self, held: &Lease, refusal: Refusal) -> Result<bool, DbError> {
        let held = held.clone();
        transact!(self, |conn| {
            let refused = diesel::update(sealings::table.find(&held.take_id))
                .filter(sealings::epoch.eq(held.epoch))
                .filter(sealings::state.eq(SealingState::Due))
                .set((
                    sealings::state.eq(SealingState::Refused),
                    sealings::refusal.eq(refusal),
                ))
                .execute(conn)
                .await?;
            Ok(refused == 1)
        })
    }

    /// Ends all leases, for a server that alone has this database: whoever held them is dead.
    pub async fn sealings_free(&self) -> Result<(), DbError> {
        transact!(self, |conn| {
            diesel::update(sealings::table.filter(sealings::leased_until.gt(0)))
                .set(sealings::leased_until.eq(0))
                .execute(conn)
                .await?;
            Ok(())
        })
    }
}
