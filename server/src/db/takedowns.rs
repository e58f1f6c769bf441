//! Taking a request down: what its creator could do, done by whoever runs the server.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;

use super::schema::{requests, takes};
use super::{Db, DbError, RequestState, Unsigned, transact};
use crate::clock::Clock;
use crate::id::RequestId;
use net::client_addr::ClientAddr;

/// What a request had when it was taken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removed {
    /// Recordings.
    pub takes: usize,
    /// Bytes of all of them that counted.
    pub bytes: u64,
}

impl Db {
    /// Marks a request deleted and taken down, wipes what is known of its creator and forgets its
    /// takes. `None`: it was deleted or taken down before.
    pub async fn request_take_down(
        &self,
        id: RequestId,
        clock: &Clock,
    ) -> Result<Option<Removed>, DbError> {
        let clock = clock.clone();
        transact!(self, |conn| {
            let moved = diesel::update(requests::table.find(&id))
                .filter(requests::state.ne(RequestState::Deleted))
                .set((
                    requests::state.eq(RequestState::Deleted),
                    requests::taken_down_at.eq(clock.now()),
                    requests::prompt.eq(None::<Vec<u8>>),
                    requests::creator.eq(None::<ClientAddr>),
                    // Those of an expired one may be gone; what comes late is looked for again.
                    requests::bytes_gone.eq(false),
                ))
                .execute(conn)
                .await?;
            if moved == 0 {
                return Ok(None);
            }
            let takes_of_it = takes::table.filter(takes::request_id.eq(&id));
            let lengths: Vec<Unsigned> = diesel::delete(takes_of_it)
                .returning(takes::committed)
                .get_results(conn)
                .await?;
            Ok(Some(Removed {
                takes: lengths.len(),
                bytes: lengths.into_iter().map(u64::from).sum(),
            }))
        })
    }
}
