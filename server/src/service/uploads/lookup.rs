//! Takes of a link: finding one, and telling its client how far it is.

use crate::clock::Millis;
use crate::db::{Take, TakeState};
use crate::id::{RequestId, TakeId};
use crate::service::requests::access::{self, Current};
use crate::service::{AppState, Error};

/// Time without a write or status request after which an incomplete take is removed.
pub(in crate::service) const ABANDONED_AFTER: Millis = 24 * 60 * 60 * 1000;

/// Progress of an upload, for its client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadStatus {
    /// Committed bytes.
    pub offset: u64,
    /// Whether the take is complete.
    pub complete: bool,
    /// Declared length, if any.
    pub length: Option<u64>,
    /// When the take is removed unless it grows or is submitted.
    pub ends_at: Millis,
}

/// A take with the expiry of its request.
pub(in crate::service) struct Found {
    pub(in crate::service) take: Take,
    pub(in crate::service) expires_at: Millis,
}

impl Found {
    pub(in crate::service) fn upload_status(&self, app: &AppState) -> UploadStatus {
        let complete = self.take.state == TakeState::Complete;
        UploadStatus {
            offset: self.take.committed,
            complete,
            length: self.take.length,
            ends_at: ends_at(app, complete, self.expires_at),
        }
    }
}

/// When a take is removed if no client writes to it from now on and no new take needs its place.
pub(in crate::service) fn ends_at(app: &AppState, complete: bool, expires_at: Millis) -> Millis {
    match complete {
        true => expires_at,
        false => expires_at.min(app.clock.now() + ABANDONED_AFTER),
    }
}

/// Loads a take of a request that awaits its submission.
pub(in crate::service) async fn find(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
) -> Result<Found, Error> {
    let current = access::awaiting(app, request).await?;
    let expires_at = current.row().expires_at;
    match get(app, &current, take).await {
        Ok(take) => Ok(Found { take, expires_at }),
        // A submission in between has deleted the other takes, and that is the reason to give.
        Err(Error::NotFound) => Err(explain_conflict(app, request).await),
        Err(error) => Err(error),
    }
}

/// Loads a take of a request that was authorized.
pub(in crate::service) async fn get(
    app: &AppState,
    of: &Current,
    take: &TakeId,
) -> Result<Take, Error> {
    app.db.take_get(of.id(), take).await?.ok_or(Error::NotFound)
}

/// Says which condition of a conditional statement that changed no row didn't hold.
pub(in crate::service) async fn explain_conflict(app: &AppState, request: &RequestId) -> Error {
    match access::awaiting(app, request).await {
        Err(error) => error,
        Ok(_) => Error::NotFound,
    }
}
