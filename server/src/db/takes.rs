//! Takes and their manifest. `committed` moves by compare-and-set, in the transaction that inserts the
//! chunk which it counts: the two can't disagree.

use std::ops::Range;
use std::time::Duration;

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::{chunks, requests, sealings, seals, takes};
use super::{
    Db, DbError, OptionalUnsigned, RequestState, Sealing, SealingState, TakeState, Unsigned,
    hold_awaiting, query, query_row, transact,
};
use crate::clock::{Clock, Millis, Stopwatch};
use crate::id::{RequestId, TakeId};
use net::Precedence;
use net::client_addr::ClientAddr;

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
    /// Bytes that are durable and in the manifest.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub committed: u64,
    /// Counts the writers. Only the newest one may commit.
    pub epoch: i64,
    /// When it was begun.
    pub created_at: Millis,
    /// The media type that its first bytes say: `video/webm`. `None`: too few of them are here.
    pub container: Option<String>,
    /// How many bytes it will have, once its sender has said so.
    #[diesel(serialize_as = OptionalUnsigned, deserialize_as = OptionalUnsigned)]
    pub length: Option<u64>,
    /// Nothing may be appended any more: the disk failed to make bytes durable.
    pub poisoned: bool,
    /// When somebody last wrote to it: the full hour after that.
    pub touched_at: Millis,
    /// How many chunks it has.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub pieces: u64,
    /// Whose share of the store it takes: its request's creator.
    pub creator: Option<ClientAddr>,
    /// When it last grew, or was begun. 0: it was last written by a release that doesn't know this column.
    pub grown_at: Millis,
}

/// The next full hour. An indexed column that changes with every write would be written twice.
pub fn full_hour(at: Millis) -> Millis {
    const HOUR: Millis = 60 * 60 * 1000;
    at.saturating_add(HOUR - 1) / HOUR * HOUR
}

impl Take {
    /// Whether bytes may be appended at `at`, and the whole be `length` long.
    fn accepts(&self, at: u64, length: Option<u64>) -> bool {
        let agrees = |length| length >= at && self.length.is_none_or(|declared| declared == length);
        let open = self.state == TakeState::Open && !self.poisoned;
        open && self.committed == at && length.is_none_or(agrees)
    }
}

/// A row of `chunks`: `length` bytes of a take from `start` on lie in the object `object`.
#[derive(Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = chunks, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Chunk {
    /// The take that it is a piece of.
    pub take_id: TakeId,
    /// Where in the take it begins, in bytes.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub start: u64,
    /// How many bytes it has.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub length: u64,
    /// The key under which `blobs` keeps it.
    pub object: String,
}

/// Which takes of a request may be ended to make room for a new one: open ones that don't grow.
pub struct EndIdle {
    /// Those that last grew before this long ago.
    pub idle: Millis,
    /// Those that have a writer on this node, who may have committed nothing yet.
    pub except: Vec<TakeId>,
}

/// What became of a take that was to be begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeInsertion {
    /// It is stored, in the place of another one if that was necessary, whose bytes are still there.
    Done {
        /// The take that was ended for it.
        ended: Option<TakeId>,
    },
    /// The request has as many takes as it may.
    TooMany,
    /// The request takes no more of them.
    NotAwaiting,
}

/// Whether a take is open and last grew at or before this moment.
macro_rules! is_idle {
    ($before:expr) => {{
        // What the release before has written says only in which hour that was.
        let known = takes::grown_at.gt(0).or(takes::touched_at.le($before));
        let open = takes::state.eq(TakeState::Open);
        open.and(takes::grown_at.le($before)).and(known)
    }};
}

/// The right to append to a take, until somebody else claims it: the take's row, with the epoch of this
/// writer. Made by [`Db::take_claim`] alone.
#[derive(Clone, Debug)]
pub struct Claim(Take);

impl Claim {
    /// The take as it was claimed.
    pub fn take(&self) -> &Take {
        &self.0
    }
}

/// The longest that may pass between the beginning of an object and the row that names it: an older one
/// without a row may be removed as an orphan.
pub const LONGEST_COMMIT: Duration = Duration::from_secs(5 * 60);

/// The most objects that a take may consist of: a sender of single bytes would fill tables and folders
/// long before it fills the disk. A flush every two seconds makes nine hours of it.
pub const MOST_CHUNKS: u64 = 1 << 14;

/// Rows of a manifest that are looked up in one go: few enough to be looked up on the thread that asks, and for a
/// stream to hold for as long as its client takes.
pub const CHUNK_WINDOW: usize = 64;

diesel::alias!(chunks as earlier: Earlier);

/// Chunks lie side by side: the first one that counts is the last that begins at or before the range.
/// Asked like that, a database finds it by its key, however many come before.
macro_rules! chunks_within {
    ($id:expr, $range:expr) => {{
        let before = earlier
            .filter(earlier.field(chunks::take_id).eq($id))
            .filter(
                earlier
                    .field(chunks::start)
                    .le(Unsigned::from($range.start)),
            )
            .select(diesel::dsl::max(earlier.field(chunks::start)));
        chunks::table
            .filter(chunks::take_id.eq($id))
            .filter(chunks::start.nullable().ge(before.single_value()))
            .filter(chunks::start.lt(Unsigned::from($range.end)))
            .order(chunks::start)
    }};
}

/// What a commit adds.
#[derive(Clone)]
pub struct Addition {
    /// Where the take must stand.
    pub from: u64,
    /// Durable objects, without gaps from there on.
    pub chunks: Vec<Chunk>,
    /// Whether that is all of the take.
    pub complete: bool,
    /// Since the first of the objects was begun; after [`LONGEST_COMMIT`] it is too late to name them.
    pub since: Option<Stopwatch>,
    /// How long the take will be, once anybody has said so.
    pub length: Option<u64>,
    /// What the first bytes say, once they do.
    pub container: Option<String>,
}

impl Db {
    /// Begins a take of a request that may have `most` of them. Where it has them, the oldest one that `end_idle`
    /// allows is deleted.
    pub async fn take_insert(
        &self,
        take: Take,
        most: u32,
        end_idle: Option<EndIdle>,
        clock: &Clock,
    ) -> Result<TakeInsertion, DbError> {
        let (clock, most) = (clock.clone(), i64::from(most));
        transact!(self, |conn| {
            if hold_awaiting!(conn, &take.request_id, clock) == 0 {
                return Ok(TakeInsertion::NotAwaiting);
            }
            let others = takes::table.filter(takes::request_id.eq(&take.request_id));
            let others: i64 = others.count().get_result(conn).await?;
            let mut ended = None;
            if others >= most {
                let Some(end_idle) = end_idle.filter(|_| others == most) else {
                    return Ok(TakeInsertion::TooMany);
                };
                let before = clock.now() - end_idle.idle;
                let idle: Vec<TakeId> = takes::table
                    .filter(takes::request_id.eq(&take.request_id))
                    .filter(is_idle!(before))
                    .order((takes::created_at, takes::id))
                    .select(takes::id)
                    .load(conn)
                    .await?;
                for id in idle.into_iter().filter(|id| !end_idle.except.contains(id)) {
                    // Once more: it may have grown on another node meanwhile.
                    let gone = diesel::delete(takes::table.find(&id))
                        .filter(is_idle!(before))
                        .execute(conn)
                        .await?;
                    if gone == 1 {
                        ended = Some(id);
                        break;
                    }
                }
                if ended.is_none() {
                    return Ok(TakeInsertion::TooMany);
                }
            }
            diesel::insert_into(takes::table)
                .values(take)
                .execute(conn)
                .await?;
            Ok(TakeInsertion::Done { ended })
        })
    }

    /// Notes that a take grows whose bytes can't be committed yet, so that no other node ends it as an idle one.
    /// A node with its own SQLite file knows its writers.
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

    /// Notes that somebody wrote to a take, though none of it counts. On PostgreSQL the claim has said so.
    pub async fn take_note_attempt(&self, claim: &Claim, clock: &Clock) -> Result<(), DbError> {
        if matches!(self, Self::Postgres(_)) {
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

    /// The take of this name, if it is one of this request's.
    pub async fn take_get(&self, of: &RequestId, id: &TakeId) -> Result<Option<Take>, DbError> {
        let row = takes::table.find(id).filter(takes::request_id.eq(of));
        Ok(query_row!(self, get_result::<Take>(row)).optional()?)
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

    /// Likewise; with where each stands in the queue for sealing, and of each that is sealed whether its file says where
    /// it was filmed.
    pub async fn takes_with_seals(
        &self,
        request: &RequestId,
    ) -> Result<Vec<(Take, Option<SealingState>, Option<bool>)>, DbError> {
        query!(self, |conn| Ok(takes::table
            .left_join(sealings::table)
            .left_join(seals::table.on(seals::take_id.eq(takes::id)))
            .filter(takes::request_id.eq(request))
            .order((takes::created_at, takes::id))
            .select((
                Take::as_select(),
                sealings::state.nullable(),
                seals::located.nullable()
            ))
            .load(conn)
            .await?))
    }

    /// Makes the caller the one writer of an open take, whoever wrote before. With `at` only if the take
    /// stands there; with `length` only if that contradicts neither its bytes nor an earlier word.
    pub async fn take_claim(
        &self,
        of: &RequestId,
        id: &TakeId,
        at: Option<u64>,
        length: Option<u64>,
        clock: &Clock,
    ) -> Result<Option<Claim>, DbError> {
        if let (Self::Sqlite { .. }, Some(at)) = (self, at) {
            // One node, on which the caller has the only turn at this take: nobody else's epoch is to be
            // outdone, and a look costs no sync.
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

    /// Adds durable objects to the manifest, or completes the take, or both at once.
    ///
    /// `false`, and nothing changed: it came too late, the take has another writer or another offset by
    /// now, is complete or gone or in too many pieces, or its request takes no more bytes.
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
        transact!(self, |conn| {
            // Asked behind the wait for the connection, which may be long.
            if addition
                .since
                .is_some_and(|it| it.elapsed() > LONGEST_COMMIT)
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
                .filter((takes::pieces + Unsigned::from(pieces)).le(Unsigned::from(MOST_CHUNKS)))
                .filter(diesel::dsl::exists(awaiting))
                .set((
                    takes::committed.eq(Unsigned::from(to)),
                    takes::state.eq(state),
                    takes::pieces.eq(takes::pieces + Unsigned::from(pieces)),
                    takes::touched_at.eq(full_hour(now)),
                    takes::grown_at.eq(now),
                    length.map(|length| takes::length.eq(Unsigned::from(length))),
                    container.map(|container| takes::container.eq(container)),
                ))
                .execute(conn)
                .await?;
            if moved == 1 {
                for chunk in chunks {
                    diesel::insert_into(chunks::table)
                        .values(chunk)
                        .execute(conn)
                        .await?;
                }
                if state == TakeState::Complete {
                    // The work that this calls for can't be forgotten: it stands here with it.
                    diesel::insert_into(sealings::table)
                        .values(Sealing::due(&take.id, now))
                        .execute(conn)
                        .await?;
                }
            }
            Ok(moved == 1)
        })
    }

    /// Closes a take to every writer for good, whoever holds it.
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

    /// Takes that nobody finished and nobody wrote to since `before`: at most `limit`, oldest first.
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

    /// Forgets a take that is still abandoned. `false`: somebody came back, or it is gone.
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

    /// Forgets a take of a request that awaits its submission. `false`: there was none such.
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

    /// The part of a take's manifest that holds the bytes of `range`, in their order: the first [`CHUNK_WINDOW`] rows
    /// of it.
    pub async fn take_chunks(&self, id: &TakeId, range: Range<u64>) -> Result<Vec<Chunk>, DbError> {
        use diesel::connection::DefaultLoadingMode;
        let rows = chunks_within!(id, range);
        match self {
            // Stepped through, and left when there are enough: SQLite plans a statement anew whenever a `LIMIT` is
            // bound.
            Self::Sqlite { lookup, .. } => Ok(lookup.run(|conn| {
                let rows = rows.select(Chunk::as_select());
                let rows = diesel::RunQueryDsl::load_iter::<Chunk, DefaultLoadingMode>(rows, conn)?;
                rows.take(CHUNK_WINDOW).collect()
            })??),
            Self::Postgres(pool) => {
                let _precedence = Precedence::raise();
                let conn = &mut *super::in_time(pool.get()).await?;
                let rows = rows.limit(i64::try_from(CHUNK_WINDOW).unwrap_or(i64::MAX));
                Ok(rows.select(Chunk::as_select()).load(conn).await?)
            }
        }
    }
}
