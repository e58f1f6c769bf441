//! What the jobs of each queue share on this node: how many run at a time, whose turn it is, and what wakes them.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};

use super::rotation::Rotation;
use crate::db::Queue;

/// Jobs of each queue that run at a time.
///
/// One that seals may hold the sample tables of a long video in memory. One of stills may use a gigabyte, and a core for
/// seconds. One of transcripts may hold the audio of a long video, 24 MB; a transcriber of one's own does one after the
/// other, and a hosted one takes seconds.
const JOBS: usize = 2;

/// State that all seal jobs of this node share. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Sealer {
    queues: [QueueState; Queue::ALL.len()],
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

impl Default for QueueState {
    fn default() -> Self {
        Self {
            wake: Arc::default(),
            permits: Arc::new(Semaphore::new(JOBS)),
            rotation: Arc::default(),
        }
    }
}

impl Sealer {
    /// Wakes a queue because a job of it is due.
    pub(in crate::service) fn wake(&self, queue: Queue) {
        self.state_of(queue).wake.notify_one();
    }

    pub(super) fn state_of(&self, queue: Queue) -> &QueueState {
        &self.queues[queue as usize]
    }
}
