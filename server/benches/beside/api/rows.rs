//! Requests by the thousand, put into a database whose server is down.

use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;
use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Binary, Text};
use diesel::{Connection, RunQueryDsl, SqliteConnection, sql_query};
use server::id::{AccessToken, RequestId};

/// Rows in one transaction.
const AT_ONCE: usize = 100_000;

const LIVES: i64 = 48 * 60 * 60 * 1000;

/// A request that can be asked for.
pub struct Known {
    pub id: RequestId,
    pub token: String,
}

/// Adds `strangers` that nobody can ask for, then `known` ones that somebody does.
pub fn fill(database: &Path, strangers: usize, known: usize) -> Result<Vec<Known>> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let now = i64::try_from(now.as_millis())?;
    let mut conn = SqliteConnection::establish(&database.display().to_string())?;
    // Nothing here has to survive anything.
    conn.batch_execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -524288;")?;
    for start in (0..strangers).step_by(AT_ONCE) {
        let rows = AT_ONCE.min(strangers - start);
        let insert = format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) \
             INSERT INTO requests (id, token_hash, prompt, state, created_at, expires_at) \
             SELECT hex(randomblob(11)), randomblob(32), CAST('Show the dent.' AS BLOB), \
             'awaiting_submission', {now}, {now} + {LIVES} - i FROM n"
        );
        sql_query(insert).execute(&mut conn)?;
    }
    let known = conn.transaction(|conn| (0..known).map(|_| insert(conn, now)).collect())?;
    conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")?;
    Ok(known)
}

fn insert(conn: &mut SqliteConnection, now: i64) -> diesel::QueryResult<Known> {
    let (id, token) = (RequestId::random(), AccessToken::random());
    sql_query(
        "INSERT INTO requests (id, token_hash, prompt, state, created_at, expires_at) \
         VALUES (?, ?, CAST('Show the dent.' AS BLOB), 'awaiting_submission', ?, ?)",
    )
    .bind::<Text, _>(&id)
    .bind::<Binary, _>(token.hash())
    .bind::<BigInt, _>(now)
    .bind::<BigInt, _>(now + LIVES)
    .execute(conn)?;
    let token = token.reveal();
    Ok(Known { id, token })
}
