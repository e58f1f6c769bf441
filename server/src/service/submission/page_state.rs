//! What the recording page shows before anything is recorded, and what it asks for from then on.

use app::api::{GROWING_SECONDS, PageState, RequestStatus, TakeView};

use crate::clock::{Millis, rfc3339};
use crate::db::{SealingState, Take, TakeState};
use crate::id::TakeId;
use crate::service::requests::access;
use crate::service::{AppState, Error};

/// A request that awaits its video.
#[derive(Clone)]
pub struct Page {
    /// Its id.
    pub request: String,
    /// The instruction.
    pub prompt: String,
    /// When it is deleted.
    pub expires_at: Millis,
    /// How many bytes its video may have.
    pub max_bytes: u64,
}

/// Loads it. [`Error::AlreadySubmitted`], [`Error::Gone`] and [`Error::NotFound`] are pages too.
pub async fn load(app: &AppState, request: &str) -> Result<Page, Error> {
    let current = access::awaiting(app, request).await?;
    let row = current.row();
    let prompt = row.prompt.clone().unwrap_or_default();
    Ok(Page {
        request: row.id.to_string(),
        prompt: String::from_utf8(prompt).map_err(|_| Error::Corrupt)?,
        expires_at: row.expires_at,
        max_bytes: app.storage_limits.video_bytes,
    })
}

/// A link that is still good.
pub struct Link {
    /// All of it.
    pub url: String,
    /// Whole seconds until it is over.
    pub seconds_left: i64,
}

/// The link itself, for whoever has it anyway.
pub async fn link(app: &AppState, request: &str) -> Result<Link, Error> {
    let current = access::link(app, request).await?;
    Ok(Link {
        url: app.public_url.submission(current.id()),
        seconds_left: (current.row().expires_at - app.clock.now()).max(0) / 1000,
    })
}

/// What the page needs to know to go on after a reload; `take` is the one that it knows the name of.
pub async fn state(app: &AppState, request: &str, take: Option<&str>) -> Result<PageState, Error> {
    let current = access::link(app, request).await?;
    let mut state = PageState {
        status: current.status(),
        expires_at: rfc3339(current.row().expires_at),
        takes: Vec::new(),
        take: None,
        recorded_elsewhere: false,
    };
    // Then the link tells that a video was received, and nothing of the video: not even to the page that sent it.
    if current.status() == RequestStatus::Submitted {
        return Ok(state);
    }
    let takes = app.db.takes_with_seals(current.id()).await?;
    let named = take.and_then(TakeId::parse);
    let is_named = |take: &Take| named.as_ref() == Some(&take.id);
    state.take = takes.iter().find(|(take, ..)| is_named(take)).map(view);
    state.takes = takes.iter().map(view).collect();
    let now = app.clock.now();
    let mut others = takes.iter().filter(|(take, ..)| !is_named(take));
    state.recorded_elsewhere = others.any(|(take, ..)| is_growing(take, now));
    Ok(state)
}

/// A clock that was set back has left takes in the future. They aren't growing for longer than others.
fn is_growing(take: &Take, now: Millis) -> bool {
    let within = Millis::from(GROWING_SECONDS) * 1000;
    take.state == TakeState::Open && (take.grown_at - now).abs() < within
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
