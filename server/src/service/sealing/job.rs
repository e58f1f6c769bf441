//! A job on one take: its lease is renewed while it works, and it is released for another try where it fails.

use metrics::{counter, histogram};
use tokio::sync::{OwnedRwLockReadGuard, OwnedSemaphorePermit};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::LEASE;
use super::retry::{RENEW, counts_as_try, retry_delay, until_lost, until_released};
use crate::db::{Lease, Queue};
use crate::id::{RequestId, TakeId};
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::{SEALING_DURATION, SEALING_FAILURES, SEALING_LEASES_LOST};

/// Attempts after which a job that fails for its own reasons, or crashes the server, is given up.
///
/// Failures of an unreachable store don't count.
const MAX_TRIES: i64 = 5;

/// A job on one take, which runs as long as its lease holds.
#[derive(Clone)]
pub(super) struct Job {
    pub app: AppState,
    pub queue: Queue,
    pub lease: Lease,
    pub request: RequestId,
    pub take: TakeId,
}

impl Job {
    pub async fn run(self, _permit: OwnedSemaphorePermit, stop: CancellationToken) {
        let done = tokio::select! {
            done = self.work(&stop) => done,
            lost = self.keep_alive() => match lost {
                // The work has ended by now.
                Ok(()) => return self.uncount_lost_try().await,
                failed => failed,
            },
        };
        if let Err(failure) = done {
            // The request may have ended, or the take have been removed.
            let take = self.app.db.take_get(&self.request, &self.take).await;
            if matches!((&failure, &take), (Error::Gone, _) | (_, Ok(None))) {
                return;
            }
            let tries = self.lease.tries;
            let work = self.queue.work();
            counter!(SEALING_FAILURES, "work" => work).increment(1);
            warn!(
                error = failure.as_dyn(),
                work, tries, "job failed, will retry"
            );
            // The outage that made it fail may last: as long as the lease isn't released, it counts as a try.
            let release = || self.release_for_retry(&failure);
            if let Err(error) = until_released(RENEW, release, &stop).await {
                // The job is due again when the lease runs out.
                warn!(error = error.as_dyn(), "could not release lease");
            }
        }
    }

    async fn work(&self, stop: &CancellationToken) -> Result<(), Error> {
        let begun = Instant::now();
        let interruptible = async {
            match self.queue {
                Queue::Seal => {
                    self.seal().await?;
                    self.app.sealer.settled.notify_waiters();
                    self.app.sealer.wake(Queue::Stills);
                    Ok(())
                }
                Queue::Stills => self.make_stills().await,
                Queue::Transcripts => self.transcribe().await,
            }
        };
        let work = self.queue.work();
        let took = || histogram!(SEALING_DURATION, "work" => work).record(begun.elapsed());
        let interrupted = async {
            match self.queue {
                // A person waits for it.
                Queue::Seal => std::future::pending().await,
                Queue::Stills | Queue::Transcripts => stop.cancelled().await,
            }
        };
        tokio::select! {
            done = interruptible => done.inspect(|()| took()),
            // Releases the lease, so that another node can do the work at once.
            () = interrupted => {
                let db = &self.app.db;
                Ok(db.lease_release(&self.lease, 0, false, &self.app.clock).await?)
            }
        }
    }

    /// Renews the lease until it is lost, to another node or with the take.
    async fn keep_alive(&self) -> Result<(), Error> {
        until_lost(RENEW, || self.renew_lease()).await
    }

    /// Takes back the try of a lease that another node has: this one didn't crash.
    async fn uncount_lost_try(&self) {
        let take = self.app.db.take_get(&self.request, &self.take).await;
        if !matches!(take, Ok(Some(_))) {
            return;
        }
        let (work, tries) = (self.queue.work(), self.lease.tries);
        counter!(SEALING_LEASES_LOST, "work" => work).increment(1);
        warn!(
            work,
            tries, "renewed a lease too late: another node has the job"
        );
        if let Err(error) = self.app.db.lease_uncount_try(&self.lease).await {
            warn!(error = error.as_dyn(), "could not uncount a lost try");
        }
    }

    /// `false`: the lease is lost, or the take is gone.
    pub async fn renew_lease(&self) -> Result<bool, Error> {
        let (db, clock) = (&self.app.db, &self.app.clock);
        Ok(db.lease_renew(&self.lease, LEASE, clock).await?)
    }

    /// Keeps removals out while objects of the take are written and named.
    /// `None`: the lease is lost, or the take is gone.
    ///
    /// A removal that comes before has deleted the take's rows, and with them the lease. One that comes later waits for
    /// the lock.
    pub async fn lock_removals(&self) -> Result<Option<OwnedRwLockReadGuard<()>>, Error> {
        let locks = &self.app.coordination.removal_locks;
        let lock = locks.shared(&self.request).await;
        Ok(self.renew_lease().await?.then_some(lock))
    }

    /// Releases the job for another attempt.
    async fn release_for_retry(&self, failure: &Error) -> Result<(), Error> {
        let (wait, counts) = (retry_delay(self.lease.tries), counts_as_try(failure));
        let (db, clock) = (&self.app.db, &self.app.clock);
        Ok(db.lease_release(&self.lease, wait, counts, clock).await?)
    }

    pub fn has_failed_too_often(&self) -> bool {
        self.lease.tries > MAX_TRIES
    }
}
