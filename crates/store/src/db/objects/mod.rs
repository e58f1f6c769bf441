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

macro_rules! object_tables {
    ($($(#[$doc:meta])* $table:ident,)*) => {
        /// A table whose rows name objects.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ObjectTable { $($(#[$doc])* $table,)* }

        impl ObjectTable {
            /// All such tables. One that is missing here would have its objects removed as orphans.
            pub const ALL: &[Self] = &[$(Self::$table),*];
        }
    };
}

object_tables! {
    /// The chunks of recordings.
    Chunks,
    /// The indexes of videos.
    Seals,
    /// The stills of videos.
    Stills,
    /// The contact sheets of videos.
    ContactSheets,
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
        macro_rules! named {
            ($conn:ident, $table:ident, $key:expr) => {
                $table::table
                    .filter($key.eq_any(&objects))
                    .select($key)
                    .load::<String>($conn)
                    .await?
            };
        }
        let index = seals::index_object.assume_not_null();
        query!(self, |conn| {
            let mut all = HashSet::new();
            for table in ObjectTable::ALL {
                all.extend(match table {
                    ObjectTable::Chunks => named!(conn, chunks, chunks::object),
                    ObjectTable::Seals => named!(conn, seals, index),
                    ObjectTable::Stills => named!(conn, stills, stills::object),
                    ObjectTable::ContactSheets => {
                        named!(conn, contact_sheets, contact_sheets::object)
                    }
                });
            }
            Ok(all)
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
        macro_rules! sum {
            ($conn:ident, $table:ident, $stored:expr) => {
                $table::table
                    .select($stored)
                    .first::<Unsigned>($conn)
                    .await?
            };
        }
        query!(self, |conn| {
            let has_index = "CASE WHEN index_object IS NULL THEN 0 ELSE 1 END";
            let mut all = 0;
            for table in ObjectTable::ALL {
                all += u64::from(match table {
                    ObjectTable::Chunks => sum!(conn, takes, stored_chunks!()),
                    ObjectTable::Seals => sum!(conn, seals, stored!("index_length", has_index)),
                    ObjectTable::Stills => sum!(conn, stills, stored!("length", "1")),
                    ObjectTable::ContactSheets => {
                        sum!(conn, contact_sheets, stored!("length", "1"))
                    }
                });
            }
            Ok(all)
        })
    }
}
