//! Stills and contact sheets: what can be seen of a video without playing it.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use crate::clock::Stopwatch;
use crate::db::schema::{contact_sheets, sealings, stills};
use crate::db::sealing::jobs::update_leased;
use crate::db::{
    Db, DbError, Lease, MAX_COMMIT_TIME, SealingState, Unsigned, query, query_row, transact,
};
use crate::id::TakeId;

/// A row of `stills`: a JPEG picture of a video.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = stills, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Still {
    /// The take that the picture is from.
    pub take_id: TakeId,
    /// The picture's time in the video, in milliseconds.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub at_ms: u64,
    /// The width in pixels.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub width: u32,
    /// The height in pixels.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub height: u32,
    /// The object's length in bytes.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub length: u64,
    /// The object's key.
    pub object: String,
}

/// A row of `contact_sheets`: many moments of a video in one JPEG picture.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = contact_sheets, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct ContactSheet {
    /// The take that the pictures are from.
    pub take_id: TakeId,
    /// The width in pixels.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub width: u32,
    /// The height in pixels.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub height: u32,
    /// The number of moments that it shows.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub moments: u32,
    /// The object's length in bytes.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub length: u64,
    /// The object's key.
    pub object: String,
}

/// What a video looks like.
#[derive(Clone, Debug, Default)]
pub struct Illustrations {
    /// Stills in presentation order.
    pub stills: Vec<Still>,
    /// A sheet of more moments. `None`: there is only one, or an earlier release has made the stills.
    pub contact_sheet: Option<ContactSheet>,
}

impl Db {
    /// Stores the illustrations of a sealed take, or the reason why there are `none`, and ends the work on it.
    ///
    /// `since`: when the upload of the first of their objects began. `false`, and nothing changed: see
    /// [`Db::seal_insert`].
    pub async fn illustrations_insert(
        &self,
        held: &Lease,
        made: Illustrations,
        none: Option<String>,
        since: Stopwatch,
    ) -> Result<bool, DbError> {
        let held = held.clone();
        transact!(self, |conn| {
            if since.elapsed() > MAX_COMMIT_TIME {
                return Ok(false);
            }
            let moved = update_leased!(held, SealingState::StillsDue)
                .set((
                    sealings::state.eq(SealingState::Done),
                    sealings::no_stills.eq(none),
                ))
                .execute(conn)
                .await?;
            if moved != 1 {
                return Ok(false);
            }
            for still in made.stills {
                diesel::insert_into(stills::table)
                    .values(still)
                    .execute(conn)
                    .await?;
            }
            if let Some(sheet) = made.contact_sheet {
                diesel::insert_into(contact_sheets::table)
                    .values(sheet)
                    .execute(conn)
                    .await?;
            }
            Ok(true)
        })
    }

    /// The stills of a take, ordered by time.
    pub async fn stills_of(&self, take: &TakeId) -> Result<Vec<Still>, DbError> {
        let take = take.clone();
        query!(self, |conn| Ok(stills::table
            .filter(stills::take_id.eq(take))
            .order(stills::at_ms)
            .select(Still::as_select())
            .load(conn)
            .await?))
    }

    /// The contact sheet of a take.
    pub async fn contact_sheet_of(&self, take: &TakeId) -> Result<Option<ContactSheet>, DbError> {
        let row = contact_sheets::table.find(take);
        Ok(query_row!(self, get_result::<ContactSheet>(row)).optional()?)
    }
}
