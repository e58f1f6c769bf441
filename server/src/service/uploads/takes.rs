//! Takes before their submission: create, query the offset, discard.

use app::video_metadata::CapturedAs;
use metrics::counter;
use tracing::warn;

use crate::clock::Millis;
use crate::db::{CapturedAs as StoredAs, EndIdle, Take, TakeInsertion, TakeState};
use crate::id::{RequestId, TakeId};
use crate::service::quota::storage::{check_creator_quota, check_free_space};
use crate::service::removal::{remove_take, remove_take_if_gone, retry_with_room};
use crate::service::requests::access::{self, Current};
use crate::service::state::upload_locks::Ticket;
use crate::service::uploads::lookup::{Found, explain_conflict, find, get};
use crate::service::{AppState, Error};

pub use crate::service::uploads::lookup::UploadStatus;
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::{TAKES_BEGUN, TAKES_ENDED};

/// Time without growth or a writer after which an open take may end to make room for a new one.
const IDLE_AFTER: Millis = 60 * 1000;

/// Begins a take of a request that awaits a submission.
/// `captured_as` is what its sender says it is, and `length` the declared length, if any.
///
/// Where the request has as many takes as it may, the oldest idle one ends for it.
pub async fn begin(
    app: &AppState,
    request: &RequestId,
    captured_as: CapturedAs,
    length: Option<u64>,
) -> Result<(TakeId, UploadStatus), Error> {
    let current = access::awaiting(app, request).await?;
    let most = app.storage_limits.max_video_bytes;
    if length.is_some_and(|length| length > most) {
        return Err(Error::TooLarge { most });
    }
    check_creator_quota(app, current.row().creator, 1).await?;
    check_free_space(app).await?;
    let (id, now) = (TakeId::random(), app.clock.now());
    let take = Take {
        length,
        creator: current.row().creator,
        captured_as: Some(to_stored(captured_as)),
        ..Take::begun(id.clone(), current.id().clone(), now)
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
            most: app.storage_limits.max_takes,
        }),
        TakeInsertion::NotAwaiting => Err(explain_conflict(app, request).await),
    }
}

/// Inserts a new take, and removes the bytes of the one that ended for it.
async fn insert(app: AppState, take: Take) -> Result<TakeInsertion, Error> {
    let (request, id) = (take.request_id.clone(), take.id.clone());
    // Held over both steps, so that a removal sees either a refused row or the folder.
    let lock = app.coordination.removal_locks.shared(&request).await;
    app.blobs.prepare_take(&request, &id).await?;
    let insertion = insert_row(&app, take).await;
    drop(lock);
    match &insertion {
        Ok(TakeInsertion::Done { ended: Some(ended) }) => {
            counter!(TAKES_ENDED).increment(1);
            if let Err(error) = remove_take(&app, &request, ended).await {
                // Its row is gone, so the orphan collector removes them.
                warn!(
                    error = error.as_dyn(),
                    "could not remove the bytes of an ended take"
                );
            }
        }
        Ok(TakeInsertion::Done { ended: None }) => {}
        Ok(TakeInsertion::TooMany | TakeInsertion::NotAwaiting) | Err(_) => {
            remove_take_if_gone(&app, &request, &id).await;
        }
    }
    insertion
}

/// Inserts the row.
/// If the request has the maximum number of takes, the oldest idle one ends first, so abandoned takes can't block a
/// link.
async fn insert_row(app: &AppState, take: Take) -> Result<TakeInsertion, Error> {
    let (db, most) = (&app.db, app.storage_limits.max_takes);
    let insertion = db.take_insert(take.clone(), most, None, &app.clock).await?;
    if insertion != TakeInsertion::TooMany {
        return Ok(insertion);
    }
    let held = db.takes_of(&take.request_id).await?.into_iter();
    let end_idle = EndIdle {
        idle: IDLE_AFTER,
        except: held
            .map(|it| it.id)
            .filter(|id| app.coordination.upload_locks.has_writer(id))
            .collect(),
    };
    Ok(db
        .take_insert(take, most, Some(end_idle), &app.clock)
        .await?)
}

/// Status of a take, also after its submission.
///
/// A client that queries it is about to resume at the offset. So an active append is ended first, and its bytes are
/// committed; until the client's next append nothing moves the offset.
pub async fn status(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
) -> Result<UploadStatus, Error> {
    let locks = &app.coordination.upload_locks;
    let ticket = locks.draw_ticket(take);
    let current = access::link(app, request).await?;
    let settled = match get(app, &current, take).await {
        Ok(take) if take.state == TakeState::Open => {
            preempt_writer(app, &current, take, ticket).await
        }
        found => found,
    };
    let take = match settled {
        // A submission deletes the other takes.
        Err(Error::NotFound) => return Err(explain_conflict(app, request).await),
        settled => settled?,
    };
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
    let Some(lock) = ticket.supersede().await else {
        return Ok(take);
    };
    let (store, request, id) = (app.clone(), of.id().clone(), take.id.clone());
    // To completion: a claim that comes after its client has hung up would take the take from the next writer.
    let claim = app.spawn_to_completion(async move {
        let _lock = lock;
        let claim = store.db.take_claim(&request, &id, None, None, &store.clock);
        match claim.await {
            // Nor can another node commit, as long as that lasts: reading is enough.
            Err(error) if error.is_unwritable() => Ok(None),
            claim => Ok(claim?),
        }
    });
    match claim.await? {
        Some(claim) => Ok(claim.take().clone()),
        None => get(app, of, &take.id).await,
    }
}

/// Discards a take and its bytes.
pub async fn discard(app: &AppState, request: &RequestId, take: &TakeId) -> Result<(), Error> {
    let take = find(app, request, take).await?.take;
    let store = app.clone();
    app.spawn_to_completion(async move {
        let _lock = store.coordination.upload_locks.supersede(&take.id).await;
        let delete = || {
            let db = &store.db;
            db.take_delete_by_link(&take.request_id, &take.id, &store.clock)
        };
        let make_room = async {
            let request = &take.request_id;
            let _removal = store.coordination.removal_locks.exclusive(request).await;
            // A submission of the take may have been faster.
            access::awaiting(&store, request).await?;
            store.coordination.poisoned.add(&take.id);
            Ok(store.blobs.remove_take(request, &take.id).await?)
        };
        let deleted = retry_with_room(&store, delete, make_room).await?;
        if !deleted {
            return Err(explain_conflict(&store, &take.request_id).await);
        }
        remove_take(&store, &take.request_id, &take.id).await
    })
    .await
}

/// How a take came to be, as it is stored.
fn to_stored(declared: CapturedAs) -> StoredAs {
    match declared {
        CapturedAs::Recorded => StoredAs::Recorded,
        CapturedAs::File => StoredAs::File,
        CapturedAs::Form => StoredAs::Form,
        CapturedAs::Client => StoredAs::Client,
    }
}
