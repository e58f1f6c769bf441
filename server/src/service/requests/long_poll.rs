//! Status of the token's own request: at once, or by long poll when it changes.

use std::future::pending;
use std::time::Duration;

use app::api::{RequestStatus, RequestView, VideoView};
use tokio::time::{Instant, sleep_until};

use crate::clock::{Millis, rfc3339};
use crate::db::RequestState;
use crate::id::{AccessToken, RequestId};
use crate::service::quota::ReadPermit;
use crate::service::requests::access;
use crate::service::requests::access::Current;
use crate::service::state::changes::Subscription;
use crate::service::{AppState, Error};

/// Maximum duration of a long poll: proxies time out after a minute.
pub const MAX_WAIT: Duration = Duration::from_secs(50);

/// Duration of a long poll that gets no subscription.
const UNSUBSCRIBED_WAIT: Duration = Duration::from_secs(1);

/// Returns the current status.
pub async fn status(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &RequestId,
) -> Result<RequestView, Error> {
    let current = authorize(app, admission, token, id).await?;
    Ok(view(app, &current))
}

/// Returns the status as soon as the request no longer awaits a submission.
///
/// Otherwise it returns the status after `timeout`, at most [`MAX_WAIT`], or when the server stops. `false`: it didn't
/// wait as long as it might have, because the maximum number of long polls was reached, or because the server stops. Then
/// the client pauses before it asks again.
pub async fn long_poll(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &RequestId,
    timeout: Duration,
) -> Result<(RequestView, bool), Error> {
    let start = Instant::now();
    let subscription = app.coordination.changes.subscribe(id);
    let deadline = start + allowed_wait(subscription.is_some(), timeout);
    loop {
        // Subscribing before the status is read makes sure that no later change is missed.
        let changed = subscription.as_ref().map(Subscription::changed);
        let current = authorize(app, admission, token.clone(), id).await?;
        let is_over = current.status() != RequestStatus::AwaitingSubmission;
        let is_stopping = app.shutdown.stopping.is_cancelled();
        if is_over || is_stopping || Instant::now() >= deadline {
            let waited = subscription.is_some() && (is_over || !is_stopping);
            return Ok((view(app, &current), waited));
        }
        let changed = async {
            match changed {
                Some(changed) => changed.await,
                None => pending().await,
            }
        };
        let left = current.row().expires_at - app.clock.now();
        let end = next_check(deadline, Instant::now(), left);
        tokio::select! {
            () = changed => {}
            () = sleep_until(end) => {}
            () = app.shutdown.stopping.cancelled() => {}
        }
    }
}

async fn authorize(
    app: &AppState,
    admission: ReadPermit,
    token: Option<AccessToken>,
    id: &RequestId,
) -> Result<Current, Error> {
    let owner = access::authenticate(app, admission, token).await?;
    owner.request(app, id).await
}

/// Duration of a long poll for which the client asked for `timeout`.
///
/// A delay without a subscription keeps the client from polling in a tight loop.
fn allowed_wait(is_subscribed: bool, timeout: Duration) -> Duration {
    let longest = match is_subscribed {
        true => MAX_WAIT,
        false => UNSUBSCRIBED_WAIT,
    };
    timeout.min(longest)
}

/// When the status is read again without a change: at the expiry in `left` milliseconds, or at the deadline.
fn next_check(deadline: Instant, now: Instant, left: Millis) -> Instant {
    deadline.min(now + Duration::from_millis(left.max(1).unsigned_abs()))
}

fn view(app: &AppState, current: &Current) -> RequestView {
    let row = current.row();
    let expires_at = rfc3339(row.expires_at);
    let video = match (row.state, &row.video_id) {
        (RequestState::Submitted, Some(video)) => Some(VideoView {
            id: video.to_string(),
            url: app.public_url.video(video),
            expires_at: expires_at.clone(),
        }),
        _ => None,
    };
    RequestView {
        id: row.id.to_string(),
        status: current.status(),
        expires_at,
        video,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_lasts_as_long_as_asked_for_and_no_longer_than_proxies_wait() {
        for (is_subscribed, seconds, want) in [
            (true, 0, 0),
            (true, 10, 10),
            (true, 50, 50),
            (true, 51, 50),
            (false, 0, 0),
            (false, 50, 1),
        ] {
            let wait = allowed_wait(is_subscribed, Duration::from_secs(seconds));
            assert_eq!(wait, Duration::from_secs(want), "{seconds} s");
        }
    }

    #[test]
    fn a_wait_sleeps_until_the_expiry_or_its_end_whichever_comes_first() {
        let now = Instant::now();
        let deadline = now + Duration::from_secs(50);
        for (left, want) in [
            (60_000, 50_000),
            (50_000, 50_000),
            (2000, 2000),
            (1, 1),
            // Never at once: that would poll the database in a tight loop.
            (0, 1),
            (-5000, 1),
        ] {
            let end = next_check(deadline, now, left);
            assert_eq!(end, now + Duration::from_millis(want), "{left} ms left");
        }
    }
}
