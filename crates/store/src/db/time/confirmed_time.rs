//! What the last sweep knew of the time, by which a server that starts judges its clock.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::clock::{KnownTime, Millis};
use crate::db::schema::clock;
use crate::db::{Db, DbError, query, transact};

/// The key of the only row.
const ONLY: i64 = 1;

impl Db {
    /// What was last stored. `None`: nothing has been yet.
    pub async fn known_time(&self) -> Result<Option<KnownTime>, DbError> {
        query!(self, |conn| {
            let row = clock::table.find(ONLY);
            let row = row.select((clock::confirmed_at, clock::waited_ms));
            let stored: Option<(Millis, Millis)> = row.get_result(conn).await.optional()?;
            Ok(stored.map(|(confirmed, waited)| KnownTime { confirmed, waited }))
        })
    }

    /// Stores this, unless what is stored is later and not in the future: another node may have confirmed what this one has not.
    pub async fn store_known_time(&self, known: KnownTime, now: Millis) -> Result<(), DbError> {
        transact!(self, |conn| {
            let row = clock::table.find(ONLY).select(clock::confirmed_at);
            let stored: Option<Millis> = row.get_result(conn).await.optional()?;
            if stored.is_some_and(|it| known.confirmed < it && it <= now) {
                return Ok(());
            }
            let columns = (
                clock::confirmed_at.eq(known.confirmed),
                clock::waited_ms.eq(known.waited),
            );
            diesel::insert_into(clock::table)
                .values((clock::id.eq(ONLY), columns))
                .on_conflict(clock::id)
                .do_update()
                .set(columns)
                .execute(conn)
                .await?;
            Ok(())
        })
    }
}
