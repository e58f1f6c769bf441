//! Requests: one row each, from creation until long after their bytes are gone.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::{requests, seals, takes};
use super::{Db, DbError, RequestState, hold_awaiting, query, query_row, transact};
use crate::clock::{Clock, Millis};
use crate::id::{RequestId, TakeId, TokenHash, VideoId};
use net::client_addr::ClientAddr;

/// A row of `requests`.
#[derive(Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = requests, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Request {
    /// Its name.
    pub id: RequestId,
    /// SHA-256 of its token.
    pub token_hash: TokenHash,
    /// UTF-8; bytes, because PostgreSQL's text can't hold a NUL and JSON's can. `None`: wiped.
    pub prompt: Option<Vec<u8>>,
    /// As last written; [`crate::service::requests::access`] adds what the clock says.
    pub state: RequestState,
    /// When it was made.
    pub created_at: Millis,
    /// From this moment on nothing of it is served.
    pub expires_at: Millis,
    /// The video's name, once submitted.
    pub video_id: Option<VideoId>,
    /// The take that is the video, once submitted.
    pub take_id: Option<TakeId>,
    /// Expired or deleted, and its last object is removed.
    pub bytes_gone: bool,
    /// Whose quotas it counts against. `None`: nobody's, or wiped.
    pub creator: Option<ClientAddr>,
    /// When the operator took it down.
    pub taken_down_at: Option<Millis>,
}

impl Db {
    /// The request that a token belongs to.
    pub async fn request_by_token(&self, token: &TokenHash) -> Result<Option<Request>, DbError> {
        let row = requests::table.filter(requests::token_hash.eq(token));
        Ok(query_row!(self, get_result::<Request>(row)).optional()?)
    }

    /// The request of this name.
    pub async fn request_get(&self, id: &RequestId) -> Result<Option<Request>, DbError> {
        let row = requests::table.find(id);
        Ok(query_row!(self, get_result::<Request>(row)).optional()?)
    }

    /// The request whose video has this name.
    pub async fn request_by_video(&self, id: &VideoId) -> Result<Option<Request>, DbError> {
        let row = requests::table.filter(requests::video_id.eq(id));
        Ok(query_row!(self, get_result::<Request>(row)).optional()?)
    }

    /// Makes a sealed take the request's video and forgets its other takes, whose names it returns, and who
    /// has its link open. `None`: the request was already submitted, expired or deleted, or the take isn't a sealed one of
    /// this request.
    pub async fn request_submit(
        &self,
        id: &RequestId,
        take: &TakeId,
        clock: &Clock,
    ) -> Result<Option<Vec<TakeId>>, DbError> {
        let (id, take, clock) = (id.clone(), take.clone(), clock.clone());
        transact!(self, |conn| {
            if hold_awaiting!(conn, &id, clock) == 0 {
                return Ok(None);
            }
            let sealed = takes::table
                .inner_join(seals::table.on(seals::take_id.eq(takes::id)))
                .filter(takes::id.eq(&take))
                .filter(takes::request_id.eq(&id));
            let moved = diesel::update(requests::table.find(&id))
                .filter(diesel::dsl::exists(sealed))
                .set((
                    requests::state.eq(RequestState::Submitted),
                    requests::video_id.eq(VideoId::random()),
                    requests::take_id.eq(&take),
                ))
                .execute(conn)
                .await?;
            if moved == 0 {
                return Ok(None);
            }
            let others = takes::table
                .filter(takes::request_id.eq(&id))
                .filter(takes::id.ne(&take));
            let rejected = diesel::delete(others).returning(takes::id);
            Ok(Some(rejected.get_results(conn).await?))
        })
    }

    /// Latches that a request's time is over by the confirmed clock, and wipes what is known of its creator.
    /// `false`: it wasn't over, or this is written already.
    pub async fn request_expire(&self, id: RequestId, clock: &Clock) -> Result<bool, DbError> {
        let clock = clock.clone();
        transact!(self, |conn| {
            let live = [RequestState::AwaitingSubmission, RequestState::Submitted];
            let moved = diesel::update(requests::table.find(&id))
                .filter(requests::state.eq_any(live))
                .filter(requests::expires_at.le(clock.confirmed()))
                .set((
                    requests::state.eq(RequestState::Expired),
                    requests::prompt.eq(None::<Vec<u8>>),
                    requests::creator.eq(None::<ClientAddr>),
                ))
                .execute(conn)
                .await?;
            Ok(moved == 1)
        })
    }

    /// Marks a request deleted, wipes what is known of its creator and forgets its takes.
    /// `false`: it was deleted before.
    pub async fn request_delete(&self, id: RequestId) -> Result<bool, DbError> {
        transact!(self, |conn| {
            let moved = diesel::update(requests::table.find(&id))
                .filter(requests::state.ne(RequestState::Deleted))
                .set((
                    requests::state.eq(RequestState::Deleted),
                    requests::prompt.eq(None::<Vec<u8>>),
                    requests::creator.eq(None::<ClientAddr>),
                ))
                .execute(conn)
                .await?;
            let takes_of_it = takes::table.filter(takes::request_id.eq(&id));
            diesel::delete(takes_of_it).execute(conn).await?;
            Ok(moved == 1)
        })
    }

    /// Forgets the takes of an expired or deleted request, before its objects are removed.
    pub async fn request_forget_takes(&self, id: RequestId) -> Result<(), DbError> {
        transact!(self, |conn| {
            diesel::delete(takes::table.filter(takes::request_id.eq(&id)))
                .execute(conn)
                .await?;
            Ok(())
        })
    }

    /// Notes that no object of an expired or deleted request is left.
    pub async fn request_purged(&self, id: RequestId) -> Result<(), DbError> {
        transact!(self, |conn| {
            let over = [RequestState::Expired, RequestState::Deleted];
            diesel::update(requests::table.find(&id))
                .filter(requests::state.eq_any(over))
                .set(requests::bytes_gone.eq(true))
                .execute(conn)
                .await?;
            Ok(())
        })
    }

    /// Which of these no longer await a submission.
    pub async fn requests_moved(
        &self,
        of: &[RequestId],
        now: Millis,
    ) -> Result<Vec<RequestId>, DbError> {
        let moved = requests::state.ne(RequestState::AwaitingSubmission);
        query!(self, |conn| Ok(requests::table
            .filter(requests::id.eq_any(of))
            .filter(moved.or(requests::expires_at.le(now)))
            .select(requests::id)
            .load(conn)
            .await?))
    }

    /// Which of these are over.
    pub async fn requests_over(
        &self,
        of: &[RequestId],
        now: Millis,
    ) -> Result<Vec<RequestId>, DbError> {
        let over = [RequestState::Expired, RequestState::Deleted];
        query!(self, |conn| Ok(requests::table
            .filter(requests::id.eq_any(of))
            .filter(
                requests::state
                    .eq_any(over)
                    .or(requests::expires_at.le(now))
            )
            .select(requests::id)
            .load(conn)
            .await?))
    }

    /// Requests whose time is over without anybody having noticed: at most `limit`, oldest first.
    pub async fn requests_due(&self, now: Millis, limit: i64) -> Result<Vec<RequestId>, DbError> {
        let live = [RequestState::AwaitingSubmission, RequestState::Submitted];
        query!(self, |conn| Ok(requests::table
            .filter(requests::bytes_gone.eq(false))
            .filter(requests::state.eq_any(live))
            .filter(requests::expires_at.le(now))
            .order(requests::expires_at)
            .limit(limit)
            .select(requests::id)
            .load(conn)
            .await?))
    }

    /// Expired and deleted requests that may still have objects: at most `limit`, oldest first.
    pub async fn requests_unswept(&self, limit: i64) -> Result<Vec<RequestId>, DbError> {
        let over = [RequestState::Expired, RequestState::Deleted];
        query!(self, |conn| Ok(requests::table
            .filter(requests::bytes_gone.eq(false))
            .filter(requests::state.eq_any(over))
            .order(requests::expires_at)
            .limit(limit)
            .select(requests::id)
            .load(conn)
            .await?))
    }
}
