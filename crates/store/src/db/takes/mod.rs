//! Takes: the rows, and looking them up.

pub(super) mod begin;
pub(super) mod chunks;
pub(super) mod commit;
mod compaction;
mod delete;

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::client_addr::Creator;
use super::schema::{sealings, seals, takes};
use super::{
    CapturedAs, Db, DbError, OptionalUnsigned, SealingState, TakeState, Unsigned, query, query_row,
};
use crate::clock::Millis;
use crate::id::{RequestId, TakeId};
use net::client_addr::ClientAddr;

/// A row of `takes`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = takes, check_for_backend(diesel::sqlite::Sqlite, diesel::pg::Pg))]
pub struct Take {
    /// The take's id.
    pub id: TakeId,
    /// The request that the take answers.
    pub request_id: RequestId,
    /// Whether more bytes may be appended.
    pub state: TakeState,
    /// The number of bytes that are durable and in the manifest.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub committed: u64,
    /// Raised by each claim on PostgreSQL, and by a `HEAD` on both. A commit needs the value of its claim; on SQLite the
    /// lock of the upload keeps writers apart.
    pub epoch: i64,
    /// The time at which the take was begun.
    pub created_at: Millis,
    /// The media type that the first bytes show, such as `video/webm`. `None`: too few bytes are committed.
    pub container: Option<String>,
    /// The length in bytes that the sender has declared.
    #[diesel(serialize_as = OptionalUnsigned, deserialize_as = OptionalUnsigned)]
    pub length: Option<u64>,
    /// Whether appending is refused for good, because the disk failed to make bytes durable.
    pub poisoned: bool,
    /// The full hour after the last write.
    pub touched_at: Millis,
    /// The number of chunks.
    #[diesel(serialize_as = Unsigned, deserialize_as = Unsigned)]
    pub pieces: u64,
    /// The creator of the request, whose storage quota the take counts against.
    #[diesel(serialize_as = Creator, deserialize_as = Creator)]
    pub creator: Option<ClientAddr>,
    /// The time at which the take last grew, or was begun. 0: a release without this column wrote it last.
    pub grown_at: Millis,
    /// What the take is, as its sender says. `None`: a release without this column has written it.
    pub captured_as: Option<CapturedAs>,
    /// The time at which the first committed byte arrived. `None`: nothing is committed, or likewise.
    pub first_byte_at: Option<Millis>,
    /// The time at which the last byte so far was committed. `None`: likewise.
    pub last_byte_at: Option<Millis>,
}

impl Take {
    /// An open take that is begun at this time, and has no byte yet.
    pub fn begun(id: TakeId, request_id: RequestId, at: Millis) -> Self {
        Self {
            id,
            request_id,
            state: TakeState::Open,
            committed: 0,
            epoch: 0,
            created_at: at,
            container: None,
            length: None,
            poisoned: false,
            touched_at: full_hour(at),
            pieces: 0,
            creator: None,
            grown_at: at,
            captured_as: None,
            first_byte_at: None,
            last_byte_at: None,
        }
    }
}

/// Rounds a time up to the full hour.
/// An indexed column that changed with every write would cost a second write each.
fn full_hour(at: Millis) -> Millis {
    const HOUR: Millis = 60 * 60 * 1000;
    at.saturating_add(HOUR - 1) / HOUR * HOUR
}

impl Db {
    /// The take with this id, if it belongs to this request.
    pub async fn take_get(&self, of: &RequestId, id: &TakeId) -> Result<Option<Take>, DbError> {
        let row = takes::table.find(id).filter(takes::request_id.eq(of));
        Ok(query_row!(self, get_result::<Take>(row)).optional()?)
    }

    /// All takes of a request, oldest first.
    pub async fn takes_of(&self, request: &RequestId) -> Result<Vec<Take>, DbError> {
        let rows = takes::table
            .filter(takes::request_id.eq(request))
            .order((takes::created_at, takes::id));
        Ok(query_row!(self, load::<Take>(rows))?)
    }

    /// All takes of a request, oldest first, each with the state of its job.
    /// If it is sealed, also whether its file has a location.
    pub async fn takes_with_seals(
        &self,
        request: &RequestId,
    ) -> Result<Vec<(Take, Option<SealingState>, Option<bool>)>, DbError> {
        let request = request.clone();
        query!(self, |conn| Ok(takes::table
            .left_join(sealings::table)
            .left_join(seals::table.on(seals::take_id.eq(takes::id)))
            .filter(takes::request_id.eq(request))
            .order((takes::created_at, takes::id))
            .select((
                Take::as_select(),
                sealings::state.nullable(),
                seals::has_location.nullable()
            ))
            .load(conn)
            .await?))
    }
}
