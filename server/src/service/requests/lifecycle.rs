//! Creation and deletion of a request. For its status see [`crate::service::requests::long_poll`].

use std::time::Duration;

use app::api::{CreateRequest, CreatedRequest, LIFETIME_HOURS, PROMPT_CHARS, RequestStatus};
use metrics::counter;

use crate::clock::{Millis, rfc3339};
use crate::db::{CreationOutcome, Request, RequestState};
use crate::id::{AccessToken, RequestId};
use crate::service::quota;
use crate::service::quota::storage;
use crate::service::quota::{ReadPermit, RefusalReason};
use crate::service::removal;
use crate::service::requests::access;
use crate::service::{AppState, Error};
use crate::telemetry::names::TRANSITIONS;
use net::client_addr::ClientAddr;

const HOUR: Millis = 60 * 60 * 1000;

/// Creates a request and its access token.
pub async fn create(
    app: &AppState,
    creator: ClientAddr,
    input: CreateRequest,
) -> Result<CreatedRequest, Error> {
    check(&input)?;
    quota::refuse_creation(app, creator)?;
    storage::check_creator(app, creator).await?;
    let token = AccessToken::random();
    let now = app.clock.now();
    let request = Request {
        id: RequestId::random(),
        token_hash: token.hash(),
        prompt: Some(input.prompt.into_bytes()),
        state: RequestState::AwaitingSubmission,
        created_at: now,
        expires_at: now + input.expires_in_hours * HOUR,
        video_id: None,
        take_id: None,
        purged: false,
        creator: Some(creator),
        taken_down_at: None,
        submitted_at: None,
        ticks: None,
    };
    let created = CreatedRequest {
        id: request.id.to_string(),
        status: RequestStatus::AwaitingSubmission,
        submission_url: app.public_url.submission(&request.id),
        access_token: token.reveal(),
        expires_at: rfc3339(request.expires_at),
    };
    let costs = quota::creation_costs(app, creator);
    let creation = app.db.request_insert(request, costs, &app.clock).await;
    // A full disk is an internal error here, and not `NoRoom`: the client sends nothing that takes space.
    let creation = creation.map_err(|error| match error.is_full() {
        true => Error::Db(error),
        false => error.into(),
    });
    match creation? {
        CreationOutcome::Done => {
            counter!(TRANSITIONS, "to" => RequestState::AwaitingSubmission.as_str()).increment(1);
            Ok(created)
        }
        CreationOutcome::NotBefore(at) => {
            let refusals = &app.quotas.refusals;
            refusals.record(creator, RefusalReason::CreateRate);
            Err(Error::TooOften {
                wait: Duration::from_millis((at - now).max(0).unsigned_abs()),
            })
        }
    }
}

fn check(input: &CreateRequest) -> Result<(), Error> {
    let chars = input.prompt.chars().count();
    if !PROMPT_CHARS.contains(&chars) {
        let (min, max) = (PROMPT_CHARS.start(), PROMPT_CHARS.end());
        return Err(Error::Invalid(format!(
            "prompt must have {min} to {max} characters, not {chars}"
        )));
    }
    let hours = input.expires_in_hours;
    if !LIFETIME_HOURS.contains(&hours) {
        let (min, max) = (LIFETIME_HOURS.start(), LIFETIME_HOURS.end());
        return Err(Error::Invalid(format!(
            "expires_in_hours must be {min} to {max}, not {hours}"
        )));
    }
    Ok(())
}

/// Deletes the token's own request. When this returns, its bytes are removed.
pub async fn delete(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &RequestId,
) -> Result<(), Error> {
    let owner = access::authenticate(app, admission, token).await?;
    if let Some(deleted) = owner.deleted(id) {
        // An earlier call has deleted it, and perhaps failed then. "There is nothing" is true once its bytes are gone.
        let finished = finish_removal(app, deleted).await;
        finished.map_err(explain_no_room)?;
        return Err(Error::NotFound);
    }
    let current = owner.request(app, id).await?;
    let (store, id) = (app.clone(), current.id().clone());
    let deletion = async move {
        let write = || store.db.request_delete(id.clone());
        let make_room = removal::make_room(&store, &id);
        let deleted = removal::retry_with_room(&store, write, make_room).await?;
        if !deleted {
            // Another call was faster, and may still be removing the bytes.
            removal::remove_request(&store, id).await?;
            return Err(Error::NotFound);
        }
        counter!(TRANSITIONS, "to" => RequestState::Deleted.as_str()).increment(1);
        store.coordination.changes.notify(&id);
        let removed = removal::remove_request(&store, id).await;
        // The deletion is written already, so the sweeper removes the bytes without another call of the client.
        removed.inspect_err(|_| store.sweeper.notify_one())
    };
    let deleted = app.spawn_to_completion(deletion).await;
    deleted.map_err(explain_no_room)
}

/// A client that deletes has sent nothing that takes space.
fn explain_no_room(error: Error) -> Error {
    match error {
        Error::NoRoom => Error::NotDeleted,
        error => error,
    }
}

/// Deletes the token's own request, and succeeds if it was deleted before.
pub async fn ensure_deleted(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &RequestId,
) -> Result<(), Error> {
    match delete(app, admission, token.clone(), id).await {
        Err(Error::NotFound) => {}
        done => return done,
    }
    let owner = access::authenticate(app, admission, token).await?;
    owner.deleted(id).ok_or(Error::NotFound)?;
    Ok(())
}

/// Removes the bytes of a deleted request, unless that is done: whatever made the first removal fail may have passed.
async fn finish_removal(app: &AppState, deleted: &Request) -> Result<(), Error> {
    if deleted.purged {
        return Ok(());
    }
    let (store, id) = (app.clone(), deleted.id.clone());
    app.spawn_to_completion(async move { removal::remove_request(&store, id).await })
        .await
}
