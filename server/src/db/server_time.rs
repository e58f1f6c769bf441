//! What time it is, where several nodes share a database.

use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;

use super::{Db, DbError, in_time};
use crate::clock::Millis;

impl Db {
    /// The time on the database's own clock. `None` on SQLite, whose clock is the machine's.
    pub async fn server_time(&self) -> Result<Option<Millis>, DbError> {
        let Self::Postgres(pool) = self else {
            return Ok(None);
        };
        let now = sql::<BigInt>("(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
        let conn = &mut *in_time(pool.get()).await?;
        Ok(Some(diesel::select(now).get_result(conn).await?))
    }
}
