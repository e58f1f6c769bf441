//! SQLite's write-ahead log, in which what was wiped lives on for a while.

use diesel::connection::SimpleConnection;
use diesel::sql_types::Integer;
use diesel::{QueryResult, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};

use super::open::SQLITE_PRAGMAS;
use super::{Db, DbError};

/// `PRAGMA wal_checkpoint` answers with more; this is whether somebody was in its way.
#[derive(QueryableByName)]
struct Said {
    #[diesel(sql_type = Integer)]
    busy: i32,
}

impl Db {
    /// Brings all that the log holds into the database, and empties it: until then it has pages as they were
    /// before something in them was wiped. `false`: somebody was in its way, and some of it stays for now.
    ///
    /// PostgreSQL's log and its old rows are PostgreSQL's own to clear away.
    pub async fn log_empty(&self) -> Result<bool, DbError> {
        let Self::Sqlite { lookup, .. } = self else {
            return Ok(true);
        };
        let lookup = lookup.clone();
        let emptied = tokio::task::spawn_blocking(move || lookup.run(empty));
        Ok(emptied.await???)
    }
}

fn empty(conn: &mut SqliteConnection) -> QueryResult<bool> {
    // Writers wait meanwhile, and a long reader, such as a dump, isn't worth that.
    conn.batch_execute("PRAGMA busy_timeout = 100")?;
    let said = sql_query("PRAGMA wal_checkpoint(TRUNCATE)").get_result::<Said>(conn);
    conn.batch_execute(SQLITE_PRAGMAS)?;
    Ok(said?.busy == 0)
}
