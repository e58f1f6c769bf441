//! Who does the work on complete takes: leases, so that a dead node's work is taken over.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::{sealings, takes};
use super::{Db, DbError, Refusal, SealingState, query, transact};
use crate::clock::{Clock, Millis};
use crate::id::{RequestId, TakeId};

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
    /// Why it can't become a video.
    pub refusal: Option<Refusal>,
    /// Why there are no stills.
    pub no_stills: Option<String>,
}

impl Sealing {
    /// Of a take that was just completed.
    pub(super) fn due(take: &TakeId) -> Self {
        Self {
            take_id: take.clone(),
            state: SealingState::Due,
            leased_until: 0,
            epoch: 0,
            refusal: None,
            no_stills: None,
        }
    }
}

/// The right to do the work on a take, for a while. Made by [`Db::sealing_claim`] alone.
#[derive(Clone, Debug)]
pub struct Lease {
    pub(super) take_id: TakeId,
    pub(super) epoch: i64,
    /// Whether it is sealed already, so that only stills are left to make.
    pub sealed: bool,
}

/// Where there is something left to do.
const WORK: [SealingState; 2] = [SealingState::Due, SealingState::StillsDue];

impl Db {
    /// Takes that nobody works on and somebody should: at most `limit`, those first that wait longest.
    pub async fn sealings_due(
        &self,
        now: Millis,
        limit: i64,
    ) -> Result<Vec<(RequestId, TakeId)>, DbError> {
        query!(self, |conn| Ok(sealings::table
            .inner_join(takes::table)
            .filter(sealings::state.eq_any(WORK))
            .filter(sealings::leased_until.le(now))
            .order(sealings::leased_until)
            .limit(limit)
            .select((takes::request_id, takes::id))
            .load(conn)
            .await?))
    }

    /// Where the work on a complete take stands.
    pub async fn sealing_get(&self, take: &TakeId) -> Result<Option<Sealing>, DbError> {
        query!(self, |conn| Ok(sealings::table
            .find(take)
            .select(Sealing::as_select())
            .first(conn)
            .await
            .optional()?))
    }

    /// Leases the work on a take for so many milliseconds. `None`: somebody else has it, or it is done.
    pub async fn sealing_claim(
        &self,
        take: &TakeId,
        lease: Millis,
        clock: &Clock,
    ) -> Result<Option<Lease>, DbError> {
        let (take, clock) = (take.clone(), clock.clone());
        transact!(self, |conn| {
            let now = clock.now();
            let claimed: Option<Sealing> = diesel::update(sealings::table.find(&take))
                .filter(sealings::state.eq_any(WORK))
                .filter(sealings::leased_until.le(now))
                .set((
                    sealings::leased_until.eq(now + lease),
                    sealings::epoch.eq(sealings::epoch + 1),
                ))
                .returning(Sealing::as_returning())
                .get_result(conn)
                .await
                .optional()?;
            Ok(claimed.map(|row| Lease {
                take_id: row.take_id,
                epoch: row.epoch,
                sealed: row.state == SealingState::StillsDue,
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
            diesel::update(sealings::table.filter(sealings::state.eq_any(WORK)))
                .set(sealings::leased_until.eq(0))
                .execute(conn)
                .await?;
            Ok(())
        })
    }
}
