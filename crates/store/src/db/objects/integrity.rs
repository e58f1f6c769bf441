//! Checks of the database's integrity, for `vidence check`.

use diesel::dsl::sql;
use diesel::sql_types::{BigInt, Text};
use diesel_async::RunQueryDsl;

use crate::db::sqlite::{BlockingConnection, poll_ready};
use crate::db::{Db, DbError, query};

impl Db {
    /// The faults that SQLite reports about its file: its own messages, which name tables and no values.
    /// Empty on PostgreSQL, which checks its files itself.
    pub async fn integrity_faults(&self) -> Result<Vec<String>, DbError> {
        let Self::Sqlite { read, .. } = self else {
            return Ok(Vec::new());
        };
        read.run(|conn| poll_ready(faults_of_file(conn))).await
    }

    /// The requests with inconsistent rows; one entry for each inconsistency.
    ///
    /// Inconsistent is a take whose chunks have gaps or don't add up to its committed bytes, or a submission without
    /// its take.
    pub async fn broken_manifests(&self) -> Result<Vec<String>, DbError> {
        // Chunks that lie side by side from the first byte on have their sum as the largest end.
        let broken = sql::<Text>(
            "SELECT takes.request_id FROM takes \
             LEFT JOIN chunks ON chunks.take_id = takes.id \
             GROUP BY takes.id, takes.request_id, takes.committed, takes.pieces \
             HAVING COALESCE(SUM(chunks.length), 0) <> takes.committed \
             OR COALESCE(MAX(chunks.start + chunks.length), 0) <> takes.committed \
             OR COUNT(chunks.start) <> takes.pieces \
             UNION ALL \
             SELECT requests.id FROM requests WHERE requests.state = 'submitted' \
             AND NOT EXISTS (SELECT 1 FROM takes WHERE takes.id = requests.take_id)",
        );
        query!(self, |conn| Ok(broken.load(conn).await?))
    }
}

async fn faults_of_file(conn: &mut BlockingConnection) -> Result<Vec<String>, DbError> {
    let messages = sql::<Text>("PRAGMA integrity_check");
    let mut faults: Vec<String> = messages.load(conn).await?;
    faults.retain(|it| it != "ok");
    let dangling = sql::<(Text, BigInt)>(
        "SELECT \"table\", COUNT(*) FROM pragma_foreign_key_check() GROUP BY \"table\"",
    );
    let dangling: Vec<(String, i64)> = dangling.load(conn).await?;
    let dangling = dangling.into_iter();
    faults.extend(
        dangling.map(|(table, rows)| format!("{rows} rows of {table} refer to a missing row")),
    );
    Ok(faults)
}
