//! What a creation of a request costs. [`Db::request_insert`] charges it by the generic cell rate algorithm.
//!
//! Its state is the table `quotas`: one time for each key, which one conditional statement moves, so nodes agree without a
//! lock.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::quotas;
use super::{Db, DbError, transact};
use crate::clock::Millis;
use net::client_addr::LimitKey;

/// What one creation costs one key.
#[derive(Clone, Debug)]
pub struct CreationCost {
    /// The address or network that is charged.
    pub key: LimitKey,
    /// The time after which the cost is paid off.
    pub interval: Millis,
    /// The number of creations that may be unpaid at a time.
    pub burst: i64,
}

/// The outcome of a creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreationOutcome {
    /// The request is stored.
    Done,
    /// A rate limit refuses the creation before this moment.
    NotBefore(Millis),
}

/// The margin between clocks.
/// Those of two nodes, or of two transactions that wait for each other, differ by less.
pub(super) const CLOCK_MARGIN: Millis = 5 * 60 * 1000;

impl Db {
    /// Deletes the state of keys that have paid everything off by `by`; returns their number.
    pub async fn quotas_forget(&self, by: Millis) -> Result<usize, DbError> {
        transact!(self, |conn| {
            let paid = quotas::table.filter(quotas::paid_at.le(by));
            Ok(diesel::delete(paid).execute(conn).await?)
        })
    }
}
