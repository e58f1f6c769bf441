//! Takedowns: the operator's deletion of a request.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::requests::wipe;
use super::schema::{requests, takes};
use super::{Db, DbError, RequestState, Unsigned, transact};
use crate::clock::Clock;
use crate::id::RequestId;

/// The recordings that a takedown has removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemovedTakes {
    /// The number of takes.
    pub takes: usize,
    /// Their committed bytes.
    pub bytes: u64,
}

impl Db {
    /// Marks a request as taken down, wipes its prompt and creator, and deletes the rows of its takes. `None`: it was
    /// deleted or taken down before.
    pub async fn request_take_down(
        &self,
        id: RequestId,
        clock: &Clock,
    ) -> Result<Option<RemovedTakes>, DbError> {
        let clock = clock.clone();
        transact!(self, |conn| {
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
}
