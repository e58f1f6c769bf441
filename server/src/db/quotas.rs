//! How much of what they may create somebody has created, by the generic cell rate algorithm: one number
//! each, moved by one conditional statement, so that nodes agree without a lock.

use diesel::dsl::{case_when, min, sql};
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
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

/// PostgreSQL's sum of integers is none.
fn committed_in_all() -> SqlLiteral<BigInt> {
    sql("CAST(COALESCE(SUM(committed), 0) AS BIGINT)")
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
                let slack = toll.interval.saturating_mul(toll.at_once - 1);
                // Beyond this nobody owes anything, unless a clock was set back or the rate was another.
                let longest = now.saturating_add(slack).saturating_add(toll.interval);
                let owes = quotas::paid_at.gt(now).and(quotas::paid_at.le(longest));
                let owed = case_when(owes, quotas::paid_at).otherwise(now);
                let upsert = diesel::insert_into(quotas::table)
                    .values((
                        quotas::creator.eq(&toll.creator),
                        quotas::paid_at.eq(now.saturating_add(toll.interval)),
                    ))
                    .on_conflict(quotas::creator)
                    .do_update()
                    .set(quotas::paid_at.eq(owed + toll.interval));
                let in_time = quotas::paid_at.le(now.saturating_add(slack));
                let in_time = in_time.or(quotas::paid_at.gt(longest));
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

    /// Bytes of all takes of all requests of one creator.
    pub async fn stored_by(&self, creator: &str) -> Result<i64, DbError> {
        query!(self, |conn| {
            let stored = takes::table.filter(takes::creator.eq(creator));
            Ok(stored.select(committed_in_all()).first(conn).await?)
        })
    }

    /// Who has stored so many bytes or more, and when the first of their requests is over.
    pub async fn creators_with(&self, bytes: i64) -> Result<Vec<(String, Millis)>, DbError> {
        query!(self, |conn| {
            let held = takes::table
                .inner_join(requests::table)
                .filter(takes::creator.is_not_null())
                .group_by(takes::creator)
                .having(committed_in_all().ge(bytes))
                .select((
                    takes::creator.assume_not_null(),
                    min(requests::expires_at).assume_not_null(),
                ));
            Ok(held.load(conn).await?)
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
