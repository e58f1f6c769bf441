//! Who may do what. Each function returns the proof that it checked: a caller can't forget to.

use app::api::RequestStatus;
use metrics::counter;

use crate::clock::Millis;
use crate::db::{Request, RequestState};
use crate::id::{AccessToken, RequestId, VideoId};
use crate::service::quota::ReadPermit;
use crate::service::{AppState, Error};
use crate::telemetry::names::TRANSITIONS;

/// A request as it stands now. Made only here, so whoever holds one has asked the clock.
#[derive(Clone)]
pub struct Current(Request);

impl Current {
    /// The row. Its state is what the clock says, not only what was last written.
    pub fn row(&self) -> &Request {
        &self.0
    }

    /// Its name.
    pub fn id(&self) -> &RequestId {
        &self.0.id
    }

    /// Where it stands, in the callers' words.
    pub fn status(&self) -> RequestStatus {
        match self.0.state {
            RequestState::AwaitingSubmission => RequestStatus::AwaitingSubmission,
            RequestState::Submitted => RequestStatus::Submitted,
            RequestState::Expired | RequestState::Deleted => RequestStatus::Expired,
        }
    }
}

/// A token that belongs to a request: not yet permission for anything in particular.
pub struct TokenOwner(Request);

/// Finds the request behind a bearer token, for somebody who hasn't asked too often.
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
    /// The holder's own request of this name, if it was deleted.
    pub fn deleted(&self, id: &str) -> Option<&Request> {
        let own = RequestId::parse(id).is_some_and(|id| id == self.0.id);
        (own && self.0.state == RequestState::Deleted).then_some(&self.0)
    }

    /// The holder's own request, by the name that the caller used. Expired ones are still own.
    pub async fn request(self, app: &AppState, id: &str) -> Result<Current, Error> {
        let id = RequestId::parse(id).ok_or(Error::NotFound)?;
        if id == self.0.id {
            return current(app, self.0).await;
        }
        let other = app.db.request_get(&id).await?;
        Err(refusal(other))
    }

    /// The request of the holder's own video, by the video's name.
    pub async fn video(self, app: &AppState, id: &str) -> Result<Current, Error> {
        let id = VideoId::parse(id).ok_or(Error::NotFound)?;
        if self.0.video_id.as_ref() == Some(&id) {
            let current = current(app, self.0).await?;
            return match current.row().state {
                RequestState::Expired => Err(Error::Gone),
                _ => Ok(current),
            };
        }
        let other = app.db.request_by_video(&id).await?;
        Err(refusal(other))
    }
}

/// For the page: whoever holds the link may look at and add to a request that isn't over.
pub async fn link(app: &AppState, id: &str) -> Result<Current, Error> {
    let current = current(app, find_request(app, id).await?).await?;
    match current.row().state {
        RequestState::Expired => Err(Error::Gone),
        _ => Ok(current),
    }
}

/// For whoever has something to say against a request, while it lasts and for so long after it. A deletion is no
/// way out of that: for them it is still there.
pub(in crate::service) async fn reportable(
    app: &AppState,
    id: &str,
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

/// The row of the request behind a link, over or not.
async fn find_request(app: &AppState, id: &str) -> Result<Request, Error> {
    let id = RequestId::parse(id).ok_or(Error::NotFound)?;
    let row = app.db.request_get(&id).await?.ok_or(Error::NotFound)?;
    // Its creator is told what a deletion is answered, and whoever has the link whose doing it was.
    match row.taken_down_at {
        Some(_) => Err(Error::TakenDown),
        None => Ok(row),
    }
}

/// For what only makes sense before a submission.
pub async fn awaiting(app: &AppState, id: &str) -> Result<Current, Error> {
    let current = link(app, id).await?;
    match current.row().state {
        RequestState::Submitted => Err(Error::AlreadySubmitted),
        _ => Ok(current),
    }
}

/// Asks the clock; what it says is latched, so that a clock that steps back revives nothing. Only a jump that isn't
/// confirmed is no more than an answer: [`Clock::confirmed`](crate::clock::Clock::confirmed).
async fn current(app: &AppState, mut row: Request) -> Result<Current, Error> {
    let now = app.clock.now();
    match row.state {
        RequestState::Deleted => return Err(Error::NotFound),
        RequestState::AwaitingSubmission | RequestState::Submitted if now >= row.expires_at => {
            // By a clock that may have jumped nothing is written: it would wipe what can't be brought back.
            if app.clock.confirmed() >= row.expires_at {
                match app.db.request_expire(row.id.clone(), &app.clock).await {
                    // It is over, whether there is room to write that down or not.
                    Err(error) if error.is_full() => {}
                    latched => {
                        let latched = u64::from(latched?);
                        counter!(TRANSITIONS, "to" => RequestState::Expired.word())
                            .increment(latched);
                    }
                }
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

/// What to say about something that isn't the holder's.
fn refusal(other: Option<Request>) -> Error {
    match other {
        Some(row) if row.state != RequestState::Deleted => Error::Forbidden,
        _ => Error::NotFound,
    }
}
