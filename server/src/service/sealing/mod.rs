//! From a complete take to a video: the index in front of it, digests, facts; then stills.
//!
//! The work begins when a take is complete, while the person looks at it, and is leased: any node may
//! do it, and one that dies is replaced when its lease runs out. Sealing and stills are two queues, so a
//! submission waits for the seal and never for anybody's stills.

mod compact;
mod rotation;
mod seal;
mod stills_plan;

use std::sync::Arc;
use std::time::Duration;

use metrics::{counter, histogram};
use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, info_span, warn};

use super::{AppState, Error};
use crate::blobs::BlobError;
use crate::clock::Millis;
use crate::db::{LONGEST_LEASE, Lease, SealingState};
use crate::id::{RequestId, TakeId};
use crate::service::workers::periodic;
use crate::telemetry::names::{SEALING_DURATION, SEALING_FAILURES};
use rotation::Rotation;

/// Work that nobody told this node of is found so soon.
const PERIOD: Duration = Duration::from_secs(5);

/// How long a node may be silent before another one takes its work over.
const LEASE: Millis = 15_000;

/// Three tries to renew a lease before it runs out.
const RENEW: Duration = Duration::from_secs(5);

/// How often a submission looks whether another node has done its take.
const LOOK: Duration = Duration::from_millis(250);

/// Takes sealed at a time. Each may hold the tables of a long film.
const SEALING: usize = 2;

/// Films of which stills are made at a time: a decoder may take a gigabyte, and a core for seconds.
const PICTURING: usize = 2;

/// Creators that take turns at a time. Of more, those come first whose takes have waited longest.
const MOST_CREATORS: i64 = 1000;

/// What fails as often for reasons of its own, or takes the server with it, isn't begun again. A store that
/// can't be reached doesn't count.
const MOST_TRIES: i64 = 5;

/// What the sealing of one node shares. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sealer {
    /// A take is complete.
    complete: Arc<Notify>,
    /// A take is sealed, and there are stills to be made of it.
    sealed: Arc<Notify>,
    /// Wakes submissions: a take is sealed or refused.
    settled: Arc<Notify>,
    sealing: Arc<Semaphore>,
    picturing: Arc<Semaphore>,
    /// Whose take is sealed next.
    sealing_rotation: Arc<Mutex<Rotation>>,
    /// Of whose take stills are made next.
    stills_rotation: Arc<Mutex<Rotation>>,
}

impl Default for Sealer {
    fn default() -> Self {
        Self {
            complete: Arc::default(),
            sealed: Arc::default(),
            settled: Arc::default(),
            sealing: Arc::new(Semaphore::new(SEALING)),
            picturing: Arc::new(Semaphore::new(PICTURING)),
            sealing_rotation: Arc::default(),
            stills_rotation: Arc::default(),
        }
    }
}

impl Sealer {
    /// A take is complete.
    pub(super) fn wake(&self) {
        self.complete.notify_one();
    }

    fn rotation(&self, work: SealingState) -> &Mutex<Rotation> {
        match work {
            SealingState::StillsDue => &self.stills_rotation,
            _ => &self.sealing_rotation,
        }
    }
}

/// Seals what is complete, and makes stills of what is sealed, until told to stop.
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

/// Begins on takes in this state, one whenever there is a turn, until nobody waits.
async fn begin_due(
    app: &AppState,
    work: SealingState,
    stop: &CancellationToken,
) -> Result<(), Error> {
    let turns = match work {
        SealingState::StillsDue => &app.sealer.picturing,
        _ => &app.sealer.sealing,
    };
    loop {
        let turn = tokio::select! {
            turn = turns.clone().acquire_owned() => turn,
            () = stop.cancelled() => return Ok(()),
        };
        let (Ok(turn), Some(leased)) = (turn, lease_next(app, work).await?) else {
            return Ok(());
        };
        let job = Job {
            app: app.clone(),
            lease: leased.lease,
            request: leased.request,
            take: leased.take,
        };
        let work = job.run(work, turn, stop.clone());
        app.tasks.spawn(work.instrument(info_span!("sealing")));
    }
}

/// A take whose work this node has leased.
pub struct LeasedTake {
    lease: Lease,
    /// The request that it answers.
    pub request: RequestId,
    /// Its name.
    pub take: TakeId,
}

/// Leases the work that is next: creators take turns, and of one creator that comes first which has waited longest.
/// `None`: none is due.
pub async fn lease_next(app: &AppState, work: SealingState) -> Result<Option<LeasedTake>, Error> {
    loop {
        let (db, now) = (&app.db, app.clock.now());
        let waiting = db.sealings_creators(work, now, MOST_CREATORS).await?;
        let next = app.sealer.rotation(work).lock().next(&waiting);
        let Some(creator) = next else {
            return Ok(None);
        };
        // Where there is none, or it can't be had, another node was faster.
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

/// The work on one take, as long as its lease holds.
#[derive(Clone)]
struct Job {
    app: AppState,
    lease: Lease,
    request: RequestId,
    take: TakeId,
}

impl Job {
    async fn run(self, work: SealingState, _turn: OwnedSemaphorePermit, stop: CancellationToken) {
        let done = tokio::select! {
            done = self.work(work, &stop) => done,
            lost = self.keep_alive() => lost,
        };
        if let Err(failure) = done {
            let tries = self.lease.tries;
            counter!(SEALING_FAILURES, "work" => work.work()).increment(1);
            warn!(
                error = &failure as &dyn std::error::Error,
                tries, "not done, for now"
            );
            if let Err(error) = self.release_for_retry(&failure).await {
                // Then the lease runs out.
                warn!(error = &error as &dyn std::error::Error, "nor put off");
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
            // Whoever comes next makes them.
            () = stop.cancelled() => {
                let db = &self.app.db;
                Ok(db.sealing_release(&self.lease, 0, false, &self.app.clock).await?)
            }
        }
    }

    /// Renews the lease until it is lost.
    async fn keep_alive(&self) -> Result<(), Error> {
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

    /// Lets somebody try again, later each time.
    async fn release_for_retry(&self, failure: &Error) -> Result<(), Error> {
        let store = match failure {
            // No store that comes back fills it.
            Error::Blobs(BlobError::Gap) => false,
            Error::Db(_) | Error::Blobs(_) | Error::NoRoom => true,
            _ => false,
        };
        let wait = LEASE << self.lease.tries.clamp(0, 8);
        let (wait, db) = (wait.min(LONGEST_LEASE), &self.app.db);
        Ok(db
            .sealing_release(&self.lease, wait, !store, &self.app.clock)
            .await?)
    }

    fn has_failed_too_often(&self) -> bool {
        self.lease.tries > MOST_TRIES
    }
}

/// Waits until a complete take is sealed, for at most `patience`. [`Error::Unplayable`]: it never will be.
pub(super) async fn wait_until_sealed(
    app: &AppState,
    take: &TakeId,
    patience: Duration,
) -> Result<(), Error> {
    let deadline = Instant::now() + patience;
    app.sealer.wake();
    loop {
        let told = app.sealer.settled.notified();
        tokio::pin!(told);
        // From before the look: what happens between the two isn't missed.
        told.as_mut().enable();
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
            () = told => {}
            () = sleep(LOOK) => {}
            () = sleep_until(deadline) => return Err(Error::StillSealing),
        }
    }
}
