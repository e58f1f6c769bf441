//! What the jobs of each queue share on this node: how many run at a time, whose turn it is, and what wakes them.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};

use super::rotation::Rotation;
use crate::db::Queue;

/// Takes sealed at a time. Each may hold the sample tables of a long video in memory.
const SEAL_JOBS: usize = 2;

/// Videos of which stills are made at a time: a decoder may use a gigabyte, and a core for seconds.
const STILLS_JOBS: usize = 2;

/// Videos that are transcribed at a time: a transcriber of one's own does one after the other, and a hosted one takes
/// seconds. Each may hold the audio of a long video in memory, 24 MB.
const TRANSCRIPT_JOBS: usize = 2;

/// State that all seal jobs of this node share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sealer {
    seal: QueueState,
    stills: QueueState,
    transcripts: QueueState,
    /// Wakes submissions when a take is sealed or refused.
    pub(super) settled: Arc<Notify>,
}

/// What the jobs of one queue share.
#[derive(Clone, Debug)]
pub(super) struct QueueState {
    /// Notified when a job is due.
    pub wake: Arc<Notify>,
    /// How many jobs may run at a time.
    pub permits: Arc<Semaphore>,
    /// Round robin over creators.
    pub rotation: Arc<Mutex<Rotation>>,
}

impl QueueState {
    fn new(jobs: usize) -> Self {
        Self {
            wake: Arc::default(),
            permits: Arc::new(Semaphore::new(jobs)),
            rotation: Arc::default(),
        }
    }
}

impl Default for Sealer {
    fn default() -> Self {
        Self {
            seal: QueueState::new(SEAL_JOBS),
            stills: QueueState::new(STILLS_JOBS),
            transcripts: QueueState::new(TRANSCRIPT_JOBS),
            settled: Arc::default(),
        }
    }
}

impl Sealer {
    /// Wakes a queue because a job of it is due.
    pub(in crate::service) fn wake(&self, queue: Queue) {
        self.state_of(queue).wake.notify_one();
    }

    pub(super) fn state_of(&self, queue: Queue) -> &QueueState {
        match queue {
            Queue::Seal => &self.seal,
            Queue::Stills => &self.stills,
            Queue::Transcripts => &self.transcripts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_queue_has_jobs_and_a_rotation_of_its_own() {
        let sealer = Sealer::default();
        for [one, other] in [
            [Queue::Seal, Queue::Stills],
            [Queue::Stills, Queue::Transcripts],
            [Queue::Transcripts, Queue::Seal],
        ] {
            let (one, other) = (sealer.state_of(one), sealer.state_of(other));
            assert!(!Arc::ptr_eq(&one.rotation, &other.rotation));
            assert!(!Arc::ptr_eq(&one.permits, &other.permits));
            assert!(!Arc::ptr_eq(&one.wake, &other.wake));
        }
    }
}
