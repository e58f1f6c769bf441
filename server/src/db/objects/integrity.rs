//! Checks of the database's integrity, for `vidence check`.

use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, sql_query};
use diesel_async::RunQueryDsl;

use crate::db::sqlite::{BlockingConnection, poll_ready};
use crate::db::{Db, DbError, query};

#[derive(QueryableByName)]
struct IntegrityCheck {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

#[derive(QueryableByName)]
struct DanglingRows {
    #[diesel(sql_type = Text)]
    table: String,
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

#[derive(QueryableByName)]
struct BrokenManifest {
    #[diesel(sql_type = Text)]
    request_id: String,
}

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
        let broken = sql_query(
            "SELECT takes.request_id AS request_id FROM takes \
             LEFT JOIN chunks ON chunks.take_id = takes.id \
             GROUP BY takes.id, takes.request_id, takes.committed, takes.pieces \
             HAVING COALESCE(SUM(chunks.length), 0) <> takes.committed \
             OR COALESCE(MAX(chunks.start + chunks.length), 0) <> takes.committed \
             OR COUNT(chunks.start) <> takes.pieces \
             UNION ALL \
             SELECT requests.id FROM requests WHERE requests.state = 'submitted' \
             AND NOT EXISTS (SELECT 1 FROM takes WHERE takes.id = requests.take_id)",
        );
        query!(self, |conn| {
            let manifests: Vec<BrokenManifest> = broken.load(conn).await?;
            Ok(manifests.into_iter().map(|it| it.request_id).collect())
        })
    }
}

async fn faults_of_file(conn: &mut BlockingConnection) -> Result<Vec<String>, DbError> {
    let rows: Vec<IntegrityCheck> = sql_query("PRAGMA integrity_check").load(conn).await?;
    let messages = rows.into_iter().map(|it| it.integrity_check);
    let mut faults: Vec<String> = messages.filter(|it| it != "ok").collect();
    let dangling = sql_query(
        "SELECT \"table\", COUNT(*) AS rows FROM pragma_foreign_key_check() GROUP BY \"table\"",
    );
    let dangling: Vec<DanglingRows> = dangling.load(conn).await?;
    faults.extend(dangling.into_iter().map(|it| {
        let DanglingRows { table, rows } = it;
        format!("{rows} rows of {table} refer to a missing row")
    }));
    Ok(faults)
}
