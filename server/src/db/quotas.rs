//! How much of what they may create somebody has created, by the generic cell rate algorithm: one number
//! each, moved by one conditional statement, so that nodes agree without a lock.

use diesel::dsl::case_when;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::{quotas, requests, takes};
use super::{Db, DbError, Request, query, transact};
use crate::clock::{Clock, Millis};

/// What one creation costs.
#[derive(Clone, Debug)]
pub struct Toll {
    /// Whom.
    pub creator: String,
    /// Until it is paid off.
    pub interval: Millis,
    /// How many may be unpaid.
    pub at_once: i64,
}

/// What somebody has stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Bytes of takes.
    pub bytes: i64,
    /// When the first of their requests is over.
    pub until: Option<Millis>,
}

impl Db {
    /// Stores a new request, if its creator can pay the toll. An error within: when they can.
    pub async fn request_insert(
        &self,
        request: Request,
        toll: Option<Toll>,
        clock: &Clock,
    ) -> Result<Result<(), Millis>, DbError> {
        let clock = clock.clone();
        transact!(self, |conn| {
            if let Some(toll) = toll {
                let now = clock.now();
                // Paid off long ago is as good as paid off now.
                let owed = case_when(quotas::paid_at.gt(now), quotas::paid_at).otherwise(now);
                let slack = toll.interval.saturating_mul(toll.at_once - 1);
                let upsert = diesel::insert_into(quotas::table)
                    .values((
                        quotas::creator.eq(&toll.creator),
                        quotas::paid_at.eq(now.saturating_add(toll.interval)),
                    ))
                    .on_conflict(quotas::creator)
                    .do_update()
                    .set(quotas::paid_at.eq(owed + toll.interval));
                let in_time = quotas::paid_at.le(now.saturating_add(slack));
                let paid = diesel::query_dsl::methods::FilterDsl::filter(upsert, in_time)
                    .execute(conn)
                    .await?;
                if paid == 0 {
                    let standing = quotas::table.find(&toll.creator).select(quotas::paid_at);
                    let paid_at: Millis = standing.first(conn).await?;
                    return Ok(Err(paid_at - slack));
                }
            }
            diesel::insert_into(requests::table)
                .values(&request)
                .execute(conn)
                .await?;
            Ok(Ok(()))
        })
    }

    /// What somebody's requests hold that aren't over.
    pub async fn stored_by(&self, creator: &str) -> Result<Stored, DbError> {
        query!(self, |conn| {
            let held = requests::table
                .inner_join(takes::table)
                .filter(requests::creator.eq(creator))
                .select((takes::committed, requests::expires_at));
            let held: Vec<(i64, Millis)> = held.load(conn).await?;
            Ok(Stored {
                bytes: held.iter().map(|(bytes, _)| bytes).sum(),
                until: held.iter().map(|(_, until)| *until).min(),
            })
        })
    }

    /// Forgets whoever has paid everything off.
    pub async fn quotas_forget(&self, by: Millis) -> Result<usize, DbError> {
        transact!(self, |conn| {
            let paid = quotas::table.filter(quotas::paid_at.le(by));
            Ok(diesel::delete(paid).execute(conn).await?)
        })
    }
}
