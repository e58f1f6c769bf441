//! Takedowns: the operator's deletion of a request.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::clock::{Clock, Millis};
use crate::db::requests::{SERVED, wipe};
use crate::db::schema::client_addr::Creator;
use crate::db::schema::{reports, requests, takes};
use crate::db::{Db, DbError, RequestState, Unsigned, query, transact};
use crate::id::RequestId;
use net::client_addr::ClientAddr;

/// A request that may still be served, and who created it.
#[derive(Clone, Debug, Queryable)]
pub struct OpenRequest {
    /// Its id.
    pub id: RequestId,
    /// The address that created it. `None`: none was known.
    #[diesel(deserialize_as = Creator)]
    pub creator: Option<ClientAddr>,
    /// When it was created.
    pub created_at: Millis,
    /// The prompt in UTF-8.
    pub prompt: Option<Vec<u8>>,
}

/// The recordings that a takedown has removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemovedTakes {
    /// The number of takes.
    pub takes: usize,
    /// Their committed bytes.
    pub bytes: u64,
}

impl Db {
    /// Marks a request as taken down, wipes its prompt and creator, deletes the rows of its takes, and closes its
    /// reports. `None`: it was deleted or taken down before.
    pub async fn request_take_down(
        &self,
        id: RequestId,
        clock: &Clock,
    ) -> Result<Option<RemovedTakes>, DbError> {
        let clock = clock.clone();
        transact!(self, |conn| {
            // Also where its creator has deleted it.
            let reports_of_it = reports::table.filter(reports::request_id.eq(&id));
            diesel::update(reports_of_it.filter(reports::done_at.is_null()))
                .set(reports::done_at.eq(clock.now()))
                .execute(conn)
                .await?;
            let moved = diesel::update(requests::table.find(&id))
                .filter(requests::state.ne(RequestState::Deleted))
                .set((
                    wipe!(RequestState::Deleted),
                    requests::taken_down_at.eq(clock.now()),
                    // Also where an expired request is purged: the sweeper removes objects that were written late.
                    requests::purged.eq(false),
                ))
                .execute(conn)
                .await?;
            if moved == 0 {
                return Ok(None);
            }
            let takes_of_it = takes::table.filter(takes::request_id.eq(&id));
            let lengths: Vec<Unsigned> = diesel::delete(takes_of_it)
                .returning(takes::committed)
                .get_results(conn)
                .await?;
            Ok(Some(RemovedTakes {
                takes: lengths.len(),
                bytes: lengths.into_iter().map(u64::from).sum(),
            }))
        })
    }

    /// Requests that may still be served at this moment: at most `limit`, those behind `after`.
    pub async fn requests_open(
        &self,
        after: Option<RequestId>,
        now: Millis,
        limit: i64,
    ) -> Result<Vec<OpenRequest>, DbError> {
        query!(self, |conn| {
            let mut open = requests::table
                .filter(requests::state.eq_any(SERVED))
                .filter(requests::expires_at.gt(now))
                .select((
                    requests::id,
                    requests::creator,
                    requests::created_at,
                    requests::prompt,
                ))
                .into_boxed();
            if let Some(after) = &after {
                open = open.filter(requests::id.gt(after));
            }
            Ok(open.order(requests::id).limit(limit).load(conn).await?)
        })
    }
}
