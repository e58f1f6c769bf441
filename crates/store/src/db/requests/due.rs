//! Which requests are over, and which of them the sweeper has yet to handle.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::{OVER, SERVED};
use crate::clock::Millis;
use crate::db::schema::requests;
use crate::db::{Db, DbError, RequestState, query};
use crate::id::RequestId;

/// A place in the order in which requests are swept: expiry and id. The default one is before all.
pub type SweepPlace = (Millis, RequestId);

impl Db {
    /// Those of these requests that no longer await a submission.
    pub async fn requests_not_awaiting(
        &self,
        of: &[RequestId],
        now: Millis,
    ) -> Result<Vec<RequestId>, DbError> {
        let moved = requests::state.ne(RequestState::AwaitingSubmission);
        let of = of.to_vec();
        query!(self, |conn| Ok(requests::table
            .filter(requests::id.eq_any(of))
            .filter(moved.or(requests::expires_at.le(now)))
            .select(requests::id)
            .load(conn)
            .await?))
    }

    /// Those of these requests that have expired or are deleted.
    pub async fn requests_over(
        &self,
        of: &[RequestId],
        now: Millis,
    ) -> Result<Vec<RequestId>, DbError> {
        let of = of.to_vec();
        query!(self, |conn| Ok(requests::table
            .filter(requests::id.eq_any(of))
            .filter(
                requests::state
                    .eq_any(OVER)
                    .or(requests::expires_at.le(now))
            )
            .select(requests::id)
            .load(conn)
            .await?))
    }

    /// Requests that have expired without this being latched: at most `limit` after this place, oldest first.
    pub async fn requests_due(
        &self,
        now: Millis,
        after: &SweepPlace,
        limit: i64,
    ) -> Result<Vec<SweepPlace>, DbError> {
        self.unpurged(SERVED, now, after, limit).await
    }

    /// Expired and deleted requests that aren't purged: at most `limit` after this place, oldest first.
    pub async fn requests_unswept(
        &self,
        after: &SweepPlace,
        limit: i64,
    ) -> Result<Vec<SweepPlace>, DbError> {
        self.unpurged(OVER, Millis::MAX, after, limit).await
    }

    /// Requests in one of these states, which expire at `until` or before, and aren't purged.
    async fn unpurged(
        &self,
        states: [RequestState; 2],
        until: Millis,
        after: &SweepPlace,
        limit: i64,
    ) -> Result<Vec<SweepPlace>, DbError> {
        let (at, id) = after.clone();
        query!(self, |conn| Ok(requests::table
            .filter(requests::purged.eq(false))
            .filter(requests::state.eq_any(states))
            .filter(requests::expires_at.le(until))
            .filter(requests::expires_at.ge(at))
            .filter(requests::expires_at.gt(at).or(requests::id.gt(id)))
            .order((requests::expires_at, requests::id))
            .limit(limit)
            .select((requests::expires_at, requests::id))
            .load(conn)
            .await?))
    }
}
