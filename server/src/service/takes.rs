//! The page's use cases: begin a take, ask for its offset, discard it, submit it.
//! Appending bytes is [`super::upload`].

use app::api::{PageState, TakeView};
use tracing::warn;

use super::access::{self, Current};
use super::{App, Error};
use crate::clock::rfc3339;
use crate::db::{Take, TakeState};
use crate::id::{RequestId, TakeId};
use crate::media::Container;

pub use super::upload::{Appended, append};

/// Begins a take of a request that awaits one. `media_type` is what the sender calls it.
pub async fn begin(app: &App, request: &str, media_type: &str) -> Result<TakeId, Error> {
    let current = access::awaiting(app, request).await?;
    let container = Container::from_media_type(media_type).ok_or(Error::UnsupportedMediaType)?;
    let id = TakeId::random();
    let take = Take {
        id: id.clone(),
        request_id: current.id().clone(),
        state: TakeState::Open,
        media_type: container.media_type().to_owned(),
        committed: 0,
        epoch: 0,
        created_at: app.clock.now(),
    };
    // Held over both, so that a removal sees either the row's refusal or the folder.
    let gate = app.gates.write(current.id()).await;
    app.blobs.prepare_take(current.id(), &id).await?;
    let most = app.limits.takes;
    if app.db.take_insert(take, most, &app.clock).await? {
        return Ok(id);
    }
    drop(gate);
    remove_bytes(app, current.id(), &id).await?;
    // Either it awaits no take any more, or it has too many.
    access::awaiting(app, request).await?;
    Err(Error::TooManyTakes { most })
}

/// How much of a take is safe. True after a submission, too.
pub async fn offset(app: &App, request: &str, take: &str) -> Result<TakeView, Error> {
    let current = access::link(app, request).await?;
    match get(app, &current, take).await {
        Ok(take) => Ok(view(&take)),
        // A submission deletes the other takes.
        Err(Error::NotFound) => Err(why_not(app, request).await),
        Err(error) => Err(error),
    }
}

/// Discards a take and its bytes.
pub async fn discard(app: &App, request: &str, take: &str) -> Result<(), Error> {
    let take = find(app, request, take).await?;
    let (store, link) = (app.clone(), request.to_owned());
    app.to_the_end(async move {
        if !store
            .db
            .take_delete(&take.request_id, &take.id, &store.clock)
            .await?
        {
            return Err(why_not(&store, &link).await);
        }
        remove_bytes(&store, &take.request_id, &take.id).await
    })
    .await
}

/// Makes a complete take the video: exactly once, whoever else tries. When this returns, the bytes of
/// the other takes are gone, as the page promised.
pub async fn submit(app: &App, request: &str, take: &str) -> Result<PageState, Error> {
    let take = find(app, request, take).await?;
    match take.state {
        TakeState::Open => return Err(Error::TakeIncomplete),
        TakeState::Complete if take.committed == 0 => return Err(Error::TakeEmpty),
        TakeState::Complete => {}
    }
    let (store, link) = (app.clone(), request.to_owned());
    app.to_the_end(async move {
        let id = take.request_id;
        let submitted = store.db.request_submit(&id, &take.id, &store.clock).await?;
        let Some(rejected) = submitted else {
            return Err(why_not(&store, &link).await);
        };
        for other in rejected {
            if let Err(error) = remove_bytes(&store, &id, &other).await {
                // The submission stands, whatever becomes of these.
                warn!(
                    error = &error as &dyn std::error::Error,
                    "a rejected take stays until expiry"
                );
            }
        }
        Ok(())
    })
    .await?;
    state(app, request).await
}

/// Removes the bytes of a take whose rows are gone.
async fn remove_bytes(app: &App, request: &RequestId, take: &TakeId) -> Result<(), Error> {
    let _gate = app.gates.remove(request).await;
    Ok(app.blobs.remove_take(request, take).await?)
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
