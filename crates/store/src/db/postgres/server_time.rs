//! The database server's clock, by which nodes that share it agree on the time.

use std::time::{Duration, Instant};

use diesel::pg::data_types::PgTimestamp;
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::clock::Millis;
use crate::db::{Db, DbError, LOOKUP_TIMEOUT, read_postgres};

/// A reading that took longer is repeated: this process may have been stopped meanwhile.
const SLOW: Duration = Duration::from_secs(1);

/// The beginning of the year 2000, from which PostgreSQL counts, in milliseconds since 1970.
const EPOCH: Millis = 946_684_800_000;

diesel::define_sql_function! {
    /// The time now, and not that of the transaction's beginning.
    fn clock_timestamp() -> Timestamptz;
}

impl Db {
    /// The time on the database server. `None` on SQLite, whose clock is this machine's.
    pub async fn server_time(&self) -> Result<Option<Millis>, DbError> {
        let Self::Postgres { pool, .. } = self else {
            return Ok(None);
        };
        let (at, took) = read_postgres!(pool, LOOKUP_TIMEOUT, |conn| {
            match read(conn).await? {
                (_, took) if took > SLOW => read(conn).await,
                found => Ok(found),
            }
        })?;
        // Half of the round trip, as NTP assumes.
        let since = Millis::try_from(took.as_millis() / 2).unwrap_or(0);
        Ok(Some(at.saturating_add(since)))
    }
}

async fn read(conn: &mut AsyncPgConnection) -> Result<(Millis, Duration), DbError> {
    let asked = Instant::now();
    let now = diesel::select(clock_timestamp());
    let PgTimestamp(micros) = now.get_result(conn).await?;
    Ok((EPOCH + micros / 1000, asked.elapsed()))
}
