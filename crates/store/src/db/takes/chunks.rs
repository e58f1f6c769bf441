//! Chunks: the manifest of a take.

use std::ops::Range;

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::clock::Millis;
use crate::db::schema::chunks;
use crate::db::{Db, DbError, LOOKUP_TIMEOUT, Unsigned, query, read_postgres};
use crate::id::TakeId;
use net::Precedence;

/// A row of `chunks`: the object that holds `length` bytes of a take from offset `start` on.
#[derive(Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = chunks, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Chunk {
    /// The take.
    pub take_id: TakeId,
    /// The offset in the take, in bytes.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub start: u64,
    /// The length in bytes.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub length: u64,
    /// The object's key.
    pub object: String,
    /// The time at which its last byte was committed. `None`: a release without this column has written it.
    pub committed_at: Option<Millis>,
    /// The checksums of the object, as [`crate::blobs::Checksums`] has them.
    /// `None`: a release without this column has written it.
    pub checksums: Option<Vec<u8>>,
}

/// The most rows of a manifest that are loaded at once.
/// They are few enough to be read on the calling thread, and for a stream to hold while its client is slow: 34 KiB,
/// nearly all of it checksums.
pub const CHUNK_WINDOW: usize = 16;

diesel::alias!(chunks as earlier: Earlier);

/// The chunks of a take that hold a range, in order.
///
/// Chunks lie side by side, so the first one needed is the last that begins at or before the range. In this form the
/// database finds it by the primary key, without reading those before it.
macro_rules! chunks_within {
    ($id:expr, $range:expr) => {{
        let before = earlier
            .filter(earlier.field(chunks::take_id).eq($id))
            .filter(
                earlier
                    .field(chunks::start)
                    .le(Unsigned::from($range.start)),
            )
            .select(diesel::dsl::max(earlier.field(chunks::start)));
        chunks::table
            .filter(chunks::take_id.eq($id))
            .filter(chunks::start.nullable().ge(before.single_value()))
            .filter(chunks::start.lt(Unsigned::from($range.end)))
            .order(chunks::start)
    }};
}

impl Db {
    /// The length of each chunk of a take, in order, and when it was committed.
    pub async fn take_arrivals(&self, id: &TakeId) -> Result<Vec<(u64, Option<Millis>)>, DbError> {
        let id = id.clone();
        query!(self, |conn| {
            let rows: Vec<(Unsigned, Option<Millis>)> = chunks::table
                .filter(chunks::take_id.eq(id))
                .order(chunks::start)
                .select((chunks::length, chunks::committed_at))
                .load(conn)
                .await?;
            Ok(rows
                .into_iter()
                .map(|(length, at)| (length.into(), at))
                .collect())
        })
    }

    /// The chunks that hold the bytes of `range`, in order: the first [`CHUNK_WINDOW`] of them.
    pub async fn take_chunks(&self, id: &TakeId, range: Range<u64>) -> Result<Vec<Chunk>, DbError> {
        use diesel::connection::DefaultLoadingMode;
        let rows = chunks_within!(id, range);
        match self {
            // Loaded row by row instead of with a `LIMIT`: SQLite plans a statement anew whenever that is bound.
            Self::Sqlite { lookup, .. } => Ok(lookup.run(|conn| {
                let rows = rows.select(Chunk::as_select());
                let rows = diesel::RunQueryDsl::load_iter::<Chunk, DefaultLoadingMode>(rows, conn)?;
                rows.take(CHUNK_WINDOW).collect()
            })??),
            Self::Postgres { pool, .. } => {
                let _precedence = Precedence::raise();
                let rows = rows.limit(i64::try_from(CHUNK_WINDOW).unwrap_or(i64::MAX));
                read_postgres!(pool, LOOKUP_TIMEOUT, |conn| {
                    Ok(rows.select(Chunk::as_select()).load(conn).await?)
                })
            }
        }
    }
}
