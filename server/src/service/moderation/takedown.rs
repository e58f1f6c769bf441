//! Taking a request down: the operator's own deletion, from beside a running server.
//!
//! Another process can't close the gates of the one that serves ([`crate::service::gates`]), and needn't. Once the rows
//! are gone no commit succeeds, so a writer that was under way removes its own object; within [`NOTICED`] servers
//! cut what they send and receive. So bytes are removed twice: at once, and again when nobody writes any more.

use std::time::Duration;

use tokio::time::sleep;
use tracing::debug;

use crate::db::RequestState;
use crate::id::RequestId;
use crate::service::workers::sweeper;
use crate::service::{AppState, Error};

pub use crate::db::RemovedTakes;

/// Four times as long as a server takes to hear of it.
const NOTICED: Duration = Duration::from_secs(2);

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is taken down now, with this.
    TakenDown(RemovedTakes),
    /// It was before.
    Before,
    /// Its creator has deleted it.
    Deleted,
}

/// Takes a request down. When this returns, its bytes are gone. [`Error::NotFound`]: there never was one.
pub async fn take_down(app: &AppState, id: &RequestId) -> Result<Outcome, Error> {
    let row = app.db.request_get(id).await?.ok_or(Error::NotFound)?;
    let taken_down = match app.db.request_take_down(id.clone(), &app.clock).await {
        Err(error) if error.is_full() && app.one_disk => {
            sweeper::make_room(app, id).await?;
            app.db.request_take_down(id.clone(), &app.clock).await?
        }
        taken_down => taken_down?,
    };
    let outcome = match (taken_down, row.taken_down_at, row.state) {
        (Some(removed), ..) => Outcome::TakenDown(removed),
        (None, None, RequestState::Deleted) => Outcome::Deleted,
        (None, ..) => Outcome::Before,
    };
    let finished = row.purged && taken_down.is_none();
    if !finished {
        // A writer under way may be in its way; the second time, which counts, there is none.
        if let Err(error) = app.blobs.remove_request(id).await {
            debug!(error = &error as &dyn std::error::Error, "for now");
        }
        sleep(NOTICED).await;
        sweeper::remove_bytes(app, id.clone()).await?;
    }
    sweeper::empty_log(app).await;
    Ok(outcome)
}
