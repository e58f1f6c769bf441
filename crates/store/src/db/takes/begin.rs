//! Beginning a take, in the place of an idle one if necessary.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::Take;
use crate::clock::{Clock, Millis};
use crate::db::schema::takes;
use crate::db::{Db, DbError, RequestState, TakeState, hold_awaiting, transact};
use crate::id::TakeId;

/// The takes of a request that may be deleted to make room for a new one: open takes that don't grow.
pub struct EndIdle {
    /// Only takes that last grew this long ago, or earlier.
    pub idle: Millis,
    /// Takes with a writer on this node, which may have committed nothing yet.
    pub except: Vec<TakeId>,
}

/// The outcome of beginning a take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeInsertion {
    /// The take is stored.
    Done {
        /// The take that was deleted for it, if that was necessary. Its bytes are still stored.
        ended: Option<TakeId>,
    },
    /// The request has as many takes as it may have.
    TooMany,
    /// The request no longer awaits a submission.
    NotAwaiting,
}

/// Whether a take is open and last grew at or before this moment.
macro_rules! is_idle {
    ($before:expr) => {{
        // A take that the previous release wrote last has only the hour of that write.
        let known = takes::grown_at.gt(0).or(takes::touched_at.le($before));
        let open = takes::state.eq(TakeState::Open);
        open.and(takes::grown_at.le($before)).and(known)
    }};
}

impl Db {
    /// Stores a new take of a request that may have `most` of them.
    /// If it has as many already, deletes the oldest one that `end_idle` allows.
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
                // After a jump of the clock all takes would seem idle.
                let before = clock.confirmed() - end_idle.idle;
                let idle: Vec<TakeId> = takes::table
                    .filter(takes::request_id.eq(&take.request_id))
                    .filter(is_idle!(before))
                    .order((takes::created_at, takes::id))
                    .select(takes::id)
                    .load(conn)
                    .await?;
                for id in idle.into_iter().filter(|id| !end_idle.except.contains(id)) {
                    // Checked again: it may have grown on another node meanwhile.
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
}
