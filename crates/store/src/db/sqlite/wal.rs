//! Truncating SQLite's write-ahead log, which holds wiped pages until then.

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::sql_types::Integer;
use diesel::{QueryResult, RunQueryDsl, SqliteConnection};

use super::PRAGMAS;
use crate::db::{Db, DbError};

impl Db {
    /// Moves the log's pages into the database and truncates the log.
    ///
    /// Until then the log holds pages as they were before a prompt in them was wiped. `false`: another connection
    /// blocked that, and some pages stay for now.
    ///
    /// Does nothing on PostgreSQL: its old rows go with the next vacuum, which comes after 500 of them, and its log in its
    /// own time.
    pub async fn truncate_wal(&self) -> Result<bool, DbError> {
        let Self::Sqlite { lookup, .. } = self else {
            return Ok(true);
        };
        let lookup = lookup.clone();
        let truncated = tokio::task::spawn_blocking(move || lookup.run(truncate));
        Ok(truncated.await???)
    }
}

fn truncate(conn: &mut SqliteConnection) -> QueryResult<bool> {
    // Writers wait meanwhile, and a long reader, such as a dump, isn't worth that.
    conn.batch_execute("PRAGMA busy_timeout = 100")?;
    let checkpoint = sql::<(Integer, Integer, Integer)>("PRAGMA wal_checkpoint(TRUNCATE)");
    let result = checkpoint.get_result(conn);
    conn.batch_execute(PRAGMAS)?;
    let (busy, _, _): (i32, i32, i32) = result?;
    Ok(busy == 0)
}

#[cfg(test)]
mod tests {
    use diesel::connection::Connection as _;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn the_log_is_emptied_unless_a_reader_needs_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vidence.db");
        let db = Db::open_sqlite(&path).await.expect("a database");
        let log_length = || {
            let log = std::fs::metadata(folder.path().join("vidence.db-wal"));
            log.expect("a log").len()
        };
        let place = path.display().to_string();
        let mut other = SqliteConnection::establish(&place).expect("a connection");
        let mut execute = |statements| other.batch_execute(statements).expect("rows");
        execute("CREATE TABLE one (n BIGINT)");
        assert!(log_length() > 0);
        execute("BEGIN; SELECT COUNT(*) FROM one");
        assert!(!db.truncate_wal().await.expect("an answer"));
        assert!(log_length() > 0);
        execute("COMMIT");
        assert!(db.truncate_wal().await.expect("an answer"));
        assert_eq!(log_length(), 0);
    }
}
