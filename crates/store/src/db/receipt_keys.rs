//! The key of receipts, where nodes share a database.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::receipt_keys;
use super::{Db, DbError, transact};

/// The key of the only row.
const ONLY: i64 = 1;

impl Db {
    /// The seed of the key that all nodes share: `fresh`, unless another node has stored one.
    /// `None` on SQLite, where there is one node.
    pub async fn shared_receipt_seed(&self, fresh: Vec<u8>) -> Result<Option<Vec<u8>>, DbError> {
        if matches!(self, Self::Sqlite { .. }) {
            return Ok(None);
        }
        transact!(self, |conn| {
            diesel::insert_into(receipt_keys::table)
                .values((receipt_keys::id.eq(ONLY), receipt_keys::seed.eq(fresh)))
                .on_conflict_do_nothing()
                .execute(conn)
                .await?;
            let stored = receipt_keys::table.find(ONLY).select(receipt_keys::seed);
            Ok(Some(stored.get_result(conn).await?))
        })
    }
}
