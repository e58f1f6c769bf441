//! Appending to a take: bytes as they arrive become durable chunks.
//!
//! The body is pumped by a task of its own. A sender that hangs up drops the call, but what had arrived
//! by then is still committed, and counts when the sender comes back.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, timeout_at};
use tracing::{Instrument, warn};

use super::takes::{bytes, find, why_not};
use super::{App, Error, access};
use crate::blobs::ObjectKey;
use crate::db::{Chunk, Claim, TakeState};

/// The largest object, and the most memory that one upload holds.
const CHUNK_BYTES: usize = 8 << 20;

/// The longest that a byte waits in memory before it is made durable.
const FLUSH_AFTER: Duration = Duration::from_secs(2);

/// How a take stands after an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Bytes that are safe.
    pub offset: u64,
    /// Whether that is all of it.
    pub complete: bool,
}

/// Appends `body` to a take that stands at `offset`. `last`: the take is complete after it.
pub async fn append<E>(
    app: &App,
    request: &str,
    take: &str,
    offset: u64,
    last: bool,
    body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
) -> Result<Appended, Error>
where
    E: Send + 'static,
{
    let take = find(app, request, take).await?;
    let committed = bytes(take.committed);
    if take.state == TakeState::Complete {
        return Err(Error::TakeComplete { committed });
    }
    let mismatch = || Error::OffsetMismatch { committed };
    let start = i64::try_from(offset).map_err(|_| mismatch())?;
    let claim = app.db.take_claim(&take.request_id, &take.id, start).await?;
    let writer = Writer {
        claim: claim.ok_or_else(mismatch)?,
        app: app.clone(),
        committed: start,
    };
    let pump = writer.pump(body, last).in_current_span();
    app.tasks.spawn(pump).await?
}

/// The one writer of a take, until a newer one claims it.
struct Writer {
    app: App,
    claim: Claim,
    committed: i64,
}

/// Bytes that arrived and are not safe yet.
#[derive(Default)]
struct Pending {
    pieces: Vec<Bytes>,
    length: usize,
    flush_at: Option<Instant>,
}

impl Pending {
    fn push(&mut self, piece: Bytes) {
        if piece.is_empty() {
            return;
        }
        self.flush_at
            .get_or_insert_with(|| Instant::now() + FLUSH_AFTER);
        self.length += piece.len();
        self.pieces.push(piece);
    }

    fn room(&self) -> usize {
        CHUNK_BYTES - self.length
    }
}

impl Writer {
    async fn pump<E>(
        mut self,
        mut body: impl Stream<Item = Result<Bytes, E>> + Send + Unpin,
        last: bool,
    ) -> Result<Appended, Error> {
        let mut pending = Pending::default();
        loop {
            let arrived = match pending.flush_at {
                None => body.next().await,
                Some(at) => match timeout_at(at, body.next()).await {
                    Ok(arrived) => arrived,
                    Err(_) => {
                        self.flush(std::mem::take(&mut pending), false).await?;
                        continue;
                    }
                },
            };
            match arrived {
                Some(Ok(mut piece)) => {
                    while piece.len() >= pending.room() {
                        pending.push(piece.split_to(pending.room()));
                        self.flush(std::mem::take(&mut pending), false).await?;
                    }
                    pending.push(piece);
                }
                Some(Err(_)) => {
                    self.flush(pending, false).await?;
                    return Err(Error::Interrupted);
                }
                None => {
                    self.flush(pending, last).await?;
                    return Ok(Appended {
                        offset: bytes(self.committed),
                        complete: last,
                    });
                }
            }
        }
    }

    /// First the bytes, then the row that names them: the order in which a crash can lose nothing
    /// that was acknowledged.
    async fn flush(&mut self, pending: Pending, last: bool) -> Result<(), Error> {
        if pending.length == 0 {
            return if last {
                self.commit(None, true).await
            } else {
                Ok(())
            };
        }
        let key = ObjectKey::random(&self.claim.request, &self.claim.take);
        self.app.blobs.put(&key, pending.pieces).await?;
        let chunk = Chunk {
            take_id: self.claim.take.clone(),
            start: self.committed,
            length: i64::try_from(pending.length).map_err(|_| Error::Corrupt)?,
            object: key.as_str().to_owned(),
        };
        let committed = self.commit(Some(chunk), last).await;
        // After a database error nobody knows whether the row is there, so the object stays.
        let refused = matches!(&committed, Err(error) if !matches!(error, Error::Db(_)));
        if refused && let Err(error) = self.app.blobs.remove(&key).await {
            let error: &dyn std::error::Error = &error;
            warn!(
                error,
                "an object that no manifest names could not be removed"
            );
        }
        committed
    }

    async fn commit(&mut self, chunk: Option<Chunk>, last: bool) -> Result<(), Error> {
        let length = chunk.as_ref().map_or(0, |chunk| chunk.length);
        let now = self.app.clock.now();
        let db = &self.app.db;
        if db
            .take_commit(&self.claim, self.committed, chunk, last, now)
            .await?
        {
            self.committed += length;
            return Ok(());
        }
        // Somebody else was first, or it is over: say which.
        let request = self.claim.request.as_str();
        access::awaiting(&self.app, request).await?;
        match db.take_get(&self.claim.request, &self.claim.take).await? {
            Some(take) => Err(Error::OffsetMismatch {
                committed: bytes(take.committed),
            }),
            None => Err(why_not(&self.app, request).await),
        }
    }
}
