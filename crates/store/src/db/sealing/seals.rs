//! Seals: what the sealing worker finds out about a complete take.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::clock::{Millis, Stopwatch};
use crate::db::schema::{codings, damaged_takes, seal_checksums, sealings, seals, takes};
use crate::db::sealing::jobs::update_leased;
use crate::db::{
    Db, DbError, Lease, MAX_COMMIT_TIME, OptionalUnsigned, SealingState, Take, Unsigned, query,
    query_row, transact,
};
use crate::id::{RequestId, TakeId};

/// A row of `seals`: a take that became a video.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = seals, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Seal {
    /// The sealed take.
    pub take_id: TakeId,
    /// The time of sealing.
    pub sealed_at: Millis,
    /// The version of the index format.
    pub version: i64,
    /// The key of the object that is served before the recording. `None`: the recording is served alone.
    pub index_object: Option<String>,
    /// The index object's length in bytes.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub index_length: u64,
    /// The number of bytes of the recording that are served.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub recording_length: u64,
    /// SHA-256 of the whole recording as it was received.
    pub recording_sha256: Vec<u8>,
    /// SHA-256 of the served video: the index, then the recording.
    pub served_sha256: Vec<u8>,
    /// The duration in milliseconds.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub duration_ms: u64,
    /// The width in pixels, upright.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub width: u32,
    /// The height in pixels, upright.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub height: u32,
    /// Whether there is an audio track.
    pub has_audio: bool,
    /// Whether the file's metadata has a location.
    pub has_location: bool,
    /// Whether the end of the file is missing.
    pub truncated: bool,
    /// The missing duration in milliseconds. `None`: nothing is missing, or the file doesn't say how much.
    #[diesel(serialize_as = OptionalUnsigned, deserialize_as = OptionalUnsigned)]
    pub missing_ms: Option<u64>,
    /// Whether all bytes came while the take was being recorded. `None`: unknown.
    pub live: Option<bool>,
}

/// A part of a row of `seals`.
#[derive(Queryable, Selectable)]
#[diesel(table_name = seal_checksums, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
struct IndexChecksums {
    index_checksums: Option<Vec<u8>>,
}

/// A row of `damaged_takes`: a check has found that the take isn't as it was sealed.
#[derive(Clone, Copy, Debug, Queryable, Selectable)]
#[diesel(table_name = damaged_takes, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Damage {
    /// The time of the check.
    pub found_at: Millis,
}

/// A row of `codings`: how the pictures of a sealed take are coded.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = codings, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Coding {
    /// The sealed take.
    pub take_id: TakeId,
    /// The codec, as `Codec::name` of the crate `media` has it. `None`: one without a name.
    pub codec: Option<String>,
    /// Whether the file says that the pictures are HDR.
    pub hdr: bool,
}

/// A take, its seal if it has one, and its damage if one was found.
type TakeAndSeal = (Take, Option<Seal>, Option<Damage>);

impl Db {
    /// The take with this id, if it belongs to this request, its seal, if it is sealed, and its known damage.
    pub async fn take_and_seal(
        &self,
        of: &RequestId,
        id: &TakeId,
    ) -> Result<Option<TakeAndSeal>, DbError> {
        let row = takes::table
            .left_join(seals::table.on(seals::take_id.eq(takes::id)))
            .left_join(damaged_takes::table.on(damaged_takes::take_id.eq(takes::id)))
            .filter(takes::id.eq(id))
            .filter(takes::request_id.eq(of));
        Ok(query_row!(self, get_result::<TakeAndSeal>(row)).optional()?)
    }

    /// Writes down that a check has found a take damaged, or else that it is intact.
    /// Nothing happens if that is known, or the take was deleted meanwhile.
    pub async fn take_set_damage(
        &self,
        take: &TakeId,
        found_at: Option<Millis>,
    ) -> Result<(), DbError> {
        let take = take.clone();
        transact!(self, |conn| {
            let Some(found_at) = found_at else {
                diesel::delete(damaged_takes::table.find(&take))
                    .execute(conn)
                    .await?;
                return Ok(());
            };
            let row = takes::table
                .find(&take)
                .select((takes::id, found_at.into_sql::<diesel::sql_types::BigInt>()));
            diesel::insert_into(damaged_takes::table)
                .values(row)
                .into_columns((damaged_takes::take_id, damaged_takes::found_at))
                .on_conflict_do_nothing()
                .execute(conn)
                .await?;
            Ok(())
        })
    }

    /// The seal of a take. `None`: it isn't sealed.
    pub async fn seal_get(&self, take: &TakeId) -> Result<Option<Seal>, DbError> {
        let row = seals::table.find(take);
        Ok(query_row!(self, get_result::<Seal>(row)).optional()?)
    }

    /// The checksums of a video's index object, as [`crate::blobs::Checksums`] has them.
    /// `None`: it has no index, or a release without this column has sealed it.
    pub async fn seal_index_checksums(&self, take: &TakeId) -> Result<Option<Vec<u8>>, DbError> {
        let row = seal_checksums::table.find(take);
        let row = query_row!(self, get_result::<IndexChecksums>(row)).optional()?;
        Ok(row.and_then(|it| it.index_checksums))
    }

    /// How the pictures of a sealed take are coded. `None`: an earlier release has sealed it.
    pub async fn coding_of(&self, take: &TakeId) -> Result<Option<Coding>, DbError> {
        let row = codings::table.find(take);
        Ok(query_row!(self, get_result::<Coding>(row)).optional()?)
    }

    /// Stores the seal of a complete take, and queues it for stills of these `moments`.
    ///
    /// `since`: when the upload of the index object began. `false`, and nothing changed: the lease is lost, the take is
    /// deleted, or [`MAX_COMMIT_TIME`] has passed since then.
    pub async fn seal_insert(
        &self,
        held: &Lease,
        seal: Seal,
        index_checksums: Option<Vec<u8>>,
        coding: Coding,
        moments: Vec<u8>,
        since: Stopwatch,
    ) -> Result<bool, DbError> {
        let held = held.clone();
        transact!(self, |conn| {
            if since.elapsed() > MAX_COMMIT_TIME {
                return Ok(false);
            }
            let moved = update_leased!(held, SealingState::Due)
                .set((
                    sealings::state.eq(SealingState::StillsDue),
                    sealings::moments.eq(Some(moments)),
                    // Stills are a job of their own, which any worker may lease.
                    sealings::leased_until.eq(0),
                    sealings::tries.eq(0),
                    sealings::due_at.eq(seal.sealed_at),
                    sealings::arrivals.eq(None::<Vec<u8>>),
                ))
                .execute(conn)
                .await?;
            if moved == 1 {
                diesel::insert_into(seals::table)
                    .values(seal)
                    .execute(conn)
                    .await?;
                diesel::update(seal_checksums::table.find(&held.take_id))
                    .set(seal_checksums::index_checksums.eq(index_checksums))
                    .execute(conn)
                    .await?;
                diesel::insert_into(codings::table)
                    .values(coding)
                    .execute(conn)
                    .await?;
            }
            Ok(moved == 1)
        })
    }

    /// Seals with the ids of their requests: at most `limit`, ordered by take id, after the take `after`.
    pub async fn seals_after(
        &self,
        after: &str,
        limit: i64,
    ) -> Result<Vec<(Seal, RequestId)>, DbError> {
        let after = after.to_owned();
        query!(self, |conn| Ok(seals::table
            .inner_join(takes::table.on(takes::id.eq(seals::take_id)))
            .filter(seals::take_id.gt(after))
            .order(seals::take_id)
            .limit(limit)
            .select((Seal::as_select(), takes::request_id))
            .load(conn)
            .await?))
    }
}
