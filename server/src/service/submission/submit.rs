//! Submission: a complete take becomes the video of its request, exactly once.

use std::time::Duration;

use app::api::{PageState, Submission};
use app::video_metadata::CapturedAs;
use bytes::Bytes;
use futures_util::Stream;
use metrics::counter;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::db::{Queue, RequestState, TakeState};
use crate::id::{RequestId, TakeId};
use crate::service::removal::remove_take;
use crate::service::requests::access;
use crate::service::state::memory_budget::Reservation;
use crate::service::submission::{page_state, ticks};
use crate::service::uploads::append::{Append, End, append};
use crate::service::uploads::creation::discard_best_effort;
use crate::service::uploads::lookup::{explain_conflict, find};
use crate::service::uploads::takes::begin;
use crate::service::{AppState, Error, sealing};
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::TRANSITIONS;

/// Time for which a submission waits for the seal before the client is asked to retry.
///
/// It is shorter than the timeouts of proxies.
const SEAL_TIMEOUT: Duration = Duration::from_secs(20);

/// Time for which the submission of a form is retried, because a form is sent once.
///
/// It is shorter than the time for which a connection may stall.
const FORM_TIMEOUT: Duration = Duration::from_secs(100);
const FORM_RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Makes a complete take the video of its request.
///
/// Of concurrent submissions exactly one succeeds; the others get [`Error::AlreadySubmitted`]. When this returns, the
/// bytes of the request's other takes are removed, as the page promised. Returns the size of the take in bytes, too.
pub async fn submit(
    app: &AppState,
    request: &RequestId,
    submission: Submission,
) -> Result<(PageState, u64), Error> {
    let Submission {
        take,
        ticks,
        may_transcribe,
    } = submission;
    let take = &TakeId::parse_sent(&take);
    let found = find(app, request, take).await?;
    let row = found.take;
    let ticks = ticks::encode(app, request, ticks).await?;
    match row.state {
        _ if row.poisoned || app.coordination.poisoned.contains(take) => {
            return Err(Error::TakeFailed);
        }
        TakeState::Open => return Err(Error::TakeIncomplete),
        TakeState::Complete if row.committed == 0 => return Err(Error::TakeEmpty),
        TakeState::Complete => {}
    }
    match sealing::wait_until_sealed(app, take, SEAL_TIMEOUT).await {
        Err(Error::NotFound) => return Err(explain_conflict(app, request).await),
        // The request may have expired meanwhile.
        Err(Error::StillSealing) => {
            access::awaiting(app, request).await?;
            return Err(Error::StillSealing);
        }
        sealed => sealed?,
    }
    let (store, id, take_id) = (app.clone(), request.clone(), take.clone());
    app.spawn_to_completion(async move {
        let transcribe = may_transcribe && store.transcriber.is_some();
        // On a full disk, a removal poisons a take and removes its objects before the rows.
        let not_removed_meanwhile = store.coordination.removal_locks.shared(&id).await;
        if store.coordination.poisoned.contains(&take_id) {
            return Err(Error::TakeFailed);
        }
        let submitted = store
            .db
            .request_submit(&id, &take_id, ticks, transcribe, &store.clock)
            .await?;
        drop(not_removed_meanwhile);
        store.coordination.changes.notify(&id);
        let Some(rejected) = submitted else {
            return Err(explain_conflict(&store, &id).await);
        };
        counter!(TRANSITIONS, "to" => RequestState::Submitted.as_str()).increment(1);
        store.sealer.wake(Queue::Transcripts);
        for other in rejected {
            // A writer with a checksum would notice only at its end that its take is gone.
            let _writer = store.coordination.upload_locks.supersede(&other).await;
            if let Err(error) = remove_take(&store, &id, &other).await {
                // The submission stands all the same, and the sweeper removes them at expiry.
                warn!(error = error.as_dyn(), "could not remove a rejected take");
            }
        }
        Ok(())
    })
    .await?;
    // Not read again: the request may be deleted by now, and the submission has succeeded all the same.
    Ok((page_state::submitted(found.expires_at), row.committed))
}

/// Reserves memory for the part of a form that precedes its file, if the request awaits a video.
///
/// Drop it before [`submit_file`], which makes reservations of its own: a task that waits for memory must hold none.
pub async fn reserve_form_prefix(
    app: &AppState,
    request: &RequestId,
    bytes: usize,
) -> Result<Reservation, Error> {
    access::awaiting(app, request).await?;
    Ok(app.reserve_buffer(bytes).await)
}

/// Stores a whole file as a take and submits it.
///
/// If that fails the take is discarded, because a form can't resume, unless the error is transient.
pub async fn submit_file<E>(
    app: &AppState,
    request: &RequestId,
    may_transcribe: bool,
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
    let (take, _) = begin(app, request, CapturedAs::Form, None).await?;
    let sent = match append(app, request, &take, file, body).await {
        Ok(_) => {
            let submission = Submission {
                may_transcribe,
                ..Submission::of(take.to_string())
            };
            submit_with_retries(app, request, submission).await
        }
        Err(error) => Err(error),
    };
    // After a transient error the file is complete here, and may be the only copy.
    if sent.as_ref().is_err_and(|error| !error.is_transient()) {
        discard_best_effort(app, request, &take).await;
    }
    sent
}

/// Submits, and tries again after transient errors.
async fn submit_with_retries(
    app: &AppState,
    request: &RequestId,
    submission: Submission,
) -> Result<(), Error> {
    let (timeout, ended) = (FORM_TIMEOUT, &app.shutdown.ended);
    retry_transient(timeout, FORM_RETRY_INTERVAL, ended, || {
        submit(app, request, submission.clone())
    })
    .await
    .map(drop)
}

/// Repeats `attempt` every `interval` while its error is transient, until `timeout` has passed or the server has ended.
async fn retry_transient<T, F>(
    timeout: Duration,
    interval: Duration,
    ended: &CancellationToken,
    attempt: impl Fn() -> F,
) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let deadline = Instant::now() + timeout;
    loop {
        match attempt().await {
            Err(error)
                if error.is_transient() && Instant::now() < deadline && !ended.is_cancelled() =>
            {
                sleep(interval).await;
            }
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::ready;

    use super::*;

    /// Attempts that were made, of which the third one succeeds.
    async fn attempts(timeout: Duration, ended: &CancellationToken, error: fn() -> Error) -> u32 {
        let made = Cell::new(0);
        let attempt = || {
            made.set(made.get() + 1);
            ready(if made.get() == 3 {
                Ok(())
            } else {
                Err(error())
            })
        };
        let done = retry_transient(timeout, Duration::ZERO, ended, attempt).await;
        assert_eq!(done.is_ok(), made.get() == 3);
        made.get()
    }

    #[tokio::test]
    async fn transient_errors_are_retried_until_the_timeout() {
        let running = CancellationToken::new();
        let transient = || Error::StillSealing;
        assert_eq!(attempts(FORM_TIMEOUT, &running, transient).await, 3);
        assert_eq!(attempts(Duration::ZERO, &running, transient).await, 1);
        assert_eq!(
            attempts(FORM_TIMEOUT, &running, || Error::TakeEmpty).await,
            1
        );
        running.cancel();
        assert_eq!(attempts(FORM_TIMEOUT, &running, transient).await, 1);
    }
}
