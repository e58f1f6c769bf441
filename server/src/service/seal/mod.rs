//! From a complete take to a video: the index in front of it, digests, facts, then stills.
//!
//! The work begins when a take is complete, while the person looks at it, and is leased: any node may
//! do it, and one that dies is replaced when its lease runs out. A submission waits for the seal and
//! never for the stills.

mod pictures;
mod work;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, info_span, warn};

use super::{App, Error, periodic};
use crate::clock::Millis;
use crate::db::{Lease, SealingState};
use crate::id::{RequestId, TakeId};

/// Work that nobody told this node of is found so soon.
const PERIOD: Duration = Duration::from_secs(5);

/// How long a node may be silent before another one takes its work over.
const LEASE: Millis = 15_000;

/// Three tries to renew a lease before it runs out.
const RENEW: Duration = Duration::from_secs(5);

/// How often a submission looks whether another node has done its take.
const LOOK: Duration = Duration::from_millis(250);

/// Takes begun on in one go.
const BATCH: i64 = 100;

/// Takes sealed at a time. Each may hold the tables of a long film.
const SEALING: usize = 4;

/// Films of which stills are made at a time: a decoder may take a gigabyte, and a core for seconds.
const PICTURING: usize = 2;

/// What the sealing of one node shares. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sealer {
    /// Wakes it: a take is complete.
    wake: Arc<Notify>,
    /// Wakes submissions: a take is sealed or refused.
    settled: Arc<Notify>,
    sealing: Arc<Semaphore>,
    picturing: Arc<Semaphore>,
}

impl Default for Sealer {
    fn default() -> Self {
        Self {
            wake: Arc::default(),
            settled: Arc::default(),
            sealing: Arc::new(Semaphore::new(SEALING)),
            picturing: Arc::new(Semaphore::new(PICTURING)),
        }
    }
}

impl Sealer {
    /// A take is complete.
    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }
}

/// Seals what is complete until told to stop.
pub async fn run(app: App, stop: CancellationToken) {
    let wake = app.sealer.wake.clone();
    let told = stop.clone();
    let work = move |app: App| {
        let stop = told.clone();
        async move { begin_due(&app, &stop).await }
    };
    periodic::run("sealing", PERIOD, wake, app, stop, work).await;
}

/// Begins on all takes that nobody works on.
async fn begin_due(app: &App, stop: &CancellationToken) -> Result<(), Error> {
    for (request, take) in app.db.sealings_due(app.clock.now(), BATCH).await? {
        // Never closed.
        let Ok(turn) = app.sealer.sealing.clone().acquire_owned().await else {
            return Ok(());
        };
        let claimed = app.db.sealing_claim(&take, LEASE, &app.clock).await?;
        if let Some(lease) = claimed {
            let job = Job {
                app: app.clone(),
                lease,
                request,
                take,
            };
            let work = job.run(turn, stop.clone());
            app.tasks.spawn(work.instrument(info_span!("sealing")));
        }
    }
    Ok(())
}

/// The work on one take, as long as its lease holds.
struct Job {
    app: App,
    lease: Lease,
    request: RequestId,
    take: TakeId,
}

impl Job {
    async fn run(self, turn: OwnedSemaphorePermit, stop: CancellationToken) {
        let done = tokio::select! {
            done = self.work(turn, &stop) => done,
            lost = self.hold() => lost,
        };
        // The lease runs out, and then somebody tries again.
        if let Err(error) = done {
            let error: &dyn std::error::Error = &error;
            warn!(error, "a take could not be sealed, for now");
        }
    }

    async fn work(
        &self,
        turn: OwnedSemaphorePermit,
        stop: &CancellationToken,
    ) -> Result<(), Error> {
        let facts = match self.lease.sealed {
            true => self.read().await?.0.ok().map(|it| it.facts),
            false => self.seal().await?,
        };
        drop(turn);
        self.app.sealer.settled.notify_waiters();
        let Some(facts) = facts else { return Ok(()) };
        tokio::select! {
            made = self.make_stills(facts) => made,
            // Whoever comes next makes them.
            () = stop.cancelled() => self.app.db.sealing_renew(&self.lease, 0, &self.app.clock).await
                .map(drop).map_err(Error::from),
        }
    }

    /// Renews the lease until it is lost.
    async fn hold(&self) -> Result<(), Error> {
        loop {
            sleep(RENEW).await;
            let db = &self.app.db;
            if !db
                .sealing_renew(&self.lease, LEASE, &self.app.clock)
                .await?
            {
                return Ok(());
            }
        }
    }
}

/// Waits until a complete take is sealed, for at most `patience`. [`Error::Unsealable`]: it never will be.
pub(super) async fn settled(app: &App, take: &TakeId, patience: Duration) -> Result<(), Error> {
    let deadline = Instant::now() + patience;
    loop {
        let told = app.sealer.settled.notified();
        tokio::pin!(told);
        // From before the look: what happens between the two isn't missed.
        told.as_mut().enable();
        let sealing = app.db.sealing_get(take).await?.ok_or(Error::NotFound)?;
        match (sealing.state, sealing.refusal) {
            (SealingState::StillsDue | SealingState::Done, _) => return Ok(()),
            (SealingState::Refused, why) => {
                return Err(why.map_or(Error::Corrupt, Error::Unsealable));
            }
            (SealingState::Due, _) => app.sealer.wake(),
        }
        tokio::select! {
            () = told => {}
            () = sleep(LOOK) => {}
            () = sleep_until(deadline) => return Err(Error::StillSealing),
        }
    }
}
