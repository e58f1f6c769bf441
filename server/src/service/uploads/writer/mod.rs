//! The one writer of a take: buffers a body, and makes chunks of it.
//!
//! The order of [`commit`] loses nothing at a crash: first the object, then the row that names it, then the answer.

mod commit;

use std::future::pending;

use bytes::Bytes;
use futures_util::{FutureExt, Stream, StreamExt};
use metrics::counter;
use tokio::sync::OwnedRwLockReadGuard;
use tokio::time::{Instant, sleep_until};
use tracing::{debug, warn};

use crate::clock::Millis;
use crate::config::LimitArgs;
use crate::db::{Claim, Take, TakeState};
use crate::id::TakeId;
use crate::service::state::transfers::TransferGuard;
use crate::service::state::upload_locks::WriterGuard;
use crate::service::uploads::buffer::{CHUNK_BYTES, WriteBuffer};
use crate::service::uploads::lookup::{UploadStatus, ends_at};
use crate::service::uploads::parameters::{Append, End};
use crate::service::uploads::sniffer::Sniffer;
use crate::service::{AppState, Error};
use crate::telemetry::logging::AsDynError;
use crate::telemetry::names::RECEIVED;
use commit::Uncommitted;

/// The one writer of a take, until a newer one claims it.
pub(super) struct ChunkWriter {
    app: AppState,
    claim: Claim,
    append: Append,
    /// Maximum length of the take, as of the last object.
    ///
    /// Takes of one request that are written on several nodes at once see each other's growth an object late, so that
    /// the request may hold a little more than its limit.
    max_length: u64,
    /// Declared length of the take, if any.
    length: Option<u64>,
    sniffer: Sniffer,
    /// When the request expires.
    expires_at: Millis,
    /// Whether the append has a checksum, which delays its commit.
    has_checksum: bool,
    complete: bool,
    committed: u64,
    uncommitted: Uncommitted,
    /// When the take's first byte arrived, until that is committed.
    first_byte_at: Option<Millis>,
    /// When the row last said that the take grows.
    growth_noted_at: Millis,
    lock: WriterGuard,
    transfer: TransferGuard,
}

/// Maximum length of a take beside the other takes of its request.
///
/// `pending` bytes of those takes are written and not yet committed.
pub(super) fn max_length(limits: &LimitArgs, takes: &[Take], take: &TakeId, pending: u64) -> u64 {
    let others = takes.iter().filter(|it| it.id != *take);
    let others: u64 = others.map(|it| it.committed).sum();
    let left = limits.max_request_bytes.saturating_sub(others);
    limits.max_video_bytes.min(left.saturating_sub(pending))
}

/// Why a claim of a take at offset `given` failed.
pub(super) fn explain_refusal(take: &Take, given: u64, length: Option<u64>) -> Error {
    let committed = take.committed;
    match take.state {
        TakeState::Complete => Error::TakeComplete { committed },
        TakeState::Open if take.poisoned => Error::TakeFailed,
        TakeState::Open if committed == given && length.is_some() => Error::InconsistentLength,
        TakeState::Open => Error::OffsetMismatch { committed, given },
    }
}

impl ChunkWriter {
    pub(super) async fn new(
        app: &AppState,
        claim: Claim,
        append: Append,
        max_length: u64,
        expires_at: Millis,
        lock: WriterGuard,
        transfer: TransferGuard,
    ) -> Result<Self, Error> {
        let take = claim.take();
        Ok(Self {
            sniffer: Sniffer::load(app, take).await?,
            committed: take.committed,
            length: append.length.or(take.length),
            first_byte_at: None,
            growth_noted_at: app.clock.now(),
            has_checksum: append.checksum.is_some(),
            complete: false,
            uncommitted: Uncommitted::default(),
            app: app.clone(),
            claim,
            append,
            max_length,
            expires_at,
            lock,
            transfer,
        })
    }

    /// Writes a whole body, or as much of it as arrives.
    pub(super) async fn write_body<E>(
        mut self,
        body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin,
    ) -> Result<UploadStatus, Error> {
        let result = match self.length {
            Some(length) if length > self.max_length => Err(self.too_large()),
            _ => self.consume(body).await,
        };
        if result.is_err() {
            self.remove_uncommitted().await;
        }
        if self.committed == self.claim.take().committed && !self.complete {
            self.note_attempt().await;
        }
        result
    }

    async fn consume<E>(
        &mut self,
        mut body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin,
    ) -> Result<UploadStatus, Error> {
        let mut buffer = WriteBuffer::default();
        // Bytes that are still read once a newer append has come, so that what the socket holds is not lost.
        let mut grace = CHUNK_BYTES;
        loop {
            let flush_at = buffer.flush_at();
            let arrived = tokio::select! {
                biased;
                () = self.transfer.cancelled() => return Err(self.explain().await),
                () = self.lock.superseded() => match body.next().now_or_never() {
                    Some(arrived) if grace > 0 => {
                        let length = arrived.as_ref().and_then(|it| it.as_ref().ok()).map_or(0, Bytes::len);
                        grace = grace.saturating_sub(length.max(1));
                        arrived
                    }
                    _ => return self.give_way(buffer).await,
                },
                arrived = body.next() => arrived,
                () = sleep_until_some(flush_at) => {
                    self.flush(std::mem::take(&mut buffer)).await?;
                    continue;
                }
            };
            match arrived {
                Some(Ok(piece)) => self.push(&mut buffer, piece).await?,
                Some(Err(_)) if self.append.checksum.is_some() => return Err(Error::Interrupted),
                Some(Err(_)) => {
                    debug!("the client disconnected during an upload");
                    // The client gets no answer any more, so a failure is only logged.
                    let flushed = self.flush(buffer).await;
                    flushed.inspect_err(|error| {
                        warn!(
                            error = error.as_dyn(),
                            "could not commit the end of an interrupted upload"
                        );
                    })?;
                    return Err(Error::Interrupted);
                }
                None => return self.finish(buffer).await,
            }
        }
    }

    /// Adds a piece of the body to the buffer, and flushes what fills a chunk.
    async fn push(&mut self, buffer: &mut WriteBuffer, mut piece: Bytes) -> Result<(), Error> {
        let length = self.end() + (buffer.length() + piece.len()) as u64;
        // The declared length is checked first: how a body is cut into pieces must not change the error.
        if self.length.is_some_and(|declared| length > declared) {
            return Err(Error::InconsistentLength);
        }
        if length > self.max_length {
            return Err(self.too_large());
        }
        if self.end() == 0 && buffer.length() == 0 {
            self.first_byte_at = Some(self.app.clock.now());
        }
        counter!(RECEIVED).increment(piece.len() as u64);
        if let Some(checksum) = &mut self.append.checksum {
            checksum.update(&piece);
        }
        let memory = self.app.coordination.upload_memory.clone();
        let reservation = match memory.try_reserve(piece.len()) {
            Some(reservation) => reservation,
            None => {
                // Writers flush before they wait for memory, which rules out deadlock.
                self.flush(std::mem::take(buffer)).await?;
                memory.reserve(piece.len()).await
            }
        };
        buffer.add_reservation(reservation);
        while piece.len() >= buffer.room() {
            buffer.push(piece.split_to(buffer.room()));
            self.flush(std::mem::take(buffer)).await?;
        }
        buffer.push(piece);
        Ok(())
    }

    /// Offset after the durable bytes, committed or not.
    fn end(&self) -> u64 {
        self.uncommitted.end().unwrap_or(self.committed)
    }

    /// Makes the buffered bytes durable, and commits them unless a checksum is still to be verified.
    async fn flush(&mut self, buffer: WriteBuffer) -> Result<(), Error> {
        if buffer.length() == 0 {
            return Ok(());
        }
        let _not_removed_meanwhile = self.lock_removals().await;
        self.store(buffer).await?;
        if self.append.checksum.is_some() {
            self.note_growth().await;
            return Ok(());
        }
        let reached = self.append.end.is_reached(self.length, self.end());
        self.commit(reached && self.sniffer.container().is_some())
            .await
    }

    /// Commits the rest once the body has ended regularly.
    async fn finish(&mut self, buffer: WriteBuffer) -> Result<UploadStatus, Error> {
        let _not_removed_meanwhile = self.lock_removals().await;
        if buffer.length() > 0 {
            self.store(buffer).await?;
        }
        if self.append.checksum.take().is_some_and(|it| !it.holds()) {
            return Err(Error::ChecksumMismatch);
        }
        let (end, length) = (self.end(), self.length);
        let complete = self.append.end == End::Here || self.append.end.is_reached(length, end);
        if complete && length.is_some_and(|length| length != end) {
            return Err(Error::InconsistentLength);
        }
        if complete && end > 0 && self.sniffer.container().is_none() {
            return Err(Error::UnsupportedMediaType);
        }
        let declared = length.is_some() && self.claim.take().length.is_none();
        let completes = complete && !self.complete;
        if completes || (declared && !self.complete) || !self.uncommitted.objects.is_empty() {
            self.commit(complete).await?;
        }
        Ok(UploadStatus {
            offset: end,
            complete,
            length,
            ends_at: ends_at(&self.app, complete, self.expires_at),
        })
    }

    /// Commits what has arrived, because a newer append or status request has come.
    async fn give_way(&mut self, buffer: WriteBuffer) -> Result<UploadStatus, Error> {
        self.flush(buffer).await?;
        Err(self.explain().await)
    }

    /// Keeps removals of the request's bytes out while an object is written and committed.
    async fn lock_removals(&self) -> OwnedRwLockReadGuard<()> {
        let locks = &self.app.coordination.removal_locks;
        locks.shared(&self.claim.take().request_id).await
    }

    fn too_large(&self) -> Error {
        Error::TooLarge {
            most: self.max_length,
        }
    }
}

async fn sleep_until_some(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}
