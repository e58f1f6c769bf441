//! Requests: one row each, which stays after the request's bytes are removed.

pub(super) mod due;

use diesel::dsl::case_when;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::clock::{Clock, Millis};
use crate::db::creation_rate::CLOCK_MARGIN;
use crate::db::schema::client_addr::{Creator, limit_key};
use crate::db::schema::{quotas, requests, seals, takes, transcripts};
use crate::db::sealing::jobs::new_job;
use crate::db::{
    CreationCost, CreationOutcome, Db, DbError, RequestState, TranscriptState, hold_awaiting,
    query_row, transact,
};
use crate::id::{RequestId, TakeId, TokenHash, VideoId};
use net::client_addr::ClientAddr;

/// A row of `requests`.
#[derive(Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = requests, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Request {
    /// The request's id.
    pub id: RequestId,
    /// SHA-256 of the token.
    pub token_hash: TokenHash,
    /// The prompt in UTF-8.
    /// Bytes, because a NUL is valid in JSON text and not in PostgreSQL's. `None`: wiped.
    pub prompt: Option<Vec<u8>>,
    /// The stored state. `service::requests::access` of the server also compares `expires_at` with the clock.
    pub state: RequestState,
    /// The time of creation.
    pub created_at: Millis,
    /// The time from which on nothing of the request is served.
    pub expires_at: Millis,
    /// The video's id, once submitted.
    pub video_id: Option<VideoId>,
    /// The submitted take.
    pub take_id: Option<TakeId>,
    /// Whether the request is over and all its objects are removed.
    pub purged: bool,
    /// The address whose quotas the request counts against. `None`: no address was known, or it is wiped.
    #[diesel(serialize_as = Creator, deserialize_as = Creator)]
    pub creator: Option<ClientAddr>,
    /// The time of the operator's takedown.
    pub taken_down_at: Option<Millis>,
    /// The time of the submission. `None`: there is none, or a release without this column has written it.
    pub submitted_at: Option<Millis>,
    /// Which lines of the prompt the sender ticked at which moments of the video, as JSON.
    /// `None`: none, or wiped.
    pub ticks: Option<Vec<u8>>,
}

/// The stored states of requests that may still be served.
pub(super) const SERVED: [RequestState; 2] =
    [RequestState::AwaitingSubmission, RequestState::Submitted];

/// The stored states of requests that are over.
const OVER: [RequestState; 2] = [RequestState::Expired, RequestState::Deleted];

/// The changes that end a request: its new state, and no prompt and creator.
macro_rules! wipe {
    ($state:expr) => {
        (
            $crate::db::schema::requests::state.eq($state),
            $crate::db::schema::requests::prompt.eq(None::<Vec<u8>>),
            $crate::db::schema::requests::ticks.eq(None::<Vec<u8>>),
            $crate::db::schema::requests::creator.eq(None::<String>),
        )
    };
}

pub(super) use wipe;

impl Db {
    /// Stores a new request, and charges `costs`, if all of them can be paid; otherwise charges none.
    ///
    /// By the generic cell rate algorithm: `paid_at` is the theoretical arrival time of a key.
    /// Keys are charged in the given order. With the narrower ones first, transactions lock rows in one order, from
    /// an address to the networks around it, and can't deadlock.
    pub async fn request_insert(
        &self,
        request: Request,
        costs: Vec<CreationCost>,
        clock: &Clock,
    ) -> Result<CreationOutcome, DbError> {
        let clock = clock.clone();
        transact!(self, |conn| {
            for (index, cost) in costs.iter().enumerate() {
                let key = limit_key(cost.key);
                let now = clock.now();
                let tolerance = cost.interval.saturating_mul(cost.burst - 1);
                // A debt beyond this comes from a clock that was set back, or from another rate, and is cancelled.
                let debt = tolerance.saturating_add(cost.interval);
                let longest = now.saturating_add(debt).saturating_add(CLOCK_MARGIN);
                let owes = quotas::paid_at.gt(now).and(quotas::paid_at.le(longest));
                let owed = case_when(owes, quotas::paid_at).otherwise(now);
                let upsert = diesel::insert_into(quotas::table)
                    .values((
                        quotas::creator.eq(&key),
                        quotas::paid_at.eq(now.saturating_add(cost.interval)),
                    ))
                    .on_conflict(quotas::creator)
                    .do_update()
                    .set(quotas::paid_at.eq(owed + cost.interval));
                let in_time = quotas::paid_at.le(now.saturating_add(tolerance));
                let in_time = in_time.or(quotas::paid_at.gt(longest));
                let paid = diesel::query_dsl::methods::FilterDsl::filter(upsert, in_time)
                    .execute(conn)
                    .await?;
                if paid == 0 {
                    let standing = quotas::table.find(&key).select(quotas::paid_at);
                    let paid_at: Millis = standing.first(conn).await?;
                    // A refusal is no error, so the transaction commits: what it has charged is given back.
                    for paid in &costs[..index] {
                        diesel::update(quotas::table.find(limit_key(paid.key)))
                            .set(quotas::paid_at.eq(quotas::paid_at - paid.interval))
                            .execute(conn)
                            .await?;
                    }
                    return Ok(CreationOutcome::NotBefore(paid_at - tolerance));
                }
            }
            diesel::insert_into(requests::table)
                .values(request.clone())
                .execute(conn)
                .await?;
            Ok(CreationOutcome::Done)
        })
    }

    /// The request that a token belongs to.
    pub async fn request_by_token(&self, token: &TokenHash) -> Result<Option<Request>, DbError> {
        let row = requests::table.filter(requests::token_hash.eq(token));
        Ok(query_row!(self, get_result::<Request>(row)).optional()?)
    }

    /// The request with this id.
    pub async fn request_get(&self, id: &RequestId) -> Result<Option<Request>, DbError> {
        let row = requests::table.find(id);
        Ok(query_row!(self, get_result::<Request>(row)).optional()?)
    }

    /// The request whose video has this id.
    pub async fn request_by_video(&self, id: &VideoId) -> Result<Option<Request>, DbError> {
        let row = requests::table.filter(requests::video_id.eq(id));
        Ok(query_row!(self, get_result::<Request>(row)).optional()?)
    }

    /// Makes a sealed take the request's video, and deletes the rows of its other takes; returns their ids.
    /// `None`: the request was already submitted, expired or deleted, or has no such sealed take.
    ///
    /// `transcribe`: whether to queue it for a transcript, if it has audio.
    pub async fn request_submit(
        &self,
        id: &RequestId,
        take: &TakeId,
        ticks: Option<Vec<u8>>,
        transcribe: bool,
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
                    requests::submitted_at.eq(clock.now()),
                    requests::ticks.eq(ticks),
                ))
                .execute(conn)
                .await?;
            if moved == 0 {
                return Ok(None);
            }
            let has_audio = seals::table.find(&take).select(seals::has_audio);
            if transcribe && has_audio.first::<bool>(conn).await? {
                let job = new_job!(transcripts, TranscriptState::Due, &take, clock.now());
                diesel::insert_into(transcripts::table)
                    .values(job)
                    .on_conflict_do_nothing()
                    .execute(conn)
                    .await?;
            }
            let others = takes::table
                .filter(takes::request_id.eq(&id))
                .filter(takes::id.ne(&take));
            let rejected = diesel::delete(others).returning(takes::id);
            Ok(Some(rejected.get_results(conn).await?))
        })
    }

    /// Latches that a request has expired by the confirmed clock, and wipes its prompt and creator.
    /// `false`: it hasn't, or that is written already.
    pub async fn request_expire(&self, id: RequestId, clock: &Clock) -> Result<bool, DbError> {
        let clock = clock.clone();
        transact!(self, |conn| {
            let moved = diesel::update(requests::table.find(&id))
                .filter(requests::state.eq_any(SERVED))
                .filter(requests::expires_at.le(clock.confirmed()))
                .set(wipe!(RequestState::Expired))
                .execute(conn)
                .await?;
            Ok(moved == 1)
        })
    }

    /// Marks a request as deleted, wipes its prompt and creator, and deletes the rows of its takes.
    /// `false`: it was deleted before.
    pub async fn request_delete(&self, id: RequestId) -> Result<bool, DbError> {
        transact!(self, |conn| {
            let moved = diesel::update(requests::table.find(&id))
                .filter(requests::state.ne(RequestState::Deleted))
                .set(wipe!(RequestState::Deleted))
                .execute(conn)
                .await?;
            let takes_of_it = takes::table.filter(takes::request_id.eq(&id));
            diesel::delete(takes_of_it).execute(conn).await?;
            Ok(moved == 1)
        })
    }

    /// Deletes the rows of a request's takes, before its objects are removed.
    pub async fn request_delete_takes(&self, id: RequestId) -> Result<(), DbError> {
        transact!(self, |conn| {
            diesel::delete(takes::table.filter(takes::request_id.eq(&id)))
                .execute(conn)
                .await?;
            Ok(())
        })
    }

    /// Marks an expired or deleted request as purged: no object of it is left.
    pub async fn request_purged(&self, id: RequestId) -> Result<(), DbError> {
        transact!(self, |conn| {
            diesel::update(requests::table.find(&id))
                .filter(requests::state.eq_any(OVER))
                // The ticks again: a release that doesn't know them has ended the request, and left them.
                .set((
                    requests::purged.eq(true),
                    requests::ticks.eq(None::<Vec<u8>>),
                ))
                .execute(conn)
                .await?;
            Ok(())
        })
    }
}
