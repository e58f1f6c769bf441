//! Transactions that take long to commit. No query sees their rows, and these may name old objects.

use std::time::Duration;

use diesel::dsl::sql;
use diesel::sql_types::{BigInt, Bool};
use diesel_async::RunQueryDsl;

use crate::db::{Db, DbError, LOOKUP_TIMEOUT, read_postgres, transact};

impl Db {
    /// Whether a transaction has been running for longer than `age`: with synchronous replication a `COMMIT` waits for as
    /// long as the standby is away. Also `true` where such transactions can't be seen, on a standby; those of a role that
    /// this one isn't a member of are never seen.
    ///
    /// On SQLite it is `false` after those have ended.
    pub async fn has_transaction_older_than(&self, age: Duration) -> Result<bool, DbError> {
        let Self::Postgres { pool, .. } = self else {
            transact!(self, |_conn| { Ok::<_, DbError>(()) })?;
            return Ok(false);
        };
        let seconds = i64::try_from(age.as_secs()).unwrap_or(i64::MAX);
        let is_running = sql::<Bool>(
            "pg_is_in_recovery() OR EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() \
             AND backend_type = 'client backend' AND xact_start < now() - make_interval(secs => ",
        );
        let is_running = is_running.bind::<BigInt, _>(seconds).sql("))");
        read_postgres!(pool, LOOKUP_TIMEOUT, |conn| {
            Ok(diesel::select(is_running).get_result(conn).await?)
        })
    }
}
