//! Deleting takes.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::clock::{Clock, Millis};
use crate::db::schema::takes;
use crate::db::{Db, DbError, RequestState, TakeState, hold_awaiting, query, transact};
use crate::id::{RequestId, TakeId};

impl Db {
    /// Open takes without a write since `before`: at most `limit`, oldest first.
    pub async fn takes_abandoned(
        &self,
        before: Millis,
        limit: i64,
    ) -> Result<Vec<(RequestId, TakeId)>, DbError> {
        query!(self, |conn| Ok(takes::table
            .filter(takes::state.eq(TakeState::Open))
            .filter(takes::touched_at.lt(before))
            .order(takes::touched_at)
            .limit(limit)
            .select((takes::request_id, takes::id))
            .load(conn)
            .await?))
    }

    /// Deletes an open take without a write since `before`.
    /// `false`: it was written to, or is deleted already.
    pub async fn take_delete_if_abandoned(
        &self,
        id: &TakeId,
        before: Millis,
    ) -> Result<bool, DbError> {
        let id = id.clone();
        transact!(self, |conn| {
            let gone = diesel::delete(takes::table.find(&id))
                .filter(takes::state.eq(TakeState::Open))
                .filter(takes::touched_at.lt(before))
                .execute(conn)
                .await?;
            Ok(gone == 1)
        })
    }

    /// Deletes a take of a request that awaits a submission. `false`: there is no such take.
    pub async fn take_delete_by_link(
        &self,
        of: &RequestId,
        id: &TakeId,
        clock: &Clock,
    ) -> Result<bool, DbError> {
        let (request, take, clock) = (of.clone(), id.clone(), clock.clone());
        transact!(self, |conn| {
            if hold_awaiting!(conn, &request, clock) == 0 {
                return Ok(false);
            }
            let gone = diesel::delete(takes::table.find(&take))
                .filter(takes::request_id.eq(&request))
                .execute(conn)
                .await?;
            Ok(gone == 1)
        })
    }
}
