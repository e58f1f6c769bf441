//! Data of the recording page: initial content, and the state that it polls.

use app::api::{GROWING_SECONDS, PageState, RequestStatus, TakeView};

use crate::clock::{Millis, rfc3339};
use crate::db::{SealingState, Take, TakeState};
use crate::id::{RequestId, TakeId};
use crate::service::requests::access;
use crate::service::{AppState, Error};

/// Initial content of the page of a request that awaits its video.
#[derive(Clone)]
pub struct PageContent {
    /// Identifier of the request.
    pub request: String,
    /// Prompt of the request.
    pub prompt: String,
    /// Time of expiry, when the request is deleted.
    pub expires_at: Millis,
    /// Maximum size of its video in bytes.
    pub max_bytes: u64,
    /// Whether what is said in it is turned into text.
    pub is_transcribed: bool,
}

/// Loads the content.
///
/// [`Error::AlreadySubmitted`], [`Error::Gone`] and [`Error::NotFound`] have pages too.
pub async fn load(app: &AppState, request: &RequestId) -> Result<PageContent, Error> {
    let current = access::awaiting(app, request).await?;
    let row = current.row();
    let prompt = row.prompt.clone().unwrap_or_default();
    Ok(PageContent {
        request: row.id.to_string(),
        prompt: String::from_utf8(prompt).map_err(|_| Error::Corrupt)?,
        expires_at: row.expires_at,
        max_bytes: app.storage_limits.max_video_bytes,
        is_transcribed: app.transcriber.is_some(),
    })
}

/// Link of a request that hasn't expired.
pub struct Link {
    /// The complete URL.
    pub url: String,
    /// Whole seconds until the request expires.
    pub seconds_left: i64,
}

/// Returns the link of a request to a client that already has its id.
pub async fn link(app: &AppState, request: &RequestId) -> Result<Link, Error> {
    let current = access::link(app, request).await?;
    Ok(Link {
        url: app.public_url.submission(current.id()),
        seconds_left: (current.row().expires_at - app.clock.now()).max(0) / 1000,
    })
}

/// State from which the page resumes after a reload. `take` is the take that it remembers.
pub async fn state(
    app: &AppState,
    request: &RequestId,
    take: Option<&TakeId>,
) -> Result<PageState, Error> {
    let current = access::link(app, request).await?;
    let expires_at = current.row().expires_at;
    if current.status() == RequestStatus::Submitted {
        return Ok(submitted(expires_at));
    }
    let takes = app.db.takes_with_seals(current.id()).await?;
    let is_named = |it: &Take| take == Some(&it.id);
    if take.is_some() && !takes.iter().any(|(take, ..)| is_named(take)) {
        // It may be gone because the request is over: then the page keeps what it has, and doesn't send it again.
        let again = access::link(app, request).await?;
        if again.status() == RequestStatus::Submitted {
            return Ok(submitted(expires_at));
        }
    }
    let now = app.clock.now();
    let mut others = takes.iter().filter(|(take, ..)| !is_named(take));
    Ok(PageState {
        status: current.status(),
        expires_at: rfc3339(expires_at),
        take: takes.iter().find(|(take, ..)| is_named(take)).map(view),
        recorded_elsewhere: others.any(|(take, ..)| is_growing(take, now)),
        takes: takes.iter().map(of_another).collect(),
    })
}

/// State after a submission: the link only reveals that a video was received, even to the page that uploaded it.
pub fn submitted(expires_at: Millis) -> PageState {
    PageState {
        status: RequestStatus::Submitted,
        expires_at: rfc3339(expires_at),
        takes: Vec::new(),
        take: None,
        recorded_elsewhere: false,
    }
}

/// Whether a take was written to recently.
///
/// A clock that was set back leaves takes in the future; they count as growing for no longer than others.
fn is_growing(take: &Take, now: Millis) -> bool {
    let within = Millis::from(GROWING_SECONDS) * 1000;
    take.state == TakeState::Open && (take.grown_at - now).abs() < within
}

/// Where a file was filmed is shown to its sender alone.
fn of_another(take: &(Take, Option<SealingState>, Option<bool>)) -> TakeView {
    TakeView {
        has_location: false,
        ..view(take)
    }
}

fn view((take, sealing, located): &(Take, Option<SealingState>, Option<bool>)) -> TakeView {
    TakeView {
        offset: take.committed,
        complete: take.state == TakeState::Complete,
        sealed: located.is_some(),
        refused: *sealing == Some(SealingState::Refused),
        has_location: located.unwrap_or(false),
    }
}
