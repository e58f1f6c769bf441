//! The sender's use cases: begin a take, ask for its offset, discard it, submit it.
//! Appending bytes is [`crate::service::upload`].

use std::time::Duration;

use app::api::PageState;
use bytes::Bytes;
use futures_util::Stream;
use metrics::counter;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};
use tracing::warn;

use crate::clock::Millis;
use crate::db::{EndIdle, RequestState, Take, TakeInsertion, TakeState, full_hour};
use crate::id::{RequestId, TakeId};
use crate::service::quota::storage::{check_creator_quota, check_free_space};
use crate::service::requests::access;
use crate::service::requests::access::Current;
use crate::service::state::memory_budget::BufferReservation;
use crate::service::submission::page_state;
use crate::service::{AppState, Error, sealing};
use crate::telemetry::names::{TAKES_BEGUN, TAKES_ENDED, TRANSITIONS};

pub use crate::service::uploads::append::{Append, End, append};

/// A take that nobody finished is removed when nobody wrote to it for so long.
pub(in crate::service) const ABANDONED_AFTER: Millis = 24 * 60 * 60 * 1000;

/// An open take that hasn't grown for so long, and has no writer, ends when a new one needs its place.
const IDLE_AFTER: Millis = 60 * 1000;

/// How long a submission waits for the seal before its caller is asked to ask again: shorter than what
/// proxies on the way allow.
const PATIENCE: Duration = Duration::from_secs(20);

/// A form asks once, and so it is asked for: for less time than a connection may stand still.
const FORM_PATIENCE: Duration = Duration::from_secs(100);
const FORM_PAUSE: Duration = Duration::from_secs(1);

/// How a take stands, for its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadStatus {
    /// Bytes that are safe.
    pub offset: u64,
    /// Whether that is all of it.
    pub complete: bool,
    /// How many there will be, if anybody has said so.
    pub length: Option<u64>,
    /// When it will be gone, if nobody does anything until then.
    pub ends_at: Millis,
}

/// Begins a take of a request that awaits one, in the place of an abandoned one if there is no other; `length` is how long it will be, if that is known.
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
            Ok((id, found.standing(app)))
        }
        TakeInsertion::TooMany => Err(Error::TooManyTakes {
            most: app.storage_limits.takes,
        }),
        TakeInsertion::NotAwaiting => Err(explain_conflict(app, request).await),
    }
}

/// Stores a new take, and removes the bytes of the one that was ended for it.
async fn insert(app: AppState, take: Take) -> Result<TakeInsertion, Error> {
    let (request, id) = (take.request_id.clone(), take.id.clone());
    // Held over both, so that a removal sees either the row's refusal or the folder.
    let gate = app.coordination.removal_locks.shared(&request).await;
    app.blobs.prepare_take(&request, &id).await?;
    let insertion = insert_row(&app, take).await;
    drop(gate);
    match &insertion {
        Ok(TakeInsertion::Done { ended: Some(ended) }) => {
            counter!(TAKES_ENDED).increment(1);
            if let Err(error) = remove_bytes(&app, &request, ended).await {
                // Its row is gone, so they are orphans.
                let error: &dyn std::error::Error = &error;
                warn!(error, "could not remove the bytes of an ended take");
            }
        }
        Ok(TakeInsertion::Done { ended: None }) => {}
        Ok(TakeInsertion::TooMany | TakeInsertion::NotAwaiting) | Err(_) => {
            remove_late(&app, &request, &id).await;
        }
    }
    insertion
}

/// Where a request has as many takes as it may, the oldest one that doesn't grow any more makes room: a link can't
/// be blocked by takes that were begun and left.
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

/// Begins a take with its first bytes. If that fails, or nobody is left to be told where the take is,
/// nothing of it is kept.
pub async fn begin_with<E>(
    app: &AppState,
    request: &str,
    piece: Append,
    body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
) -> Result<(TakeId, UploadStatus), Error>
where
    E: Send + 'static,
{
    let (tell, told) = oneshot::channel();
    let (store, link) = (app.clone(), request.to_owned());
    let work = async move {
        let (take, _) = begin(&store, &link, piece.length).await?;
        let appended = append(&store, &link, take.as_str(), piece, body).await;
        if appended.is_err() {
            discard_best_effort(&store, &link, &take).await;
        }
        if let Err(Ok((take, _))) = tell.send(appended.map(|at| (take, at))) {
            discard_best_effort(&store, &link, &take).await;
        }
        Ok(())
    };
    app.spawn_to_completion(work).await?;
    told.await.map_err(|_| Error::Corrupt)?
}

/// Reserves memory for what precedes the file in a form, if its link awaits a video. Drop it before
/// [`submit_file`], which reserves for itself: a client that waits for memory must hold none.
pub async fn reserve_form_prefix(
    app: &AppState,
    request: &str,
    bytes: usize,
) -> Result<BufferReservation, Error> {
    access::awaiting(app, request).await?;
    Ok(app.reserve_buffer(bytes).await)
}

/// Stores a whole file as a take and submits it. If that fails nothing of it is kept: a file can't go on
/// where it stopped.
pub async fn submit_file<E>(
    app: &AppState,
    request: &str,
    body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
) -> Result<(), Error>
where
    E: Send + 'static,
{
    let file = Append {
        offset: 0,
        end: End::Here,
        length: None,
        checksum: None,
    };
    let (take, _) = begin(app, request, None).await?;
    let sent = match append(app, request, take.as_str(), file, body).await {
        Ok(_) => submit_at_last(app, request, &take).await,
        Err(error) => Err(error),
    };
    // All of it is here otherwise, and may be somebody's only one.
    if sent.as_ref().is_err_and(|error| !error.is_transient()) {
        discard_best_effort(app, request, &take).await;
    }
    sent
}

/// Submits what nobody asks for a second time, through whatever passes by itself.
async fn submit_at_last(app: &AppState, request: &str, take: &TakeId) -> Result<(), Error> {
    let deadline = Instant::now() + FORM_PATIENCE;
    loop {
        match submit(app, request, take.as_str()).await {
            Err(error)
                if error.is_transient()
                    && Instant::now() < deadline
                    && !app.shutdown.ended.is_cancelled() =>
            {
                sleep(FORM_PAUSE).await;
            }
            submitted => return submitted.map(drop),
        }
    }
}

/// Discards a take after something else has failed.
async fn discard_best_effort(app: &AppState, request: &str, take: &TakeId) {
    if let Err(error) = discard(app, request, take.as_str()).await {
        let error: &dyn std::error::Error = &error;
        warn!(error, "a take that can't go on stays until it expires");
    }
}

/// How much of a take is safe. True after a submission, too.
///
/// Who asks wants to go on from there: an append that is still under way ends first, and from then on
/// nobody but the next one moves the offset.
pub async fn offset(app: &AppState, request: &str, take: &str) -> Result<UploadStatus, Error> {
    let arrived = TakeId::parse(take).map(|it| app.coordination.upload_locks.arrive(&it));
    let current = access::link(app, request).await?;
    let of = current.id();
    let mut take = match get(app, &current, take).await {
        // A submission deletes the other takes.
        Err(Error::NotFound) => return Err(explain_conflict(app, request).await),
        found => found?,
    };
    // Who came later has asked before: whoever this is has given up, and changes nothing any more.
    let turn = match arrived {
        Some(arrived) if take.state == TakeState::Open => arrived.supersede().await,
        _ => None,
    };
    if let Some(_turn) = turn {
        let id = take.id.clone();
        let claim = match app.db.take_claim(of, &id, None, None, &app.clock).await {
            // Nobody else can commit either: a look will do.
            Err(error) if error.is_full() => None,
            claim => claim?,
        };
        take = match claim {
            Some(claim) => claim.take().clone(),
            None => get(app, &current, id.as_str()).await?,
        };
    }
    if take.poisoned || app.coordination.poisoned.contains(&take.id) {
        return Err(Error::TakeFailed);
    }
    let expires_at = current.row().expires_at;
    Ok(Found { take, expires_at }.standing(app))
}

/// Discards a take and its bytes.
pub async fn discard(app: &AppState, request: &str, take: &str) -> Result<(), Error> {
    let take = find(app, request, take).await?.take;
    let (store, link) = (app.clone(), request.to_owned());
    app.spawn_to_completion(async move {
        let _turn = store.coordination.upload_locks.supersede(&take.id).await;
        let delete = || {
            let db = &store.db;
            db.take_delete_by_link(&take.request_id, &take.id, &store.clock)
        };
        let deleted = match delete().await {
            // No room to write down that there should be more: the bytes go first.
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

/// Makes a complete take the video: exactly once, whoever else tries. When this returns, the bytes of
/// the other takes are gone, as the page promised.
pub async fn submit(app: &AppState, request: &str, name: &str) -> Result<PageState, Error> {
    let take = find(app, request, name).await?.take;
    match take.state {
        _ if take.poisoned || app.coordination.poisoned.contains(&take.id) => {
            return Err(Error::TakeFailed);
        }
        TakeState::Open => return Err(Error::TakeIncomplete),
        TakeState::Complete if take.committed == 0 => return Err(Error::TakeEmpty),
        TakeState::Complete => {}
    }
    match sealing::wait_until_sealed(app, &take.id, PATIENCE).await {
        Err(Error::NotFound) => return Err(explain_conflict(app, request).await),
        settled => settled?,
    }
    let (store, link) = (app.clone(), request.to_owned());
    app.spawn_to_completion(async move {
        let id = take.request_id;
        let submitted = store.db.request_submit(&id, &take.id, &store.clock).await?;
        store.coordination.changes.notify(&id);
        let Some(rejected) = submitted else {
            return Err(explain_conflict(&store, &link).await);
        };
        counter!(TRANSITIONS, "to" => RequestState::Submitted.word()).increment(1);
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
    page_state::state(app, request, Some(name)).await
}

/// Removes the bytes of a take whose rows are gone.
pub(in crate::service) async fn remove_bytes(
    app: &AppState,
    request: &RequestId,
    take: &TakeId,
) -> Result<(), Error> {
    let _gate = app.coordination.removal_locks.exclusive(request).await;
    Ok(app.blobs.remove_take(request, take).await?)
}

/// Likewise, if they are: after somebody who was refused, and who may have come later than the removal of all bytes
/// and made their folders anew.
pub(in crate::service) async fn remove_late(app: &AppState, request: &RequestId, take: &TakeId) {
    if let Err(error) = remove_folders(app, request, take).await {
        let error: &dyn std::error::Error = &error;
        warn!(error, "an empty folder stays");
    }
}

async fn remove_folders(app: &AppState, request: &RequestId, take: &TakeId) -> Result<(), Error> {
    if app.db.take_get(request, take).await?.is_some() {
        return Ok(());
    }
    let _gate = app.coordination.removal_locks.exclusive(request).await;
    app.blobs.remove_take(request, take).await?;
    let over = [RequestState::Expired, RequestState::Deleted];
    let row = app.db.request_get(request).await?;
    let is_over = row.is_none_or(|it| over.contains(&it.state));
    // Where there are other takes still, whoever removes their rows removes the folder after them.
    if is_over && app.db.takes_of(request).await?.is_empty() {
        app.blobs.remove_request(request).await?;
    }
    Ok(())
}

/// A take, with what its request says about its time.
pub(in crate::service) struct Found {
    pub(in crate::service) take: Take,
    pub(in crate::service) expires_at: Millis,
}

impl Found {
    fn standing(&self, app: &AppState) -> UploadStatus {
        let complete = self.take.state == TakeState::Complete;
        UploadStatus {
            offset: self.take.committed,
            complete,
            length: self.take.length,
            ends_at: ends_at(app, complete, self.expires_at),
        }
    }
}

/// When a take will be gone, if nobody writes to it from now on, and its place isn't needed for a new one.
pub(in crate::service) fn ends_at(app: &AppState, complete: bool, expires_at: Millis) -> Millis {
    match complete {
        true => expires_at,
        false => expires_at.min(app.clock.now() + ABANDONED_AFTER),
    }
}

/// A take of a request that awaits its submission.
pub(in crate::service) async fn find(
    app: &AppState,
    request: &str,
    take: &str,
) -> Result<Found, Error> {
    let current = access::awaiting(app, request).await?;
    let expires_at = current.row().expires_at;
    match get(app, &current, take).await {
        Ok(take) => Ok(Found { take, expires_at }),
        // A submission that came in between has deleted the other takes: that is what to tell.
        Err(Error::NotFound) => Err(explain_conflict(app, request).await),
        Err(error) => Err(error),
    }
}

async fn get(app: &AppState, of: &Current, take: &str) -> Result<Take, Error> {
    let id = TakeId::parse(take).ok_or(Error::NotFound)?;
    app.db.take_get(of.id(), &id).await?.ok_or(Error::NotFound)
}

/// After a conditional statement moved nothing: says which of its conditions no longer held.
pub(in crate::service) async fn explain_conflict(app: &AppState, request: &str) -> Error {
    match access::awaiting(app, request).await {
        Err(error) => error,
        Ok(_) => Error::NotFound,
    }
}
