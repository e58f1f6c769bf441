//! Compacts a take of many small chunks into few objects before it is sealed.
//!
//! The client decides how its bytes are cut into chunks, and the cost falls on every reader of the video and on every
//! listing, count and removal of objects. The bytes don't change: sealing computes their digest after the compaction.
//! When they came is stored with the job before. No object is modified. A new one is written durably; one transaction
//! makes the manifest name it instead of those that hold the same bytes; then those are removed. A crash before the
//! transaction leaves the new object without a row, one after it the old objects: orphan collection removes either.

use bytes::Bytes;
use futures_util::{TryStreamExt, stream};
use tracing::{info, warn};

use super::super::Error;
use super::Job;
use super::arrival::Arrivals;
use crate::blobs::{Blobs, Checksums, ObjectKey};
use crate::clock::{Clock, Millis, Stopwatch};
use crate::db::{Chunk, Db, DbError, Lease, Take};
use crate::id::{RequestId, TakeId};
use crate::service::quota::storage::reserve;
use crate::service::removal::remove_unnamed;
use crate::service::state::memory_budget::Reservation;
use crate::service::videos::extents::object_of;
use crate::telemetry::logging::AsDynError;

/// Maximum number of objects that are never worth a rewrite, whatever their size.
const FEW: u64 = 64;

/// Number of objects above which a take is always rewritten, whatever their size.
const MANY: u64 = 1024;

/// Average size in bytes below which more than [`FEW`] objects are rewritten.
///
/// Readers request this much at a time, so smaller objects cost them additional calls, and larger ones don't.
const SMALL: u64 = 256 << 10;

/// Maximum size of a new object in bytes: that of the largest chunk of an upload.
const LARGEST: u64 = 8 << 20;

impl Job {
    /// Rewrites the take's small chunks. If that fails, the take is sealed as it is.
    pub(super) async fn compact(&self, take: &Take, arrivals: Option<&Arrivals>) {
        if let Err(error) = self.compact_runs(take, arrivals).await {
            warn!(error = error.as_dyn(), "could not compact take");
        }
    }

    async fn compact_runs(&self, take: &Take, arrivals: Option<&Arrivals>) -> Result<(), Error> {
        if !is_worth_it(take.pieces, take.committed) {
            return Ok(());
        }
        if let Some(arrivals) = arrivals.filter(|_| self.lease.arrivals.is_none()) {
            // Another attempt would find only the times of the new objects.
            let stored = arrivals.to_bytes();
            if !self
                .app
                .db
                .sealing_keep_arrivals(&self.lease, stored)
                .await?
            {
                return Ok(());
            }
        }
        let (mut at, mut objects) = (0, 0);
        while at < take.committed {
            let run = self.run_from(at, take.committed).await?;
            let last = run.last().ok_or(Error::Corrupt)?;
            at = last.start + last.length;
            objects += 1;
            if run.len() > 1 && !self.rewrite(run).await? {
                return Ok(());
            }
        }
        info!(pieces = take.pieces, objects, "compacted take");
        Ok(())
    }

    /// Consecutive chunks from `at` on that fit into one object; at least one.
    async fn run_from(&self, at: u64, end: u64) -> Result<Vec<Chunk>, Error> {
        let mut run = Run::at(at);
        loop {
            let window = self.app.db.take_chunks(&self.take, run.end..end).await?;
            if window.is_empty() {
                return Err(Error::Corrupt);
            }
            for chunk in window {
                if chunk.start != run.end {
                    return Err(Error::Corrupt);
                }
                if !run.takes(&chunk) {
                    return Ok(run.chunks);
                }
                run.push(chunk);
            }
            if run.end >= end {
                return Ok(run.chunks);
            }
        }
    }

    /// Merges these chunks into one object. `false`: the lease was lost, or the take is gone.
    async fn rewrite(&self, run: Vec<Chunk>) -> Result<bool, Error> {
        let length = run.iter().map(|it| it.length).sum();
        // The take's bytes are counted already: this counts the copy, as long as both exist.
        let room = reserve(&self.app, None, length).await?;
        let memory = usize::try_from(length).map_err(|_| Error::Corrupt)?;
        // Memory is reserved before the removal lock is taken, so that no removal waits for memory.
        let reservation = self.app.coordination.upload_memory.reserve(memory).await;
        let parts: Vec<_> = run.iter().map(|chunk| Ok(object_of(chunk))).collect();
        let mut pieces = self.app.blobs.stream(stream::iter(parts));
        let mut content = Vec::with_capacity(memory);
        while let Some(piece) = pieces.try_next().await? {
            content.extend_from_slice(&piece);
        }
        if content.len() != memory {
            return Err(Error::Corrupt);
        }
        let job = self.clone();
        // Runs to completion, because a write that outlives the removal lock would be missed by a removal.
        let replaced = async move {
            let replaced = job.replace(run, content, reservation).await;
            drop(room);
            job.clean_up(replaced).await
        };
        self.app.spawn_to_completion(replaced).await
    }

    async fn replace(
        &self,
        old: Vec<Chunk>,
        content: Vec<u8>,
        reservation: Reservation,
    ) -> Result<bool, Error> {
        let app = &self.app;
        let Some(lock) = self.lock_removals().await? else {
            return Ok(false);
        };
        let replacement = Replacement {
            db: &app.db,
            blobs: &app.blobs,
            clock: &app.clock,
            lease: &self.lease,
            request: &self.request,
            take: &self.take,
        };
        let replaced = replacement.commit(&old, content).await;
        drop((reservation, lock));
        if let Ok(true) = replaced {
            replacement.remove(&old).await;
        }
        replaced
    }
}

/// Replaces chunks by one in an order in which a crash loses nothing.
struct Replacement<'a> {
    db: &'a Db,
    blobs: &'a Blobs,
    clock: &'a Clock,
    lease: &'a Lease,
    request: &'a RequestId,
    take: &'a TakeId,
}

impl Replacement<'_> {
    /// Writes the object and then the row that names it.
    ///
    /// `false`: the lease was lost or the take is gone, and the object was removed again.
    async fn commit(&self, old: &[Chunk], content: Vec<u8>) -> Result<bool, Error> {
        let since = Stopwatch::start();
        let key = ObjectKey::random(self.request, self.take);
        let content = [Bytes::from(content)];
        let new = Chunk {
            take_id: self.take.clone(),
            start: old.first().map_or(0, |chunk| chunk.start),
            length: content[0].len() as u64,
            object: key.as_str().to_owned(),
            committed_at: last_committed_at(old),
            checksums: Some(Checksums::of(&content).to_row()),
        };
        if let Err(error) = self.blobs.put(&key, content.into()).await {
            remove_unnamed(self.blobs, &key).await;
            return Err(error.into());
        }
        let (db, old) = (self.db, old.to_vec());
        let replaced = db.chunks_replace(self.lease, self.request, old, new, since, self.clock);
        let replaced = replaced.await;
        // After other errors the row may have been written.
        if matches!(&replaced, Ok(false)) || replaced.as_ref().is_err_and(DbError::changed_nothing)
        {
            remove_unnamed(self.blobs, &key).await;
        }
        Ok(replaced?)
    }

    /// Removes the objects that no row names any more.
    async fn remove(&self, old: &[Chunk]) {
        let keys = old.iter().map(|it| ObjectKey::from_manifest(&it.object));
        let stay = self.blobs.remove_all(keys.collect()).await;
        if stay > 0 {
            warn!(stay, "could not remove orphans");
        }
    }
}

/// When the last byte of these chunks was committed. `None`: the time of one of them is unknown.
fn last_committed_at(chunks: &[Chunk]) -> Option<Millis> {
    let times = chunks.iter().map(|chunk| chunk.committed_at);
    times.reduce(|before, at| before.and(at)).flatten()
}

fn is_worth_it(pieces: u64, length: u64) -> bool {
    let are_small = length / pieces.max(1) < SMALL;
    pieces > MANY || (pieces > FEW && are_small)
}

/// Consecutive chunks that fit into one object.
struct Run {
    chunks: Vec<Chunk>,
    start: u64,
    end: u64,
}

impl Run {
    fn at(start: u64) -> Self {
        Self {
            chunks: Vec::new(),
            start,
            end: start,
        }
    }

    fn takes(&self, chunk: &Chunk) -> bool {
        let length = self.end - self.start + chunk.length;
        self.chunks.is_empty() || length <= LARGEST
    }

    fn push(&mut self, chunk: Chunk) {
        self.end += chunk.length;
        self.chunks.push(chunk);
    }
}

#[cfg(test)]
mod tests;
