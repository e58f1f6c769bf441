//! Appending to a take: bytes as they arrive become durable chunks.
//!
//! The body is pumped by a task of its own. A sender that hangs up drops the call, but what had arrived
//! by then is still committed, and counts when the sender comes back.

mod writer;

use std::future::pending;

use bytes::Bytes;
use futures_util::{FutureExt, Stream, StreamExt};
use metrics::counter;
use tokio::time::{Instant, sleep_until};
use tracing::{debug, warn};

use crate::clock::{Millis, Stopwatch};
use crate::db::{Chunk, Claim, Take, TakeState};
use crate::id::TakeId;
use crate::service::quota::storage::Limits;
use crate::service::quota::storage_usage::PendingObject;
use crate::service::requests::access;
use crate::service::state::transfers::TransferGuard;
use crate::service::state::upload_locks::WriterGuard;
use crate::service::uploads::buffer::{CHUNK_BYTES, WriteBuffer};
use crate::service::uploads::checksum::Checksum;
use crate::service::uploads::sniffer::Sniffer;
use crate::service::uploads::takes::{UploadStatus, ends_at, explain_conflict, find};
use crate::service::{AppState, Error};
use crate::telemetry::names::RECEIVED;

/// What a sender says about the bytes that it appends.
pub struct Append {
    /// Where in the take they belong.
    pub offset: u64,
    /// Whether the take ends behind them.
    pub end: End,
    /// How long the take will be, if that is known.
    pub length: Option<u64>,
    /// What they must hash to. Until they do, none of them counts.
    pub checksum: Option<Checksum>,
}

/// Where a take ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Not behind these bytes.
    Open,
    /// Behind these bytes.
    Here,
    /// At the length that was declared for it.
    AtLength,
}

/// Appends `body` to a take. A newer append, or a question for the offset, ends this one: then what had
/// arrived counts, and the answer is [`Error::Superseded`] with the offset after it.
pub async fn append<E>(
    app: &AppState,
    request: &str,
    take: &str,
    piece: Append,
    body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
) -> Result<UploadStatus, Error>
where
    E: Send + 'static,
{
    let arrived = TakeId::parse(take).map(|it| app.coordination.upload_locks.arrive(&it));
    let current = access::awaiting(app, request).await?;
    let (of, expires_at) = (current.id(), current.row().expires_at);
    // The link's own take, before anybody is asked to leave it.
    let held = app.db.takes_of(of).await?;
    let own = held.iter().find(|it| it.id.as_str() == take);
    let Some((own, arrived)) = own.zip(arrived) else {
        return Err(explain_conflict(app, request).await);
    };
    let (id, most) = (
        &own.id,
        most(
            &app.storage_limits,
            &held,
            &own.id,
            app.storage_usage.pending_of(of),
        ),
    );
    let Some(turn) = arrived.supersede().await else {
        let committed = find(app, request, take).await?.take.committed;
        return Err(Error::Superseded { committed });
    };
    if app.coordination.poisoned.contains(id) {
        return Err(Error::TakeFailed);
    }
    let watch = app.coordination.transfers.begin(of, expires_at);
    let claim = app
        .db
        .take_claim(of, id, Some(piece.offset), piece.length, &app.clock)
        .await?;
    let Some(claim) = claim else {
        // As it stands now, which an older writer may just have changed.
        let found = find(app, request, take).await?;
        return Err(refusal(&found.take, piece.offset, piece.length));
    };
    let length = piece.length.or(claim.take().length);
    let writer = Writer {
        head: Sniffer::load(app, claim.take()).await?,
        committed: claim.take().committed,
        growth_noted_at: app.clock.now(),
        expires_at,
        verified: piece.checksum.is_some(),
        complete: false,
        written: Vec::new(),
        since: None,
        arrived: None,
        app: app.clone(),
        claim,
        most,
        length,
        piece,
        turn,
        watch,
    };
    app.spawn_to_completion(writer.pump(body)).await
}

/// How long a take may become beside the others of its request, of which `pending` bytes are written and
/// not committed.
fn most(limits: &Limits, held: &[Take], take: &TakeId, pending: u64) -> u64 {
    let others = held.iter().filter(|it| it.id != *take);
    let others: u64 = others.map(|it| it.committed).sum();
    let left = limits.request_bytes.saturating_sub(others);
    limits.video_bytes.min(left.saturating_sub(pending))
}

/// Why nothing can be appended where the sender wanted to.
fn refusal(take: &Take, given: u64, length: Option<u64>) -> Error {
    let committed = take.committed;
    match take.state {
        TakeState::Complete => Error::TakeComplete { committed },
        TakeState::Open if take.poisoned => Error::TakeFailed,
        TakeState::Open if committed == given && length.is_some() => Error::InconsistentLength,
        TakeState::Open => Error::OffsetMismatch { committed, given },
    }
}

/// The one writer of a take, until a newer one claims it.
struct Writer {
    app: AppState,
    claim: Claim,
    piece: Append,
    /// How long the take may become, as of the last object. Takes of one request that are written at once on
    /// several nodes see each other's growth an object late: then it holds a little more than it may.
    most: u64,
    /// How long it will be, once anybody has said so.
    length: Option<u64>,
    head: Sniffer,
    /// When its request is over.
    expires_at: Millis,
    /// Whether the bytes must meet a checksum.
    verified: bool,
    complete: bool,
    committed: u64,
    /// Durable objects that no manifest names yet: they wait for the checksum.
    written: Vec<Written>,
    /// Since the first of them was begun.
    since: Option<Stopwatch>,
    /// When the first byte came that isn't committed.
    arrived: Option<Instant>,
    /// When its row last said that the take grows.
    growth_noted_at: Millis,
    turn: WriterGuard,
    watch: TransferGuard,
}

/// A durable object that no manifest names yet.
struct Written {
    chunk: Chunk,
    pending: PendingObject,
}

impl Writer {
    async fn pump<E>(
        mut self,
        body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin,
    ) -> Result<UploadStatus, Error> {
        let pumped = match self.length {
            Some(length) if length > self.most => Err(Error::TooLarge { most: self.most }),
            _ => self.take_in(body).await,
        };
        if pumped.is_err() {
            self.clean_up().await;
        }
        if self.committed == self.claim.take().committed && !self.complete {
            self.note_attempt().await;
        }
        pumped
    }

    async fn take_in<E>(
        &mut self,
        mut body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin,
    ) -> Result<UploadStatus, Error> {
        let mut pending = WriteBuffer::default();
        // What may still be taken in once a newer request is there.
        let mut grace = CHUNK_BYTES;
        loop {
            let flush_at = pending.flush_at();
            let arrived = tokio::select! {
                biased;
                () = self.watch.cancelled() => return Err(self.refusal().await),
                () = self.turn.superseded() => match body.next().now_or_never() {
                    Some(arrived) if grace > 0 => {
                        let length = arrived.as_ref().and_then(|it| it.as_ref().ok()).map_or(0, Bytes::len);
                        grace = grace.saturating_sub(length.max(1));
                        arrived
                    }
                    _ => return self.leave(pending).await,
                },
                arrived = body.next() => arrived,
                () = until(flush_at) => {
                    self.flush(std::mem::take(&mut pending)).await?;
                    continue;
                }
            };
            match arrived {
                Some(Ok(piece)) => self.push(&mut pending, piece).await?,
                Some(Err(_)) if self.piece.checksum.is_some() => return Err(Error::Interrupted),
                Some(Err(_)) => {
                    debug!("an upload broke off");
                    // Nobody is there to be told, so it is told here.
                    let flushed = self.flush(pending).await;
                    flushed.inspect_err(|error| {
                        let error: &dyn std::error::Error = error;
                        warn!(error, "an interrupted upload");
                    })?;
                    return Err(Error::Interrupted);
                }
                None => return self.finish(pending).await,
            }
        }
    }

    async fn push(&mut self, pending: &mut WriteBuffer, mut piece: Bytes) -> Result<(), Error> {
        let length = self.end() + (pending.length() + piece.len()) as u64;
        // First what is reached first: how a body is cut into pieces must not make a difference.
        if self.length.is_some_and(|declared| length > declared) {
            return Err(Error::InconsistentLength);
        }
        if length > self.most {
            return Err(Error::TooLarge { most: self.most });
        }
        counter!(RECEIVED).increment(piece.len() as u64);
        if let Some(checksum) = &mut self.piece.checksum {
            checksum.update(&piece);
        }
        let share = match self.app.coordination.upload_memory.try_reserve(piece.len()) {
            Some(share) => share,
            None => {
                // Short of memory: what is held becomes durable now, not in a moment.
                self.flush(std::mem::take(pending)).await?;
                self.app
                    .coordination
                    .upload_memory
                    .reserve(piece.len())
                    .await
            }
        };
        pending.add_reservation(share);
        while piece.len() >= pending.room() {
            pending.push(piece.split_to(pending.room()));
            self.flush(std::mem::take(pending)).await?;
        }
        pending.push(piece);
        Ok(())
    }

    /// Where the durable bytes end, whether they count already or not.
    fn end(&self) -> u64 {
        let last = self.written.last();
        last.map_or(self.committed, |it| it.chunk.start + it.chunk.length)
    }

    /// Makes bytes durable, and has them count unless they must meet a checksum first.
    async fn flush(&mut self, pending: WriteBuffer) -> Result<(), Error> {
        if pending.length() == 0 {
            return Ok(());
        }
        let _gate = self
            .app
            .coordination
            .removal_locks
            .shared(&self.claim.take().request_id)
            .await;
        self.write(pending).await?;
        if self.piece.checksum.is_some() {
            self.note_growth().await;
            return Ok(());
        }
        // Who counts to a length sends nothing more once it is reached, not even an end.
        let (end, known) = (self.end(), self.head.container().is_some());
        let complete = self.piece.end == End::AtLength && self.length == Some(end) && known;
        self.commit(complete).await
    }

    /// The body has ended, and nothing is missing.
    async fn finish(&mut self, pending: WriteBuffer) -> Result<UploadStatus, Error> {
        let _gate = self
            .app
            .coordination
            .removal_locks
            .shared(&self.claim.take().request_id)
            .await;
        if pending.length() > 0 {
            self.write(pending).await?;
        }
        if self.piece.checksum.take().is_some_and(|it| !it.holds()) {
            return Err(Error::ChecksumMismatch);
        }
        let (end, length) = (self.end(), self.length);
        let complete = match self.piece.end {
            End::Open => false,
            End::Here => true,
            End::AtLength => length == Some(end),
        };
        if complete && length.is_some_and(|length| length != end) {
            return Err(Error::InconsistentLength);
        }
        if complete && end > 0 && self.head.container().is_none() {
            return Err(Error::UnsupportedMediaType);
        }
        let declared = length.is_some() && self.claim.take().length.is_none();
        let news = complete && !self.complete;
        if news || (declared && !self.complete) || !self.written.is_empty() {
            self.commit(complete).await?;
        }
        Ok(UploadStatus {
            offset: end,
            complete,
            length,
            ends_at: ends_at(&self.app, complete, self.expires_at),
        })
    }

    /// A newer request is there: what has arrived counts, and it goes on from there.
    async fn leave(&mut self, pending: WriteBuffer) -> Result<UploadStatus, Error> {
        self.flush(pending).await?;
        Err(self.refusal().await)
    }
}

/// Waits for a moment, or for ever when there is none.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => pending().await,
    }
}
