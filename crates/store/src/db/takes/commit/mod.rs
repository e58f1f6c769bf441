//! Appending to a take: claiming it, and committing chunks.
//!
//! `committed` moves by compare-and-set, in the transaction that inserts the chunks it counts, so the two always agree.

#[cfg(test)]
mod tests;

use std::time::Duration;

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::chunks::Chunk;
use super::{Take, full_hour};
use crate::clock::{Clock, Millis, Stopwatch};
use crate::db::schema::{chunks, requests, sealings, takes};
use crate::db::sealing::jobs::new_job;
use crate::db::{Db, DbError, RequestState, SealingState, TakeState, Unsigned, transact};
use crate::id::{RequestId, TakeId};

/// The longest time between the beginning of an object's upload and the commit of its row.
/// An older object without a row may be removed as an orphan.
pub const MAX_COMMIT_TIME: Duration = Duration::from_secs(5 * 60);

/// The most chunks of a take.
/// A sender of single bytes would exhaust tables and inodes long before the disk's space. With a flush every two
/// seconds it allows nine hours.
pub const MAX_CHUNKS: u64 = 1 << 14;

/// The right to append to a take until another writer claims it.
/// It holds the take's row with this writer's epoch. Only [`Db::take_claim`] creates one.
#[derive(Clone, Debug)]
pub struct Claim(Take);

impl Claim {
    /// The take as it was claimed.
    pub fn take(&self) -> &Take {
        &self.0
    }
}

/// The changes of one commit.
#[derive(Clone)]
pub struct Addition {
    /// The offset at which the take must end before the commit.
    pub from: u64,
    /// The chunks of durable objects, from there on and without gaps.
    pub chunks: Vec<Chunk>,
    /// Whether the take is complete with them.
    pub complete: bool,
    /// When the upload of the first object began. The commit is refused after [`MAX_COMMIT_TIME`].
    pub since: Option<Stopwatch>,
    /// The declared length of the take, once it is known.
    pub length: Option<u64>,
    /// The media type, once the first bytes show it.
    pub container: Option<String>,
    /// When the take's first byte arrived, if it is among these.
    pub first_byte_at: Option<Millis>,
}

impl Take {
    /// Whether bytes may be appended at offset `at`, and the total length be `length`.
    fn accepts(&self, at: u64, length: Option<u64>) -> bool {
        let agrees = |length| length >= at && self.length.is_none_or(|declared| declared == length);
        let open = self.state == TakeState::Open && !self.poisoned;
        open && self.committed == at && length.is_none_or(agrees)
    }
}

impl Db {
    /// Makes the caller the only writer of an open take. `None`: the take can't be appended to.
    ///
    /// `at`: only if the take ends at this offset. `length`: only if this length contradicts neither the committed
    /// bytes nor an earlier declaration.
    pub async fn take_claim(
        &self,
        of: &RequestId,
        id: &TakeId,
        at: Option<u64>,
        length: Option<u64>,
        clock: &Clock,
    ) -> Result<Option<Claim>, DbError> {
        if let (Self::Sqlite { .. }, Some(at)) = (self, at) {
            // With SQLite there is one node, on which the caller holds the take's upload lock. So no other writer's
            // epoch has to be superseded, and a read saves the sync of a write.
            let take = self.take_get(of, id).await?;
            return Ok(take.filter(|take| take.accepts(at, length)).map(Claim));
        }
        let (request, take, clock) = (of.clone(), id.clone(), clock.clone());
        let range = |exactly: Option<u64>| (exactly.unwrap_or(0), exactly.unwrap_or(u64::MAX));
        let ((at_least, at_most), (shortest, longest)) = (range(at), range(length));
        let at_most = at_most.min(longest);
        transact!(self, |conn| {
            let now = clock.now();
            let agrees = takes::length
                .is_null()
                .or(takes::length.between(Unsigned::from(shortest), Unsigned::from(longest)));
            let claimed = diesel::update(takes::table.find(&take))
                .filter(takes::request_id.eq(&request))
                .filter(takes::state.eq(TakeState::Open))
                .filter(takes::poisoned.eq(false))
                .filter(takes::committed.between(Unsigned::from(at_least), Unsigned::from(at_most)))
                .filter(agrees)
                .set((
                    takes::epoch.eq(takes::epoch + 1),
                    takes::touched_at.eq(full_hour(now)),
                    takes::grown_at.eq(now),
                ))
                .returning(Take::as_returning())
                .get_result(conn)
                .await
                .optional()?;
            Ok(claimed.map(Claim))
        })
    }

    /// Adds durable objects to the manifest, or completes the take, or both.
    ///
    /// `false`, and nothing changed: [`MAX_COMMIT_TIME`] has passed, another writer has claimed the take, its offset
    /// differs, it is complete or deleted or would have more than [`MAX_CHUNKS`], or its request no longer awaits a
    /// submission.
    pub async fn take_commit(
        &self,
        claim: &Claim,
        addition: Addition,
        clock: &Clock,
    ) -> Result<bool, DbError> {
        let (take, clock) = (claim.0.clone(), clock.clone());
        let Addition { from, chunks, .. } = addition;
        let pieces = chunks.len() as u64;
        let to = chunks.iter().fold(from, |to, chunk| to + chunk.length);
        let state = if addition.complete {
            TakeState::Complete
        } else {
            TakeState::Open
        };
        let (length, container) = (addition.length, addition.container);
        let first_byte_at = addition.first_byte_at;
        transact!(self, |conn| {
            // Checked after the wait for the connection, which may be long.
            if addition
                .since
                .is_some_and(|it| it.elapsed() > MAX_COMMIT_TIME)
            {
                return Ok(false);
            }
            let now = clock.now();
            let awaiting = requests::table
                .find(&take.request_id)
                .filter(requests::state.eq(RequestState::AwaitingSubmission))
                .filter(requests::expires_at.gt(now));
            let moved = diesel::update(takes::table.find(&take.id))
                .filter(takes::epoch.eq(take.epoch))
                .filter(takes::state.eq(TakeState::Open))
                .filter(takes::committed.eq(Unsigned::from(from)))
                .filter((takes::pieces + Unsigned::from(pieces)).le(Unsigned::from(MAX_CHUNKS)))
                .filter(diesel::dsl::exists(awaiting))
                .set((
                    takes::committed.eq(Unsigned::from(to)),
                    takes::state.eq(state),
                    takes::pieces.eq(takes::pieces + Unsigned::from(pieces)),
                    takes::touched_at.eq(full_hour(now)),
                    takes::grown_at.eq(now),
                    length.map(|length| takes::length.eq(Unsigned::from(length))),
                    container.map(|container| takes::container.eq(container)),
                    first_byte_at.map(|at| takes::first_byte_at.eq(at)),
                    (pieces > 0).then(|| takes::last_byte_at.eq(now)),
                ))
                .execute(conn)
                .await?;
            if moved == 1 {
                for chunk in chunks {
                    let committed_at = Some(now);
                    diesel::insert_into(chunks::table)
                        .values(Chunk {
                            committed_at,
                            ..chunk
                        })
                        .execute(conn)
                        .await?;
                }
                if state == TakeState::Complete {
                    // In the same transaction, so that a complete take always has its job.
                    diesel::insert_into(sealings::table)
                        .values(new_job!(sealings, SealingState::Due, &take.id, now))
                        .execute(conn)
                        .await?;
                }
            }
            Ok(moved == 1)
        })
    }

    /// Records that a take grows though its bytes can't be committed yet. So no other node ends it as idle.
    ///
    /// Does nothing on SQLite, where the only node knows all writers.
    pub async fn take_note_growth(&self, claim: &Claim, clock: &Clock) -> Result<(), DbError> {
        if matches!(self, Self::Sqlite { .. }) {
            return Ok(());
        }
        let (take, clock) = (claim.0.clone(), clock.clone());
        transact!(self, |conn| {
            diesel::update(takes::table.find(&take.id))
                .filter(takes::epoch.eq(take.epoch))
                .set(takes::grown_at.eq(clock.now()))
                .execute(conn)
                .await?;
            Ok(())
        })
    }

    /// Records a write to a take of which nothing was committed.
    /// Does nothing on PostgreSQL, where the claim has recorded it.
    pub async fn take_note_attempt(&self, claim: &Claim, clock: &Clock) -> Result<(), DbError> {
        if matches!(self, Self::Postgres { .. }) {
            return Ok(());
        }
        let (take, clock) = (claim.0.clone(), clock.clone());
        transact!(self, |conn| {
            let now = clock.now();
            diesel::update(takes::table.find(&take.id))
                .filter(takes::state.eq(TakeState::Open))
                .set((
                    takes::touched_at.eq(full_hour(now)),
                    takes::grown_at.eq(now),
                ))
                .execute(conn)
                .await?;
            Ok(())
        })
    }

    /// Refuses all further appends to an open take, for good.
    pub async fn take_poison(&self, id: &TakeId) -> Result<(), DbError> {
        let id = id.clone();
        transact!(self, |conn| {
            diesel::update(takes::table.find(&id))
                .filter(takes::state.eq(TakeState::Open))
                .set(takes::poisoned.eq(true))
                .execute(conn)
                .await?;
            Ok(())
        })
    }
}
