//! What a writer does with an object's worth of bytes: first the object, then the row, then the word.

use std::time::{Duration, Instant};

use metrics::{counter, histogram};
use tracing::{Instrument, debug, error};

use crate::blobs::{BlobError, ObjectKey};
use crate::clock::{Millis, Stopwatch};
use crate::db::{Addition, Chunk, LONGEST_COMMIT, MAX_CHUNKS, Take, TakeState};
use crate::service::Error;
use crate::service::quota::storage::reserve;
use crate::service::quota::storage_usage::PendingObject;
use crate::service::uploads::append::{Writer, Written, most, refusal};
use crate::service::uploads::buffer::WriteBuffer;
use crate::service::uploads::takes::{find, remove_late};
use crate::service::workers::orphan_gc;
use crate::telemetry::names::{
    COMMIT_DURATION, COMMIT_LAG, COMMIT_OBJECT_DURATION, COMMIT_ROWS_DURATION, COMMITTED,
    TAKES_COMPLETED, TAKES_POISONED,
};

/// A third of what makes a take an idle one.
const GROWTH_NOTED_EVERY: Millis = 20 * 1000;

impl Writer {
    /// First the bytes…
    pub(in crate::service) async fn write(&mut self, pending: WriteBuffer) -> Result<(), Error> {
        let (start, length) = (self.end(), pending.length());
        self.arrived = self.arrived.or(pending.buffered_since());
        let (pieces, _held_until_durable) = pending.into_parts();
        self.head.feed(&pieces)?;
        if self.is_late() {
            return Err(self.too_slow());
        }
        let take = self.claim.take();
        let object = reserve(&self.app, Some(take), length as u64).await?;
        self.check_request(&object).await?;
        let take = self.claim.take();
        let key = ObjectKey::random(&take.request_id, &take.id);
        self.since.get_or_insert_with(Stopwatch::start);
        let begun = Instant::now();
        match self.app.blobs.put(&key, pieces).await {
            Ok(()) => histogram!(COMMIT_OBJECT_DURATION).record(begun.elapsed()),
            Err(error @ BlobError::NotDurable(_)) => return Err(self.poison(&key, error).await),
            Err(error) => {
                // A bucket may have taken it and only its answer been lost.
                let app = self.app.clone();
                let prevented = async move {
                    orphan_gc::prevent(&app, &key).await;
                    drop(object);
                };
                self.app.tasks.spawn(prevented.in_current_span());
                return Err(error.into());
            }
        }
        self.written.push(Written {
            chunk: Chunk {
                take_id: take.id.clone(),
                start,
                length: length as u64,
                object: key.as_str().to_owned(),
            },
            pending: object,
        });
        Ok(())
    }

    /// Refuses an object that the request has no room for beside its other takes.
    ///
    /// Asked for when the object is reserved: of two writers at least one sees the other. What is pending is
    /// read before the rows, so an object that is committed in between counts twice and never not at all.
    async fn check_request(&mut self, object: &PendingObject) -> Result<(), Error> {
        let take = self.claim.take();
        let written: u64 = self.written.iter().map(|it| it.pending.bytes()).sum();
        let own = written + object.bytes();
        let pending = self.app.storage_usage.pending_of(&take.request_id);
        let held = self.app.db.takes_of(&take.request_id).await?;
        let others = pending.saturating_sub(own);
        self.most = most(&self.app.storage_limits, &held, &take.id, others);
        if self.committed + own > self.most {
            return Err(Error::TooLarge { most: self.most });
        }
        Ok(())
    }

    /// …then the rows that name them: the order in which a crash can lose nothing that was acknowledged.
    pub(in crate::service) async fn commit(&mut self, complete: bool) -> Result<(), Error> {
        let to = self.end();
        let addition = Addition {
            from: self.committed,
            chunks: self.written.iter().map(|it| it.chunk.clone()).collect(),
            complete,
            since: self.since,
            length: self.length,
            container: self.head.container().map(|it| it.media_type().to_owned()),
        };
        let db = &self.app.db;
        let begun = Instant::now();
        match db.take_commit(&self.claim, addition, &self.app.clock).await {
            Ok(true) => {
                self.measure(to, begun.elapsed());
                self.committed = to;
                self.complete = complete;
                if complete {
                    counter!(TAKES_COMPLETED).increment(1);
                    self.app.sealer.wake();
                }
                self.keep_written();
                self.since = None;
                self.arrived = None;
                Ok(())
            }
            Ok(false) if self.is_late() => Err(self.too_slow()),
            Ok(false) => Err(self.refusal().await),
            Err(error) => {
                // Nobody knows whether the rows are there, so the objects stay; unless they can't be.
                if !error.changed_nothing() {
                    self.keep_written();
                }
                Err(error.into())
            }
        }
    }

    /// Leaves the written objects to the rows that name them.
    fn keep_written(&mut self) {
        for written in self.written.drain(..) {
            written.pending.commit();
        }
    }

    /// Keeps other nodes from ending this take as an idle one while its bytes await their digest.
    pub(in crate::service) async fn note_growth(&mut self) {
        let now = self.app.clock.now();
        if now - self.growth_noted_at < GROWTH_NOTED_EVERY {
            return;
        }
        self.growth_noted_at = now;
        let noted = self.app.db.take_note_growth(&self.claim, &self.app.clock);
        if let Err(error) = noted.await {
            let error: &dyn std::error::Error = &error;
            debug!(error, "could not note that a take grows");
        }
    }

    /// Notes that somebody wrote to this take, though none of it counts.
    pub(in crate::service) async fn note_attempt(&self) {
        let noted = self.app.db.take_note_attempt(&self.claim, &self.app.clock);
        if let Err(error) = noted.await {
            let error: &dyn std::error::Error = &error;
            debug!(error, "could not note that somebody wrote to a take");
        }
    }

    /// Counts what is about to be committed, up to `to`.
    fn measure(&self, to: u64, rows: Duration) {
        counter!(COMMITTED).increment(to - self.committed);
        histogram!(COMMIT_ROWS_DURATION).record(rows);
        if let Some(arrived) = self.arrived {
            histogram!(COMMIT_LAG).record(arrived.elapsed());
        }
        // What waits for a digest waits for its sender.
        if let Some(since) = self.since.filter(|_| !self.verified) {
            histogram!(COMMIT_DURATION).record(since.elapsed());
        }
    }

    fn has_too_many_pieces(&self, take: &Take) -> bool {
        let more = self.written.len() as u64;
        take.state == TakeState::Open && take.pieces + more > MAX_CHUNKS
    }

    fn too_slow(&self) -> Error {
        match self.verified {
            true => Error::TooSlow,
            false => Error::StoreTooSlow,
        }
    }

    /// Whether it took so long that what is written might be taken for orphans.
    fn is_late(&self) -> bool {
        self.since.is_some_and(|it| it.elapsed() > LONGEST_COMMIT)
    }

    /// Why this writer may write no more: it is over, or somebody else was first.
    pub(in crate::service) async fn refusal(&self) -> Error {
        // The clock is enough to say so, and the database may be away.
        if self.app.clock.now() >= self.expires_at {
            return Error::Gone;
        }
        let take = self.claim.take();
        match find(&self.app, take.request_id.as_str(), take.id.as_str()).await {
            Err(error) => error,
            Ok(found) if self.has_too_many_pieces(&found.take) => Error::TooManyPieces,
            Ok(found) => match refusal(&found.take, self.piece.offset, None) {
                Error::OffsetMismatch { committed, .. } => Error::Superseded { committed },
                error => error,
            },
        }
    }

    /// The disk took bytes and then failed to keep them. Nobody knows what else it lost, and asking it
    /// again may succeed without a reason (the pages are marked clean): so nothing more goes to this take.
    async fn poison(&self, key: &ObjectKey, cause: BlobError) -> Error {
        error!(
            error = &cause as &dyn std::error::Error,
            "bytes could not be made durable"
        );
        counter!(TAKES_POISONED).increment(1);
        self.app.coordination.poisoned.add(&self.claim.take().id);
        orphan_gc::prevent(&self.app, key).await;
        if let Err(error) = self.app.db.take_poison(&self.claim.take().id).await {
            let error: &dyn std::error::Error = &error;
            error!(error, "nor could it be written down that they weren't");
        }
        Error::TakeFailed
    }

    /// Removes what is written and will never count.
    pub(in crate::service) async fn clean_up(&mut self) {
        for Written { chunk, pending } in std::mem::take(&mut self.written) {
            orphan_gc::prevent(&self.app, &ObjectKey::from_manifest(&chunk.object)).await;
            drop(pending);
        }
        let take = self.claim.take();
        remove_late(&self.app, &take.request_id, &take.id).await;
    }
}
