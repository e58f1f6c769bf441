//! The database server's clock, by which nodes that share it agree on the time.

use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;

use crate::clock::Millis;
use crate::db::{Db, DbError, in_time};

impl Db {
    /// The time on the database server. `None` on SQLite, whose clock is this machine's.
    pub async fn server_time(&self) -> Result<Option<Millis>, DbError> {
        let Self::Postgres(pool) = self else {
            return Ok(None);
        };
        let now = sql::<BigInt>("(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
        let conn = &mut *in_time(pool.get()).await?;
        Ok(Some(diesel::select(now).get_result(conn).await?))
    }
}
