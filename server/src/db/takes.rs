//! Takes and their manifest. `committed` moves by compare-and-set, in the transaction that inserts the
//! chunk which it counts: the two can't disagree.

use std::collections::HashSet;

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::{chunks, requests, takes};
use super::{Db, DbError, RequestState, TakeState, hold_awaiting, query, transact};
use crate::clock::{Clock, Millis};
use crate::id::{RequestId, TakeId};

/// A row of `takes`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = takes, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Take {
    /// Its name.
    pub id: TakeId,
    /// The request that it answers.
    pub request_id: RequestId,
    /// Whether more bytes may come.
    pub state: TakeState,
    /// Essence of what its sender called it: `video/webm`.
    pub media_type: String,
    /// Bytes that are durable and in the manifest.
    pub committed: i64,
    /// Counts the writers. Only the newest one may commit.
    pub epoch: i64,
    /// When it was begun.
    pub created_at: Millis,
}

/// A row of `chunks`: `length` bytes of a take from `start` on lie in the object `object`.
#[derive(Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = chunks, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Chunk {
    /// The take that it is a piece of.
    pub take_id: TakeId,
    /// Where in the take it begins, in bytes.
    pub start: i64,
    /// How many bytes it has.
    pub length: i64,
    /// The key under which `blobs` keeps it.
    pub object: String,
}

/// The right to append to a take from an offset on, until somebody else claims it.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The take's request.
    pub request: RequestId,
    /// The take.
    pub take: TakeId,
    /// Which writer this is.
    pub epoch: i64,
}

impl Db {
    /// Begins a take. `false`: the request takes no more of them, or has as many as it may.
    pub async fn take_insert(&self, take: Take, most: u32, clock: &Clock) -> Result<bool, DbError> {
        let clock = clock.clone();
        transact!(self, |conn| {
            if hold_awaiting!(conn, &take.request_id, clock) == 0 {
                return Ok(false);
            }
            let others = takes::table.filter(takes::request_id.eq(&take.request_id));
            if others.count().get_result::<i64>(conn).await? >= i64::from(most) {
                return Ok(false);
            }
            diesel::insert_into(takes::table)
                .values(&take)
                .execute(conn)
                .await?;
            Ok(true)
        })
    }

    /// The take of this name, if it is one of this request's.
    pub async fn take_get(&self, of: &RequestId, id: &TakeId) -> Result<Option<Take>, DbError> {
        query!(self, |conn| Ok(takes::table
            .find(id)
            .filter(takes::request_id.eq(of))
            .select(Take::as_select())
            .first(conn)
            .await
            .optional()?))
    }

    /// All takes of a request, oldest first.
    pub async fn takes_of(&self, request: &RequestId) -> Result<Vec<Take>, DbError> {
        query!(self, |conn| Ok(takes::table
            .filter(takes::request_id.eq(request))
            .order((takes::created_at, takes::id))
            .select(Take::as_select())
            .load(conn)
            .await?))
    }

    /// Makes the caller the one writer of an open take, if the take stands at `offset`.
    pub async fn take_claim(
        &self,
        of: &RequestId,
        id: &TakeId,
        offset: i64,
    ) -> Result<Option<Claim>, DbError> {
        let (request, take) = (of.clone(), id.clone());
        transact!(self, |conn| {
            let epoch = diesel::update(takes::table.find(&take))
                .filter(takes::request_id.eq(&request))
                .filter(takes::state.eq(TakeState::Open))
                .filter(takes::committed.eq(offset))
                .set(takes::epoch.eq(takes::epoch + 1))
                .returning(takes::epoch)
                .get_result(conn)
                .await
                .optional()?;
            Ok(epoch.map(|epoch| Claim {
                request,
                take,
                epoch,
            }))
        })
    }

    /// Adds a durable chunk to the manifest, or completes the take, or both at once.
    ///
    /// `false`, and nothing changed: the take has another writer or another offset by now, is complete
    /// or gone, or its request takes no more bytes.
    pub async fn take_commit(
        &self,
        claim: &Claim,
        from: i64,
        chunk: Option<Chunk>,
        complete: bool,
        clock: &Clock,
    ) -> Result<bool, DbError> {
        let (claim, clock) = (claim.clone(), clock.clone());
        let to = from + chunk.as_ref().map_or(0, |chunk| chunk.length);
        let state = if complete {
            TakeState::Complete
        } else {
            TakeState::Open
        };
        transact!(self, |conn| {
            let awaiting = requests::table
                .find(&claim.request)
                .filter(requests::state.eq(RequestState::AwaitingSubmission))
                .filter(requests::expires_at.gt(clock.now()));
            let moved = diesel::update(takes::table.find(&claim.take))
                .filter(takes::epoch.eq(claim.epoch))
                .filter(takes::state.eq(TakeState::Open))
                .filter(takes::committed.eq(from))
                .filter(diesel::dsl::exists(awaiting))
                .set((takes::committed.eq(to), takes::state.eq(state)))
                .execute(conn)
                .await?;
            if let (1, Some(chunk)) = (moved, &chunk) {
                diesel::insert_into(chunks::table)
                    .values(chunk)
                    .execute(conn)
                    .await?;
            }
            Ok(moved == 1)
        })
    }

    /// Forgets a take of a request that awaits its submission. `false`: there was none such.
    pub async fn take_delete(
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

    /// Which of these objects some manifest names.
    pub async fn chunks_named(&self, objects: Vec<String>) -> Result<HashSet<String>, DbError> {
        query!(self, |conn| {
            let named = chunks::table.filter(chunks::object.eq_any(&objects));
            let named: Vec<String> = named.select(chunks::object).load(conn).await?;
            Ok(named.into_iter().collect())
        })
    }

    /// Bytes of all takes of all requests.
    pub async fn takes_bytes(&self) -> Result<i64, DbError> {
        query!(self, |conn| {
            let lengths = takes::table.select(takes::committed);
            // Summed here: the databases' own sums have types of their own.
            let lengths: Vec<i64> = lengths.load(conn).await?;
            Ok(lengths.into_iter().sum())
        })
    }

    /// The manifest of a take, in the order of its bytes.
    pub async fn take_chunks(&self, id: &TakeId) -> Result<Vec<Chunk>, DbError> {
        query!(self, |conn| Ok(chunks::table
            .filter(chunks::take_id.eq(id))
            .order(chunks::start)
            .select(Chunk::as_select())
            .load(conn)
            .await?))
    }
}
