//! Whether a database is sound.

use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, sql_query};
use diesel_async::RunQueryDsl;

use super::{Db, DbError, in_time, query};

#[derive(QueryableByName)]
struct Said {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

#[derive(QueryableByName)]
struct Dangling {
    #[diesel(sql_type = Text)]
    table: String,
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

#[derive(QueryableByName)]
struct Owner {
    #[diesel(sql_type = Text)]
    request_id: String,
}

impl Db {
    /// What SQLite itself finds wrong with its file, in its words, which name tables and no values. PostgreSQL
    /// watches over its own.
    pub async fn faults(&self) -> Result<Vec<String>, DbError> {
        let Self::Sqlite { read, .. } = self else {
            return Ok(Vec::new());
        };
        let conn = &mut *in_time(read.get()).await?;
        let said: Vec<Said> = sql_query("PRAGMA integrity_check").load(conn).await?;
        let said = said.into_iter().map(|it| it.integrity_check);
        let mut faults: Vec<String> = said.filter(|it| it != "ok").collect();
        let dangling = sql_query(
            "SELECT \"table\", COUNT(*) AS rows FROM pragma_foreign_key_check() GROUP BY \"table\"",
        );
        let dangling: Vec<Dangling> = dangling.load(conn).await?;
        faults.extend(dangling.into_iter().map(|it| {
            let Dangling { table, rows } = it;
            format!("{rows} rows of {table} belong to nothing")
        }));
        Ok(faults)
    }

    /// Whose takes have a manifest that isn't theirs: chunks with gaps, or more or fewer bytes than are
    /// committed; and whose video has no take. One for each such take.
    pub async fn manifests_broken(&self) -> Result<Vec<String>, DbError> {
        // Side by side from the first byte on: then the largest end, the sum and what counts are one number.
        let uneven = sql_query(
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
            let owners: Vec<Owner> = uneven.load(conn).await?;
            Ok(owners.into_iter().map(|it| it.request_id).collect())
        })
    }
}
