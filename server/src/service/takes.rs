//! The page's use cases: begin a take, ask for its offset, discard it, submit it.
//! Appending bytes is [`super::upload`].

use app::api::{PageState, TakeView};

use super::access::{self, Current};
use super::{App, Error};
use crate::clock::rfc3339;
use crate::db::{Take, TakeState};
use crate::id::{TakeId, VideoId};
use crate::media::Container;

pub use super::upload::{Appended, append};

/// Begins a take of a request that awaits one. `media_type` is what the sender calls it.
pub async fn begin(app: &App, request: &str, media_type: &str) -> Result<TakeId, Error> {
    let current = access::awaiting(app, request).await?;
    let container = Container::from_media_type(media_type).ok_or(Error::UnsupportedMediaType)?;
    let now = app.clock.now();
    let id = TakeId::random();
    let take = Take {
        id: id.clone(),
        request_id: current.id().clone(),
        state: TakeState::Open,
        media_type: container.media_type().to_owned(),
        committed: 0,
        epoch: 0,
        created_at: now,
    };
    if !app.db.take_insert(take, now).await? {
        return Err(why_not(app, request).await);
    }
    Ok(id)
}

/// How much of a take is safe. True after a submission, too.
pub async fn offset(app: &App, request: &str, take: &str) -> Result<TakeView, Error> {
    let current = access::link(app, request).await?;
    Ok(view(&get(app, &current, take).await?))
}

/// Discards a take and its bytes.
pub async fn discard(app: &App, request: &str, take: &str) -> Result<(), Error> {
    let take = find(app, request, take).await?;
    if !app.db.take_delete(&take.request_id, &take.id).await? {
        return Err(why_not(app, request).await);
    }
    let blobs = app.blobs.clone();
    app.tasks
        .spawn(async move { blobs.remove_take(&take.request_id, &take.id).await })
        .await??;
    Ok(())
}

/// Makes a complete take the video: exactly once, whoever else tries.
pub async fn submit(app: &App, request: &str, take: &str) -> Result<PageState, Error> {
    let take = find(app, request, take).await?;
    match take.state {
        TakeState::Open => return Err(Error::TakeIncomplete),
        TakeState::Complete if take.committed == 0 => return Err(Error::TakeEmpty),
        TakeState::Complete => {}
    }
    let rejected = app.db.takes_of(&take.request_id).await?;
    let (id, now) = (take.request_id.clone(), app.clock.now());
    let submitted = app
        .db
        .request_submit(id, take.id.clone(), VideoId::random(), now)
        .await?;
    if !submitted {
        return Err(why_not(app, request).await);
    }
    // The page promised that rejected takes are deleted. The answer doesn't wait for it.
    let blobs = app.blobs.clone();
    app.tasks.spawn(async move {
        for other in rejected.into_iter().filter(|it| it.id != take.id) {
            if let Err(error) = blobs.remove_take(&other.request_id, &other.id).await {
                let error: &dyn std::error::Error = &error;
                tracing::warn!(error, "a rejected take could not be removed");
            }
        }
    });
    state(app, request).await
}

/// What the page needs to know to go on after a reload.
pub async fn state(app: &App, request: &str) -> Result<PageState, Error> {
    let current = access::link(app, request).await?;
    let takes = app.db.takes_of(current.id()).await?;
    Ok(PageState {
        status: current.status(),
        expires_at: rfc3339(current.row().expires_at),
        takes: takes.iter().map(view).collect(),
    })
}

/// A take of a request that awaits its submission.
pub(super) async fn find(app: &App, request: &str, take: &str) -> Result<Take, Error> {
    let current = access::awaiting(app, request).await?;
    match get(app, &current, take).await {
        // A submission that came in between has deleted the other takes: that is what to tell.
        Err(Error::NotFound) => Err(why_not(app, request).await),
        found => found,
    }
}

async fn get(app: &App, of: &Current, take: &str) -> Result<Take, Error> {
    let id = TakeId::parse(take).ok_or(Error::NotFound)?;
    app.db.take_get(of.id(), &id).await?.ok_or(Error::NotFound)
}

/// After a conditional statement moved nothing: says which of its conditions no longer held.
pub(super) async fn why_not(app: &App, request: &str) -> Error {
    match access::awaiting(app, request).await {
        Err(error) => error,
        Ok(_) => Error::NotFound,
    }
}

fn view(take: &Take) -> TakeView {
    TakeView {
        id: take.id.to_string(),
        offset: bytes(take.committed),
        complete: take.state == TakeState::Complete,
    }
}

/// The table's checks keep sizes at or above zero.
pub(super) fn bytes(column: i64) -> u64 {
    column.max(0).unsigned_abs()
}
