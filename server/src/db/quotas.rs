//! How much of what they may create somebody has created, by the generic cell rate algorithm: one number
//! each, moved by one conditional statement, so that nodes agree without a lock.

use diesel::dsl::case_when;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::{quotas, requests};
use super::{Db, DbError, Request, transact};
use crate::clock::{Clock, Millis};
use net::client_addr::LimitKey;

/// What one creation costs.
#[derive(Clone, Debug)]
pub struct CreationCost {
    /// Whom.
    pub payer: LimitKey,
    /// Until it is paid off.
    pub interval: Millis,
    /// How many may be unpaid.
    pub at_once: i64,
}

/// What became of a creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreationOutcome {
    /// It is stored.
    Done,
    /// Its creator can't pay before this moment.
    NotBefore(Millis),
}

/// More than the clocks of two nodes, and of two transactions that wait for each other, ever differ.
const CLOCKS_DIFFER: Millis = 5 * 60 * 1000;

impl Db {
    /// Stores a new request, if all tolls can be paid; none is paid otherwise.
    ///
    /// They are paid in the order in which they are given: with the narrower payers first, transactions wait for each
    /// other at the wider ones, and never in a circle.
    pub async fn request_insert(
        &self,
        request: Request,
        tolls: Vec<CreationCost>,
        clock: &Clock,
    ) -> Result<CreationOutcome, DbError> {
        let clock = clock.clone();
        transact!(self, |conn| {
            for (index, toll) in tolls.iter().enumerate() {
                let now = clock.now();
                let slack = toll.interval.saturating_mul(toll.at_once - 1);
                // Beyond this nobody owes anything, unless a clock was set back or the rate was another.
                let debt = slack.saturating_add(toll.interval);
                let longest = now.saturating_add(debt).saturating_add(CLOCKS_DIFFER);
                let owes = quotas::paid_at.gt(now).and(quotas::paid_at.le(longest));
                let owed = case_when(owes, quotas::paid_at).otherwise(now);
                let upsert = diesel::insert_into(quotas::table)
                    .values((
                        quotas::creator.eq(toll.payer),
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
                    let standing = quotas::table.find(toll.payer).select(quotas::paid_at);
                    let paid_at: Millis = standing.first(conn).await?;
                    for paid in &tolls[..index] {
                        diesel::update(quotas::table.find(paid.payer))
                            .set(quotas::paid_at.eq(quotas::paid_at - paid.interval))
                            .execute(conn)
                            .await?;
                    }
                    return Ok(CreationOutcome::NotBefore(paid_at - slack));
                }
            }
            diesel::insert_into(requests::table)
                .values(&request)
                .execute(conn)
                .await?;
            Ok(CreationOutcome::Done)
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
