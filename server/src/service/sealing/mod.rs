//! Sealing: makes a video of a complete take by adding an index, digests and metadata, then stills, and a transcript of
//! what was submitted.
//!
//! A seal job begins when a take is complete, while the person reviews it, and is leased: any node may run it, and
//! another node takes it over when the lease of a crashed one runs out. Each kind of work has a queue of its own, so a
//! submission waits for the seal, and for nothing else.

mod arrival;
mod compact;
mod illustrations;
mod job;
mod queues;
mod retry;
mod rotation;
mod seal;
mod stills_plan;
mod transcribe;

use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::{AppState, Error};
use crate::clock::Millis;
use crate::db::{Lease, Queue, SealingState};
use crate::id::{RequestId, TakeId};
use crate::service::workers::{clock_sync, periodic};
use job::Job;
pub use queues::Sealer;
pub(super) use stills_plan::VideoIndex;

/// Polling interval for jobs of which this node was not notified.
const PERIOD: Duration = Duration::from_secs(5);

/// Duration of a lease in milliseconds, after which another node takes over a silent node's job.
const LEASE: Millis = 15_000;

/// Interval at which a submission checks whether another node has sealed its take.
const SEALED_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Time in milliseconds after a submission for which a transcript is tried while the transcriber is away.
const KEPT_FOR: Millis = 30 * 60 * 1000;

/// Creators in the round robin. If there are more, those whose takes have waited longest come first.
const MAX_CREATORS: i64 = 1000;

/// Seals complete takes, makes stills of sealed ones and transcribes submitted ones until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let work = |name, queue: Queue| {
        let (app, stop) = (app.clone(), stop.clone());
        let wake = app.sealer.state_of(queue).wake.clone();
        let stopped = stop.clone();
        periodic::run(name, PERIOD, wake, app, stop, move |app: AppState| {
            let stop = stopped.clone();
            async move { begin_due(&app, queue, &stop).await }
        })
    };
    let transcribing = async {
        if app.transcriber.is_some() {
            work("transcripts", Queue::Transcripts).await;
        }
    };
    tokio::join!(
        work("sealing", Queue::Seal),
        work("stills", Queue::Stills),
        transcribing
    );
}

/// Starts a job for each take in this queue as permits become available, until none is due.
async fn begin_due(app: &AppState, queue: Queue, stop: &CancellationToken) -> Result<(), Error> {
    let permits = &app.sealer.state_of(queue).permits;
    loop {
        let permit = tokio::select! {
            biased;
            () = stop.cancelled() => return Ok(()),
            permit = permits.clone().acquire_owned() => permit,
        };
        if queue == Queue::Transcripts && is_transcriber_cooling_down(app) {
            return Ok(());
        }
        let (Ok(permit), Some(leased)) = (permit, lease_next(app, queue).await?) else {
            return Ok(());
        };
        if stop.is_cancelled() {
            // A shutdown may have waited for all tasks already.
            app.db
                .lease_release(&leased.lease, 0, false, &app.clock)
                .await?;
            return Ok(());
        }
        let job = Job {
            app: app.clone(),
            queue,
            lease: leased.lease,
            request: leased.request,
            take: leased.take,
        };
        let work = job.run(permit, stop.clone());
        app.tasks.spawn(work);
    }
}

/// Whether the transcriber has failed so recently that the next call would fail, too.
fn is_transcriber_cooling_down(app: &AppState) -> bool {
    let now = app.clock.monotonic();
    app.transcriber
        .as_ref()
        .is_none_or(|it| it.is_cooling_down(now))
}

/// A take whose job this node has leased.
pub struct LeasedTake {
    lease: Lease,
    /// Request that the take belongs to.
    pub request: RequestId,
    /// Identifier of the take.
    pub take: TakeId,
}

/// Leases the next job: round robin over creators, then the take that has waited longest.
///
/// `None`: no job is due.
pub async fn lease_next(app: &AppState, queue: Queue) -> Result<Option<LeasedTake>, Error> {
    loop {
        let (db, now) = (&app.db, app.clock.now());
        let waiting = db.queue_creators(queue, now, MAX_CREATORS).await?;
        let next = app.sealer.state_of(queue).rotation.lock().next(&waiting);
        let Some(creator) = next else {
            return Ok(None);
        };
        // If it is gone or can't be leased, another node was faster.
        let Some((request, take)) = db.queue_next_of(creator, queue, now).await? else {
            continue;
        };
        // A node that was paused would take leases that hold.
        clock_sync::sync(app).await?;
        if let Some(lease) = db.lease_claim(queue, &take, LEASE, &app.clock).await? {
            return Ok(Some(LeasedTake {
                lease,
                request,
                take,
            }));
        }
    }
}

/// Waits until a complete take is sealed, for at most `timeout`.
///
/// Returns [`Error::Unplayable`] if the take was refused, and [`Error::StillSealing`] after `timeout`.
pub(super) async fn wait_until_sealed(
    app: &AppState,
    take: &TakeId,
    timeout: Duration,
) -> Result<(), Error> {
    let deadline = Instant::now() + timeout;
    app.sealer.wake(Queue::Seal);
    loop {
        let settled = app.sealer.settled.notified();
        tokio::pin!(settled);
        // Registering before the query makes sure that a change after it isn't missed.
        settled.as_mut().enable();
        match app.db.sealing_get(take).await? {
            None if !app.db.sealing_ensure(take, app.clock.now()).await? => {
                return Err(Error::NotFound);
            }
            None => app.sealer.wake(Queue::Seal),
            Some(sealing) => match (sealing.state, sealing.refusal) {
                (SealingState::StillsDue | SealingState::Done, _) => return Ok(()),
                (SealingState::Refused, why) => {
                    return Err(why.map_or(Error::Corrupt, Error::Unplayable));
                }
                (SealingState::Due, _) => {}
            },
        }
        tokio::select! {
            () = settled => {}
            () = sleep(SEALED_POLL_INTERVAL) => {}
            () = sleep_until(deadline) => return Err(Error::StillSealing),
        }
    }
}
