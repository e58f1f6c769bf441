//! The objects that rows name, and the bytes that they count for.
//!
//! An object that no row names is an orphan.

mod blob_folder;
mod integrity;

use std::collections::HashSet;

use diesel::dsl::{min, sql};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_async::RunQueryDsl;

use crate::clock::Millis;
use crate::db::schema::client_addr::Creator;
use crate::db::schema::{chunks, contact_sheets, requests, seals, stills, takes};
use crate::db::{Db, DbError, Unsigned, query};
use net::client_addr::ClientAddr;

/// An object that a row names.
#[derive(Clone, Queryable)]
pub struct NamedObject {
    /// The object's key.
    pub object: String,
    /// The object's length in bytes.
    #[diesel(deserialize_as = Unsigned)]
    pub length: u64,
}

/// A table whose rows name objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectTable {
    /// The chunks of recordings.
    Chunks,
    /// The indexes of videos.
    Seals,
    /// The stills of videos.
    Stills,
    /// The contact sheets of videos.
    ContactSheets,
}

impl ObjectTable {
    /// All such tables.
    pub const ALL: [Self; 4] = [Self::Chunks, Self::Seals, Self::Stills, Self::ContactSheets];
}

/// The overhead that each object counts for besides its length, in bytes.
///
/// A small file occupies a block of the disk and an inode, and there are its rows.
pub const STORED_OBJECT_COST: u32 = 4096;

/// The sum of `$bytes` and of the overhead of `$objects` objects a row.
/// The cast, because PostgreSQL's sum of integers is a `numeric`.
macro_rules! stored {
    ($bytes:literal, $objects:expr) => {
        sql::<BigInt>(&format!(
            "CAST(COALESCE(SUM({} + {STORED_OBJECT_COST} * {}), 0) AS BIGINT)",
            $bytes, $objects
        ))
    };
}

/// The sum over takes.
macro_rules! stored_chunks {
    () => {
        stored!("committed", "pieces")
    };
}

impl Db {
    /// Whether any byte of a recording is stored.
    pub async fn has_recordings(&self) -> Result<bool, DbError> {
        let first = self.objects_after(ObjectTable::Chunks, "", 1).await?;
        Ok(!first.is_empty())
    }

    /// The objects that a table names: at most `limit`, ordered by key, after the key `after`.
    /// So they are grouped by request and take.
    pub async fn objects_after(
        &self,
        table: ObjectTable,
        after: &str,
        limit: i64,
    ) -> Result<Vec<NamedObject>, DbError> {
        let after = after.to_owned();
        macro_rules! page {
            ($conn:ident, $table:ident, $key:expr, $length:ident) => {
                $table::table
                    .filter($key.gt(after))
                    .order($key)
                    .limit(limit)
                    .select(($key, $table::$length))
                    .load($conn)
                    .await?
            };
        }
        let index = seals::index_object.assume_not_null();
        query!(self, |conn| Ok(match table {
            ObjectTable::Chunks => page!(conn, chunks, chunks::object, length),
            ObjectTable::Seals => page!(conn, seals, index, index_length),
            ObjectTable::Stills => page!(conn, stills, stills::object, length),
            ObjectTable::ContactSheets => {
                page!(conn, contact_sheets, contact_sheets::object, length)
            }
        }))
    }

    /// Those of these objects that a row names.
    pub async fn objects_named(&self, objects: Vec<String>) -> Result<HashSet<String>, DbError> {
        query!(self, |conn| {
            let of_takes = chunks::table.filter(chunks::object.eq_any(&objects));
            let mut named: Vec<String> = of_takes.select(chunks::object).load(conn).await?;
            let of_seals = seals::table.filter(seals::index_object.eq_any(&objects));
            let indexes = of_seals.select(seals::index_object.assume_not_null());
            named.extend(indexes.load::<String>(conn).await?);
            let of_stills = stills::table.filter(stills::object.eq_any(&objects));
            named.extend(
                of_stills
                    .select(stills::object)
                    .load::<String>(conn)
                    .await?,
            );
            let of_sheets = contact_sheets::table.filter(contact_sheets::object.eq_any(&objects));
            named.extend(
                of_sheets
                    .select(contact_sheets::object)
                    .load::<String>(conn)
                    .await?,
            );
            Ok(named.into_iter().collect())
        })
    }

    /// Those of these requests that have a row. A row stays when its request is over.
    pub async fn requests_known(&self, ids: Vec<String>) -> Result<HashSet<String>, DbError> {
        query!(self, |conn| {
            let known = requests::table.filter(requests::id.eq_any(&ids));
            let known: Vec<String> = known.select(requests::id).load(conn).await?;
            Ok(known.into_iter().collect())
        })
    }

    /// The bytes that one creator's takes count for, with [`STORED_OBJECT_COST`] for each chunk.
    pub async fn stored_by(&self, creator: ClientAddr) -> Result<u64, DbError> {
        query!(self, |conn| {
            let stored = takes::table.filter(takes::creator.eq(Creator::from(Some(creator))));
            let stored: Unsigned = stored.select(stored_chunks!()).first(conn).await?;
            Ok(stored.into())
        })
    }

    /// [`Db::stored_by`] of each creator with an IPv6 address: their networks have limits of their own.
    pub async fn stored_in_networks(&self) -> Result<Vec<(ClientAddr, u64)>, DbError> {
        query!(self, |conn| {
            let stored: Vec<(Creator, Unsigned)> = takes::table
                .filter(takes::creator.like("%:%"))
                .group_by(takes::creator)
                .select((takes::creator, stored_chunks!()))
                .load(conn)
                .await?;
            let stored = stored.into_iter();
            let stored =
                stored.map(|(creator, bytes)| Option::from(creator).zip(Some(bytes.into())));
            Ok(stored.flatten().collect())
        })
    }

    /// The earliest expiry among the requests that hold a creator's bytes.
    pub async fn stored_until(&self, creator: ClientAddr) -> Result<Option<Millis>, DbError> {
        query!(self, |conn| {
            let stored = takes::table.inner_join(requests::table);
            let stored = stored.filter(takes::creator.eq(Creator::from(Some(creator))));
            Ok(stored.select(min(requests::expires_at)).first(conn).await?)
        })
    }

    /// The bytes that all objects count for, with [`STORED_OBJECT_COST`] for each.
    pub async fn stored_bytes(&self) -> Result<u64, DbError> {
        query!(self, |conn| {
            let chunks = takes::table.select(stored_chunks!());
            let chunks: Unsigned = chunks.first(conn).await?;
            let has_index = "CASE WHEN index_object IS NULL THEN 0 ELSE 1 END";
            let indexes = seals::table.select(stored!("index_length", has_index));
            let indexes: Unsigned = indexes.first(conn).await?;
            let stills = stills::table.select(stored!("length", "1"));
            let stills: Unsigned = stills.first(conn).await?;
            let sheets = contact_sheets::table.select(stored!("length", "1"));
            let sheets: Unsigned = sheets.first(conn).await?;
            Ok([chunks, indexes, stills, sheets]
                .map(u64::from)
                .iter()
                .sum())
        })
    }
}
