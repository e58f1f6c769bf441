//! Takes before their submission: create, query the offset, discard.

use bytes::Bytes;
use futures_util::Stream;
use metrics::counter;
use tokio::sync::oneshot;
use tracing::warn;

use crate::clock::Millis;
use crate::db::{EndIdle, Take, TakeInsertion, TakeState, full_hour};
use crate::id::TakeId;
use crate::service::quota::storage::{check_creator_quota, check_free_space};
use crate::service::requests::access::{self, Current};
use crate::service::state::upload_locks::Ticket;
use crate::service::uploads::append::{Append, append};
use crate::service::uploads::removal::{remove_bytes, remove_if_gone};
use crate::service::{AppState, Error};
use crate::telemetry::names::{TAKES_BEGUN, TAKES_ENDED};

/// Time without a write or status request after which an incomplete take is removed.
pub(in crate::service) const ABANDONED_AFTER: Millis = 24 * 60 * 60 * 1000;

/// Time without growth or a writer after which an open take may end to make room for a new one.
const IDLE_AFTER: Millis = 60 * 1000;

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

/// Begins a take of a request that awaits a submission. `length` is the declared length, if any.
///
/// Where the request has as many takes as it may, the oldest idle one ends for it.
pub async fn begin(
    app: &AppState,
    request: &str,
    length: Option<u64>,
) -> Result<(TakeId, UploadStatus), Error> {
    let current = access::awaiting(app, request).await?;
    let most = app.storage_limits.video_bytes;
    if length.is_some_and(|length| length > most) {
        return Err(Error::TooLarge { most });
    }
    check_creator_quota(app, current.row().creator, 1).await?;
    check_free_space(app).await?;
    let (id, now) = (TakeId::random(), app.clock.now());
    let take = Take {
        id: id.clone(),
        request_id: current.id().clone(),
        state: TakeState::Open,
        committed: 0,
        epoch: 0,
        created_at: now,
        container: None,
        length,
        poisoned: false,
        touched_at: full_hour(now),
        pieces: 0,
        creator: current.row().creator,
        grown_at: now,
    };
    let found = Found {
        expires_at: current.row().expires_at,
        take: take.clone(),
    };
    let store = app.clone();
    match app.spawn_to_completion(insert(store, take)).await? {
        TakeInsertion::Done { .. } => {
            counter!(TAKES_BEGUN).increment(1);
            Ok((id, found.upload_status(app)))
        }
        TakeInsertion::TooMany => Err(Error::TooManyTakes {
            most: app.storage_limits.takes,
        }),
        TakeInsertion::NotAwaiting => Err(explain_conflict(app, request).await),
    }
}

/// Inserts a new take, and removes the bytes of the one that ended for it.
async fn insert(app: AppState, take: Take) -> Result<TakeInsertion, Error> {
    let (request, id) = (take.request_id.clone(), take.id.clone());
    // Held over both steps, so that a removal sees either a refused row or the folder.
    let gate = app.coordination.removal_locks.shared(&request).await;
    app.blobs.prepare_take(&request, &id).await?;
    let insertion = insert_row(&app, take).await;
    drop(gate);
    match &insertion {
        Ok(TakeInsertion::Done { ended: Some(ended) }) => {
            counter!(TAKES_ENDED).increment(1);
            if let Err(error) = remove_bytes(&app, &request, ended).await {
                // Its row is gone, so the orphan collector removes them.
                let error: &dyn std::error::Error = &error;
                warn!(error, "could not remove the bytes of an ended take");
            }
        }
        Ok(TakeInsertion::Done { ended: None }) => {}
        Ok(TakeInsertion::TooMany | TakeInsertion::NotAwaiting) | Err(_) => {
            remove_if_gone(&app, &request, &id).await;
        }
    }
    insertion
}

/// Inserts the row. If the request has the maximum number of takes, the oldest idle one ends first, so abandoned takes
/// can't block a link.
async fn insert_row(app: &AppState, take: Take) -> Result<TakeInsertion, Error> {
    let (db, most) = (&app.db, app.storage_limits.takes);
    let insertion = db.take_insert(take.clone(), most, None, &app.clock).await?;
    if insertion != TakeInsertion::TooMany {
        return Ok(insertion);
    }
    let held = db.takes_of(&take.request_id).await?.into_iter();
    let end_idle = EndIdle {
        idle: IDLE_AFTER,
        except: held
            .map(|it| it.id)
            .filter(|id| app.coordination.upload_locks.is_taken(id))
            .collect(),
    };
    Ok(db
        .take_insert(take, most, Some(end_idle), &app.clock)
        .await?)
}

/// Begins a take with its first bytes.
///
/// If that fails, or the client has disconnected and can't learn the take's id, nothing of it is kept.
pub async fn begin_with<E>(
    app: &AppState,
    request: &str,
    piece: Append,
    body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
) -> Result<(TakeId, UploadStatus), Error>
where
    E: Send + 'static,
{
    let (sender, receiver) = oneshot::channel();
    let (store, link) = (app.clone(), request.to_owned());
    let work = async move {
        let (take, _) = begin(&store, &link, piece.length).await?;
        let appended = append(&store, &link, take.as_str(), piece, body).await;
        if appended.is_err() {
            discard_best_effort(&store, &link, &take).await;
        }
        if let Err(Ok((take, _))) = sender.send(appended.map(|status| (take, status))) {
            discard_best_effort(&store, &link, &take).await;
        }
        Ok(())
    };
    app.spawn_to_completion(work).await?;
    receiver.await.map_err(|_| Error::Corrupt)?
}

/// Discards a take after another failure, and only logs if that fails, too.
pub(in crate::service) async fn discard_best_effort(app: &AppState, request: &str, take: &TakeId) {
    if let Err(error) = discard(app, request, take.as_str()).await {
        let error: &dyn std::error::Error = &error;
        warn!(error, "could not discard a take");
    }
}

/// Status of a take, also after its submission.
///
/// A client that queries it is about to resume at the offset. So an active append is ended first, and its bytes are
/// committed; until the client's next append nothing moves the offset.
pub async fn status(app: &AppState, request: &str, take: &str) -> Result<UploadStatus, Error> {
    let locks = &app.coordination.upload_locks;
    let ticket = TakeId::parse(take).map(|it| locks.draw_ticket(&it));
    let current = access::link(app, request).await?;
    let mut take = match get(app, &current, take).await {
        // A submission deletes the other takes.
        Err(Error::NotFound) => return Err(explain_conflict(app, request).await),
        found => found?,
    };
    if let Some(ticket) = ticket.filter(|_| take.state == TakeState::Open) {
        take = preempt_writer(app, &current, take, ticket).await?;
    }
    if take.poisoned || app.coordination.poisoned.contains(&take.id) {
        return Err(Error::TakeFailed);
    }
    let expires_at = current.row().expires_at;
    Ok(Found { take, expires_at }.upload_status(app))
}

/// Ends the active append, on this node by its lock and on others by a claim, and returns the take.
///
/// A ticket that a newer one has superseded changes nothing.
async fn preempt_writer(
    app: &AppState,
    of: &Current,
    take: Take,
    ticket: Ticket,
) -> Result<Take, Error> {
    let Some(_lock) = ticket.supersede().await else {
        return Ok(take);
    };
    let claim = app.db.take_claim(of.id(), &take.id, None, None, &app.clock);
    let claim = match claim.await {
        // With a full disk no other writer can commit either, so reading is enough.
        Err(error) if error.is_full() => None,
        claim => claim?,
    };
    match claim {
        Some(claim) => Ok(claim.take().clone()),
        None => get(app, of, take.id.as_str()).await,
    }
}

/// Discards a take and its bytes.
pub async fn discard(app: &AppState, request: &str, take: &str) -> Result<(), Error> {
    let take = find(app, request, take).await?.take;
    let (store, link) = (app.clone(), request.to_owned());
    app.spawn_to_completion(async move {
        let _lock = store.coordination.upload_locks.supersede(&take.id).await;
        let delete = || {
            let db = &store.db;
            db.take_delete_by_link(&take.request_id, &take.id, &store.clock)
        };
        let deleted = match delete().await {
            // A full disk can't record the deletion, so the bytes go first.
            Err(error) if error.is_full() && store.one_disk => {
                store.coordination.poisoned.add(&take.id);
                remove_bytes(&store, &take.request_id, &take.id).await?;
                delete().await?
            }
            deleted => deleted?,
        };
        if !deleted {
            return Err(explain_conflict(&store, &link).await);
        }
        remove_bytes(&store, &take.request_id, &take.id).await
    })
    .await
}

/// A take with the expiry of its request.
pub(in crate::service) struct Found {
    pub(in crate::service) take: Take,
    pub(in crate::service) expires_at: Millis,
}

impl Found {
    fn upload_status(&self, app: &AppState) -> UploadStatus {
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
    request: &str,
    take: &str,
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

async fn get(app: &AppState, of: &Current, take: &str) -> Result<Take, Error> {
    let id = TakeId::parse(take).ok_or(Error::NotFound)?;
    app.db.take_get(of.id(), &id).await?.ok_or(Error::NotFound)
}

/// Says which condition of a conditional statement that changed no row didn't hold.
pub(in crate::service) async fn explain_conflict(app: &AppState, request: &str) -> Error {
    match access::awaiting(app, request).await {
        Err(error) => error,
        Ok(_) => Error::NotFound,
    }
}
