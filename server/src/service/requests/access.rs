//! Access control for requests and videos.
//!
//! Each function returns the proof that it checked, so that a caller can't skip the check.

use app::api::RequestStatus;
use metrics::counter;
use tracing::debug;

use crate::clock::Millis;
use crate::db::{Request, RequestState};
use crate::id::{AccessToken, RequestId, VideoId};
use crate::service::quota::ReadPermit;
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::TRANSITIONS;

/// A request whose state was compared with the clock.
///
/// Only this module constructs one.
#[derive(Clone)]
pub struct Current(Request);

impl Current {
    /// The row. Its state takes the clock into account, and not only what was last written.
    pub fn row(&self) -> &Request {
        &self.0
    }

    /// Identifier of the request.
    pub fn id(&self) -> &RequestId {
        &self.0.id
    }

    /// Status of the request in the API's terms.
    pub fn status(&self) -> RequestStatus {
        match self.0.state {
            RequestState::AwaitingSubmission => RequestStatus::AwaitingSubmission,
            RequestState::Submitted => RequestStatus::Submitted,
            RequestState::Expired | RequestState::Deleted => RequestStatus::Expired,
        }
    }
}

/// The request of a valid access token, before any check of what the token grants.
pub struct TokenOwner(Request);

/// Finds the request of an access token. The read permit proves that the rate limit was checked.
pub async fn authenticate(
    app: &AppState,
    _: ReadPermit,
    token: Option<AccessToken>,
) -> Result<TokenOwner, Error> {
    let token = token.ok_or(Error::NoToken)?;
    let row = app.db.request_by_token(&token.hash()).await?;
    row.map(TokenOwner).ok_or(Error::UnknownToken)
}

impl TokenOwner {
    /// Returns the token's own request if it has this id and was deleted.
    pub fn deleted(&self, id: &RequestId) -> Option<&Request> {
        (*id == self.0.id && self.0.state == RequestState::Deleted).then_some(&self.0)
    }

    /// Returns the token's own request, checked against the id in the call. It may have expired.
    pub async fn request(self, app: &AppState, id: &RequestId) -> Result<Current, Error> {
        if *id == self.0.id {
            return current(app, self.0).await;
        }
        let other = app.db.request_get(id).await?;
        Err(refusal(other))
    }

    /// Returns the request of the token's own video, checked against the video id in the call.
    pub async fn video(self, app: &AppState, id: &VideoId) -> Result<Current, Error> {
        if self.0.video_id.as_ref() == Some(id) {
            let current = current(app, self.0).await?;
            return match current.row().state {
                RequestState::Expired => Err(Error::Gone),
                _ => Ok(current),
            };
        }
        let other = app.db.request_by_video(id).await?;
        Err(refusal(other))
    }
}

/// Grants the recording page access to a request that hasn't expired. The link is the credential.
pub async fn link(app: &AppState, id: &RequestId) -> Result<Current, Error> {
    let current = current(app, find_request(app, id).await?).await?;
    match current.row().state {
        RequestState::Expired => Err(Error::Gone),
        _ => Ok(current),
    }
}

/// Returns the id of a request that can be reported: until `after` milliseconds past its expiry.
///
/// A deletion by the creator doesn't change this.
pub(in crate::service) async fn reportable(
    app: &AppState,
    id: &RequestId,
    after: Millis,
) -> Result<RequestId, Error> {
    let row = find_request(app, id).await?;
    let in_time = app.clock.now() - row.expires_at < after;
    if row.state == RequestState::Deleted && in_time {
        return Ok(row.id);
    }
    let current = current(app, row).await?;
    match current.row().state {
        RequestState::Expired if !in_time => Err(Error::Gone),
        _ => Ok(current.id().clone()),
    }
}

/// Finds the request of a link, expired ones included.
async fn find_request(app: &AppState, id: &RequestId) -> Result<Request, Error> {
    // Scanners send much that is no id.
    if !id.is_well_formed() {
        return Err(Error::NotFound);
    }
    let row = app.db.request_get(id).await?.ok_or(Error::NotFound)?;
    // The creator gets the answer for deleted requests; holders of the link learn that the operator took it down.
    match row.taken_down_at {
        Some(_) => Err(Error::TakenDown),
        None => Ok(row),
    }
}

/// Grants access to a request that still awaits its submission.
pub async fn awaiting(app: &AppState, id: &RequestId) -> Result<Current, Error> {
    let current = link(app, id).await?;
    match current.row().state {
        RequestState::Submitted => Err(Error::AlreadySubmitted),
        _ => Ok(current),
    }
}

/// What the clock says about the lifetime of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lifetime {
    Lasts,
    /// Over unless the clock, which has jumped, is set back.
    OverIfConfirmed,
    Over,
}

impl Lifetime {
    fn at(expires_at: Millis, now: Millis, confirmed: Millis) -> Self {
        match (now >= expires_at, confirmed >= expires_at) {
            (false, _) => Self::Lasts,
            (true, false) => Self::OverIfConfirmed,
            (true, true) => Self::Over,
        }
    }

    fn is_over(self) -> bool {
        self != Self::Lasts
    }
}

/// Compares a row with the clock, and records its expiry.
///
/// The record makes sure that a clock that steps back revives nothing. After a jump of the clock that isn't confirmed
/// yet, the request is treated as expired but nothing is written: [`Clock::confirmed`](crate::clock::Clock::confirmed).
async fn current(app: &AppState, mut row: Request) -> Result<Current, Error> {
    let lifetime = Lifetime::at(row.expires_at, app.clock.now(), app.clock.confirmed());
    match row.state {
        RequestState::Deleted => return Err(Error::NotFound),
        RequestState::AwaitingSubmission | RequestState::Submitted if lifetime.is_over() => {
            // The clock may have jumped, and an expiry that was written can't be undone.
            if lifetime == Lifetime::Over {
                // The request has expired even if that can't be written down: a sweep does it later.
                let latched = app.db.request_expire(row.id.clone(), &app.clock).await;
                let latched = latched.inspect_err(|error| {
                    debug!(error = error.as_dyn(), "could not note an expiry")
                });
                counter!(TRANSITIONS, "to" => RequestState::Expired.as_str())
                    .increment(latched.map_or(0, u64::from));
                app.sweeper.notify_one();
                app.coordination.changes.notify(&row.id);
            }
            row.state = RequestState::Expired;
            row.prompt = None;
        }
        RequestState::AwaitingSubmission | RequestState::Submitted | RequestState::Expired => {}
    }
    Ok(Current(row))
}

/// Error for a request or video that isn't the token's own.
fn refusal(other: Option<Request>) -> Error {
    match other {
        Some(row) if row.state != RequestState::Deleted => Error::Forbidden,
        _ => Error::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_expires_for_good_only_by_the_confirmed_clock() {
        for (now, confirmed, want) in [
            (999, 999, Lifetime::Lasts),
            (1000, 999, Lifetime::OverIfConfirmed),
            (1000, 1000, Lifetime::Over),
            (5000, 1000, Lifetime::Over),
            (5000, 999, Lifetime::OverIfConfirmed),
            // Set back below what was confirmed.
            (999, 1000, Lifetime::Lasts),
        ] {
            let lifetime = Lifetime::at(1000, now, confirmed);
            assert_eq!(lifetime, want, "at {now}, confirmed {confirmed}");
            assert_eq!(lifetime.is_over(), now >= 1000);
        }
    }
}
