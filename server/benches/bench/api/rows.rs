//! Fills a database whose server is stopped with requests.

use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;
use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Binary, Text};
use diesel::{Connection, RunQueryDsl, SqliteConnection, sql_query};
use server::id::{AccessToken, RequestId};

/// Rows in one transaction.
const BATCH: usize = 100_000;

const LIFETIME_MS: i64 = 48 * 60 * 60 * 1000;

/// A request whose token is known.
pub struct Credentials {
    pub id: RequestId,
    pub token: String,
}

/// Inserts `others` requests with unknown tokens, then `count` whose credentials it returns.
pub fn fill(database: &Path, others: usize, count: usize) -> Result<Vec<Credentials>> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let now = i64::try_from(now.as_millis())?;
    let mut conn = SqliteConnection::establish(&database.display().to_string())?;
    // This data needs no durability.
    conn.batch_execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -524288;")?;
    for start in (0..others).step_by(BATCH) {
        let rows = BATCH.min(others - start);
        let insert = format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) \
             INSERT INTO requests (id, token_hash, prompt, state, created_at, expires_at) \
             SELECT hex(randomblob(11)), randomblob(32), CAST('Show the dent.' AS BLOB), \
             'awaiting_submission', {now}, {now} + {LIFETIME_MS} - i FROM n"
        );
        sql_query(insert).execute(&mut conn)?;
    }
    let credentials = conn.transaction(|conn| (0..count).map(|_| insert(conn, now)).collect())?;
    conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(credentials)
}

fn insert(conn: &mut SqliteConnection, now: i64) -> diesel::QueryResult<Credentials> {
    let (id, token) = (RequestId::random(), AccessToken::random());
    sql_query(
        "INSERT INTO requests (id, token_hash, prompt, state, created_at, expires_at) \
         VALUES (?, ?, CAST('Show the dent.' AS BLOB), 'awaiting_submission', ?, ?)",
    )
    .bind::<Text, _>(&id)
    .bind::<Binary, _>(token.hash())
    .bind::<BigInt, _>(now)
    .bind::<BigInt, _>(now + LIFETIME_MS)
    .execute(conn)?;
    let token = token.reveal();
    Ok(Credentials { id, token })
}
