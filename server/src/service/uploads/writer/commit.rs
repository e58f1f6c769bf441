//! Durability of a chunk: first the object, then the row that names it.

use std::time::{Duration, Instant};

use metrics::{counter, histogram};
use tracing::{debug, error};

use crate::blobs::{BlobError, Checksums, ObjectKey};
use crate::clock::{Millis, Stopwatch};
use crate::db::{Addition, Chunk, MAX_CHUNKS, MAX_COMMIT_TIME, Queue, Take, TakeState};
use crate::service::Error;
use crate::service::quota::storage::reserve;
use crate::service::quota::storage_usage::PendingObject;
use crate::service::removal::{remove_take_if_gone, remove_unnamed};
use crate::service::uploads::buffer::WriteBuffer;
use crate::service::uploads::lookup::find;
use crate::service::uploads::writer::{ChunkWriter, explain_refusal, max_length};
use crate::telemetry::logging::AsDynError;
use crate::telemetry::logging::request::inheriting;
use crate::telemetry::names::{
    COMMIT_DURATION, COMMIT_LAG, COMMIT_OBJECT_DURATION, COMMIT_ROWS_DURATION, COMMITTED,
    TAKES_COMPLETED, TAKES_POISONED,
};

/// A third of the time after which a take counts as idle.
const GROWTH_NOTED_EVERY: Millis = 20 * 1000;

/// Durable objects that the manifest doesn't name yet.
#[derive(Default)]
pub(super) struct Uncommitted {
    pub(super) objects: Vec<Written>,
    /// Runs since the first of them was begun.
    begun: Option<Stopwatch>,
    /// When the first byte of them arrived.
    arrived: Option<tokio::time::Instant>,
}

/// One of them.
pub(super) struct Written {
    chunk: Chunk,
    pending: PendingObject,
}

impl Uncommitted {
    /// Offset after the last of them.
    pub(super) fn end(&self) -> Option<u64> {
        let last = self.objects.last()?;
        Some(last.chunk.start + last.chunk.length)
    }

    /// Whether they are so old that they might be collected as orphans.
    fn are_late(&self) -> bool {
        self.begun.is_some_and(|it| it.elapsed() > MAX_COMMIT_TIME)
    }
}

impl ChunkWriter {
    /// Writes the buffered bytes to an object of their own and syncs it.
    pub(super) async fn store(&mut self, buffer: WriteBuffer) -> Result<(), Error> {
        let (start, length) = (self.end(), buffer.length());
        let uncommitted = &mut self.uncommitted;
        uncommitted.arrived = uncommitted.arrived.or(buffer.buffered_since());
        let (pieces, _reserved_until_durable) = buffer.into_parts();
        self.sniffer.feed(&pieces)?;
        if self.uncommitted.are_late() {
            return Err(self.too_slow());
        }
        let take = self.claim.take();
        let object = reserve(&self.app, Some(take), length as u64).await?;
        self.check_request_limit(&object).await?;
        let take = self.claim.take();
        let key = ObjectKey::random(&take.request_id, &take.id);
        let checksums = Checksums::of(&pieces);
        self.uncommitted.begun.get_or_insert_with(Stopwatch::start);
        let begun = Instant::now();
        match self.app.blobs.put(&key, pieces).await {
            Ok(()) => histogram!(COMMIT_OBJECT_DURATION).record(begun.elapsed()),
            Err(error @ BlobError::NotDurable(_)) => return Err(self.poison(&key, error).await),
            Err(error) => {
                // A bucket may have stored the object although its answer was lost.
                let app = self.app.clone();
                let prevented = async move {
                    remove_unnamed(&app.blobs, &key).await;
                    drop(object);
                };
                self.app.tasks.spawn(inheriting(prevented));
                return Err(error.into());
            }
        }
        self.uncommitted.objects.push(Written {
            chunk: Chunk {
                take_id: take.id.clone(),
                start,
                length: length as u64,
                object: key.as_str().to_owned(),
                committed_at: None,
                checksums: Some(checksums.to_row()),
            },
            pending: object,
        });
        Ok(())
    }

    /// Refuses an object for which the request has no room beside its other takes.
    ///
    /// Called once the object is reserved, so that of two concurrent writers at least one sees the other. Pending
    /// bytes are read before the rows: an object that is committed in between counts twice, and is never missed.
    async fn check_request_limit(&mut self, object: &PendingObject) -> Result<(), Error> {
        let take = self.claim.take();
        let written = self.uncommitted.objects.iter();
        let written: u64 = written.map(|it| it.pending.bytes()).sum();
        let own = written + object.bytes();
        let pending = self.app.storage_usage.pending_of(&take.request_id);
        let held = self.app.db.takes_of(&take.request_id).await?;
        let others = pending.saturating_sub(own);
        self.max_length = max_length(&self.app.storage_limits, &held, &take.id, others);
        if self.committed + own > self.max_length {
            return Err(Error::TooLarge {
                most: self.max_length,
            });
        }
        Ok(())
    }

    /// Commits the durable objects: one transaction names them in the manifest and moves `committed`.
    pub(super) async fn commit(&mut self, complete: bool) -> Result<(), Error> {
        let to = self.end();
        let chunks = self.uncommitted.objects.iter();
        let container = self.sniffer.container();
        let addition = Addition {
            from: self.committed,
            chunks: chunks.map(|it| it.chunk.clone()).collect(),
            complete,
            since: self.uncommitted.begun,
            length: self.length,
            container: container.map(|it| it.media_type().to_owned()),
            first_byte_at: self.first_byte_at.take(),
        };
        let db = &self.app.db;
        let begun = Instant::now();
        match db.take_commit(&self.claim, addition, &self.app.clock).await {
            Ok(true) => {
                self.record_commit(to, begun.elapsed());
                self.committed = to;
                self.complete = complete;
                if complete {
                    counter!(TAKES_COMPLETED).increment(1);
                    self.app.sealer.wake(Queue::Seal);
                }
                self.settle_uncommitted();
                Ok(())
            }
            Ok(false) if self.uncommitted.are_late() => Err(self.too_slow()),
            Ok(false) => Err(self.explain().await),
            Err(error) => {
                // The outcome is unknown, so the objects stay, unless the transaction certainly failed.
                if !error.changed_nothing() {
                    self.settle_uncommitted();
                }
                Err(error.into())
            }
        }
    }

    /// Counts the objects as stored: rows name them, or may.
    fn settle_uncommitted(&mut self) {
        for written in std::mem::take(&mut self.uncommitted).objects {
            written.pending.commit();
        }
    }

    /// Tells other nodes that the take grows, while its bytes await their checksum.
    ///
    /// They would otherwise end it as idle.
    pub(super) async fn note_growth(&mut self) {
        let now = self.app.clock.now();
        if now - self.growth_noted_at < GROWTH_NOTED_EVERY {
            return;
        }
        self.growth_noted_at = now;
        let noted = self.app.db.take_note_growth(&self.claim, &self.app.clock);
        if let Err(error) = noted.await {
            debug!(error = error.as_dyn(), "could not note that a take grows");
        }
    }

    /// Notes an append of which nothing was committed: the take isn't abandoned.
    pub(super) async fn note_attempt(&self) {
        let noted = self.app.db.take_note_attempt(&self.claim, &self.app.clock);
        if let Err(error) = noted.await {
            debug!(error = error.as_dyn(), "could not note an append");
        }
    }

    /// Records the metrics of a commit up to `to`, before `committed` moves.
    fn record_commit(&self, to: u64, rows: Duration) {
        counter!(COMMITTED).increment(to - self.committed);
        histogram!(COMMIT_ROWS_DURATION).record(rows);
        if let Some(arrived) = self.uncommitted.arrived {
            histogram!(COMMIT_LAG).record(arrived.elapsed());
        }
        // An append with a checksum waits for its client, which says nothing about the server.
        if let Some(since) = self.uncommitted.begun.filter(|_| !self.has_checksum) {
            histogram!(COMMIT_DURATION).record(since.elapsed());
        }
    }

    fn too_slow(&self) -> Error {
        match self.has_checksum {
            true => Error::TooSlow,
            false => Error::StoreTooSlow,
        }
    }

    /// Why this writer may no longer write: the request has ended, or another writer came first.
    pub(super) async fn explain(&self) -> Error {
        // Decided by the clock first, since the database may be unavailable.
        if self.app.clock.now() >= self.expires_at {
            return Error::Gone;
        }
        let take = self.claim.take();
        let more = self.uncommitted.objects.len() as u64;
        match find(&self.app, &take.request_id, &take.id).await {
            Err(error) => error,
            Ok(found) if has_too_many_chunks(&found.take, more) => Error::TooManyPieces,
            Ok(found) => match explain_refusal(&found.take, self.append.offset, None) {
                Error::OffsetMismatch { committed, .. } => Error::Superseded { committed },
                error => error,
            },
        }
    }

    /// Poisons the take after a failed sync.
    ///
    /// What else the disk lost is unknown, and a second sync may succeed although the bytes are gone, because the
    /// kernel has marked the pages clean. So nothing more is appended to this take.
    async fn poison(&self, key: &ObjectKey, cause: BlobError) -> Error {
        error!(error = cause.as_dyn(), "sync failed; take poisoned");
        counter!(TAKES_POISONED).increment(1);
        self.app.coordination.poisoned.add(&self.claim.take().id);
        remove_unnamed(&self.app.blobs, key).await;
        if let Err(error) = self.app.db.take_poison(&self.claim.take().id).await {
            error!(error = error.as_dyn(), "could not mark a take as poisoned");
        }
        Error::TakeFailed
    }

    /// Removes objects that will never be committed.
    pub(super) async fn remove_uncommitted(&mut self) {
        for Written { chunk, pending } in std::mem::take(&mut self.uncommitted).objects {
            remove_unnamed(&self.app.blobs, &ObjectKey::from_manifest(&chunk.object)).await;
            drop(pending);
        }
        let take = self.claim.take();
        remove_take_if_gone(&self.app, &take.request_id, &take.id).await;
    }
}

/// Whether `more` chunks are too many for a take that is still open.
fn has_too_many_chunks(take: &Take, more: u64) -> bool {
    take.state == TakeState::Open && take.pieces + more > MAX_CHUNKS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{RequestId, TakeId};

    #[test]
    fn an_open_take_may_have_so_many_chunks() {
        for (state, pieces, more, want) in [
            (TakeState::Open, 0, 1, false),
            (TakeState::Open, MAX_CHUNKS - 1, 1, false),
            (TakeState::Open, MAX_CHUNKS, 0, false),
            (TakeState::Open, MAX_CHUNKS, 1, true),
            (TakeState::Open, MAX_CHUNKS - 1, 2, true),
            (TakeState::Complete, MAX_CHUNKS, 1, false),
        ] {
            let take = Take {
                state,
                committed: pieces,
                pieces,
                ..Take::begun(TakeId::random(), RequestId::random(), 0)
            };
            let too_many = has_too_many_chunks(&take, more);
            assert_eq!(too_many, want, "{pieces} and {more}");
        }
    }
}
