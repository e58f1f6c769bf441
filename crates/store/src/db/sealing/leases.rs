//! Leases of jobs. A node leases a job, so that another one takes over when the node dies.
//!
//! The queues are in two tables, whose columns for this are the same.

use diesel::dsl::min;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel_async::RunQueryDsl;

use crate::clock::{Clock, Millis};
use crate::db::schema::client_addr::Creator;
use crate::db::schema::takes;
use crate::db::{Db, DbError, query, transact};
use crate::id::{RequestId, TakeId};
use net::client_addr::ClientAddr;

/// A queue of jobs on takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Complete takes that are to be sealed.
    Seal,
    /// Sealed takes of which stills are to be made.
    Stills,
    /// Submitted takes that are to be transcribed.
    Transcripts,
}

impl Queue {
    /// All queues.
    pub const ALL: [Self; 3] = [Self::Seal, Self::Stills, Self::Transcripts];

    /// The name of the work, in metrics and logs.
    pub const fn work(self) -> &'static str {
        match self {
            Self::Seal => "seal",
            Self::Stills => "stills",
            Self::Transcripts => "transcript",
        }
    }
}

/// The exclusive right to do a job, for a limited time. Only [`Db::lease_claim`] creates one.
#[derive(Clone, Debug)]
pub struct Lease {
    pub(in crate::db) queue: Queue,
    pub(in crate::db) take_id: TakeId,
    pub(in crate::db) epoch: i64,
    /// The number of times that this work was begun and not finished, this one included.
    pub tries: i64,
    /// The time since which the job waits.
    pub due_at: Millis,
    /// The encoded plan of the stills, if the job is to make them.
    pub moments: Vec<u8>,
    /// When which bytes came, if that was stored.
    pub arrivals: Option<Vec<u8>>,
}

/// The longest lease, in milliseconds.
/// One that ends later was given before a clock stepped back, and is void.
pub const MAX_LEASE: Millis = 60_000;

/// Compiles a body for the table of a queue, and the state of its jobs that are due.
macro_rules! on_queue {
    ($queue:expr, |$jobs:ident, $due:ident| $body:expr) => {
        match $queue {
            $crate::db::Queue::Seal | $crate::db::Queue::Stills => {
                use $crate::db::schema::sealings as $jobs;
                let $due = match $queue {
                    $crate::db::Queue::Stills => $crate::db::SealingState::StillsDue,
                    _ => $crate::db::SealingState::Due,
                };
                $body
            }
            $crate::db::Queue::Transcripts => {
                use $crate::db::schema::transcripts as $jobs;
                let $due = $crate::db::TranscriptState::Due;
                $body
            }
        }
    };
}
pub(in crate::db) use on_queue;

/// Whether a row isn't leased.
macro_rules! is_free {
    ($jobs:ident, $now:expr) => {
        $jobs::leased_until
            .le($now)
            .or($jobs::leased_until.gt($now + MAX_LEASE))
    };
}

/// Claims of a job after which each counts as a try.
const MAX_CLAIMS: i64 = 20;

/// A claimed row: take, epoch, tries, since when it waits.
type Claimed = (TakeId, i64, i64, Millis);

impl Db {
    /// At most `limit` creators of takes with an unleased job of a queue, the longest waiting first.
    ///
    /// Reads every such row: about 15 ms for 10,000 of them.
    pub async fn queue_creators(
        &self,
        queue: Queue,
        now: Millis,
        limit: i64,
    ) -> Result<Vec<Option<ClientAddr>>, DbError> {
        query!(self, |conn| {
            let creators: Vec<(Creator, Option<Millis>)> =
                on_queue!(queue, |jobs, due| jobs::table
                    .inner_join(takes::table)
                    .filter(jobs::state.eq(due))
                    .filter(is_free!(jobs, now))
                    .group_by(takes::creator)
                    .order(min(jobs::due_at))
                    .limit(limit)
                    .select((takes::creator, min(jobs::due_at)))
                    .load(conn)
                    .await?);
            Ok(creators.into_iter().map(|it| it.0.into()).collect())
        })
    }

    /// The longest waiting take of this creator with an unleased job of a queue.
    pub async fn queue_next_of(
        &self,
        creator: Option<ClientAddr>,
        queue: Queue,
        now: Millis,
    ) -> Result<Option<(RequestId, TakeId)>, DbError> {
        let no_creator = creator.is_none().into_sql::<Bool>();
        let of_creator = takes::creator
            .eq(Creator::from(creator))
            .or(takes::creator.is_null().and(no_creator));
        query!(self, |conn| Ok(on_queue!(queue, |jobs, due| jobs::table
            .inner_join(takes::table)
            .filter(jobs::state.eq(due))
            .filter(is_free!(jobs, now))
            .filter(of_creator)
            .order(jobs::leased_until)
            .select((takes::request_id, takes::id))
            .first(conn)
            .await
            .optional()?)))
    }

    /// Leases a take's job of a queue for `lease` milliseconds.
    /// `None`: another worker has it, or it is done.
    pub async fn lease_claim(
        &self,
        queue: Queue,
        take: &TakeId,
        lease: Millis,
        clock: &Clock,
    ) -> Result<Option<Lease>, DbError> {
        let (take, clock) = (take.clone(), clock.clone());
        transact!(self, |conn| {
            let now = clock.now();
            let claimed: Option<Claimed> =
                on_queue!(queue, |jobs, due| diesel::update(jobs::table.find(&take))
                    .filter(jobs::state.eq(due))
                    .filter(is_free!(jobs, now))
                    .set((
                        jobs::leased_until.eq(now + lease),
                        jobs::epoch.eq(jobs::epoch + 1),
                        jobs::tries.eq(jobs::tries + 1),
                    ))
                    .returning((jobs::take_id, jobs::epoch, jobs::tries, jobs::due_at))
                    .get_result(conn)
                    .await
                    .optional()?);
            let Some((take_id, epoch, tries, due_at)) = claimed else {
                return Ok(None);
            };
            let (moments, arrivals) = match queue {
                Queue::Transcripts => (None, None),
                Queue::Seal | Queue::Stills => {
                    use crate::db::schema::sealings;
                    let row = sealings::table.find(&take);
                    let of_seal = row.select((sealings::moments, sealings::arrivals));
                    of_seal
                        .first::<(Option<Vec<u8>>, Option<Vec<u8>>)>(conn)
                        .await?
                }
            };
            Ok(Some(Lease {
                queue,
                take_id,
                epoch,
                tries,
                due_at,
                moments: moments.unwrap_or_default(),
                arrivals,
            }))
        })
    }

    /// Extends a lease. `false`: it is lost, or the take is deleted.
    pub async fn lease_renew(
        &self,
        held: &Lease,
        lease: Millis,
        clock: &Clock,
    ) -> Result<bool, DbError> {
        let (held, clock) = (held.clone(), clock.clone());
        transact!(self, |conn| {
            let kept = on_queue!(held.queue, |jobs, _due| diesel::update(
                jobs::table.find(&held.take_id)
            )
            .filter(jobs::epoch.eq(held.epoch))
            .set(jobs::leased_until.eq(clock.now() + lease))
            .execute(conn)
            .await?);
            Ok(kept == 1)
        })
    }

    /// Releases a lease for a retry that begins after `wait` milliseconds.
    /// `counts`: whether this was one of the tries.
    pub async fn lease_release(
        &self,
        held: &Lease,
        wait: Millis,
        counts: bool,
        clock: &Clock,
    ) -> Result<(), DbError> {
        let (held, clock) = (held.clone(), clock.clone());
        transact!(self, |conn| {
            on_queue!(held.queue, |jobs, _due| diesel::update(
                jobs::table.find(&held.take_id)
            )
            .filter(jobs::epoch.eq(held.epoch))
            .set((
                jobs::leased_until.eq(clock.now() + wait.min(MAX_LEASE)),
                jobs::tries.eq(jobs::tries - i64::from(!counts)),
            ))
            .execute(conn)
            .await?);
            Ok(())
        })
    }

    /// Takes back the try of a lease that was lost: its worker didn't crash, it renewed it too late.
    /// Not for ever: a take may keep each node from renewing it.
    pub async fn lease_uncount_try(&self, lost: &Lease) -> Result<(), DbError> {
        let lost = lost.clone();
        transact!(self, |conn| {
            on_queue!(lost.queue, |jobs, due| diesel::update(
                jobs::table.find(&lost.take_id)
            )
            .filter(jobs::state.eq(due))
            .filter(jobs::epoch.gt(lost.epoch))
            .filter(jobs::epoch.lt(MAX_CLAIMS))
            .filter(jobs::tries.gt(0))
            .set(jobs::tries.eq(jobs::tries - 1))
            .execute(conn)
            .await?);
            Ok(())
        })
    }

    /// Ends all leases, when a server with a database of its own starts: their owners no longer run.
    pub async fn leases_release_all(&self) -> Result<(), DbError> {
        transact!(self, |conn| {
            for queue in [Queue::Seal, Queue::Transcripts] {
                on_queue!(queue, |jobs, _due| diesel::update(
                    jobs::table.filter(jobs::leased_until.gt(0))
                )
                .set(jobs::leased_until.eq(0))
                .execute(conn)
                .await?);
            }
            Ok(())
        })
    }
}
