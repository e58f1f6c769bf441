//! What sealing found and made.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::{sealings, seals, stills, takes};
use super::{
    Db, DbError, LONGEST_COMMIT, Lease, OptionalUnsigned, SealingState, Unsigned, query, query_row,
    transact,
};
use crate::clock::{Millis, Stopwatch};
use crate::id::{RequestId, TakeId};

/// A row of `seals`: a take that became a video.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = seals, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Seal {
    /// The take.
    pub take_id: TakeId,
    /// When that was.
    pub sealed_at: Millis,
    /// In which way the index was made.
    pub version: i64,
    /// The object that is served in front of the recording. `None`: nothing is.
    pub index_object: Option<String>,
    /// How many bytes that has.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub index_length: u64,
    /// How many bytes of the recording are served.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub recording_length: u64,
    /// SHA-256 of the recording, every byte as it came.
    pub recording_sha256: Vec<u8>,
    /// SHA-256 of what is served.
    pub served_sha256: Vec<u8>,
    /// How long it plays.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub duration_ms: u64,
    /// In pixels, as it is shown upright.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub width: u32,
    /// Likewise.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub height: u32,
    /// Whether it has any.
    pub sound: bool,
    /// Whether the file says where it was filmed.
    pub located: bool,
    /// Whether its end is missing.
    pub damaged: bool,
    /// How much that is. `None`: nothing, or the file doesn't say.
    #[diesel(serialize_as = OptionalUnsigned, deserialize_as = OptionalUnsigned)]
    pub missing_ms: Option<u64>,
}

/// A row of `stills`: a picture of a video, as JPEG.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = stills, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Still {
    /// The take that it shows.
    pub take_id: TakeId,
    /// Which moment of it.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub at_ms: u64,
    /// In pixels.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub width: u32,
    /// Likewise.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub height: u32,
    /// How many bytes it has.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub length: u64,
    /// The key under which `blobs` keeps it.
    pub object: String,
}

impl Db {
    /// What a take's sealing found. `None`: it isn't sealed.
    pub async fn seal_get(&self, take: &TakeId) -> Result<Option<Seal>, DbError> {
        let row = seals::table.find(take);
        Ok(query_row!(self, get_result::<Seal>(row)).optional()?)
    }

    /// Makes a complete take a video, of which stills of these `moments` are to be made. `since`: when its
    /// index object was begun. `false`, and nothing changed: the lease is lost, the take is gone, or it
    /// came too late to name that object.
    pub async fn seal_insert(
        &self,
        held: &Lease,
        seal: Seal,
        moments: Vec<u8>,
        since: Stopwatch,
    ) -> Result<bool, DbError> {
        let held = held.clone();
        transact!(self, |conn| {
            if since.elapsed() > LONGEST_COMMIT {
                return Ok(false);
            }
            let moved = diesel::update(sealings::table.find(&held.take_id))
                .filter(sealings::epoch.eq(held.epoch))
                .filter(sealings::state.eq(SealingState::Due))
                .set((
                    sealings::state.eq(SealingState::StillsDue),
                    sealings::moments.eq(Some(moments)),
                    // Work of another kind, for whoever comes first.
                    sealings::leased_until.eq(0),
                    sealings::tries.eq(0),
                    sealings::due_at.eq(seal.sealed_at),
                ))
                .execute(conn)
                .await?;
            if moved == 1 {
                diesel::insert_into(seals::table)
                    .values(seal)
                    .execute(conn)
                    .await?;
            }
            Ok(moved == 1)
        })
    }

    /// Adds the stills of a sealed take, or why there are none, and ends the work on it. `since`: when the
    /// first of their objects was begun. `false`, and nothing changed: as for [`Db::seal_insert`].
    pub async fn stills_insert(
        &self,
        held: &Lease,
        made: Vec<Still>,
        none: Option<String>,
        since: Stopwatch,
    ) -> Result<bool, DbError> {
        let held = held.clone();
        transact!(self, |conn| {
            if since.elapsed() > LONGEST_COMMIT {
                return Ok(false);
            }
            let moved = diesel::update(sealings::table.find(&held.take_id))
                .filter(sealings::epoch.eq(held.epoch))
                .filter(sealings::state.eq(SealingState::StillsDue))
                .set((
                    sealings::state.eq(SealingState::Done),
                    sealings::moments.eq(None::<Vec<u8>>),
                    sealings::no_stills.eq(none),
                ))
                .execute(conn)
                .await?;
            if moved == 1 {
                for still in made {
                    diesel::insert_into(stills::table)
                        .values(still)
                        .execute(conn)
                        .await?;
                }
            }
            Ok(moved == 1)
        })
    }

    /// The stills of a take, in the order of time.
    pub async fn stills_of(&self, take: &TakeId) -> Result<Vec<Still>, DbError> {
        query!(self, |conn| Ok(stills::table
            .filter(stills::take_id.eq(take))
            .order(stills::at_ms)
            .select(Still::as_select())
            .load(conn)
            .await?))
    }

    /// What sealing found: at most `limit` of the takes behind `after`, by their names, and whose they are.
    pub async fn seals_after(
        &self,
        after: &str,
        limit: i64,
    ) -> Result<Vec<(RequestId, Seal)>, DbError> {
        query!(self, |conn| Ok(seals::table
            .inner_join(takes::table.on(takes::id.eq(seals::take_id)))
            .filter(seals::take_id.gt(after))
            .order(seals::take_id)
            .limit(limit)
            .select((takes::request_id, Seal::as_select()))
            .load(conn)
            .await?))
    }
}
