//! Compaction: replacing many chunks of a manifest by one that holds the same bytes.

use diesel::prelude::*;
use diesel::result::Error as QueryError;
use diesel_async::RunQueryDsl;

use crate::clock::{Clock, Stopwatch};
use crate::db::schema::{chunks, sealings, takes};
use crate::db::sealing::jobs::update_leased;
use crate::db::{
    Chunk, Db, DbError, Lease, MAX_COMMIT_TIME, RequestState, SealingState, TakeState, Unsigned,
    hold_awaiting, transact,
};
use crate::id::RequestId;

impl Db {
    /// Replaces adjacent chunks of a complete take by one whose object has their bytes.
    ///
    /// `since`: when the upload of that object began. `false`, and nothing changed: the lease is lost, the take is
    /// sealed or deleted, its request no longer awaits a submission, the manifest doesn't contain exactly these chunks,
    /// or [`MAX_COMMIT_TIME`] has passed.
    pub async fn chunks_replace(
        &self,
        held: &Lease,
        request: &RequestId,
        old: Vec<Chunk>,
        new: Chunk,
        since: Stopwatch,
        clock: &Clock,
    ) -> Result<bool, DbError> {
        let (held, request, clock) = (held.clone(), request.clone(), clock.clone());
        let fewer = Unsigned::from(old.len() as u64 - 1);
        let mut expected: Vec<_> = old
            .into_iter()
            .map(|it| (it.start, it.length, it.object))
            .collect();
        expected.sort();
        let replaced: Result<bool, DbError> = transact!(self, |conn| {
            if since.elapsed() > MAX_COMMIT_TIME || hold_awaiting!(conn, &request, clock) == 0 {
                return Ok(false);
            }
            // An update, which locks the row: a node that claims the lease at the same time waits for this transaction.
            let leased = update_leased!(held, SealingState::Due)
                .set(sealings::epoch.eq(held.epoch))
                .execute(conn)
                .await?;
            if leased == 0 {
                return Ok(false);
            }
            let counted = diesel::update(takes::table.find(&held.take_id))
                .filter(takes::request_id.eq(&request))
                .filter(takes::state.eq(TakeState::Complete))
                .set(takes::pieces.eq(takes::pieces - fewer))
                .execute(conn)
                .await?;
            if counted == 0 {
                return Ok(false);
            }
            let within = chunks::start
                .ge(Unsigned::from(new.start))
                .and(chunks::start.lt(Unsigned::from(new.start + new.length)));
            let removed: Vec<(Unsigned, Unsigned, String)> = diesel::delete(
                chunks::table
                    .filter(chunks::take_id.eq(&held.take_id))
                    .filter(within),
            )
            .returning((chunks::start, chunks::length, chunks::object))
            .get_results(conn)
            .await?;
            let mut removed: Vec<(u64, u64, String)> = removed
                .into_iter()
                .map(|(start, length, object)| (start.into(), length.into(), object))
                .collect();
            removed.sort();
            if removed != expected {
                return Err(DbError::Query(QueryError::RollbackTransaction));
            }
            diesel::insert_into(chunks::table)
                .values(new)
                .execute(conn)
                .await?;
            Ok(true)
        });
        match replaced {
            Err(DbError::Query(QueryError::RollbackTransaction)) => Ok(false),
            replaced => replaced,
        }
    }
}
