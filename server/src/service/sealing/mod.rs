//! Sealing: makes a video of a complete take by adding an index, digests and metadata, then stills.
//!
//! A seal job begins when a take is complete, while the person reviews it, and is leased: any node may run it, and
//! another node takes it over when the lease of a crashed one runs out. Sealing and stills are two queues, so a
//! submission waits for the seal, and never for stills.

mod arrival;
mod compact;
mod illustrations;
mod retry;
mod rotation;
mod seal;
mod stills_plan;

use std::sync::Arc;
use std::time::Duration;

use metrics::{counter, histogram};
use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedRwLockReadGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, info_span, warn};

use super::{AppState, Error};
use crate::clock::Millis;
use crate::db::{Lease, SealingState};
use crate::id::{RequestId, TakeId};
use crate::service::workers::periodic;
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::{SEALING_DURATION, SEALING_FAILURES};
use retry::{RENEW, counts_as_try, retry_delay, until_lost};
use rotation::Rotation;
pub(super) use stills_plan::KeyframeIndex;

/// Polling interval for jobs of which this node was not notified.
const PERIOD: Duration = Duration::from_secs(5);

/// Duration of a lease in milliseconds, after which another node takes over a silent node's job.
const LEASE: Millis = 15_000;

/// Interval at which a submission checks whether another node has sealed its take.
const SEALED_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Takes sealed at a time. Each may hold the sample tables of a long video in memory.
const SEAL_JOBS: usize = 2;

/// Videos of which stills are made at a time: a decoder may use a gigabyte, and a core for seconds.
const STILLS_JOBS: usize = 2;

/// Creators in the round robin. If there are more, those whose takes have waited longest come first.
const MOST_CREATORS: i64 = 1000;

/// Attempts after which a job that fails for its own reasons, or crashes the server, is given up.
///
/// Failures of an unreachable store don't count.
const MOST_TRIES: i64 = 5;

/// State that all seal jobs of this node share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sealer {
    /// Notified when a take is complete.
    complete: Arc<Notify>,
    /// Notified when a take is sealed and its stills are due.
    sealed: Arc<Notify>,
    /// Wakes submissions when a take is sealed or refused.
    settled: Arc<Notify>,
    sealing: Arc<Semaphore>,
    making_stills: Arc<Semaphore>,
    /// Round robin over creators for sealing.
    sealing_rotation: Arc<Mutex<Rotation>>,
    /// Round robin over creators for stills.
    stills_rotation: Arc<Mutex<Rotation>>,
}

impl Default for Sealer {
    fn default() -> Self {
        Self {
            complete: Arc::default(),
            sealed: Arc::default(),
            settled: Arc::default(),
            sealing: Arc::new(Semaphore::new(SEAL_JOBS)),
            making_stills: Arc::new(Semaphore::new(STILLS_JOBS)),
            sealing_rotation: Arc::default(),
            stills_rotation: Arc::default(),
        }
    }
}

impl Sealer {
    /// Wakes the sealing queue because a take is complete.
    pub(super) fn wake(&self) {
        self.complete.notify_one();
    }

    fn rotation(&self, work: SealingState) -> &Mutex<Rotation> {
        match work {
            SealingState::StillsDue => &self.stills_rotation,
            _ => &self.sealing_rotation,
        }
    }

    fn permits(&self, work: SealingState) -> &Arc<Semaphore> {
        match work {
            SealingState::StillsDue => &self.making_stills,
            _ => &self.sealing,
        }
    }
}

/// Seals complete takes and makes stills of sealed ones until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    let (complete, sealed) = (app.sealer.complete.clone(), app.sealer.sealed.clone());
    let begin = |work: SealingState| {
        let stop = stop.clone();
        move |app: AppState| {
            let stop = stop.clone();
            async move { begin_due(&app, work, &stop).await }
        }
    };
    let (due, stills_due) = (begin(SealingState::Due), begin(SealingState::StillsDue));
    tokio::join!(
        periodic::run("sealing", PERIOD, complete, app.clone(), stop.clone(), due),
        periodic::run("stills", PERIOD, sealed, app, stop.clone(), stills_due),
    );
}

/// Starts a job for each take in this state as permits become available, until none is due.
async fn begin_due(
    app: &AppState,
    work: SealingState,
    stop: &CancellationToken,
) -> Result<(), Error> {
    let permits = app.sealer.permits(work);
    loop {
        let permit = tokio::select! {
            permit = permits.clone().acquire_owned() => permit,
            () = stop.cancelled() => return Ok(()),
        };
        let (Ok(permit), Some(leased)) = (permit, lease_next(app, work).await?) else {
            return Ok(());
        };
        let job = Job {
            app: app.clone(),
            lease: leased.lease,
            request: leased.request,
            take: leased.take,
        };
        let work = job.run(work, permit, stop.clone());
        app.tasks.spawn(work.instrument(info_span!("sealing")));
    }
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
pub async fn lease_next(app: &AppState, work: SealingState) -> Result<Option<LeasedTake>, Error> {
    loop {
        let (db, now) = (&app.db, app.clock.now());
        let waiting = db.sealings_creators(work, now, MOST_CREATORS).await?;
        let next = app.sealer.rotation(work).lock().next(&waiting);
        let Some(creator) = next else {
            return Ok(None);
        };
        // If it is gone or can't be leased, another node was faster.
        let Some((request, take)) = db.sealing_due_of(creator, work, now).await? else {
            continue;
        };
        if let Some(lease) = db.sealing_claim(&take, work, LEASE, &app.clock).await? {
            return Ok(Some(LeasedTake {
                lease,
                request,
                take,
            }));
        }
    }
}

/// A job on one take, which runs as long as its lease holds.
#[derive(Clone)]
struct Job {
    app: AppState,
    lease: Lease,
    request: RequestId,
    take: TakeId,
}

impl Job {
    async fn run(self, work: SealingState, _permit: OwnedSemaphorePermit, stop: CancellationToken) {
        let done = tokio::select! {
            done = self.work(work, &stop) => done,
            lost = self.keep_alive() => lost,
        };
        if let Err(failure) = done {
            let tries = self.lease.tries;
            counter!(SEALING_FAILURES, "work" => work.work()).increment(1);
            warn!(error = failure.as_dyn(), tries, "job failed, will retry");
            if let Err(error) = self.release_for_retry(&failure).await {
                // The job is due again when the lease runs out.
                warn!(error = error.as_dyn(), "could not release lease");
            }
        }
    }

    async fn work(&self, work: SealingState, stop: &CancellationToken) -> Result<(), Error> {
        let begun = Instant::now();
        let took = || histogram!(SEALING_DURATION, "work" => work.work()).record(begun.elapsed());
        if work != SealingState::StillsDue {
            self.seal().await?;
            took();
            self.app.sealer.settled.notify_waiters();
            self.app.sealer.sealed.notify_one();
            return Ok(());
        }
        tokio::select! {
            made = self.make_stills() => made.inspect(|()| took()),
            // Releases the lease, so that another node can make the stills at once.
            () = stop.cancelled() => {
                let db = &self.app.db;
                Ok(db.sealing_release(&self.lease, 0, false, &self.app.clock).await?)
            }
        }
    }

    /// Renews the lease until it is lost.
    async fn keep_alive(&self) -> Result<(), Error> {
        until_lost(RENEW, || self.renew_lease()).await
    }

    /// `false`: the lease is lost, or the take is gone.
    async fn renew_lease(&self) -> Result<bool, Error> {
        let (db, clock) = (&self.app.db, &self.app.clock);
        Ok(db.sealing_renew(&self.lease, LEASE, clock).await?)
    }

    /// Keeps removals out while objects of the take are written and named. `None`: the lease is lost, or the take is
    /// gone.
    ///
    /// A removal that comes before has deleted the take's rows, and with them the lease. One that comes later waits for
    /// the lock.
    async fn lock_removals(&self) -> Result<Option<OwnedRwLockReadGuard<()>>, Error> {
        let locks = &self.app.coordination.removal_locks;
        let lock = locks.shared(&self.request).await;
        Ok(self.renew_lease().await?.then_some(lock))
    }

    /// Releases the job for another attempt.
    async fn release_for_retry(&self, failure: &Error) -> Result<(), Error> {
        let (wait, counts) = (retry_delay(self.lease.tries), counts_as_try(failure));
        let (db, clock) = (&self.app.db, &self.app.clock);
        Ok(db.sealing_release(&self.lease, wait, counts, clock).await?)
    }

    fn has_failed_too_often(&self) -> bool {
        self.lease.tries > MOST_TRIES
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
    app.sealer.wake();
    loop {
        let settled = app.sealer.settled.notified();
        tokio::pin!(settled);
        // Registering before the query makes sure that a change after it isn't missed.
        settled.as_mut().enable();
        match app.db.sealing_get(take).await? {
            None if !app.db.sealing_ensure(take, app.clock.now()).await? => {
                return Err(Error::NotFound);
            }
            None => app.sealer.wake(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealing_and_stills_have_separate_queues() {
        let sealer = Sealer::default();
        let [seal, stills] = [SealingState::Due, SealingState::StillsDue];
        assert!(!std::ptr::eq(
            sealer.rotation(seal),
            sealer.rotation(stills)
        ));
        assert!(!Arc::ptr_eq(sealer.permits(seal), sealer.permits(stills)));
    }
}
